#pragma once
// Query expansion: finds the words most similar to the words of a question, by a file of word
// vectors.
//
//     CAIRN_ASSIGN(const auto vectors, WordVectors::open("glove.cwv"));
//     RecallOptions options;
//     options.expansion = similar_words(*vectors, "Who likes hot drinks?");
//     CAIRN_ASSIGN(const auto hits, recall(snapshot, "Who likes hot drinks?", options));
//
// recall() does not use it by default: RESULTS.md in tools/bench measures a gain of 0.3 to 0.5
// points of recall@10 over texts alone on chats, and a loss of 0.8 on abstracts.

#include <cairn/recall.hpp>
#include <cairn/visibility.hpp>
#include <cairn/word_vectors.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn {

/// Options of similar_words(). tools/bench/RESULTS.md has measurements of the defaults.
struct SimilarWordsOptions {
  std::size_t per_word = 3;  ///< most words for one word of the question
  double least = 0.7;        ///< least cosine; less similar words mislead
  /// Only the most frequent words of the file: others hardly occur in texts, and their vectors are
  /// unreliable.
  std::size_t among = 50'000;
};

/// Returns words for RecallOptions::expansion: for each word of `question` that is not an English
/// stop word, the most similar words, each with its cosine as the share. If a word is similar to
/// several words of the question, the largest cosine counts. Best first.
///
///     options.expansion = cairn::similar_words(*vectors, question);
///
/// Words are folded (NFKC, lower case). Words of the question are never returned. By default there
/// are up to 3 for each word. Empty if the file has none of the words. Threads: any number at once.
/// Cost: WordVectors::nearest_words() for each word.
[[nodiscard]] CAIRN_EXPORT std::vector<RecallWord> similar_words(
    const WordVectors& vectors, std::string_view question, const SimilarWordsOptions& options = {});

}  // namespace cairn

#pragma once
// Words that a question might as well have: the words most like its own, by a file of word vectors.
//
//     CAIRN_ASSIGN(const auto vectors, WordVectors::open("glove.cwv"));
//     RecallOptions options;
//     options.expansion = similar_words(*vectors, "Who likes hot drinks?");
//     CAIRN_ASSIGN(const auto hits, recall(snapshot, "Who likes hot drinks?", options));
//
// Off unless given: tools/bench/RESULTS.md measures a gain of 0.3 to 0.5 points of recall@10 over texts alone
// on chats, and a loss of 0.8 on abstracts.

#include <cairn/recall.hpp>
#include <cairn/visibility.hpp>
#include <cairn/word_vectors.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn {

/// The defaults are those that tools/bench/RESULTS.md measures.
struct SimilarWordsOptions {
  std::size_t per_word = 3;  ///< at most
  double least = 0.7;        ///< cosine: what is less alike leads astray
  /// Of the file's most frequent words: texts hardly have the others, whose vectors know little.
  std::size_t among = 50'000;
};

/// For RecallOptions::expansion: for each word of `question` that is not an English stop word the words most
/// like it, each with its cosine as its share, the largest where several words lead to it; best first.
///
///     options.expansion = cairn::similar_words(*vectors, question);
///
/// Words are folded (NFKC, lower case); a word of the question itself is never given.
/// By default up to 3 come for each word, and recall() takes 64 in all: cut the tail for long
/// questions. Empty where the file knows none of the words.
/// Threads: any number at once.
/// Cost: as WordVectors::nearest_words() for each word.
[[nodiscard]] CAIRN_EXPORT std::vector<RecallWord> similar_words(
    const WordVectors& vectors, std::string_view question, const SimilarWordsOptions& options = {});

}  // namespace cairn

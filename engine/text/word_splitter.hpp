#pragma once
// Text to words as the hashing embedder counts them: runs of letters and digits, case folded, and
// the parts of compound identifiers beside the whole ("vectorIndex" -> vectorindex, vector, index).

#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// The words of `text` in order. Bytes that are no UTF-8 separate words. Cost: linear.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

}  // namespace cairn::engine

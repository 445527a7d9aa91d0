#pragma once
// What a tokenizer puts around the tokens of a text.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <vector>

namespace cairn::tools {

struct TokenFrame {
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> after;
};

/// Reads the member "post_processor" of a tokenizer, for single texts. Errors: corruption;
/// unsupported, with its name, for a post-processor or a setting that is not there.
[[nodiscard]] Result<TokenFrame> read_post_processor(const Value& value);

}  // namespace cairn::tools

#pragma once
// The pre-tokenizer ByteLevel: words by the rules of GPT-2, each byte as a visible character.

#include "tools/embedders/tokenizer/pre_tokenizer.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>

namespace cairn::tools {

[[nodiscard]] Result<PreTokenizer> read_byte_level(const Settings& settings);

}  // namespace cairn::tools

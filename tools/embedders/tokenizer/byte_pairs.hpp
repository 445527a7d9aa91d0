#pragma once
// The model BPE: pairs of neighbours are merged, the most frequent pairs of its training first.

#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/token_model.hpp"

#include <cairn/result.hpp>

#include <memory>

namespace cairn::tools {

[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_byte_pairs(const Settings& settings);

}  // namespace cairn::tools

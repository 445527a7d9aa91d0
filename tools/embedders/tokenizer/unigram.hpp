#pragma once
// The model Unigram of sentencepiece: the tokens with the best sum of scores.

#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/token_model.hpp"

#include <cairn/result.hpp>

#include <memory>

namespace cairn::tools {

[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_unigram(const Settings& settings);

}  // namespace cairn::tools

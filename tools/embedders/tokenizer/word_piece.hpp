#pragma once
// The models WordPiece and WordLevel.

#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/token_model.hpp"

#include <cairn/result.hpp>

#include <memory>

namespace cairn::tools {

/// A word is divided into the longest tokens from the left; one that cannot be is unknown.
[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_word_piece(const Settings& settings);

/// A word is a token, or unknown.
[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_word_level(const Settings& settings);

}  // namespace cairn::tools

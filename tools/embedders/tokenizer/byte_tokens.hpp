#pragma once
// ByteTokens: one token for each byte, for texts that no other tokens of the vocabulary encode.

#include "tools/embedders/tokenizer/token_model.hpp"
#include "tools/embedders/tokenizer/vocabulary.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn::tools {

class ByteTokens {
 public:
  /// The tokens <0x00> to <0xFF> of a vocabulary.
  explicit ByteTokens(const Vocabulary& vocabulary);

  /// Appends the tokens of a text's bytes. If one of these tokens is missing, appends nothing and
  /// returns false.
  bool append(std::string_view text, Origin origin, std::vector<Token>& tokens) const;

 private:
  std::array<std::optional<std::uint32_t>, 256> ids_;
};

}  // namespace cairn::tools

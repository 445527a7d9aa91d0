#include "tools/embedders/tokenizer/byte_tokens.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace cairn::tools {

ByteTokens::ByteTokens(const Vocabulary& vocabulary) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (std::size_t byte = 0; byte < ids_.size(); ++byte)
    ids_[byte] = vocabulary.find(std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">");
}

bool ByteTokens::append(std::string_view text, Origin origin, std::vector<Token>& tokens) const {
  const auto id_of = [&](char c) { return ids_[static_cast<std::uint8_t>(c)]; };
  if (!std::ranges::all_of(text, [&](char c) { return id_of(c).has_value(); })) return false;
  for (const char c : text) tokens.push_back({*id_of(c), origin});
  return true;
}

}  // namespace cairn::tools

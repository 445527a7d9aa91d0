#pragma once
// What the store keeps of a token: who may do what where, and the hash of a secret. Numbers are little-endian.

#include <cairn/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// In family `meta`: 'token/' name -> layout:u8=1 role:u8 created-at:u64 sha256:byte{32} home:text
///                                     namespaces:varint text{namespaces}
/// Layout 2 adds behind it: also-read:varint text{also-read}
struct TokenEntry {
  std::string name;
  std::array<unsigned char, 32> sha256{};  ///< of the secret
  std::uint8_t role = 1;                   ///< 1 to 4: read, write, forget, admin
  std::int64_t created_at = 0;             ///< microseconds since 1970 UTC
  std::string home{};                      ///< empty: the default namespace
  std::vector<std::string> name_spaces{};  ///< beside `home`; "*": all
  std::vector<std::string> also_read{};    ///< to be read and not changed
  friend bool operator==(const TokenEntry&, const TokenEntry&) = default;
};

inline constexpr std::size_t max_token_name_bytes = 256;
inline constexpr std::uint8_t highest_token_role = 4;
/// All keys of tokens start with these bytes.
inline constexpr std::string_view token_entries = "token/";
[[nodiscard]] std::string token_entry_key(std::string_view name);
[[nodiscard]] std::string encode(const TokenEntry& entry);
/// Errors: corruption, for a key and a value that encode() does not give.
[[nodiscard]] Result<TokenEntry> decode_token_entry(std::string_view key, std::string_view value);

}  // namespace cairn::codec

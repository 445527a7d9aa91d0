// A token decides what a stranger may do, so that an entry which is not wholly understood is refused: nobody logs in
// with it.
#include "codec/token_entry.hpp"

#include "codec/byte_io.hpp"
#include "codec/limits.hpp"

#include <algorithm>
#include <cassert>

namespace cairn::codec {
namespace {

constexpr std::uint8_t token_layout = 1;

bool is_sound(const TokenEntry& entry) {
  const auto fits = [](const std::string& name) { return name.size() <= max_name_bytes; };
  return !entry.name.empty() && entry.name.size() <= max_token_name_bytes && entry.role >= 1 &&
         entry.role <= highest_token_role && fits(entry.home) &&
         std::ranges::all_of(entry.name_spaces, fits);
}

}  // namespace

std::string token_entry_key(std::string_view name) {
  return std::string(token_entries).append(name);
}

std::string encode(const TokenEntry& entry) {
  assert(is_sound(entry));
  std::string bytes;
  append_little(bytes, token_layout);
  append_little(bytes, entry.role);
  append_little(bytes, static_cast<std::uint64_t>(entry.created_at));
  bytes.append(entry.sha256.begin(), entry.sha256.end());
  append_text(bytes, entry.home);
  append_varint(bytes, entry.name_spaces.size());
  for (const std::string& name_space : entry.name_spaces) append_text(bytes, name_space);
  return bytes;
}

// Names are read until the bytes end, whatever their number says: it allocates nothing.
Result<TokenEntry> decode_token_entry(std::string_view key, std::string_view value) {
  ByteCursor cursor(value);
  TokenEntry entry;
  const std::uint8_t layout = cursor.read_byte();
  entry.role = cursor.read_byte();
  entry.created_at = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  const std::string_view sha256 = cursor.read_bytes(entry.sha256.size());
  std::ranges::copy(sha256, entry.sha256.begin());
  entry.home = cursor.read_text();
  const std::uint64_t count = cursor.read_varint();
  while (!cursor.rest().empty()) entry.name_spaces.emplace_back(cursor.read_text());
  if (key.starts_with(token_entries)) entry.name = key.substr(token_entries.size());
  if (!cursor.finished() || layout != token_layout || entry.name_spaces.size() != count ||
      !is_sound(entry))
    return corruption("the entry of a token in column family \"meta\" is damaged");
  return entry;
}

}  // namespace cairn::codec

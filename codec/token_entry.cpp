// A token decides what a stranger may do, so that an entry which is not wholly understood is refused: nobody logs in
// with it.
#include "codec/token_entry.hpp"

#include "codec/byte_io.hpp"
#include "codec/limits.hpp"

#include <algorithm>
#include <cassert>

namespace cairn::codec {
namespace {

// The second one has namespaces to read besides; a token without such has the first.
constexpr std::uint8_t token_layout = 1;
constexpr std::uint8_t reading_token_layout = 2;

bool is_sound(const TokenEntry& entry) {
  const auto fits = [](const std::string& name) { return name.size() <= max_name_bytes; };
  return !entry.name.empty() && entry.name.size() <= max_token_name_bytes && entry.role >= 1 &&
         entry.role <= highest_token_role && fits(entry.home) &&
         std::ranges::all_of(entry.name_spaces, fits) && std::ranges::all_of(entry.also_read, fits);
}

void append_texts(std::string& bytes, const std::vector<std::string>& texts) {
  append_varint(bytes, texts.size());
  for (const std::string& text : texts) append_text(bytes, text);
}

/// Ends where the bytes do, whatever the number before them says: it allocates nothing for it.
bool read_texts(ByteCursor& cursor, std::vector<std::string>& texts) {
  const std::uint64_t count = cursor.read_varint();
  while (texts.size() < count && !cursor.rest().empty()) texts.emplace_back(cursor.read_text());
  return texts.size() == count;
}

}  // namespace

std::string token_entry_key(std::string_view name) {
  return std::string(token_entries).append(name);
}

std::string encode(const TokenEntry& entry) {
  assert(is_sound(entry));
  std::string bytes;
  append_little(bytes, entry.also_read.empty() ? token_layout : reading_token_layout);
  append_little(bytes, entry.role);
  append_little(bytes, static_cast<std::uint64_t>(entry.created_at));
  bytes.append(entry.sha256.begin(), entry.sha256.end());
  append_text(bytes, entry.home);
  append_texts(bytes, entry.name_spaces);
  if (!entry.also_read.empty()) append_texts(bytes, entry.also_read);
  return bytes;
}

Result<TokenEntry> decode_token_entry(std::string_view key, std::string_view value) {
  ByteCursor cursor(value);
  TokenEntry entry;
  const std::uint8_t layout = cursor.read_byte();
  entry.role = cursor.read_byte();
  entry.created_at = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  const std::string_view sha256 = cursor.read_bytes(entry.sha256.size());
  std::ranges::copy(sha256, entry.sha256.begin());
  entry.home = cursor.read_text();
  bool is_whole = read_texts(cursor, entry.name_spaces);
  if (layout == reading_token_layout)
    is_whole = is_whole && read_texts(cursor, entry.also_read) && !entry.also_read.empty();
  if (key.starts_with(token_entries)) entry.name = key.substr(token_entries.size());
  const bool is_known = layout == token_layout || layout == reading_token_layout;
  if (!cursor.finished() || !is_known || !is_whole || !is_sound(entry))
    return corruption("the entry of a token in column family \"meta\" is damaged");
  return entry;
}

}  // namespace cairn::codec

// Values of the column family `meta` and of the metadata files COMMIT and BULK. They are small and
// little-endian. The files have a checksum of their own; values in the store rely on RocksDB's
// block checksums.
//
// Why COMMIT exists: RocksDB may silently open with fewer commits than were acknowledged (after a
// lost log, or a lost edit of its manifest). COMMIT is a lower bound of the counter, and a store
// with a smaller counter is refused. COMMIT is written after the store has synced that commit,
// never before: otherwise a crash in between would make a healthy database refused.
#include "codec/meta.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/hex.hpp"
#include "codec/limits.hpp"

#include <algorithm>
#include <cassert>

namespace cairn::codec {
namespace {

constexpr std::string_view commit_file_magic = "CairnCmt";
constexpr std::uint32_t commit_file_layout = 1;

Error malformed(const char* what) { return corruption(std::string("the ") + what + " is damaged"); }

constexpr std::uint8_t client_layout = 1;
constexpr std::uint8_t unfinished_client_layout = 2;

// The second layout adds namespaces that may only be read. A token without them is written in the
// first layout.
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

/// Stops at the end of the bytes whatever the stored count is, so a damaged count costs no memory.
bool read_texts(ByteCursor& cursor, std::vector<std::string>& texts) {
  const std::uint64_t count = cursor.read_varint();
  while (texts.size() < count && !cursor.rest().empty()) texts.emplace_back(cursor.read_text());
  return texts.size() == count;
}

}  // namespace

namespace meta_key {

// The key has `kind` as a byte, not as a digit: meta keys are only compared as bytes and never
// shown.
std::string next_id(EntityKind kind) { return std::string("next/") + static_cast<char>(kind); }

std::string id_block(EntityKind kind, std::uint32_t name_space) {
  std::string key(id_blocks);
  key += static_cast<char>(kind);
  append_big(key, name_space);
  return key;
}

std::string layout(std::string_view name) { return "layout/" + std::string(name); }

}  // namespace meta_key

std::string encode(const IdBlock& block) {
  std::string bytes;
  append_little(bytes, block.next);
  append_little(bytes, block.end);
  return bytes;
}

// The ids [next, end) belong to one namespace only. Both numbers are written in the commit that
// uses the ids. So an id of a transaction that did not commit may be assigned again after the next
// opening; no commit contained it. A used-up block has next == end and remains until the
// namespace needs another block.
Result<IdBlock> decode_id_block(std::string_view bytes) {
  ByteCursor cursor(bytes);
  IdBlock block;
  block.next = cursor.read_little<std::uint64_t>();
  block.end = cursor.read_little<std::uint64_t>();
  if (!cursor.finished() || block.next > block.end) return malformed("id block of a namespace");
  return block;
}

// The kind is cast first and checked afterwards; comparing with the two enumerators is defined for
// any byte.
Result<IdBlockKey> decode_id_block_key(std::string_view key) {
  ByteCursor cursor(key);
  const std::string_view head = cursor.read_bytes(meta_key::id_blocks.size());
  IdBlockKey decoded;
  decoded.kind = static_cast<EntityKind>(cursor.read_byte());
  decoded.name_space = cursor.read_big<std::uint32_t>();
  const bool has_kind =
      decoded.kind == EntityKind::node || decoded.kind == EntityKind::relationship;
  if (!cursor.finished() || head != meta_key::id_blocks || !has_kind)
    return malformed("key of an id block");
  return decoded;
}

std::string encode_number(std::uint64_t number) {
  std::string bytes;
  append_little(bytes, number);
  return bytes;
}

Result<std::uint64_t> decode_number(std::string_view bytes) {
  ByteCursor cursor(bytes);
  const auto number = cursor.read_little<std::uint64_t>();
  if (!cursor.finished()) return malformed("number in column family \"meta\"");
  return number;
}

std::string encode_layout(std::uint32_t version) {
  std::string bytes;
  append_little(bytes, version);
  return bytes;
}

Result<std::uint32_t> decode_layout(std::string_view bytes) {
  ByteCursor cursor(bytes);
  const auto version = cursor.read_little<std::uint32_t>();
  if (!cursor.finished()) return malformed("layout version of a column family");
  return version;
}

std::string database_id(std::uint64_t high, std::uint64_t low) {
  return hex_text(high) + hex_text(low);
}

bool is_database_id(std::string_view text) noexcept {
  return text.size() == database_id_bytes && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string encode(const CommitFile& file) {
  assert(is_database_id(file.database_id));
  std::string bytes(commit_file_magic);
  append_little(bytes, commit_file_layout);
  bytes.append(file.database_id);
  append_little(bytes, file.commit);
  append_little(bytes, checksum(bytes));
  return bytes;
}

// A truncated or modified file is refused as a whole.
Result<CommitFile> decode_commit_file(std::string_view bytes) {
  ByteCursor cursor(bytes);
  CommitFile file;
  const std::string_view magic = cursor.read_bytes(commit_file_magic.size());
  const auto layout = cursor.read_little<std::uint32_t>();
  file.database_id = cursor.read_bytes(database_id_bytes);
  file.commit = cursor.read_little<std::uint64_t>();
  const std::size_t checked = bytes.size() - cursor.rest().size();
  const auto expected = cursor.read_little<std::uint64_t>();
  if (!cursor.finished() || magic != commit_file_magic || layout != commit_file_layout ||
      checksum(bytes.substr(0, checked)) != expected || !is_database_id(file.database_id))
    return malformed("file of the commit counter");
  return file;
}

std::string client_entry_key(std::string_view name) {
  return std::string(client_entries).append(name);
}

std::string encode(const ClientEntry& entry) {
  std::string bytes;
  bytes.reserve(18 + entry.result.size());
  append_little(bytes, entry.is_unfinished ? unfinished_client_layout : client_layout);
  append_little(bytes, entry.count);
  append_little(bytes, static_cast<std::uint64_t>(entry.committed_at));
  if (entry.is_unfinished) append_little(bytes, std::uint8_t{1});
  bytes += entry.result;
  return bytes;
}

Result<ClientEntry> decode_client_entry(std::string_view value) {
  ByteCursor cursor(value);
  ClientEntry entry;
  const std::uint8_t layout = cursor.read_byte();
  entry.count = cursor.read_little<std::uint64_t>();
  entry.committed_at = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  entry.is_unfinished = layout == unfinished_client_layout;
  const bool is_known = entry.is_unfinished ? cursor.read_byte() == 1 : layout == client_layout;
  entry.result = cursor.rest();
  if (cursor.failed() || !is_known)
    return corruption(
        "an entry \"client/\" or \"request/\" in column family \"meta\" is damaged or has an "
        "unknown layout");
  return entry;
}

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

// A token grants access, so an entry that is not fully understood is refused; nobody can log in
// with it.
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

#include "codec/client_entry.hpp"

#include "codec/byte_io.hpp"

namespace cairn::codec {
namespace {

constexpr std::uint8_t client_layout = 1;

}  // namespace

std::string client_entry_key(std::string_view name) {
  return std::string(client_entries).append(name);
}

std::string encode(const ClientEntry& entry) {
  std::string bytes;
  bytes.reserve(17 + entry.result.size());
  append_little(bytes, client_layout);
  append_little(bytes, entry.count);
  append_little(bytes, static_cast<std::uint64_t>(entry.committed_at));
  bytes += entry.result;
  return bytes;
}

Result<ClientEntry> decode_client_entry(std::string_view value) {
  ByteCursor cursor(value);
  ClientEntry entry;
  const std::uint8_t layout = cursor.read_byte();
  entry.count = cursor.read_little<std::uint64_t>();
  entry.committed_at = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  entry.result = cursor.rest();
  if (cursor.failed() || layout != client_layout)
    return corruption("the entry of a client in column family \"meta\" is damaged");
  return entry;
}

}  // namespace cairn::codec

// Decodes keys and ordered values: they are refused, or encoded again to the same bytes. Also
// parses any text as an instant.

#include "codec/instant.hpp"
#include "codec/keys.hpp"
#include "codec/ordered_key.hpp"
#include "codec/snapshot_header.hpp"
#include "fuzz/support/expect.hpp"

namespace {

using namespace cairn::codec;
using cairn::fuzz::expect;

void check_keys(std::string_view bytes) {
  if (const auto key = decode_index_key(bytes)) expect(index_key(*key) == bytes);
  if (const auto key = decode_adjacency_key(bytes)) expect(adjacency_key(*key) == bytes);
  if (const auto key = decode_stats_key(bytes)) expect(stats_key(*key) == bytes);
  if (const auto key = decode_catalog_key(bytes)) expect(catalog_key(key->kind, key->id) == bytes);
  if (const auto key = decode_vector_key(bytes))
    expect(vector_key(key->space, key->kind, key->entity) == bytes);
  if (const auto id = decode_record_key(bytes); id && is_hot_record_key(bytes))
    expect(record_key(*id) == bytes);
}

void check_ordered_value(std::string_view bytes) {
  std::string_view rest = bytes;
  const auto value = read_ordered(rest);
  if (!value) return;
  std::string again;
  append_ordered(again, *value);
  expect(again.append(rest) == bytes);
  expect(compare_ordered(*value, *value) == 0);
  (void)value->to_text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_keys(bytes);
  check_ordered_value(bytes);
  if (const auto instant = parse_instant(bytes)) (void)instant_text(*instant);
  (void)decode_snapshot_header(bytes, snapshot_header_bytes);
  return 0;
}

// Decodes bytes of the column family `text`: they are refused, or decoded and encoded alike.

#include "codec/text_segment.hpp"
#include "fuzz/support/expect.hpp"

#include <cstdint>

namespace {

using namespace cairn::codec;
using cairn::fuzz::expect;

void check_chunk(std::string_view bytes) {
  const auto postings = decode_text_chunk(bytes);
  if (postings.has_value())
    expect(decode_text_chunk(encode_text_chunk(*postings)).value() == *postings);
}

void check_operand(std::string_view bytes) {
  const auto changes = decode_text_operand(bytes);
  if (!changes.has_value()) return;
  expect(encode_text_operand(*changes) == bytes);
  expect(apply_text_changes(*changes, *changes, true) == *changes);
}

/// Checks entries of a segment: each is found by its name, and its operand lies within the segment.
void check_segment(std::string_view bytes) {
  const auto segment = TextSegment::decode(std::string(bytes));
  if (!segment.has_value()) return;
  for (std::size_t i = 0; i < segment->size(); ++i) {
    const TextSegmentEntry entry = (*segment)[i];
    const std::size_t found = segment->lower_bound(entry.name);
    expect(found <= i && (*segment)[found].name == entry.name);
    const auto key = decode_text_key(text_chunk_key(1, entry.name, entry.chunk));
    expect(key.has_value() && key->chunk == entry.chunk);
    check_operand(entry.operand);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_chunk(bytes);
  check_operand(bytes);
  check_segment(bytes);
  static_cast<void>(decode_text_statistics(bytes));
  static_cast<void>(decode_text_key(bytes));
  return 0;
}

// Bytes of the column family `text`: refused, or what they decode to is encoded and decoded alike.

#include "codec/text_posting.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace cairn::codec;

void expect(bool holds) {
  if (!holds) std::abort();
}

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_chunk(bytes);
  check_operand(bytes);
  static_cast<void>(decode_text_statistics(bytes));
  static_cast<void>(decode_text_key(bytes));
  return 0;
}

// Varints, and the one place where a cursor runs out of bytes. Varints are LEB128 without a sign;
// of a number there is one form only, the shortest, so that bytes that decode are the ones that
// encode (an invariant of this folder, and what golden files and equality of encodings rest on).
#include "codec/byte_io.hpp"

namespace cairn::codec {

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out.push_back(static_cast<char>(static_cast<unsigned char>(value | 0x80)));
  out.push_back(static_cast<char>(value));
}

void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out.append(text);
}

// byte 1   1xxxxxxx      bits  0 to  6
// ...
// byte 10  0000000x      bit  63
// A cursor that has failed gives zero bytes for ever: `failed_` is asked within the loop, for a
// zero byte looks like the end of a number.
std::uint64_t ByteCursor::read_varint() noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = read_byte();
    const std::uint64_t bits = byte & 0x7f;
    // The tenth byte holds the 64th bit alone; a zero last byte would be a second form of a number.
    const bool overflows = shift == 63 && bits > 1;
    const bool has_empty_end = byte == 0 && shift > 0;
    if (failed_ || overflows || has_empty_end) break;
    value |= bits << shift;
    if (byte < 0x80) return value;
  }
  fail();
  return 0;
}

std::string_view ByteCursor::read_text() noexcept {
  const std::uint64_t size = read_varint();
  // Compared before it is narrowed, so that no length wraps around.
  if (size > rest_.size()) fail();
  return read_bytes(failed_ ? 0 : static_cast<std::size_t>(size));
}

// All other reads come through here, so that this is the one place that can run out of bytes.
std::string_view ByteCursor::read_bytes(std::size_t size) noexcept {
  if (size > rest_.size()) fail();
  if (failed_) return {};
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

}  // namespace cairn::codec

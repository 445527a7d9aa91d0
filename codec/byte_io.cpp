// Varints, and the only bounds check of the cursor. Varints are unsigned LEB128. Decoding accepts
// only the shortest form of a number, so decoded bytes are always what the encoder would write.
// Golden files and comparisons of encodings rely on this invariant of the whole folder.
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
// A failed cursor returns zero bytes forever. `failed_` is checked inside the loop, because a zero
// byte looks like the end of a number.
std::uint64_t ByteCursor::read_varint() noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = read_byte();
    const std::uint64_t bits = byte & 0x7f;
    // The tenth byte holds only bit 63. A last byte of zero would be a longer form of the same
    // number.
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
  // Compared as 64 bits before narrowing, so that no length wraps around.
  if (size > rest_.size()) fail();
  return read_bytes(failed_ ? 0 : static_cast<std::size_t>(size));
}

// All other reads call this function, so it holds the only bounds check.
std::string_view ByteCursor::read_bytes(std::size_t size) noexcept {
  if (size > rest_.size()) fail();
  if (failed_) return {};
  const std::string_view bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return bytes;
}

}  // namespace cairn::codec

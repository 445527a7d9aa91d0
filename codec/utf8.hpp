#pragma once
// Which bytes are UTF-8. A value may hold any bytes as text, so what must be UTF-8 outside of us is repaired here.

#include "codec/byte_io.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

/// The number of bytes from the front that are UTF-8; the text's size if all of them are.
/// Overlong forms, surrogates and numbers beyond U+10FFFF are not code points.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text) noexcept;

/// The text with U+FFFD in place of what is no UTF-8, as to_json() writes it.
/// A character that is cut off is replaced as a whole, any other byte alone.
[[nodiscard]] std::string repaired_utf8(std::string_view text);

// NumberReader: a ByteCursor for long runs of small varints, of which most take one byte.

/// The same rules and names as ByteCursor's; every read behind a failure gives 0.
class NumberReader {
 public:
  explicit NumberReader(std::string_view bytes) noexcept
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  [[nodiscard]] std::uint64_t read_varint() noexcept {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80)
      return static_cast<unsigned char>(*at_++);
    return read_long_varint();
  }
  [[nodiscard]] std::string_view read_bytes(std::size_t size) noexcept {
    if (size > rest().size()) {
      fail();
      return {};
    }
    at_ += size;
    return {at_ - size, size};
  }
  void fail() noexcept {
    failed_ = true;
    at_ = end_;
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool finished() const noexcept { return !failed_ && at_ == end_; }
  [[nodiscard]] std::string_view rest() const noexcept {
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

 private:
  std::uint64_t read_long_varint() noexcept {
    ByteCursor cursor(rest());
    const std::uint64_t value = cursor.read_varint();
    if (cursor.failed())
      fail();
    else
      at_ = end_ - cursor.rest().size();
    return value;
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
};

}  // namespace cairn::codec

#pragma once
// NumberReader: a ByteCursor for long runs of small varints, of which most take one byte.

#include "codec/byte_io.hpp"

#include <cstdint>
#include <string_view>

namespace cairn::codec {

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

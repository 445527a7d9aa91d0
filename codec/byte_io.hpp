#pragma once
// Appending to and reading from byte strings. Big-endian numbers are in keys, because they sort
// by them; little-endian ones everywhere else.

#include <cairn/result.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::codec {

/// An error of code corruption.
[[nodiscard]] inline Error corruption(std::string message) {
  return Error{ErrorCode::corruption, std::move(message), {}};
}

// Appended in one piece: to grow byte by byte costs more than all else of making a key.
template <std::unsigned_integral T>
void append_big(std::string& out, T value) {
  std::array<char, sizeof(T)> bytes;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes[i] = static_cast<char>(static_cast<unsigned char>(value >> (8 * (sizeof(T) - 1 - i))));
  out.append(bytes.data(), bytes.size());
}

template <std::unsigned_integral T>
void append_little(std::string& out, T value) {
  std::array<char, sizeof(T)> bytes;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes[i] = static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  out.append(bytes.data(), bytes.size());
}

/// varint := seven bits a byte, least significant first, 0x80 set on all but the last; 1 to 10
/// bytes.
void append_varint(std::string& out, std::uint64_t value);

/// text := length:varint byte{length}
void append_text(std::string& out, std::string_view text);

/// Signed numbers sort as unsigned ones once their sign bit is flipped.
[[nodiscard]] constexpr std::uint64_t flip_sign(std::int64_t value) noexcept {
  return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}
[[nodiscard]] constexpr std::int64_t unflip_sign(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value ^ (std::uint64_t{1} << 63));
}

/// Reads bytes from front to back. A read beyond the end gives zero or nothing, and the cursor
/// stays failed from then on, so that a decoder reads all fields first and asks `finished()` once.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes) noexcept : rest_(bytes) {}

  template <std::unsigned_integral T>
  [[nodiscard]] T read_big() noexcept {
    T value = 0;
    for (char byte : read_bytes(sizeof(T)))
      value = static_cast<T>(value << 8 | static_cast<unsigned char>(byte));
    return value;
  }

  template <std::unsigned_integral T>
  [[nodiscard]] T read_little() noexcept {
    T value = 0;
    std::size_t shift = 0;
    for (char byte : read_bytes(sizeof(T))) {
      value = static_cast<T>(value | static_cast<T>(static_cast<unsigned char>(byte)) << shift);
      shift += 8;
    }
    return value;
  }

  [[nodiscard]] std::uint8_t read_byte() noexcept { return read_big<std::uint8_t>(); }
  /// Fails also on a varint that is longer than its value needs.
  [[nodiscard]] std::uint64_t read_varint() noexcept;
  /// A varint length and as many bytes.
  [[nodiscard]] std::string_view read_text() noexcept;
  /// Exactly `size` bytes, or none where fewer are left.
  [[nodiscard]] std::string_view read_bytes(std::size_t size) noexcept;

  void fail() noexcept {
    failed_ = true;
    rest_ = {};
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// Everything was there and nothing is left over.
  [[nodiscard]] bool finished() const noexcept { return !failed_ && rest_.empty(); }
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

/// A ByteCursor for long runs of small varints, of which most take one byte. The same rules and names; every
/// read behind a failure gives 0.
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

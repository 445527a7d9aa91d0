#pragma once
// Functions that append to byte strings and read from them. Numbers in keys are big-endian, so that they sort. Numbers
// in values and files are little-endian, unless their grammar says otherwise (be32, be64).

#include <cairn/result.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::codec {

/// Makes an error with code corruption.
[[nodiscard]] inline Error corruption(std::string message) {
  return Error{ErrorCode::corruption, std::move(message), {}};
}

// Appends all bytes at once: appending byte by byte would cost more than the rest of making a key.
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

/// varint := seven bits per byte, least significant first, 0x80 set on all but the last byte; 1 to 10 bytes
void append_varint(std::string& out, std::uint64_t value);

/// text := length:varint byte{length}
void append_text(std::string& out, std::string_view text);

/// Flips the sign bit, so that signed numbers sort as unsigned ones.
[[nodiscard]] constexpr std::uint64_t flip_sign(std::int64_t value) noexcept {
  return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}
[[nodiscard]] constexpr std::int64_t unflip_sign(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value ^ (std::uint64_t{1} << 63));
}

/// Reads bytes from front to back. A read beyond the end returns zero or an empty view, and the
/// cursor remains failed. So a decoder can read all fields first and call finished() once.
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
  /// Fails also if a varint is longer than necessary.
  [[nodiscard]] std::uint64_t read_varint() noexcept;
  /// Reads a varint length, then so many bytes.
  [[nodiscard]] std::string_view read_text() noexcept;
  /// Returns exactly `size` bytes, or an empty view if fewer are left.
  [[nodiscard]] std::string_view read_bytes(std::size_t size) noexcept;

  void fail() noexcept {
    failed_ = true;
    rest_ = {};
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  /// True if all reads succeeded and no bytes are left.
  [[nodiscard]] bool finished() const noexcept { return !failed_ && rest_.empty(); }
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

/// A faster ByteCursor for long runs of small varints, most of which take one byte. It has the same
/// rules and names. Every read after a failure returns 0.
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

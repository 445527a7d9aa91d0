#pragma once
// Arrays of numbers in files, copied as a whole.
//
// array := count:u32 number{count}      little-endian

#include "codec/byte_io.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace cairn::codec {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

template <class T>
concept PlainNumber = std::unsigned_integral<T> || std::same_as<T, double>;

/// Appends numbers without their count.
template <PlainNumber T>
void append_numbers(std::string& out, const std::vector<T>& numbers) {
  if (numbers.empty()) return;
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

/// Reads `count` numbers. Takes memory only for bytes that are there.
template <PlainNumber T>
[[nodiscard]] std::vector<T> read_numbers(ByteCursor& cursor, std::size_t count) {
  if (count > cursor.rest().size() / sizeof(T)) {
    cursor.fail();
    return {};
  }
  std::vector<T> numbers(count);
  const std::string_view bytes = cursor.read_bytes(count * sizeof(T));
  if (count > 0) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// Precondition: there are fewer than 2^32 numbers.
template <PlainNumber T>
void append_array(std::string& out, const std::vector<T>& numbers) {
  append_little(out, static_cast<std::uint32_t>(numbers.size()));
  append_numbers(out, numbers);
}

template <PlainNumber T>
[[nodiscard]] std::vector<T> read_array(ByteCursor& cursor) {
  const auto count = cursor.read_little<std::uint32_t>();
  return read_numbers<T>(cursor, count);
}

}  // namespace cairn::codec

#pragma once
// Numbers in files, packed into as few bits as a block of them needs.
//
// packed := block*                               of 1,024 numbers each, the last one of fewer
// block  := base:varint width:u8 bits            each number is `base` plus `width` bits, 0 to 56 or 64
//
// The bits of a number follow those of the number before, lowest bit of a byte first. A block ends
// with its last byte.

#include "codec/byte_io.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace cairn::codec {

inline constexpr std::size_t packed_block_numbers = 1'024;

/// Appends at most packed_block_numbers numbers, at least one, as one block.
void append_packed_block(std::string& out, std::span<const std::uint64_t> numbers);
/// Reads one block. `numbers` must have the size of the block. The cursor fails if the block is
/// damaged.
void read_packed_block(ByteCursor& cursor, std::span<std::uint64_t> numbers);

/// Appends numbers without their count.
template <std::unsigned_integral T>
void append_packed(std::string& out, std::span<const T> numbers) {
  std::array<std::uint64_t, packed_block_numbers> wide;
  for (std::size_t at = 0; at < numbers.size(); at += packed_block_numbers) {
    const auto block = numbers.subspan(at, std::min(packed_block_numbers, numbers.size() - at));
    std::ranges::copy(block, wide.begin());
    append_packed_block(out, std::span(wide).first(block.size()));
  }
}

/// Reads `count` numbers. The cursor fails if the bytes are damaged, and at a number that does not
/// fit T. A byte of the file may stand for hundreds of numbers, so the caller bounds `count`.
template <std::unsigned_integral T>
[[nodiscard]] std::vector<T> read_packed(ByteCursor& cursor, std::size_t count) {
  std::vector<T> numbers;
  std::array<std::uint64_t, packed_block_numbers> wide;
  for (std::size_t left = count; left > 0 && !cursor.failed();) {
    const auto block = std::span(wide).first(std::min(packed_block_numbers, left));
    read_packed_block(cursor, block);
    if (cursor.failed()) break;
    std::uint64_t any = 0;
    for (const std::uint64_t number : block) any |= number;
    if (any > std::numeric_limits<T>::max()) cursor.fail();
    if (cursor.failed()) break;
    if (numbers.empty()) numbers.reserve(count);
    for (const std::uint64_t number : block) numbers.push_back(static_cast<T>(number));
    left -= block.size();
  }
  if (cursor.failed()) numbers.clear();
  return numbers;
}

}  // namespace cairn::codec

// A number of up to 56 bits that begins at any bit of a byte lies within the 8 bytes from there on.
#include "codec/packed_numbers.hpp"

#include <bit>
#include <cassert>
#include <cstring>
#include <string_view>

namespace cairn::codec {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they are");

constexpr unsigned word_bits = 64;
constexpr unsigned most_packed_bits = 56;

/// The lowest bits of a number.
std::uint64_t mask_of(unsigned width) noexcept {
  return width == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

}  // namespace

void append_packed_block(std::string& out, std::span<const std::uint64_t> numbers) {
  assert(!numbers.empty() && numbers.size() <= packed_block_numbers);
  const auto [least, greatest] = std::ranges::minmax(numbers);
  const auto needed = static_cast<unsigned>(std::bit_width(greatest - least));
  const unsigned width = needed > most_packed_bits ? word_bits : needed;
  const std::uint64_t base = width == word_bits ? 0 : least;
  append_varint(out, base);
  append_little(out, static_cast<std::uint8_t>(width));
  if (width == word_bits) {
    for (const std::uint64_t number : numbers) append_little(out, number);
    return;
  }
  std::uint64_t held = 0;  // bits that are not in `out` yet, fewer than 8 between numbers
  unsigned count = 0;
  for (const std::uint64_t number : numbers) {
    held |= (number - base) << count;
    for (count += width; count >= 8; count -= 8, held >>= 8)
      out.push_back(static_cast<char>(static_cast<unsigned char>(held)));
  }
  if (count > 0) out.push_back(static_cast<char>(static_cast<unsigned char>(held)));
}

// The bytes are copied first, so that 8 bytes can be read anywhere.
void read_packed_block(ByteCursor& cursor, std::span<std::uint64_t> numbers) {
  assert(numbers.size() <= packed_block_numbers);
  const std::uint64_t base = cursor.read_varint();
  const unsigned width = cursor.read_byte();
  if (width > most_packed_bits && width != word_bits) cursor.fail();
  const std::string_view bits = cursor.read_bytes((numbers.size() * width + 7) / 8);
  if (cursor.failed()) return;
  std::array<char, (packed_block_numbers + 1) * sizeof(std::uint64_t)> padded;
  std::copy(bits.begin(), bits.end(), padded.begin());
  std::fill_n(padded.begin() + static_cast<std::ptrdiff_t>(bits.size()), sizeof(std::uint64_t), 0);
  const std::uint64_t mask = mask_of(width);
  std::size_t bit = 0;
  for (std::uint64_t& number : numbers) {
    std::uint64_t word = 0;
    std::memcpy(&word, padded.data() + bit / 8, sizeof(word));
    number = base + ((word >> (bit % 8)) & mask);
    bit += width;
  }
}

}  // namespace cairn::codec

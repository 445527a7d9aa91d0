#pragma once
// Single bits and ranges of a bitmap, and containers of any form as one. The loops over whole bitmaps
// are in id_kernels.

#include "codec/container.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace cairn::codec {

using BitmapWords = std::array<std::uint64_t, Container::bitmap_words>;

[[nodiscard]] constexpr std::uint64_t bit_of(std::uint16_t value) noexcept {
  return std::uint64_t{1} << (value % 64);
}
[[nodiscard]] inline bool test_bit(const std::uint64_t* words, std::uint16_t value) noexcept {
  return (words[value / 64] & bit_of(value)) != 0;
}

/// Call `visit(word, mask)` for each word that a run touches, with the run's bits in it.
template <class Visit>
void for_each_mask(Container::Run run, Visit&& visit) {
  const std::size_t first_word = run.first / 64;
  const std::size_t last_word = run.last / 64;
  for (std::size_t w = first_word; w <= last_word; ++w) {
    std::uint64_t mask = ~std::uint64_t{0};
    if (w == first_word) mask &= mask << (run.first % 64);
    if (w == last_word) mask &= ~std::uint64_t{0} >> (63 - run.last % 64);
    visit(w, mask);
  }
}

namespace detail {
// `flip` is zero to find a set bit, and all ones to find a clear one.
[[nodiscard]] inline std::uint32_t find_bit(const std::uint64_t* words, std::uint32_t from,
                                            std::uint64_t flip) noexcept {
  if (from >= Container::capacity) return Container::capacity;
  std::size_t w = from / 64;
  std::uint64_t word = (words[w] ^ flip) & (~std::uint64_t{0} << (from % 64));
  while (word == 0) {
    if (++w == Container::bitmap_words) return Container::capacity;
    word = words[w] ^ flip;
  }
  return static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
}
}  // namespace detail

/// The first set bit, or clear bit, from `from` on; 65,536 if there is no such bit.
[[nodiscard]] inline std::uint32_t find_set(const std::uint64_t* words,
                                            std::uint32_t from) noexcept {
  return detail::find_bit(words, from, 0);
}
[[nodiscard]] inline std::uint32_t find_clear(const std::uint64_t* words,
                                              std::uint32_t from) noexcept {
  return detail::find_bit(words, from, ~std::uint64_t{0});
}

/// Set, or clear, the bits of a container's members.
void set_members(BitmapWords& words, const Container& container);
void clear_members(BitmapWords& words, const Container& container);

/// A container's members as a bitmap: its own words, or `scratch`, which is filled with them.
[[nodiscard]] const std::uint64_t* as_words(const Container& container, BitmapWords& scratch);

}  // namespace cairn::codec

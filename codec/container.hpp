#pragma once
// Container: up to 65,536 sixteen-bit values in the cheapest of three forms.
//
// array  : ascending values, at most 4,096 of them
// bitmap : 1,024 words of 64 bits
// runs   : ascending (first, last) pairs, not touching each other
//
// Form follows cardinality: what an operation makes or changes is an array up to 4,096 values and a
// bitmap above; runs come from `from_runs` and from `optimized()`, where they are smaller. Source of the three forms:
// Lemire et al., Roaring Bitmaps: Implementation of an Optimized Software Library, 2018.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::codec {

class Container {
 public:
  enum class Form : std::uint8_t { array = 1, bitmap = 2, runs = 3 };  // numbers are on disk
  struct Run {
    std::uint16_t first = 0;
    std::uint16_t last = 0;  ///< inclusive
    friend bool operator==(const Run&, const Run&) = default;
  };
  static constexpr std::size_t max_array = 4'096;
  static constexpr std::size_t bitmap_words = 1'024;
  static constexpr std::uint32_t capacity = 65'536;

  Container() = default;  ///< an empty array
  /// From strictly ascending values; takes the form that fits.
  [[nodiscard]] static Container from_sorted(std::span<const std::uint16_t> values);
  [[nodiscard]] static Container from_words(std::span<const std::uint64_t, bitmap_words> words);
  /// The same where the number of set bits is known already; it must be right.
  [[nodiscard]] static Container from_words(std::span<const std::uint64_t, bitmap_words> words,
                                            std::uint32_t cardinality);
  /// From ascending runs that do not touch.
  [[nodiscard]] static Container from_runs(std::span<const Run> runs);

  [[nodiscard]] Form form() const noexcept { return form_; }
  [[nodiscard]] std::uint32_t cardinality() const noexcept { return cardinality_; }
  [[nodiscard]] bool empty() const noexcept { return cardinality_ == 0; }
  [[nodiscard]] bool full() const noexcept { return cardinality_ == capacity; }
  [[nodiscard]] std::uint16_t first() const noexcept;  ///< not of an empty one
  [[nodiscard]] std::uint16_t last() const noexcept;   ///< not of an empty one
  [[nodiscard]] bool contains(std::uint16_t value) const noexcept;
  void add(std::uint16_t value);
  void remove(std::uint16_t value);
  /// Add and remove many at once; both strictly ascending and disjoint.
  void apply(std::span<const std::uint16_t> added, std::span<const std::uint16_t> removed);
  /// The same set in the smallest form, runs included.
  [[nodiscard]] Container optimized() const;

  [[nodiscard]] std::span<const std::uint16_t> array() const noexcept { return array_; }
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }
  [[nodiscard]] std::span<const Run> runs() const noexcept { return runs_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Write base + value for the values from `from` on, as many as fit, and give their number.
  std::size_t copy_values(std::uint32_t from, std::uint64_t base,
                          std::span<std::uint64_t> out) const noexcept;

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint16_t value : array_) visit(value);
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        visit(
            static_cast<std::uint16_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    for (const Run& run : runs_)
      for (std::uint32_t value = run.first; value <= run.last; ++value)
        visit(static_cast<std::uint16_t>(value));
  }

  /// Equal as sets, whatever their forms.
  friend bool operator==(const Container& a, const Container& b) noexcept;

 private:
  void become_bitmap();

  Form form_ = Form::array;
  std::uint32_t cardinality_ = 0;
  std::vector<std::uint16_t> array_;  // only the member of the present form is not empty
  std::vector<std::uint64_t> words_;
  std::vector<Run> runs_;
};

[[nodiscard]] Container intersect(const Container& a, const Container& b);
[[nodiscard]] Container unite(const Container& a, const Container& b);
[[nodiscard]] Container subtract(const Container& a, const Container& b);
[[nodiscard]] std::uint32_t intersection_cardinality(const Container& a, const Container& b);
/// Union of any number; the cost is that of reading them once.
[[nodiscard]] Container unite_all(std::span<const Container* const> containers);

// Single bits and ranges of a bitmap, and containers of any form as one. The loops over whole bitmaps
// are in id_kernels.

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

// What several containers of one chunk have in common, without a container for every step.

/// Any number but none; the cost is least where they come in the order of their cardinalities.
using Containers = std::span<const Container* const>;
[[nodiscard]] Container intersect_all(Containers containers);
[[nodiscard]] std::uint32_t intersection_cardinality(Containers containers);

}  // namespace cairn::codec

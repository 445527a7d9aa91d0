#pragma once
// Container: up to 65,536 sixteen-bit values in the cheapest of three forms.
//
// array  : ascending values, at most 4,096 of them
// bitmap : 1,024 words of 64 bits
// runs   : ascending (first, last) pairs, not touching each other
//
// An operation returns an array for up to 4,096 values and a bitmap for more. Only from_runs() and
// optimized() return runs; optimized() does so if they are the smallest form. The three forms are
// those of Roaring bitmaps: Lemire et al., Roaring Bitmaps: Implementation of an Optimized Software
// Library, 2018.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::codec {

/// A set of values of 16 bits. Threads: any number read a container; one at a time changes it.
class Container {
 public:
  enum class Form : std::uint8_t {
    array = 1,
    bitmap = 2,
    runs = 3
  };  // the numbers are stored on disk
  struct Run {
    std::uint16_t first = 0;
    std::uint16_t last = 0;  ///< inclusive
    friend bool operator==(const Run&, const Run&) = default;
  };
  static constexpr std::size_t max_array = 4'096;
  static constexpr std::size_t bitmap_words = 1'024;
  static constexpr std::uint32_t capacity = 65'536;

  Container() = default;  ///< an empty array
  /// Makes a container of strictly ascending values, as an array or a bitmap by their number.
  [[nodiscard]] static Container from_sorted(std::span<const std::uint16_t> values);
  [[nodiscard]] static Container from_words(std::span<const std::uint64_t, bitmap_words> words);
  /// As above, if the caller knows the number of set bits. `cardinality` must be exact.
  [[nodiscard]] static Container from_words(std::span<const std::uint64_t, bitmap_words> words,
                                            std::uint32_t cardinality);
  /// Makes a container of ascending runs that do not touch each other.
  [[nodiscard]] static Container from_runs(std::span<const Run> runs);

  [[nodiscard]] Form form() const noexcept { return form_; }
  [[nodiscard]] std::uint32_t cardinality() const noexcept { return cardinality_; }
  [[nodiscard]] bool empty() const noexcept { return cardinality_ == 0; }
  [[nodiscard]] bool full() const noexcept { return cardinality_ == capacity; }
  [[nodiscard]] std::uint16_t first() const noexcept;  ///< precondition: not empty
  [[nodiscard]] std::uint16_t last() const noexcept;   ///< precondition: not empty
  [[nodiscard]] bool contains(std::uint16_t value) const noexcept;
  void add(std::uint16_t value);
  void remove(std::uint16_t value);
  /// Adds and removes many values at once. Both lists are strictly ascending, and they are
  /// disjoint.
  void apply(std::span<const std::uint16_t> added, std::span<const std::uint16_t> removed);
  /// Returns the same set in its smallest form, which may be runs.
  [[nodiscard]] Container optimized() const;

  [[nodiscard]] std::span<const std::uint16_t> array() const noexcept { return array_; }
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }
  [[nodiscard]] std::span<const Run> runs() const noexcept { return runs_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Writes base + value for the values not below `from`, until `out` is full. Returns the number
  /// of values written.
  std::size_t copy_values(std::uint32_t from, std::uint64_t base,
                          std::span<std::uint64_t> out) const noexcept;

  /// Calls `visit(value)` for every value in ascending order.
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

  /// True if both hold the same values, in whatever form.
  friend bool operator==(const Container& a, const Container& b) noexcept;

 private:
  void become_bitmap();

  Form form_ = Form::array;
  std::uint32_t cardinality_ = 0;
  std::vector<std::uint16_t>
      array_;  // of these three, only the member of the current form is in use
  std::vector<std::uint64_t> words_;
  std::vector<Run> runs_;
};

[[nodiscard]] Container intersect(const Container& a, const Container& b);
[[nodiscard]] Container unite(const Container& a, const Container& b);
[[nodiscard]] Container subtract(const Container& a, const Container& b);
[[nodiscard]] std::uint32_t intersection_cardinality(const Container& a, const Container& b);
/// Returns the union of any number of containers. Cost: reads each container once.
[[nodiscard]] Container unite_all(std::span<const Container* const> containers);

// Helpers for single bits and ranges of a bitmap, and for containers of any form as bitmaps. The
// loops over whole bitmaps are in id_kernels.

using BitmapWords = std::array<std::uint64_t, Container::bitmap_words>;

[[nodiscard]] constexpr std::uint64_t bit_of(std::uint16_t value) noexcept {
  return std::uint64_t{1} << (value % 64);
}
[[nodiscard]] inline bool test_bit(const std::uint64_t* words, std::uint16_t value) noexcept {
  return (words[value / 64] & bit_of(value)) != 0;
}

/// Calls `visit(word, mask)` for each bitmap word that the run touches; `mask` has the bits of the
/// run in that word.
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

/// Returns the first set bit at or after `from`, or 65,536 if no bit is set there.
[[nodiscard]] inline std::uint32_t find_set(const std::uint64_t* words,
                                            std::uint32_t from) noexcept {
  return detail::find_bit(words, from, 0);
}
/// Returns the first clear bit at or after `from`, or 65,536 if no bit is clear there.
[[nodiscard]] inline std::uint32_t find_clear(const std::uint64_t* words,
                                              std::uint32_t from) noexcept {
  return detail::find_bit(words, from, ~std::uint64_t{0});
}

/// Sets the bits of the members of a container.
void set_members(BitmapWords& words, const Container& container);
/// Clears the bits of the members of a container.
void clear_members(BitmapWords& words, const Container& container);

/// Returns the members of a container as a bitmap: its own words, or `scratch` after filling it.
[[nodiscard]] const std::uint64_t* as_words(const Container& container, BitmapWords& scratch);

// Intersections of several containers of one chunk, without a container for every intermediate
// result.

/// One or more containers. The cost is lowest if they are ordered by ascending cardinality.
using Containers = std::span<const Container* const>;
[[nodiscard]] Container intersect_all(Containers containers);
[[nodiscard]] std::uint32_t intersection_cardinality(Containers containers);

}  // namespace cairn::codec

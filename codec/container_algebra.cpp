// What two containers give, whatever their forms: an array is filtered by the other one, anything else
// goes through bitmaps on the stack.
//
// by form      array                       bitmap or runs
// array        merge, or gallop            each value is looked up
// other        (turned round)              words of 64 bits
//
// Results follow the rule of forms: never runs. Nothing here allocates but the result; scratch lies
// on the stack, 8 KiB each, three at most. Called by Bitmap for each chunk that two sets share, on
// any thread.
#include "codec/bitmap_words.hpp"
#include "codec/container.hpp"
#include "codec/container_intersection.hpp"
#include "codec/id_kernels.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::codec {
namespace {

using Values = std::span<const std::uint16_t>;
using Scratch = std::array<std::uint16_t, Container::max_array + kernels::array_slack>;

// Below these, going through the values one by one is cheaper than filling or listing 8 KiB of bits.
constexpr std::size_t few_to_test = 64;
constexpr std::size_t few_to_merge = 512;
// Arrays whose sizes differ by more than this factor are searched instead of merged.
constexpr std::size_t skewed = 32;

// The values that are (`wanted`), or are not, in `other`; gives their number. No branch on the data.
// `out` may not be the values' own memory. Every value is written, and the place moves on where it
// is kept: so `out` needs room for all values, found or not.
std::size_t filter(Values values, const Container& other, bool wanted, std::uint16_t* out) {
  std::size_t kept = 0;
  const auto keep_if = [&](auto&& contains) {
    for (std::uint16_t value : values) {
      out[kept] = value;
      kept += static_cast<std::size_t>(contains(value) == wanted);
    }
  };
  if (values.size() < few_to_test && other.form() != Container::Form::bitmap) {
    keep_if([&](std::uint16_t value) { return other.contains(value); });
  } else {
    BitmapWords scratch;
    const std::uint64_t* words = as_words(other, scratch);
    keep_if([&](std::uint16_t value) { return test_bit(words, value); });
  }
  return kept;
}

// Galloping: from where the last value was found, steps double until they have passed the next one.
// Cost: few * log(distance between two of them). Invariant: all of `many` before its new front is
// below the present value. many[step] with step 1 skips many[0], which the window includes: a value
// at the front is found.
std::size_t intersect_skewed(Values few, Values many, std::uint16_t* out) {
  std::size_t found = 0;
  for (std::uint16_t value : few) {
    std::size_t step = 1;
    while (step < many.size() && many[step] < value) step *= 2;
    const Values window = many.first(std::min(step, many.size()));
    const auto at = std::ranges::lower_bound(window, value);
    many = many.subspan(static_cast<std::size_t>(at - window.begin()));
    if (many.empty()) break;
    if (many.front() == value) out[found++] = value;
  }
  return found;
}

std::size_t intersect_values(Values a, Values b, std::uint16_t* out) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() * skewed < b.size()) return intersect_skewed(a, b, out);
  return kernels::intersect_arrays(a, b, out);
}

// Of values and anything.
std::size_t intersect_values(Values values, const Container& other, std::uint16_t* out) {
  if (other.form() == Container::Form::array) return intersect_values(values, other.array(), out);
  return filter(values, other, true, out);
}

// Where nothing but the number is wanted, nothing is written beside a bitmap.
std::size_t count_common(Values values, const Container& other) {
  if (other.form() != Container::Form::bitmap) {
    Scratch common;
    return intersect_values(values, other, common.data());
  }
  const std::uint64_t* words = other.words().data();
  std::size_t found = 0;
  for (const std::uint16_t value : values)
    found += static_cast<std::size_t>(words[value / 64] >> (value % 64) & 1);
  return found;
}

// Those of the first container's values, an array, that the others have, by turns in two places.
using Turns = std::array<Scratch, 2>;
Values common_values(Containers containers, Turns& turns) {
  Values left = containers.front()->array();
  for (std::size_t i = 1; i < containers.size(); ++i) {
    std::uint16_t* const out = turns[i % 2].data();
    left = {out, intersect_values(left, *containers[i], out)};
  }
  return left;
}

// What containers that are no arrays have in common, in `words` or in a container of its own.
const std::uint64_t* common_words(Containers containers, BitmapWords& words) {
  const std::uint64_t* left = as_words(*containers.front(), words);
  BitmapWords scratch;
  for (const Container* other : containers.subspan(1)) {
    kernels::and_words(left, as_words(*other, scratch), words.data());
    left = words.data();
  }
  return left;
}

// Arrays go first below, because a filtered array needs no bitmap of its own.
bool is_array(const Container& container) { return container.form() == Container::Form::array; }

}  // namespace

Container intersect(const Container& a, const Container& b) {
  if (!is_array(a) && is_array(b)) return intersect(b, a);
  if (is_array(a)) {
    Scratch values;
    return Container::from_sorted({values.data(), intersect_values(a.array(), b, values.data())});
  }
  BitmapWords a_scratch;
  BitmapWords b_scratch;
  BitmapWords words;
  const auto cardinality =
      kernels::and_words(as_words(a, a_scratch), as_words(b, b_scratch), words.data());
  return Container::from_words(words, cardinality);
}

// What two arrays have in common is written to the stack and counted: cheaper than a second kernel.
std::uint32_t intersection_cardinality(const Container& a, const Container& b) {
  if (a.full()) return b.cardinality();
  if (b.full()) return a.cardinality();
  if (!is_array(a) && is_array(b)) return intersection_cardinality(b, a);
  if (is_array(a)) return static_cast<std::uint32_t>(count_common(a.array(), b));
  BitmapWords a_scratch;
  BitmapWords b_scratch;
  return kernels::count_and_words(as_words(a, a_scratch), as_words(b, b_scratch));
}

// The first decides: what is left of an array is an array, and never more.
Container intersect_all(Containers containers) {
  if (containers.size() == 1) return *containers.front();
  if (is_array(*containers.front())) {
    Turns turns;
    return Container::from_sorted(common_values(containers, turns));
  }
  BitmapWords words;
  const std::uint64_t* const common = common_words(containers, words);
  return Container::from_words(
      std::span<const std::uint64_t, Container::bitmap_words>(common, Container::bitmap_words));
}

std::uint32_t intersection_cardinality(Containers containers) {
  if (containers.size() == 1) return containers.front()->cardinality();
  const Container& last = *containers.back();
  const Containers others = containers.first(containers.size() - 1);
  if (is_array(*containers.front())) {
    Turns turns;
    return static_cast<std::uint32_t>(count_common(common_values(others, turns), last));
  }
  BitmapWords words;
  BitmapWords scratch;
  return kernels::count_and_words(common_words(others, words), as_words(last, scratch));
}

Container unite(const Container& a, const Container& b) {
  // std::set_union branches on the data: beyond some hundred values it loses to setting and listing
  // bits, whose cost is the 8 KiB of a bitmap and not the number of values.
  if (is_array(a) && is_array(b) && a.cardinality() + b.cardinality() < few_to_merge) {
    Scratch values;
    const auto end = std::ranges::set_union(a.array(), b.array(), values.begin()).out;
    return Container::from_sorted({values.begin(), end});
  }
  const std::array both = {&a, &b};
  return unite_all(both);
}

// Reading n containers into one bitmap costs their sizes; pairwise unions would copy the result n
// times.
Container unite_all(std::span<const Container* const> containers) {
  BitmapWords words{};
  for (const Container* container : containers) set_members(words, *container);
  return Container::from_words(words);
}

Container subtract(const Container& a, const Container& b) {
  if (is_array(a)) {
    Scratch values;
    return Container::from_sorted({values.data(), filter(a.array(), b, false, values.data())});
  }
  BitmapWords words{};
  set_members(words, a);
  clear_members(words, b);
  return Container::from_words(words);
}

}  // namespace cairn::codec

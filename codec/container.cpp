// One chunk of a bitmap in three forms, and the set operations on two of them. The form follows the
// cardinality: at 4,096 values, an array of 2 bytes per value is as large as the bitmap of 8 KiB
// (the bound of Roaring, see the header). Every change preserves that rule, so equal sets can be
// compared, and cardinalities read, without iterating.
//
// A Container is a plain value without sharing or locks. Bitmap shares whole containers and never
// changes shared ones.
#include "codec/container.hpp"

#include "codec/id_kernels.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace cairn::codec {
namespace {

// With fewer bits most words are empty. A loop that skips empty words is then faster than the
// kernel, whose cost per word is constant.
constexpr std::uint32_t few_bits = 256;

std::size_t list_few(const std::uint64_t* words, std::uint16_t* out) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < Container::bitmap_words; ++w)
    for (std::uint64_t word = words[w]; word != 0; word &= word - 1)
      out[count++] =
          static_cast<std::uint16_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  return count;
}

}  // namespace

Container Container::from_sorted(std::span<const std::uint16_t> values) {
  Container result;
  if (values.size() <= max_array) {
    result.array_.assign(values.begin(), values.end());
  } else {
    result.form_ = Form::bitmap;
    result.words_.resize(bitmap_words);
    for (std::uint16_t value : values) result.words_[value / 64] |= bit_of(value);
  }
  result.cardinality_ = static_cast<std::uint32_t>(values.size());
  return result;
}

// The intersection of a bitmap with itself is the bitmap, so the kernel for intersections also
// counts a single bitmap.
Container Container::from_words(std::span<const std::uint64_t, bitmap_words> words) {
  return from_words(words, kernels::count_and_words(words.data(), words.data()));
}

// If the result is an array, values are first listed on the stack, so that the array is allocated
// once at its exact size.
Container Container::from_words(std::span<const std::uint64_t, bitmap_words> words,
                                std::uint32_t cardinality) {
  if (cardinality <= max_array) {
    std::array<std::uint16_t, max_array + kernels::array_slack> values;
    const std::size_t count = cardinality < few_bits
                                  ? list_few(words.data(), values.data())
                                  : kernels::list_words(words.data(), values.data());
    return from_sorted({values.data(), count});
  }
  Container result;
  result.form_ = Form::bitmap;
  result.cardinality_ = cardinality;
  result.words_.assign(words.begin(), words.end());
  return result;
}

Container Container::from_runs(std::span<const Run> runs) {
  Container result;
  if (runs.empty()) return result;
  result.form_ = Form::runs;
  result.runs_.assign(runs.begin(), runs.end());
  // `last` is inclusive, so 0 to 65,535 is a full chunk of 65,536 values, which needs more than 16
  // bits. The operands are promoted to int.
  for (Run run : runs) result.cardinality_ += static_cast<std::uint32_t>(run.last - run.first + 1);
  return result;
}

namespace {

/// Like std::binary_search, but a step selects an address instead of a branch, because branches on
/// values in random order would be mispredicted.
bool is_in(std::span<const std::uint16_t> sorted, std::uint16_t value) {
  const std::uint16_t* first = sorted.data();
  std::size_t size = sorted.size();
  while (size > 1) {
    const std::size_t half = size / 2;
    first += first[half] <= value ? half : 0;
    size -= half;
  }
  return size == 1 && *first == value;
}

}  // namespace

bool Container::contains(std::uint16_t value) const noexcept {
  if (form_ == Form::array) return is_in(array_, value);
  if (form_ == Form::bitmap) return test_bit(words_.data(), value);
  // Finds the first run that does not end before the value. Only this run can contain the value.
  const auto run = std::ranges::lower_bound(runs_, value, {}, &Run::last);
  return run != runs_.end() && run->first <= value;
}

std::uint16_t Container::first() const noexcept {
  if (form_ == Form::array) return array_.front();
  if (form_ == Form::runs) return runs_.front().first;
  return static_cast<std::uint16_t>(find_set(words_.data(), 0));
}

std::uint16_t Container::last() const noexcept {
  if (form_ == Form::array) return array_.back();
  if (form_ == Form::runs) return runs_.back().last;
  // The loop ends, because a bitmap has more than 4,096 bits set.
  std::size_t w = bitmap_words - 1;
  while (words_[w] == 0) --w;
  return static_cast<std::uint16_t>(w * 64 + 63 -
                                    static_cast<std::size_t>(std::countl_zero(words_[w])));
}

void Container::add(std::uint16_t value) { apply({&value, 1}, {}); }
void Container::remove(std::uint16_t value) { apply({}, {&value, 1}); }

// Small arrays are merged. Everything else is changed as a bitmap and converted to its form
// afterwards.
void Container::apply(std::span<const std::uint16_t> added,
                      std::span<const std::uint16_t> removed) {
  // The bound assumes that all added values are new. So if added values are in the array already,
  // the array may be converted to a bitmap and back.
  if (form_ == Form::array && array_.size() + added.size() <= max_array) {
    std::vector<std::uint16_t> kept;
    std::ranges::set_difference(array_, removed, std::back_inserter(kept));
    array_.clear();
    std::ranges::set_union(kept, added, std::back_inserter(array_));
    cardinality_ = static_cast<std::uint32_t>(array_.size());
    return;
  }
  // Applies the removals first. The lists are disjoint, so the order does not matter here, but
  // merge operands are defined to remove first.
  become_bitmap();
  for (std::uint16_t value : removed) {
    cardinality_ -= static_cast<std::uint32_t>(test_bit(words_.data(), value));
    words_[value / 64] &= ~bit_of(value);
  }
  for (std::uint16_t value : added) {
    cardinality_ += static_cast<std::uint32_t>(!test_bit(words_.data(), value));
    words_[value / 64] |= bit_of(value);
  }
  if (cardinality_ <= max_array)
    *this = from_words(std::span<const std::uint64_t, bitmap_words>(words_), cardinality_);
}

// Temporarily breaks the rule of forms; apply() restores it.
void Container::become_bitmap() {
  if (form_ == Form::bitmap) return;
  BitmapWords words{};
  set_members(words, *this);
  array_ = {};
  runs_ = {};
  words_.assign(words.begin(), words.end());
  form_ = Form::bitmap;
}

// Gives up on runs as soon as they need as much memory as the other form.
Container Container::optimized() const {
  BitmapWords scratch;
  const std::uint64_t* words = as_words(*this, scratch);
  const std::size_t plain_bytes =
      std::min(cardinality_ * sizeof(std::uint16_t), sizeof(BitmapWords));
  // Called when a posting is written to disk, not after each change, because runs are the slowest
  // form to change. A run takes 4 bytes, so the loop ends after at most 2,048 runs.
  std::vector<Run> runs;
  for (std::uint32_t first = find_set(words, 0); first < capacity;) {
    if ((runs.size() + 1) * sizeof(Run) >= plain_bytes)
      return from_words(std::span<const std::uint64_t, bitmap_words>(words, bitmap_words),
                        cardinality_);
    const std::uint32_t end = find_clear(words, first);
    runs.push_back({static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(end - 1)});
    first = find_set(words, end);
  }
  return from_runs(runs);
}

std::size_t Container::memory_bytes() const noexcept {
  return sizeof(*this) + array_.capacity() * sizeof(std::uint16_t) +
         words_.capacity() * sizeof(std::uint64_t) + runs_.capacity() * sizeof(Run);
}

// Only one of the three members has values, so at most one loop writes anything. `from` may be
// 65,536, one above the last possible value; nothing is copied then.
std::size_t Container::copy_values(std::uint32_t from, std::uint64_t base,
                                   std::span<std::uint64_t> out) const noexcept {
  std::size_t written = 0;
  const auto full = [&] { return written == out.size(); };
  for (auto value = std::ranges::lower_bound(array_, from); value != array_.end() && !full();
       ++value)
    out[written++] = base + *value;
  if (form_ == Form::bitmap)
    for (auto at = find_set(words_.data(), from); at < capacity && !full();
         at = find_set(words_.data(), at + 1))
      out[written++] = base + at;
  for (auto run = std::ranges::lower_bound(runs_, from, {}, &Run::last); run != runs_.end(); ++run)
    for (std::uint32_t at = std::max<std::uint32_t>(from, run->first); at <= run->last && !full();
         ++at)
      out[written++] = base + at;
  return written;
}

// Each form represents a set in exactly one way, so bits are only compared if the forms differ.
// With equal cardinalities that means runs against another form. Uses up to 16 KiB of stack.
bool operator==(const Container& a, const Container& b) noexcept {
  if (a.cardinality_ != b.cardinality_) return false;
  if (a.form_ == b.form_) return a.array_ == b.array_ && a.words_ == b.words_ && a.runs_ == b.runs_;
  BitmapWords a_scratch;
  BitmapWords b_scratch;
  const std::uint64_t* a_words = as_words(a, a_scratch);
  return std::equal(a_words, a_words + Container::bitmap_words, as_words(b, b_scratch));
}

// Set operations on two containers of any form. An array is filtered by the other container; all
// other pairs are combined as bitmaps on the stack.
//
// by form      array                       bitmap or runs
// array        merge, or gallop            each value is looked up
// other        (operands swapped)          words of 64 bits
//
// Results follow the rule of forms and are never runs. Only the result is allocated; scratch space
// is on the stack, at most three times 8 KiB. Bitmap calls these functions for each chunk that two
// sets share, on any thread.

namespace {

using Values = std::span<const std::uint16_t>;
using Scratch = std::array<std::uint16_t, Container::max_array + kernels::array_slack>;

// For fewer values, processing them one by one is cheaper than filling or listing 8 KiB of bits.
constexpr std::size_t few_to_test = 64;
constexpr std::size_t few_to_merge = 512;
// If the sizes of two arrays differ by more than this factor, one is searched instead of merging
// both.
constexpr std::size_t skewed = 32;

// Writes the values that are in `other` (if `wanted`) or not in it; returns their number. Does not
// branch on the data: every value is written, and the output place only advances for values that
// stay. So `out` needs room for all values, and must not overlap them.
std::size_t filter(Values values, const Container& other, bool wanted, std::uint16_t* out) {
  std::size_t kept = 0;
  if (values.size() < few_to_test && other.form() != Container::Form::bitmap) {
    for (const std::uint16_t value : values) {
      out[kept] = value;
      kept += static_cast<std::size_t>(other.contains(value) == wanted);
    }
    return kept;
  }
  BitmapWords scratch;
  const std::uint64_t* words = as_words(other, scratch);
  const std::uint64_t flip = wanted ? 0 : 1;
  for (const std::uint32_t value : values) {
    out[kept] = static_cast<std::uint16_t>(value);
    kept += (words[value / 64] >> (value % 64) & 1) ^ flip;
  }
  return kept;
}

// Galloping search: from the place of the last match, steps double until they pass the next value.
// Cost: few * log(distance between two matches). Invariant: all of `many` before its new front is
// below the current value. The first probe is many[1]; the search window includes many[0], so a
// value at the front is found.
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

// Intersects sorted values with a container of any form.
std::size_t intersect_values(Values values, const Container& other, std::uint16_t* out) {
  if (other.form() == Container::Form::array) return intersect_values(values, other.array(), out);
  return filter(values, other, true, out);
}

// Against a bitmap, counts without writing the common values.
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

// Returns the values of the first container, an array, that all others contain. Writes to two
// buffers in turns.
using Turns = std::array<Scratch, 2>;
Values common_values(Containers containers, Turns& turns) {
  Values left = containers.front()->array();
  for (std::size_t i = 1; i < containers.size(); ++i) {
    std::uint16_t* const out = turns[i % 2].data();
    left = {out, intersect_values(left, *containers[i], out)};
  }
  return left;
}

// Intersects containers, none of them an array. The result points to `words`, or to the bits of a
// single bitmap.
const std::uint64_t* common_words(Containers containers, BitmapWords& words) {
  const std::uint64_t* left = as_words(*containers.front(), words);
  BitmapWords scratch;
  for (const Container* other : containers.subspan(1)) {
    kernels::and_words(left, as_words(*other, scratch), words.data());
    left = words.data();
  }
  return left;
}

// Arrays come first below, because a filtered array needs no bitmap.
bool is_array(const Container& container) { return container.form() == Container::Form::array; }

}  // namespace

// An array is intersected by looking up its values in the other container; all other pairs are
// intersected as bitmaps.
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

// The common values of two arrays are written to the stack and counted, which saves a second
// kernel.
std::uint32_t intersection_cardinality(const Container& a, const Container& b) {
  if (a.full()) return b.cardinality();
  if (b.full()) return a.cardinality();
  if (!is_array(a) && is_array(b)) return intersection_cardinality(b, a);
  if (is_array(a)) return static_cast<std::uint32_t>(count_common(a.array(), b));
  BitmapWords a_scratch;
  BitmapWords b_scratch;
  return kernels::count_and_words(as_words(a, a_scratch), as_words(b, b_scratch));
}

// If the first (smallest) container is an array, so is the result.
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
  // std::set_union branches on the data. Above some hundred values, setting and listing bits is
  // faster: it costs 8 KiB of a bitmap, whatever the number of values.
  if (is_array(a) && is_array(b) && a.cardinality() + b.cardinality() < few_to_merge) {
    Scratch values;
    const auto end = std::ranges::set_union(a.array(), b.array(), values.begin()).out;
    return Container::from_sorted({values.begin(), end});
  }
  const std::array both = {&a, &b};
  return unite_all(both);
}

// Writing n containers into one bitmap costs the sum of their sizes; pairwise unions would copy the
// result n times.
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

// Containers written into a bitmap of 8 KiB: an array bit by bit, a bitmap by whole words in the
// kernels, runs by one mask per word.
//
// Cost: the values of an array, 1,024 words, or the words that runs touch. These functions do not
// count: code that changes bits counts them afterwards in one pass (count_and_words()), because
// counting at each bit would need its old state.

// Only one of the three members of a container has values, so two of these loops end immediately.
void set_members(BitmapWords& words, const Container& container) {
  for (std::uint16_t value : container.array()) words[value / 64] |= bit_of(value);
  if (!container.words().empty())
    kernels::or_words(words.data(), container.words().data(), words.data());
  for (Container::Run run : container.runs())
    for_each_mask(run, [&](std::size_t w, std::uint64_t mask) { words[w] |= mask; });
}

void clear_members(BitmapWords& words, const Container& container) {
  for (std::uint16_t value : container.array()) words[value / 64] &= ~bit_of(value);
  if (!container.words().empty())
    kernels::and_not_words(words.data(), container.words().data(), words.data());
  for (Container::Run run : container.runs())
    for_each_mask(run, [&](std::size_t w, std::uint64_t mask) { words[w] &= ~mask; });
}

// Writes only `scratch`, and only if the container is not a bitmap; it need not be initialised. The
// result points into the container or into `scratch`.
const std::uint64_t* as_words(const Container& container, BitmapWords& scratch) {
  if (container.form() == Container::Form::bitmap) return container.words().data();
  scratch.fill(0);
  set_members(scratch, container);
  return scratch.data();
}

}  // namespace cairn::codec

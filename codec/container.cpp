// One chunk of a bitmap in three forms; the algebra of two is in container_algebra.cpp. Form
// follows cardinality, 4,096 being where 2 bytes a value meet the bitmap's 8 KiB (Roaring's bound,
// see the header). Keeping that rule after each change is what lets equal sets be compared, and
// counts be read, without a walk.
//
// A Container is a value: nothing in it is shared or locked. Bitmap shares whole ones and never
// changes them while shared.
#include "codec/container.hpp"

#include "codec/bitmap_words.hpp"
#include "codec/id_kernels.hpp"

#include <algorithm>
#include <iterator>

namespace cairn::codec {
namespace {

// Below this most words are empty, and passing over them is cheaper than the kernel, to which all words
// are alike.
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

// "a and a" is a: the kernel that counts an intersection serves as the counter of one bitmap.
Container Container::from_words(std::span<const std::uint64_t, bitmap_words> words) {
  return from_words(words, kernels::count_and_words(words.data(), words.data()));
}

// On the way to an array the values pass through the stack, so that it is allocated once and exactly.
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
  // `last` is inclusive, so 0 to 65,535 is a full chunk and counts 65,536, which needs more than 16
  // bits: the difference is taken as int by promotion.
  for (Run run : runs) result.cardinality_ += static_cast<std::uint32_t>(run.last - run.first + 1);
  return result;
}

bool Container::contains(std::uint16_t value) const noexcept {
  if (form_ == Form::array) return std::binary_search(array_.begin(), array_.end(), value);
  if (form_ == Form::bitmap) return test_bit(words_.data(), value);
  // The first run that does not end before the value: it holds it, or none does.
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
  // Ends, as a bitmap has more than 4,096 bits set.
  std::size_t w = bitmap_words - 1;
  while (words_[w] == 0) --w;
  return static_cast<std::uint16_t>(w * 64 + 63 -
                                    static_cast<std::size_t>(std::countl_zero(words_[w])));
}

void Container::add(std::uint16_t value) { apply({&value, 1}, {}); }
void Container::remove(std::uint16_t value) { apply({}, {&value, 1}); }

// Small arrays are merged; everything else is changed bit by bit and takes its form afterwards.
void Container::apply(std::span<const std::uint16_t> added,
                      std::span<const std::uint16_t> removed) {
  // The bound is on what the union could be at most, not on what it is: an array that adds what it
  // has already may go through the bitmap, and comes back as an array.
  if (form_ == Form::array && array_.size() + added.size() <= max_array) {
    std::vector<std::uint16_t> kept;
    std::ranges::set_difference(array_, removed, std::back_inserter(kept));
    array_.clear();
    std::ranges::set_union(kept, added, std::back_inserter(array_));
    cardinality_ = static_cast<std::uint32_t>(array_.size());
    return;
  }
  // Removals first: the two lists are disjoint, so the order cannot be seen, but the merge operands
  // of the store are defined that way.
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

// Breaks the rule of forms for a moment: `apply` restores it.
void Container::become_bitmap() {
  if (form_ == Form::bitmap) return;
  BitmapWords words{};
  set_members(words, *this);
  array_ = {};
  runs_ = {};
  words_.assign(words.begin(), words.end());
  form_ = Form::bitmap;
}

// Runs are given up as soon as they have become as large as the other form.
Container Container::optimized() const {
  BitmapWords scratch;
  const std::uint64_t* words = as_words(*this, scratch);
  const std::size_t plain_bytes =
      std::min(cardinality_ * sizeof(std::uint16_t), sizeof(BitmapWords));
  // Called when a posting is written to disk, not after each change: a run list is the slowest form
  // to change. A run takes 4 bytes, so alternating values never become runs; the loop ends at the
  // latest after 2,048 of them.
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

// At most one of the loops finds anything, as only one part is not empty. `from` may be 65,536, one
// behind the last value: nothing is left then.
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

// Of different forms are, with equal counts, runs and something else alone; up to 16 KiB of stack.
// Each form has one way to hold a set: only different forms need their bits compared.
bool operator==(const Container& a, const Container& b) noexcept {
  if (a.cardinality_ != b.cardinality_) return false;
  if (a.form_ == b.form_) return a.array_ == b.array_ && a.words_ == b.words_ && a.runs_ == b.runs_;
  BitmapWords a_scratch;
  BitmapWords b_scratch;
  const std::uint64_t* a_words = as_words(a, a_scratch);
  return std::equal(a_words, a_words + Container::bitmap_words, as_words(b, b_scratch));
}

}  // namespace cairn::codec

// Layout:
//
// values_   v0   v1        v2             sorted, front-coded
// starts_   0    2         3         n    places of each value's ids
// ids_      7 19 | 4     | 2 5 30 ..      32 bits, minus base_
//
// A range of values takes two searches in values_ and is a range of places. The set of its ids is
// computed from marks: bitmaps of all ids before every mark_step_-th place, at most 64 of them. The
// difference of the two nearest marks is corrected at both ends.
//
// Reason: sorting the ids of a range costs more than reading them. With marks, at most half a step
// of bits is set or cleared at each end, and everything else is done by words. Marks are made only
// if they take no more memory than the ids. Columns are immutable; changed() makes another one.
#include "engine/index/sorted_column.hpp"

#include "codec/container.hpp"
#include "codec/id_kernels.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <deque>
#include <limits>
#include <utility>

namespace cairn::engine {
namespace {

using codec::Bitmap;
using codec::Container;
using Words = std::vector<std::uint64_t>;

constexpr std::size_t chunk_bits = 16;
constexpr std::size_t most_marks = 64;
// Fewer ids than this are sorted instead, because a bitmap must be cleared and read as a whole.
constexpr std::size_t few_ids = 512;
constexpr std::size_t few_words_an_id = 8;
// Values by id are stored if at least one in this number of ids has a value.
constexpr std::uint64_t most_gap = 2;

std::uint64_t bit(std::uint32_t at) { return std::uint64_t{1} << (at % 64); }

/// Tests which ids of one chunk are in all of several sets.
class ChunkFilter {
 public:
  /// Adds a set's part of the chunk. Containers other than bitmaps are expanded into `scratch`;
  /// full ones need no test.
  void add(const Container& container, std::deque<codec::BitmapWords>& scratch) {
    ++sets_;
    if (container.full()) return;
    const bool is_bitmap = container.form() == Container::Form::bitmap;
    words_.push_back(is_bitmap ? container.words().data()
                               : codec::as_words(container, scratch.emplace_back()));
  }
  /// To be called at the end with the number of sets. If a set has no part in the chunk, no id
  /// passes.
  void close(std::size_t sets) { is_open_ = sets_ == sets; }
  [[nodiscard]] bool passes(std::uint16_t low) const {
    if (!is_open_) return false;
    for (const std::uint64_t* words : words_)
      if (!codec::test_bit(words, low)) return false;
    return true;
  }

 private:
  std::vector<const std::uint64_t*> words_;
  std::size_t sets_ = 0;
  bool is_open_ = false;
};

}  // namespace

SortedColumn::Builder::Builder() : order_(new SortedColumn) {}
SortedColumn::Builder::~Builder() = default;

// Values without ids are left out.
void SortedColumn::Builder::add(std::string_view value, const Bitmap& ids) {
  if (ids.empty()) return;
  order_->values_.add(value);
  order_->starts_.push_back(static_cast<std::uint32_t>(ids_.size()));
  ids.for_each([this](std::uint64_t id) { ids_.push_back(id); });
}

std::size_t SortedColumn::Builder::memory_bytes() const noexcept {
  return order_->memory_bytes() + ids_.capacity() * sizeof(std::uint64_t);
}

SortedColumn::Ptr SortedColumn::Builder::build() {
  SortedColumn& order = *order_;
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  order.all_ = Bitmap::from_unsorted(ids_);
  const std::uint64_t least = order.all_.first().value_or(0);
  order.base_ = least >> chunk_bits << chunk_bits;
  // Places and ids have 32 bits. If they do not fit, no column is made, and the index is read.
  const std::uint64_t span = order.all_.last().value_or(0) - order.base_;
  if (span > most || ids_.size() > most) return nullptr;
  order.words_ = ((span >> chunk_bits) + 1) * Container::bitmap_words;
  // One more start than values: the end of a value is the beginning of the next one.
  order.starts_.push_back(static_cast<std::uint32_t>(ids_.size()));
  order.ids_.reserve(ids_.size());
  for (const std::uint64_t id : ids_)
    order.ids_.push_back(static_cast<std::uint32_t>(id - order.base_));
  order.values_.shrink_to_fit();
  order.starts_.shrink_to_fit();
  order.take_marks();
  order.take_ordinals(span);
  return Ptr(std::move(order_));
}

// Makes as many marks as fit into the memory of the ids, at most `most_marks`. Makes none if an id
// has two values.
void SortedColumn::take_marks() {
  const std::size_t affordable =
      ids_.size() * sizeof(std::uint32_t) / (words_ * sizeof(std::uint64_t));
  const std::size_t wanted = std::min(affordable, most_marks);
  if (wanted < 2 || !single_valued()) return;
  mark_step_ = ids_.size() / wanted;
  Words words(words_);
  // Each mark is the previous one plus the ids of another step.
  for (std::size_t end = mark_step_; end <= ids_.size(); end += mark_step_) {
    set_bits(words, end - mark_step_, end);
    marks_.push_back(words);
  }
}

// Stores the number of each id's value, if the ids are dense and have one value each.
void SortedColumn::take_ordinals(std::uint64_t span) {
  if (!single_valued() || ids_.empty() || span / most_gap > ids_.size()) return;
  ordinals_.resize(span + 1);
  for (std::size_t value = 0; value < values_.size(); ++value)
    for (std::size_t place = starts_[value]; place < starts_[value + 1]; ++place)
      ordinals_[ids_[place]] = static_cast<std::uint32_t>(value) + 1;
}

// The number of an id's value plus 1, or 0 if it has none.
std::uint32_t SortedColumn::ordinal(std::uint64_t id) const {
  // Greater than any index if the id is less than base_.
  const std::uint64_t at = id - base_;
  return at < ordinals_.size() ? ordinals_[at] : 0;
}

bool SortedColumn::read_value(std::uint64_t id, std::string& value) const {
  const std::uint32_t number = ordinal(id);
  if (number == 0) return false;
  values_.read(number - 1, value);
  return true;
}

std::size_t SortedColumn::memory_bytes() const noexcept {
  return values_.memory_bytes() +
         (starts_.capacity() + ids_.capacity() + ordinals_.capacity()) * sizeof(std::uint32_t) +
         all_.memory_bytes() + marks_.size() * words_ * sizeof(std::uint64_t);
}

// The places of a range of values.
SortedColumn::Places SortedColumn::places(std::string_view first,
                                          std::optional<std::string_view> last) const {
  const std::size_t begin = values_.lower_bound(first);
  const std::size_t end = last ? std::max(begin, values_.lower_bound(*last)) : values_.size();
  return {starts_[begin], starts_[end]};
}

std::uint64_t SortedColumn::count(std::string_view first,
                                  std::optional<std::string_view> last) const {
  const Places found = places(first, last);
  return found.last - found.first;
}

// Sets the bits of the ids in a range of places.
void SortedColumn::set_bits(Words& words, std::size_t first, std::size_t last) const {
  for (std::size_t place = first; place < last; ++place)
    words[ids_[place] / 64] |= bit(ids_[place]);
}

void SortedColumn::clear_bits(Words& words, std::size_t first, std::size_t last) const {
  for (std::size_t place = first; place < last; ++place)
    words[ids_[place] / 64] &= ~bit(ids_[place]);
}

// Sorts the ids of a few places.
Bitmap SortedColumn::few_between(Places places) const {
  std::vector<std::uint64_t> ids;
  ids.reserve(places.last - places.first);
  for (std::size_t place = places.first; place < places.last; ++place) ids.push_back(id(place));
  return Bitmap::from_unsorted(std::move(ids));
}

// Converts a bitmap of words, which begins at base_.
Bitmap SortedColumn::from_words(const Words& words) const {
  Bitmap ids;
  for (std::size_t begin = 0; begin < words.size(); begin += Container::bitmap_words) {
    const std::span<const std::uint64_t, Container::bitmap_words> own(words.data() + begin,
                                                                      Container::bitmap_words);
    const std::uint32_t count = codec::kernels::count_and_words(own.data(), own.data());
    if (count == 0) continue;
    const std::uint64_t key = (base_ >> chunk_bits) + begin / Container::bitmap_words;
    ids.append_chunk(key, std::make_shared<const Container>(Container::from_words(own, count)));
  }
  return ids;
}

// The ids between two marks are the difference of their bitmaps. From each mark, the few places up
// to the end of the range are added or removed.
Bitmap SortedColumn::between(std::string_view first, std::optional<std::string_view> last) const {
  const Places found = places(first, last);
  const std::size_t count = found.last - found.first;
  if (count < few_ids || count * few_words_an_id < words_) return few_between(found);
  // Here marks are numbered from 1; 0 means the empty set before the first mark.
  const auto nearest = [&](std::size_t place) {
    return std::min((place + mark_step_ / 2) / mark_step_, marks_.size());
  };
  const std::size_t low = marks_.empty() ? 0 : nearest(found.first);
  const std::size_t high = marks_.empty() ? 0 : nearest(found.last);
  // There are no marks, or none between the ends, so the range has fewer than two steps of ids.
  // Their bits are set one by one.
  if (low == high) {
    Words words(words_);
    set_bits(words, found.first, found.last);
    return from_words(words);
  }
  Words words = marks_[high - 1];
  if (low > 0)
    for (std::size_t w = 0; w < words_; ++w) words[w] &= ~marks_[low - 1][w];
  clear_bits(words, low * mark_step_, std::max(low * mark_step_, found.first));
  set_bits(words, found.first, std::max(low * mark_step_, found.first));
  clear_bits(words, found.last, std::max(high * mark_step_, found.last));
  set_bits(words, high * mark_step_, std::max(high * mark_step_, found.last));
  return from_words(words);
}

// With evenly spread ids, one place in size / ids belongs to them.
double SortedColumn::steps_to_first(std::uint64_t ids, std::uint64_t wanted) const {
  const double places =
      static_cast<double>(size()) * static_cast<double>(wanted) / static_cast<double>(ids);
  return ordinals_.empty() ? places : std::min(places, static_cast<double>(ids));
}

// Uses the cheaper of two strategies with the same result.
Bitmap SortedColumn::first_of(const Bitmap& ids, std::uint64_t wanted, End end, Ties ties) const {
  return walks_places(ids.cardinality(), wanted) ? first_common({&ids, 1}, wanted, end, ties)
                                                 : first_by_ordinal(ids, wanted, end, ties);
}

bool SortedColumn::walks_places(std::uint64_t ids, std::uint64_t wanted) const {
  const std::uint64_t all = std::max<std::uint64_t>(ids, 1);
  return ordinals_.empty() || static_cast<double>(all) > steps_to_first(all, wanted);
}

// The number of an id's value is its position in the order.
Bitmap SortedColumn::first_by_ordinal(const Bitmap& ids, std::uint64_t wanted, End end,
                                      Ties ties) const {
  if (wanted == 0) return {};
  std::vector<std::pair<std::uint32_t, std::uint64_t>> ranked;
  ids.for_each([&](std::uint64_t id) {
    if (const std::uint32_t number = ordinal(id))
      ranked.emplace_back(end == End::least ? number : ~number, id);
  });
  if (ranked.size() > wanted) {
    const auto last = ranked.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::ranges::nth_element(ranked, last);
    const std::uint32_t bound = last->first;
    if (ties == Ties::lowest_ids) ranked.resize(wanted);
    std::erase_if(ranked, [&](const auto& one) { return one.first > bound; });
  }
  std::vector<std::uint64_t> found;
  for (const auto& [rank, id] : ranked) found.push_back(id);
  return Bitmap::from_unsorted(std::move(found));
}

// Iterates over places from one end and tests each id, until enough are found. The places of one value are in the order
// of ids.
Bitmap SortedColumn::first_common(std::span<const Bitmap> sets, std::uint64_t wanted, End end,
                                  Ties ties) const {
  std::vector<ChunkFilter> chunks(words_ / Container::bitmap_words);
  std::deque<codec::BitmapWords> scratch;
  for (const Bitmap& set : sets) {
    // For a chunk before base_ the difference wraps around to a large number, so it is skipped like
    // chunks beyond the end.
    for (const Bitmap::Chunk& chunk : set.chunks())
      if (const std::uint64_t at = chunk.key - (base_ >> chunk_bits); at < chunks.size())
        chunks[at].add(*chunk.container, scratch);
  }
  for (ChunkFilter& chunk : chunks) chunk.close(sets.size());
  std::vector<std::uint64_t> found;
  const std::size_t values = values_.size();
  const auto takes_more = [&] { return ties == Ties::all || found.size() < wanted; };
  for (std::size_t i = 0; i < values && found.size() < wanted; ++i) {
    const std::size_t value = end == End::least ? i : values - 1 - i;
    for (std::size_t place = starts_[value]; place < starts_[value + 1] && takes_more(); ++place) {
      const std::uint32_t offset = ids_[place];
      if (chunks[offset >> chunk_bits].passes(static_cast<std::uint16_t>(offset)))
        found.push_back(base_ + offset);
    }
  }
  return Bitmap::from_unsorted(std::move(found));
}

void SortedColumn::Builder::take(std::string_view value, const SortedColumn& from,
                                 std::size_t index) {
  order_->values_.add(value);
  order_->starts_.push_back(static_cast<std::uint32_t>(ids_.size()));
  for (std::size_t place = from.starts_[index]; place < from.starts_[index + 1]; ++place)
    ids_.push_back(from.id(place));
}

// Linear in the column, because everything moves. This pays for few changes among many values;
// ColumnCache returns a column to update only then.
SortedColumn::Ptr SortedColumn::changed(const std::vector<Change>& changes) const {
  Builder builder;
  auto change = changes.begin();
  std::size_t index = 0;
  values_.for_each([&](std::string_view value) {
    for (; change != changes.end() && change->value < value; ++change)
      builder.add(change->value, change->ids);
    const bool is_changed = change != changes.end() && change->value == value;
    if (is_changed)
      builder.add(value, (change++)->ids);
    else
      builder.take(value, *this, index);
    ++index;
  });
  for (; change != changes.end(); ++change) builder.add(change->value, change->ids);
  return builder.build();
}

// Front coding: neighbours in the order of keys have common beginnings, so a value costs the bytes
// that differ and two more. Blocks of 16 values start without sharing, which limits how much a
// search decodes. At most 255 bytes are shared, so that their number fits in one byte. The data is
// never written to disk, so it is not validated.

namespace {

constexpr std::size_t most_shared = 255;

// Seven bits in each byte, the lowest first; the top bit is set in all bytes but the last.
void append_varint(std::string& out, std::size_t number) {
  for (; number >= 128; number /= 128) out += static_cast<char>(number % 128 | 128);
  out += static_cast<char>(number);
}

std::size_t read_varint(std::string_view bytes, std::size_t& at) {
  std::size_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    number |= std::size_t{byte & 127U} << shift;
    if (byte < 128) return number;
  }
}

}  // namespace

void ValueList::add(std::string_view value) {
  assert(size_ == 0 || std::string_view(last_) < value);
  std::size_t shared = 0;
  if (size_ % block_values == 0) {
    blocks_.push_back(bytes_.size());
  } else {
    const std::size_t most = std::min({value.size(), last_.size(), most_shared});
    while (shared < most && value[shared] == last_[shared]) ++shared;
  }
  bytes_ += static_cast<char>(shared);
  append_varint(bytes_, value.size() - shared);
  bytes_ += value.substr(shared);
  last_ = value;
  ++size_;
}

void ValueList::shrink_to_fit() {
  bytes_.shrink_to_fit();
  blocks_.shrink_to_fit();
}

// Keeps the prefix shared with the previous value, and appends the rest.
std::string_view ValueList::Reader::next() {
  const std::string_view bytes = list.bytes_;
  const auto shared = static_cast<unsigned char>(bytes[at++]);
  const std::size_t rest = read_varint(bytes, at);
  value.resize(shared);
  value += bytes.substr(at, rest);
  at += rest;
  return value;
}

std::string_view ValueList::head(std::size_t block) const {
  std::size_t at = blocks_[block] + 1;
  const std::size_t size = read_varint(bytes_, at);
  return std::string_view(bytes_).substr(at, size);
}

// Goes back from the value that is read, and takes each byte from the nearest value that stores
// this byte itself.
void ValueList::read(std::size_t index, std::string& out) const {
  struct Part {
    std::size_t shared;
    std::string_view own;
  };
  std::array<Part, block_values> parts;
  const std::size_t last = index % block_values;
  const std::string_view bytes = bytes_;
  std::size_t at = blocks_[index / block_values];
  for (std::size_t i = 0; i <= last; ++i) {
    parts[i].shared = static_cast<unsigned char>(bytes[at++]);
    const std::size_t rest = read_varint(bytes, at);
    parts[i].own = bytes.substr(at, rest);
    at += rest;
  }
  std::size_t missing = parts[last].shared + parts[last].own.size();
  out.resize(missing);
  for (std::size_t i = last + 1; i-- > 0 && missing > 0;) {
    const auto& [shared, own] = parts[i];
    if (shared >= missing) continue;
    own.copy(out.data() + shared, missing - shared);
    missing = shared;
  }
}

std::size_t ValueList::lower_bound(std::string_view bound) const {
  // Invariant: heads before `begin` are less than the bound; heads from `end` on are not.
  std::size_t begin = 0;
  std::size_t end = blocks_.size();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (head(middle) < bound)
      begin = middle + 1;
    else
      end = middle;
  }
  if (begin == 0) return 0;
  // The bound is greater than the head of the previous block and not greater than the next head.
  std::size_t index = (begin - 1) * block_values;
  Reader reader{*this, blocks_[begin - 1], {}};
  const std::size_t last = std::min(index + block_values, size_);
  while (index < last && reader.next() < bound) ++index;
  return index;
}

}  // namespace cairn::engine

// Reads column segments: single values, and values of many ids as words. column_build.cpp builds them.
#include "engine/segment/column_segment.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>

namespace cairn::engine {

// An id that is in no chunk and is not escaped has no value.
bool ColumnSegment::read(std::uint64_t id, Value& value) const {
  const std::uint64_t number = id >> 16;
  if (number < chunks_.size())
    if (const auto at = chunks_[number].slots.find(static_cast<std::uint16_t>(id))) {
      value = chunks_[number].value(*at);
      return true;
    }
  if (escaped_.contains(id)) return false;
  value = Value();
  return true;
}

// Unsigned arithmetic, because `base` plus the difference may wrap around in between.
Value ColumnSegment::Chunk::value(std::size_t at) const {
  if (const auto* integers = std::get_if<Integers>(&values))
    return std::visit(
        [&](const auto& above) {
          return Value(
              static_cast<std::int64_t>(static_cast<std::uint64_t>(integers->base) + above[at]));
        },
        integers->above);
  if (const auto* dictionary = std::get_if<Dictionary>(&values))
    return (*dictionary->values)[dictionary->codes[at]];
  if (const auto* floats = std::get_if<Floats>(&values)) return floats->values[at];
  const auto& texts = std::get<Texts>(values);
  const std::uint32_t begin = at == 0 ? 0 : texts.ends[at - 1];
  return Value(std::string(texts.bytes, begin, texts.ends[at] - begin));
}

namespace {

/// The memory of a dictionary.
std::size_t bytes_of(const std::vector<Value>& values) {
  std::size_t bytes = values.capacity() * sizeof(Value);
  for (const Value& value : values)
    bytes += value.string() != nullptr ? value.string()->capacity() : 0;
  return bytes;
}

}  // namespace

std::size_t ColumnSegment::Chunk::memory_bytes(const Values& shared) const noexcept {
  const std::size_t places = slots.memory_bytes();
  if (const auto* integers = std::get_if<Integers>(&values))
    return sizeof(*this) + places +
           std::visit([](const auto& above) { return above.capacity() * sizeof(above[0]); },
                      integers->above);
  if (const auto* dictionary = std::get_if<Dictionary>(&values)) {
    return sizeof(*this) + places +
           (dictionary->values == shared ? 0 : bytes_of(*dictionary->values)) +
           dictionary->codes.capacity() * sizeof(std::uint16_t);
  }
  if (const auto* floats = std::get_if<Floats>(&values))
    return sizeof(*this) + places + floats->values.capacity() * sizeof(double);
  if (const auto* texts = std::get_if<Texts>(&values))
    return sizeof(*this) + places + texts->ends.capacity() * sizeof(std::uint32_t) +
           texts->bytes.capacity();
  return sizeof(*this) + places;
}

// The common dictionary is counted once.
std::size_t ColumnSegment::memory_bytes() const noexcept {
  std::size_t bytes = sizeof(*this) + escaped_.memory_bytes();
  if (dictionary_ != nullptr) bytes += bytes_of(*dictionary_);
  for (const Chunk& chunk : chunks_) bytes += chunk.memory_bytes(dictionary_);
  return bytes;
}

namespace {

/// Writes the words of `ids` if each has a value. Otherwise returns false, and the words are unspecified.
template <class WordAt>
bool write_all(const SlotIndex& slots, std::span<const std::uint64_t> ids, std::uint64_t* words,
               const WordAt& word_at) {
  std::array<std::uint32_t, 256> positions;
  for (std::size_t begin = 0; begin < ids.size(); begin += positions.size()) {
    const auto some = ids.subspan(begin, std::min(positions.size(), ids.size() - begin));
    if (!slots.find_all(some, positions)) return false;
    for (std::size_t i = 0; i < some.size(); ++i) words[begin + i] = word_at(positions[i]);
  }
  return true;
}

/// True if each id is one more than the id before it.
bool are_consecutive(std::span<const std::uint64_t> ids) {
  if (ids.back() - ids.front() + 1 != ids.size()) return false;
  // The ids of a step may repeat, so their number alone does not prove it.
  return std::ranges::adjacent_find(ids, std::ranges::greater_equal()) == ids.end();
}

/// The part of a set in the chunk of `ids`, which are of one chunk, or nullptr if the set has nothing from their least to
/// their greatest.
const codec::Container* part_of(const codec::Bitmap* set, std::span<const std::uint64_t> ids) {
  if (set == nullptr) return nullptr;
  const auto chunk =
      std::ranges::lower_bound(set->chunks(), ids[0] >> 16, {}, &codec::Bitmap::Chunk::key);
  if (chunk == set->chunks().end() || chunk->key != ids[0] >> 16) return nullptr;
  const auto [least, greatest] = std::ranges::minmax(ids);
  std::uint64_t next = 0;
  const std::size_t found = chunk->container->copy_values(static_cast<std::uint16_t>(least),
                                                          chunk->key << 16, std::span(&next, 1));
  return found == 1 && next <= greatest ? chunk->container.get() : nullptr;
}

/// Writes the words of ids of one chunk, and notes which values are missing or left to the records.
class WordWriter {
 public:
  /// `first` is the index of the first id among all ids of `out`. `changed` may be nullptr.
  WordWriter(ColumnSegment::Words& out, std::span<const std::uint64_t> ids, std::size_t first,
             const codec::Bitmap* changed, const codec::Bitmap& escaped)
      : out_(out), ids_(ids), first_(first), changed_(part_of(changed, ids)), escaped_(escaped) {}

  /// Writes the words of a chunk whose values have this form. `word_at` returns the word at a position of the chunk.
  /// Returns false if the words of other chunks have another form.
  template <class WordAt>
  bool write(const SlotIndex& slots, ColumnSegment::Words::Form form, const WordAt& word_at) {
    if (out_.form != ColumnSegment::Words::Form::none && out_.form != form) return false;
    out_.form = form;
    if (changed_ == nullptr &&
        (write_run(slots, word_at) || write_all(slots, ids_, &out_.words[first_], word_at)))
      return true;
    write_each([&](std::uint16_t slot, std::uint64_t& word) {
      const auto at = slots.find(slot);
      if (at) word = word_at(*at);
      return at.has_value();
    });
    return true;
  }
  /// Writes the words of a chunk without values.
  void write_none() {
    write_each([](std::uint16_t, std::uint64_t&) { return false; });
  }

 private:
  /// A scan reads consecutive ids. Their words are consecutive too, so one lookup suffices. Returns false for other ids,
  /// and if one of them has no value.
  template <class WordAt>
  bool write_run(const SlotIndex& slots, const WordAt& word_at) {
    if (!are_consecutive(ids_)) return false;
    const auto run = slots.find_run(static_cast<std::uint16_t>(ids_[0]), ids_.size());
    if (!run) return false;
    for (std::size_t i = 0; i < ids_.size(); ++i) out_.words[first_ + i] = word_at(*run + i);
    return true;
  }
  /// `find` sets the word of a slot, or returns false if the chunk has none. Equal ids that follow each other are looked
  /// up once: the rows of a node along its relationships repeat its id.
  template <class Find>
  void write_each(const Find& find) {
    for (std::size_t i = first_; i < first_ + ids_.size(); ++i) {
      const std::uint64_t id = ids_[i - first_];
      if (i > first_ && id == ids_[i - first_ - 1] &&
          (out_.missing.empty() || out_.missing[i - 1] == 0)) {
        out_.words[i] = out_.words[i - 1];
        continue;
      }
      const bool is_changed =
          changed_ != nullptr && changed_->contains(static_cast<std::uint16_t>(id));
      if (!is_changed && find(static_cast<std::uint16_t>(id), out_.words[i])) continue;
      if (out_.missing.empty()) out_.missing.resize(out_.words.size());
      out_.missing[i] = 1;
      if (is_changed || escaped_.contains(id)) out_.left.push_back(i);
    }
  }

  ColumnSegment::Words& out_;
  std::span<const std::uint64_t> ids_;
  std::size_t first_;
  const codec::Container* changed_;
  const codec::Bitmap& escaped_;
};

}  // namespace

// Splits the ids into runs of one chunk each.
bool ColumnSegment::read_words(std::span<const std::uint64_t> ids, const codec::Bitmap* changed,
                               Words& out) const {
  out.words.resize(ids.size());
  for (std::size_t begin = 0; begin < ids.size();) {
    const std::uint64_t number = ids[begin] >> 16;
    std::size_t end = begin + 1;
    while (end < ids.size() && ids[end] >> 16 == number) ++end;
    if (!read_run(ids.subspan(begin, end - begin), begin, changed, out)) return false;
    begin = end;
  }
  return true;
}

// All ids belong to one chunk.
bool ColumnSegment::read_run(std::span<const std::uint64_t> ids, std::size_t first,
                             const codec::Bitmap* changed, Words& out) const {
  WordWriter writer(out, ids, first, changed, escaped_);
  const std::uint64_t number = ids[0] >> 16;
  if (number >= chunks_.size() || std::holds_alternative<std::monostate>(chunks_[number].values)) {
    writer.write_none();
    return true;
  }
  const SlotIndex& slots = chunks_[number].slots;
  const auto& values = chunks_[number].values;
  if (const auto* integers = std::get_if<Integers>(&values)) {
    const auto base = static_cast<std::uint64_t>(integers->base);
    return std::visit(
        [&](const auto& above) {
          return writer.write(slots, Words::Form::integers,
                              [&](std::size_t at) { return base + above[at]; });
        },
        integers->above);
  }
  if (const auto* floats = std::get_if<Floats>(&values))
    return writer.write(slots, Words::Form::floats, [&](std::size_t at) {
      return std::bit_cast<std::uint64_t>(floats->values[at]);
    });
  const auto* const codes = std::get_if<Dictionary>(&values);
  if (codes == nullptr || codes->values != dictionary_) return false;
  out.dictionary = dictionary_;
  return writer.write(slots, Words::Form::codes,
                      [&](std::size_t at) { return std::uint64_t{codes->codes[at]}; });
}

}  // namespace cairn::engine

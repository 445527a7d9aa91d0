// Builds and reads column segments. A chunk takes the form of its most frequent type. Values of other types, and
// large ones, are escaped: a reader looks them up in the record. Texts get a dictionary if each text occurs four
// times on average.
#include "engine/segment/column_segment.hpp"

#include "codec/keys.hpp"
#include "codec/record.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::size_t longest_text = 512;  // longer texts are escaped
// Per chunk; if the texts take more, all are escaped.
constexpr std::size_t most_text_bytes = std::size_t{8} << 20;
// Values per code of a dictionary, on average; fewer do not pay off.
constexpr std::size_t a_code = 4;

/// Assigns codes to texts and booleans in the order of their first occurrence.
class Codes {
 public:
  /// Returns the code of a value, or nullopt if there are already `most` codes.
  std::optional<std::uint16_t> of(const Value& value, std::size_t most) {
    const std::string* const text = value.string();
    const auto [at, is_new] =
        known_.try_emplace(text != nullptr ? "'" + *text : (value.as_bool() ? "true" : "false"),
                           static_cast<std::uint16_t>(values_.size()));
    if (is_new && values_.size() == most) return std::nullopt;
    if (is_new) values_.push_back(value);
    return at->second;
  }
  ColumnSegment::Values take() {
    return std::make_shared<const std::vector<Value>>(std::move(values_));
  }

 private:
  std::unordered_map<std::string, std::uint16_t> known_;
  std::vector<Value> values_;
};

/// The memory of a dictionary.
std::size_t bytes_of(const std::vector<Value>& values) {
  std::size_t bytes = values.capacity() * sizeof(Value);
  for (const Value& value : values)
    bytes += value.string() != nullptr ? value.string()->capacity() : 0;
  return bytes;
}

}  // namespace

/// Collects the values of one chunk, and packs them.
class ColumnSegment::ChunkBuilder {
 public:
  void add(std::uint16_t slot, Value value) { values_.push_back({slot, std::move(value)}); }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }

  /// Packs the chunk. Values that it does not store are left out, and their slots are appended to `escaped`.
  Chunk pack(std::vector<std::uint16_t>& escaped) {
    const Sort sort = most_frequent(values_);
    const auto is_other = [&](const SlotValue& one) {
      return sort == Sort::other || sort_of(one.value) != sort;
    };
    escape(is_other, escaped);
    if (sort == Sort::text && text_bytes() > most_text_bytes)
      escape([](const SlotValue&) { return true; }, escaped);
    Chunk chunk;
    if (!values_.empty()) {
      place(chunk);
      fill(chunk, sort);
    }
    values_.clear();
    return chunk;
  }

 private:
  /// A value and the slot of its id.
  struct SlotValue {
    std::uint16_t slot = 0;
    Value value;
  };

  /// The type that a chunk stores; `other` for values that no chunk stores.
  enum class Sort : std::uint8_t { integer, number, boolean, text, other };

  static Sort sort_of(const Value& value) {
    if (value.get_if<std::int64_t>() != nullptr) return Sort::integer;
    if (value.get_if<double>() != nullptr) return Sort::number;
    if (value.get_if<bool>() != nullptr) return Sort::boolean;
    const std::string* const text = value.string();
    return text != nullptr && text->size() <= longest_text ? Sort::text : Sort::other;
  }

  /// The most frequent sort among those that a chunk can store; `other` if no value has such a sort.
  static Sort most_frequent(std::span<const SlotValue> values) {
    std::array<std::size_t, 5> counts{};
    for (const SlotValue& one : values) ++counts[static_cast<std::size_t>(sort_of(one.value))];
    const auto most = std::max_element(counts.begin(), counts.end() - 1);
    return *most == 0 ? Sort::other : static_cast<Sort>(most - counts.begin());
  }

  /// The differences from `base`, in the width that suffices.
  template <class Width>
  static std::vector<Width> narrowed(std::span<const SlotValue> values, std::int64_t base) {
    std::vector<Width> above;
    above.reserve(values.size());
    for (const SlotValue& one : values)
      above.push_back(static_cast<Width>(static_cast<std::uint64_t>(one.value.as_integer()) -
                                         static_cast<std::uint64_t>(base)));
    return above;
  }

  /// Removes the values for which `is_escaped` is true, and notes their slots.
  template <class IsEscaped>
  void escape(const IsEscaped& is_escaped, std::vector<std::uint16_t>& escaped) {
    for (const SlotValue& one : values_)
      if (is_escaped(one)) escaped.push_back(one.slot);
    std::erase_if(values_, is_escaped);
  }

  [[nodiscard]] std::size_t text_bytes() const {
    std::size_t bytes = 0;
    for (const SlotValue& one : values_) bytes += one.value.as_string().size();
    return bytes;
  }

  /// Stores which slots have a value.
  void place(Chunk& chunk) const {
    std::vector<std::uint16_t> slots;
    slots.reserve(values_.size());
    for (const SlotValue& one : values_) slots.push_back(one.slot);
    chunk.slots = SlotIndex(std::move(slots));
  }

  /// Stores the values in the form of their sort. All of them have this sort.
  void fill(Chunk& chunk, Sort sort) const {
    if (sort == Sort::integer) {
      chunk.values = integers();
    } else if (sort == Sort::number) {
      Floats floats;
      for (const SlotValue& one : values_) floats.values.push_back(one.value.as_float());
      chunk.values = std::move(floats);
    } else if (Dictionary few; make_dictionary(few)) {
      chunk.values = std::move(few);
    } else {
      chunk.values = texts();
    }
  }

  /// Stores differences from the least value, in the smallest width that fits all of them.
  [[nodiscard]] Integers integers() const {
    const auto [least, greatest] = std::ranges::minmax(
        values_, {}, [](const SlotValue& one) { return one.value.as_integer(); });
    const std::int64_t base = least.value.as_integer();
    const std::uint64_t range =
        static_cast<std::uint64_t>(greatest.value.as_integer()) - static_cast<std::uint64_t>(base);
    if (range <= std::numeric_limits<std::uint8_t>::max())
      return {base, narrowed<std::uint8_t>(values_, base)};
    if (range <= std::numeric_limits<std::uint16_t>::max())
      return {base, narrowed<std::uint16_t>(values_, base)};
    if (range <= std::numeric_limits<std::uint32_t>::max())
      return {base, narrowed<std::uint32_t>(values_, base)};
    return {base, narrowed<std::uint64_t>(values_, base)};
  }

  /// Returns false if the number of different texts is too large. Booleans always get a dictionary.
  [[nodiscard]] bool make_dictionary(Dictionary& dictionary) const {
    const std::size_t most =
        std::min<std::size_t>(std::max<std::size_t>(values_.size() / a_code, 2),
                              std::numeric_limits<std::uint16_t>::max());
    Codes codes;
    for (const SlotValue& one : values_) {
      const std::optional<std::uint16_t> code = codes.of(one.value, most);
      if (!code) return false;
      dictionary.codes.push_back(*code);
    }
    dictionary.values = codes.take();
    return true;
  }

  /// Concatenates all texts.
  [[nodiscard]] Texts texts() const {
    Texts texts;
    for (const SlotValue& one : values_) {
      texts.bytes += one.value.as_string();
      texts.ends.push_back(static_cast<std::uint32_t>(texts.bytes.size()));
    }
    return texts;
  }

  std::vector<SlotValue> values_;
};

/// Builds a segment chunk by chunk.
class ColumnSegment::Builder {
 public:
  explicit Builder(const SegmentBounds& bounds) : bounds_(bounds) {}

  /// Adds the property of a record, which may be null. Ids must ascend, so that each chunk is complete before the next one
  /// begins. Returns false if the segment exceeds its bounds.
  bool add(std::uint64_t id, codec::StoredValue stored) {
    if (id >> 16 != number_ && !pack()) return false;
    number_ = id >> 16;
    Value* const value = std::get_if<Value>(&stored);
    if (value != nullptr && value->is_null()) return true;
    ++segment_->count_;
    if (value != nullptr)
      chunk_.add(static_cast<std::uint16_t>(id), std::move(*value));
    else
      escaped_.push_back(id);
    return true;
  }
  /// The memory of the complete chunks.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// Returns nullptr if the segment exceeds its bounds, or most of its values are escaped.
  Ptr finish() {
    if (!pack() || bytes_ > bounds_.most_bytes) return nullptr;
    if (2 * escaped_.size() > segment_->count_) return nullptr;
    segment_->escaped_ = codec::Bitmap::from_unsorted(std::move(escaped_));
    segment_->share_dictionary();
    return std::move(segment_);
  }

 private:
  /// Packs the current chunk into the segment. Returns false if the segment exceeds its bounds. The ids may be far apart, so
  /// the empty chunks between them count too.
  bool pack() {
    if (chunk_.empty()) return true;
    std::vector<Chunk>& chunks = segment_->chunks_;
    bytes_ += (number_ + 1 - chunks.size()) * sizeof(Chunk);
    if (bytes_ > bounds_.most_bytes) return false;
    std::vector<std::uint16_t> slots;
    chunks.resize(number_ + 1);
    chunks[number_] = chunk_.pack(slots);
    bytes_ += chunks[number_].memory_bytes(nullptr);
    for (const std::uint16_t slot : slots) escaped_.push_back(number_ << 16 | slot);
    return true;
  }

  const SegmentBounds& bounds_;
  std::shared_ptr<ColumnSegment> segment_{new ColumnSegment()};
  ChunkBuilder chunk_;
  std::uint64_t number_ = 0;  // of the current chunk
  std::vector<std::uint64_t> escaped_;
  std::size_t bytes_ = 0;
};

Result<ColumnSegment::Ptr> ColumnSegment::build(const RocksStore& store,
                                                const StoreSnapshot& snapshot,
                                                codec::EntityKind kind, std::uint32_t key,
                                                const SegmentBounds& bounds) {
  Builder builder(bounds);
  const Family family = kind == codec::EntityKind::node ? Family::nodes : Family::relationships;
  Cursor stored = store.scan(family, {}, &snapshot);
  std::size_t records = 0;
  for (; stored.valid(); stored.next()) {
    if (!bounds.allow(++records, builder.bytes())) return Ptr();
    if (!codec::is_hot_record_key(stored.key())) continue;
    CAIRN_ASSIGN(const std::uint64_t id, codec::decode_record_key(stored.key()));
    CAIRN_ASSIGN(codec::StoredValue found, codec::find_property(stored.value(), key));
    if (!builder.add(id, std::move(found))) return Ptr();
  }
  CAIRN_TRY(stored.status());
  return builder.finish();
}

// Collects the values of all dictionaries first. If they exceed the codes of two bytes, each chunk retains its own
// dictionary.
void ColumnSegment::share_dictionary() {
  Codes codes;
  std::vector<std::vector<std::uint16_t>> renamed(chunks_.size());
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const auto* const own = std::get_if<Dictionary>(&chunks_[i].values);
    if (own == nullptr) continue;
    for (const Value& value : *own->values) {
      const auto code = codes.of(value, std::numeric_limits<std::uint16_t>::max());
      if (!code) return;
      renamed[i].push_back(*code);
    }
  }
  dictionary_ = codes.take();
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    auto* const own = std::get_if<Dictionary>(&chunks_[i].values);
    if (own == nullptr) continue;
    for (std::uint16_t& code : own->codes) code = renamed[i][code];
    own->values = dictionary_;
  }
}

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
  // The ids of a step may repeat, so that their number alone does not say it.
  return std::ranges::adjacent_find(ids, std::ranges::greater_equal()) == ids.end();
}

/// Writes the words of ids of one chunk, and notes which values are missing or left to the records.
class WordWriter {
 public:
  /// `first` is the index of the first id among all ids of `out`. `changed` may be nullptr.
  WordWriter(ColumnSegment::Words& out, std::span<const std::uint64_t> ids, std::size_t first,
             const codec::Bitmap* changed, const codec::Bitmap& escaped)
      : out_(out), ids_(ids), first_(first), changed_(changed), escaped_(escaped) {}

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
      const bool is_changed = changed_ != nullptr && changed_->contains(id);
      if (!is_changed && find(static_cast<std::uint16_t>(id), out_.words[i])) continue;
      if (out_.missing.empty()) out_.missing.resize(out_.words.size());
      out_.missing[i] = 1;
      if (is_changed || escaped_.contains(id)) out_.left.push_back(i);
    }
  }

  ColumnSegment::Words& out_;
  std::span<const std::uint64_t> ids_;
  std::size_t first_;
  const codec::Bitmap* changed_;
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

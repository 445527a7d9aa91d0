// Builds column segments. A chunk takes the form of its most frequent type. Values of other types, and large
// values, are escaped: a reader takes them from the record. Texts are stored in a dictionary if each occurs at least four
// times on average.
#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/segment/column_segment.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>

namespace cairn::engine {
namespace {

constexpr std::size_t longest_text = 512;  // longer texts are escaped
// The maximum size of the texts of a chunk in bytes; if they take more, all are escaped.
constexpr std::size_t most_text_bytes = std::size_t{8} << 20;
// The minimum number of values per code of a dictionary, on average; with fewer it does not pay off.
constexpr std::size_t a_code = 4;
// A changed text is looked up only in dictionaries of at most this many values.
constexpr std::size_t most_searched = 1'024;

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

/// Makes a newer column of an earlier one.
class ColumnSegment::Update {
 public:
  explicit Update(const ColumnSegment& earlier) : segment_(new ColumnSegment(earlier)) {}

  /// Takes the changed ids of one chunk, in ascending order, and what their records have.
  void change(std::span<const std::uint64_t> ids, std::vector<codec::StoredValue> stored) {
    const std::uint64_t number = ids[0] >> 16;
    std::vector<Chunk>& chunks = segment_->chunks_;
    if (chunks.size() <= number) chunks.resize(number + 1);
    if (patch(chunks[number], ids, stored)) return;
    ChunkBuilder builder;
    const auto add = [&](std::size_t at) {
      Value* const value = std::get_if<Value>(&stored[at]);
      if (value != nullptr && value->is_null()) return;
      ++segment_->count_;
      if (value != nullptr)
        builder.add(static_cast<std::uint16_t>(ids[at]), std::move(*value));
      else
        escaped_.push_back(ids[at]);
    };
    std::size_t next = 0;
    std::size_t place = 0;
    for (const std::uint16_t slot : chunks[number].slots.to_vector()) {
      const std::uint64_t id = number << 16 | slot;
      while (next < ids.size() && ids[next] < id) add(next++);
      if (next < ids.size() && ids[next] == id) {
        --segment_->count_;
        add(next++);
      } else {
        builder.add(slot, chunks[number].value(place));
      }
      ++place;
    }
    while (next < ids.size()) add(next++);
    std::vector<std::uint16_t> left;
    chunks[number] = builder.pack(left);
    for (const std::uint16_t slot : left) escaped_.push_back(number << 16 | slot);
  }

  /// Returns nullptr if the segment exceeds its bounds, or most of its values are escaped. `changed` are all changed ids.
  Ptr finish(const codec::Bitmap& changed, const SegmentBounds& bounds) {
    segment_->count_ -= codec::intersection_cardinality(segment_->escaped_, changed);
    segment_->escaped_ = codec::unite(codec::subtract(segment_->escaped_, changed),
                                      codec::Bitmap::from_unsorted(std::move(escaped_)));
    if (2 * segment_->escaped_.cardinality() > segment_->count_) return nullptr;
    // A column without a common dictionary had too many values for one.
    if (segment_->dictionary_ != nullptr) segment_->share_dictionary();
    if (segment_->memory_bytes() > bounds.most_bytes) return nullptr;
    return std::move(segment_);
  }

 private:
  using ChangedWords = std::vector<std::optional<std::uint64_t>>;  // nullopt: no value

  /// Puts changed values into a chunk if all of them fit into its form, which takes a tenth of the time of packing it again.
  /// Otherwise returns false.
  bool patch(Chunk& chunk, std::span<const std::uint64_t> ids,
             std::span<const codec::StoredValue> stored) {
    if (std::holds_alternative<std::monostate>(chunk.values) ||
        std::holds_alternative<Texts>(chunk.values))
      return false;
    ChangedWords words;
    for (const codec::StoredValue& one : stored) {
      const Value* const value = std::get_if<Value>(&one);
      if (value == nullptr) return false;
      words.push_back(value->is_null() ? std::nullopt : word_of(chunk, *value));
      if (!value->is_null() && !words.back()) return false;
    }
    const std::vector<std::uint16_t> before = chunk.slots.to_vector();
    const auto [slots, places] = merged(before, ids, words);
    if (slots.empty()) return false;
    segment_->count_ = segment_->count_ - before.size() + slots.size();
    chunk.slots = SlotIndex(slots);
    const auto take = [&](auto& values, const auto& value_of) {
      std::remove_reference_t<decltype(values)> now;
      now.reserve(places.size());
      for (const std::size_t place : places)
        now.push_back(place < values.size() ? values[place]
                                            : value_of(*words[place - values.size()]));
      values = std::move(now);
    };
    if (auto* const integers = std::get_if<Integers>(&chunk.values))
      std::visit(
          [&]<class Width>(std::vector<Width>& above) {
            take(above, [](std::uint64_t word) { return static_cast<Width>(word); });
          },
          integers->above);
    else if (auto* const floats = std::get_if<Floats>(&chunk.values))
      take(floats->values, [](std::uint64_t word) { return std::bit_cast<double>(word); });
    else
      take(std::get<Dictionary>(chunk.values).codes,
           [](std::uint64_t word) { return static_cast<std::uint16_t>(word); });
    return true;
  }

  /// The word that a chunk stores for a value, or nullopt if the value does not fit into the form of the chunk.
  static std::optional<std::uint64_t> word_of(const Chunk& chunk, const Value& value) {
    if (const auto* integers = std::get_if<Integers>(&chunk.values)) {
      const auto* const integer = value.get_if<std::int64_t>();
      return integer == nullptr ? std::nullopt : word_of(*integers, *integer);
    }
    if (std::holds_alternative<Floats>(chunk.values)) {
      const auto* const number = value.get_if<double>();
      return number == nullptr ? std::nullopt
                               : std::optional(std::bit_cast<std::uint64_t>(*number));
    }
    if (value.string() == nullptr && value.get_if<bool>() == nullptr) return std::nullopt;
    const std::vector<Value>& known = *std::get<Dictionary>(chunk.values).values;
    const auto at = known.size() > most_searched ? known.end() : std::ranges::find(known, value);
    if (at == known.end()) return std::nullopt;
    return static_cast<std::uint64_t>(at - known.begin());
  }

  static std::optional<std::uint64_t> word_of(const Integers& integers, std::int64_t value) {
    const std::uint64_t word =
        static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(integers.base);
    const auto fits = [&]<class Width>(const std::vector<Width>&) {
      return word <= std::numeric_limits<Width>::max();
    };
    return std::visit(fits, integers.above) ? std::optional(word) : std::nullopt;
  }

  struct Merged {
    std::vector<std::uint16_t> slots;  // those with a value
    // The positions of their values. Changed values are numbered after all earlier values.
    std::vector<std::size_t> places;
  };
  static Merged merged(std::span<const std::uint16_t> before, std::span<const std::uint64_t> ids,
                       const ChangedWords& words) {
    Merged now;
    now.slots.reserve(before.size() + ids.size());
    now.places.reserve(before.size() + ids.size());
    std::size_t next = 0;
    const auto add = [&](std::uint16_t slot, std::size_t place) {
      now.slots.push_back(slot);
      now.places.push_back(place);
    };
    const auto add_changed_until = [&](std::size_t end) {
      for (; next < ids.size() && (ids[next] & 0xffff) < end; ++next)
        if (words[next]) add(static_cast<std::uint16_t>(ids[next]), before.size() + next);
    };
    for (std::size_t place = 0; place < before.size(); ++place) {
      const std::uint16_t slot = before[place];
      add_changed_until(slot);
      if (next < ids.size() && (ids[next] & 0xffff) == slot)
        add_changed_until(std::size_t{slot} + 1);
      else
        add(slot, place);
    }
    add_changed_until(chunk_ids);
    return now;
  }

  std::shared_ptr<ColumnSegment> segment_;
  std::vector<std::uint64_t> escaped_;  // ids whose values the new chunks do not store
};

// Numbers and codes are put into the existing chunk, unless they do not fit.
double ColumnSegment::microseconds_of(std::uint64_t chunk) const noexcept {
  return chunk < chunks_.size() && std::holds_alternative<Texts>(chunks_[chunk].values) ? 8'000
                                                                                        : 500;
}

// A new id may be far above all others, so that the empty chunks before it count first. Records are read in batches, as they
// may be long.
Result<ColumnSegment::Ptr> ColumnSegment::updated(const RocksStore& store,
                                                  const StoreSnapshot& snapshot,
                                                  codec::EntityKind kind, std::uint32_t key,
                                                  const codec::Bitmap& changed,
                                                  const SegmentBounds& bounds) const {
  constexpr std::size_t batch = 128;
  if (changed.empty()) return Ptr(new ColumnSegment(*this));
  if (*changed.last() >> 16 > bounds.most_bytes / sizeof(Chunk)) return Ptr();
  const Family family = kind == codec::EntityKind::node ? Family::nodes : Family::relationships;
  Update update(*this);
  for (const codec::Bitmap::Chunk& part : changed.chunks()) {
    std::vector<std::uint64_t> ids(part.container->cardinality());
    part.container->copy_values(0, part.key << 16, ids);
    std::vector<codec::StoredValue> stored;
    for (std::size_t begin = 0; begin < ids.size(); begin += batch) {
      std::vector<std::string> keys;
      for (std::size_t at = begin; at < std::min(begin + batch, ids.size()); ++at)
        keys.push_back(codec::record_key(ids[at]));
      CAIRN_ASSIGN(const auto records, store.multi_get(family, keys, &snapshot));
      for (const auto& record : records) {
        codec::StoredValue value;
        if (record) {
          CAIRN_ASSIGN(value, codec::find_property(*record, key));
        }
        stored.push_back(std::move(value));
      }
      if (!bounds.allow(0, 0)) return Ptr();
    }
    update.change(ids, std::move(stored));
  }
  return update.finish(changed, bounds);
}

// Collects the values of all dictionaries first. If they exceed the codes of two bytes, each chunk retains its own
// dictionary.
void ColumnSegment::share_dictionary() {
  Codes codes;
  const Values earlier = dictionary_;
  if (earlier != nullptr)
    for (const Value& value : *earlier)
      static_cast<void>(codes.of(value, std::numeric_limits<std::uint16_t>::max()));
  std::vector<std::vector<std::uint16_t>> renamed(chunks_.size());
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const auto* const own = std::get_if<Dictionary>(&chunks_[i].values);
    if (own == nullptr || own->values == earlier) continue;
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
    if (own->values != earlier)
      for (std::uint16_t& code : own->codes) code = renamed[i][code];
    own->values = dictionary_;
  }
}

}  // namespace cairn::engine

#include "engine/segment/column_segment.hpp"

#include "codec/keys.hpp"
#include "codec/record.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <unordered_map>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::size_t longest_text = 512;                      // longer ones are escaped
constexpr std::size_t most_text_bytes = std::size_t{8} << 20;  // of a chunk
constexpr std::size_t a_code = 4;  // values that a code of a dictionary stands for, on average

}  // namespace

/// Collects the values of one chunk, and packs them.
class ColumnSegment::ChunkBuilder {
 public:
  void add(std::uint16_t slot, Value value) { values_.push_back({slot, std::move(value)}); }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }

  /// The chunk; what it does not hold is left out and noted in `escaped`, by slot.
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
  struct SlotValue {
    std::uint16_t slot = 0;
    Value value;
  };

  /// The forms of chunks by what they hold; nothing for what none holds.
  enum class Sort : std::uint8_t { integer, number, boolean, text, other };

  static Sort sort_of(const Value& value) {
    if (value.get_if<std::int64_t>() != nullptr) return Sort::integer;
    if (value.get_if<double>() != nullptr) return Sort::number;
    if (value.get_if<bool>() != nullptr) return Sort::boolean;
    const std::string* const text = value.string();
    return text != nullptr && text->size() <= longest_text ? Sort::text : Sort::other;
  }

  /// The sort that most values have, of those that a chunk can hold.
  static Sort most_frequent(std::span<const SlotValue> values) {
    std::array<std::size_t, 5> counts{};
    for (const SlotValue& one : values) ++counts[static_cast<std::size_t>(sort_of(one.value))];
    const auto most = std::max_element(counts.begin(), counts.end() - 1);
    return *most == 0 ? Sort::other : static_cast<Sort>(most - counts.begin());
  }

  template <class Width>
  static std::vector<Width> narrowed(std::span<const SlotValue> values, std::int64_t base) {
    std::vector<Width> above;
    above.reserve(values.size());
    for (const SlotValue& one : values)
      above.push_back(static_cast<Width>(static_cast<std::uint64_t>(one.value.as_integer()) -
                                         static_cast<std::uint64_t>(base)));
    return above;
  }

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

  void place(Chunk& chunk) const {
    if (values_.size() < chunk_ids / dense_share) {
      for (const SlotValue& one : values_) chunk.slots.push_back(one.slot);
      return;
    }
    chunk.bits.resize(chunk_ids / 64);
    chunk.before.resize(chunk_ids / 64);
    for (const SlotValue& one : values_)
      chunk.bits[one.slot / 64] |= std::uint64_t{1} << (one.slot % 64);
    std::uint32_t before = 0;
    for (std::size_t word = 0; word < chunk.bits.size(); ++word) {
      chunk.before[word] = before;
      before += static_cast<std::uint32_t>(std::popcount(chunk.bits[word]));
    }
  }

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

  /// False where there are too many different texts. Booleans always have one.
  [[nodiscard]] bool make_dictionary(Dictionary& dictionary) const {
    const std::size_t most =
        std::min<std::size_t>(std::max<std::size_t>(values_.size() / a_code, 2),
                              std::numeric_limits<std::uint16_t>::max());
    std::unordered_map<std::string, std::uint16_t> known;
    for (const SlotValue& one : values_) {
      const std::string* const text = one.value.string();
      const auto [at, is_new] =
          known.try_emplace(text != nullptr ? *text : (one.value.as_bool() ? "true" : "false"),
                            static_cast<std::uint16_t>(dictionary.values.size()));
      if (is_new && dictionary.values.size() == most) return false;
      if (is_new) dictionary.values.push_back(one.value);
      dictionary.codes.push_back(at->second);
    }
    return true;
  }

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

Result<ColumnSegment::Ptr> ColumnSegment::build(const RocksStore& store,
                                                const StoreSnapshot& snapshot,
                                                codec::EntityKind kind, std::uint32_t key,
                                                const SegmentBounds& bounds) {
  std::shared_ptr<ColumnSegment> segment(new ColumnSegment());
  ChunkBuilder builder;
  std::uint64_t number = 0;  // of the chunk at hand
  std::vector<std::uint64_t> escaped;
  std::size_t bytes = 0;
  const auto pack = [&] {
    if (builder.empty()) return true;
    bytes += (number + 1 - segment->chunks_.size()) * sizeof(Chunk);
    if (bytes > bounds.most_bytes) return false;
    std::vector<std::uint16_t> slots;
    segment->chunks_.resize(number + 1);
    segment->chunks_[number] = builder.pack(slots);
    bytes += segment->chunks_[number].memory_bytes();
    for (const std::uint16_t slot : slots) escaped.push_back(number << 16 | slot);
    return true;
  };
  const Family family = kind == codec::EntityKind::node ? Family::nodes : Family::relationships;
  Cursor stored = store.scan(family, {}, &snapshot);
  std::size_t records = 0;
  for (; stored.valid(); stored.next()) {
    if (!bounds.allow(++records, bytes)) return Ptr();
    if (!codec::is_hot_record_key(stored.key())) continue;
    CAIRN_ASSIGN(const std::uint64_t id, codec::decode_record_key(stored.key()));
    if (id >> 16 != number && !pack()) return Ptr();
    number = id >> 16;
    CAIRN_ASSIGN(codec::StoredValue found, codec::find_property(stored.value(), key));
    Value* const value = std::get_if<Value>(&found);
    const auto slot = static_cast<std::uint16_t>(id);
    if (value != nullptr && value->is_null()) continue;
    ++segment->count_;
    if (value != nullptr)
      builder.add(slot, std::move(*value));
    else
      escaped.push_back(id);
  }
  CAIRN_TRY(stored.status());
  if (!pack() || bytes > bounds.most_bytes || 2 * escaped.size() > segment->count_) return Ptr();
  segment->escaped_ = codec::Bitmap::from_unsorted(std::move(escaped));
  return Ptr(std::move(segment));
}

bool ColumnSegment::read(std::uint64_t id, Value& value) const {
  std::size_t at = 0;
  const std::uint64_t number = id >> 16;
  if (number < chunks_.size() && chunks_[number].find(static_cast<std::uint16_t>(id), at)) {
    value = chunks_[number].value(at);
    return true;
  }
  if (escaped_.contains(id)) return false;
  value = Value();
  return true;
}

bool ColumnSegment::Chunk::find(std::uint16_t slot, std::size_t& at) const noexcept {
  if (!bits.empty()) {
    const std::uint64_t word = bits[slot / 64];
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    at = before[slot / 64] + static_cast<std::size_t>(std::popcount(word & (bit - 1)));
    return (word & bit) != 0;
  }
  const auto found = std::ranges::lower_bound(slots, slot);
  at = static_cast<std::size_t>(found - slots.begin());
  return found != slots.end() && *found == slot;
}

Value ColumnSegment::Chunk::value(std::size_t at) const {
  if (const auto* integers = std::get_if<Integers>(&values))
    return std::visit(
        [&](const auto& above) {
          return Value(
              static_cast<std::int64_t>(static_cast<std::uint64_t>(integers->base) + above[at]));
        },
        integers->above);
  if (const auto* dictionary = std::get_if<Dictionary>(&values))
    return dictionary->values[dictionary->codes[at]];
  if (const auto* floats = std::get_if<Floats>(&values)) return floats->values[at];
  const auto& texts = std::get<Texts>(values);
  const std::uint32_t begin = at == 0 ? 0 : texts.ends[at - 1];
  return Value(std::string(texts.bytes, begin, texts.ends[at] - begin));
}

std::size_t ColumnSegment::Chunk::memory_bytes() const noexcept {
  const std::size_t places = slots.capacity() * sizeof(std::uint16_t) +
                             bits.capacity() * sizeof(std::uint64_t) +
                             before.capacity() * sizeof(std::uint32_t);
  if (const auto* integers = std::get_if<Integers>(&values))
    return sizeof(*this) + places +
           std::visit([](const auto& above) { return above.capacity() * sizeof(above[0]); },
                      integers->above);
  if (const auto* dictionary = std::get_if<Dictionary>(&values)) {
    std::size_t texts = 0;
    for (const Value& value : dictionary->values)
      texts += value.string() != nullptr ? value.string()->capacity() : 0;
    return sizeof(*this) + places + dictionary->values.capacity() * sizeof(Value) + texts +
           dictionary->codes.capacity() * sizeof(std::uint16_t);
  }
  if (const auto* floats = std::get_if<Floats>(&values))
    return sizeof(*this) + places + floats->values.capacity() * sizeof(double);
  if (const auto* texts = std::get_if<Texts>(&values))
    return sizeof(*this) + places + texts->ends.capacity() * sizeof(std::uint32_t) +
           texts->bytes.capacity();
  return sizeof(*this) + places;
}

std::size_t ColumnSegment::memory_bytes() const noexcept {
  std::size_t bytes = sizeof(*this) + escaped_.memory_bytes();
  for (const Chunk& chunk : chunks_) bytes += chunk.memory_bytes();
  return bytes;
}

}  // namespace cairn::engine

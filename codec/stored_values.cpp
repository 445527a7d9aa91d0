// Reads values from the columns of a record's flatbuffer, and writes them. Reading trusts nothing:
// the record may be damaged.
#include "codec/stored_values.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/flatbuffer.hpp"
#include "codec/instant.hpp"
#include "codec/record.hpp"

#include <bit>
#include <cassert>
#include <utility>

namespace cairn::codec {

// Decodes values from a verified flatbuffer. The verifier has checked that offsets and vectors lie
// within the buffer, and that tables nest at most 130 levels. The reader checks the rest: that
// columns are equally long, indexes into other columns are valid, ends of texts ascend, eight-byte
// items are aligned, and temporal fields are in range. It also checks that no part is shared so
// often that its values need more memory than the buffer has bytes.
//
// types   [ 4   2   6 ]
// words   [ 0  42   0 ]          4: text 0      2: the number 42      6: container 0
// ends    [ 3 ]  texts "Ada"     containers [ Values ]
//
// A fault is recorded instead of returned, so readers of single values need no Result. The caller
// checks fault() once and then discards everything.

namespace {

using fb::StoredType;

template <class Vector>
std::size_t size_of(const Vector* vector) noexcept {
  return vector == nullptr ? 0 : vector->size();
}

}  // namespace

// Only the first fault is recorded, because later ones are consequences of it.
Value ValuesReader::fail(const char* reason) noexcept {
  if (fault_ == nullptr) fault_ = reason;
  return {};
}

// Parts that do not overlap cannot be larger in total than the record. So a small record of damaged
// bytes, whose parts overlap, cannot expand to much memory.
bool ValuesReader::spend(std::size_t bytes) noexcept {
  if (bytes > budget_) {
    budget_ = 0;
    fail("its parts overlap");
  } else {
    budget_ -= bytes;
  }
  return fault_ == nullptr;
}

// Charges types and words to the budget, whatever their values are. A container shared by several
// parents is charged each time it is entered.
bool ValuesReader::has_count(const fb::Values* values, std::size_t count) noexcept {
  const bool agrees = values == nullptr
                          ? count == 0
                          : size_of(values->types()) == count && size_of(values->words()) == count;
  if (!agrees) fail("its numbers of values, types and keys differ");
  if (values != nullptr &&
      !(has_aligned_items(values->words()) && has_aligned_items(values->wides())))
    fail("its values are misaligned");
  return fault_ == nullptr && spend(count * (sizeof(std::uint8_t) + sizeof(std::uint64_t)));
}

// The verifier does not check the ends of texts, which are plain numbers to it. An empty text needs
// no charge: its type and word are charged already.
std::string ValuesReader::read_text(const fb::Values& values, std::uint64_t index) {
  const auto* ends = values.text_ends();
  if (index >= size_of(ends)) {
    fail("a text is missing");
    return {};
  }
  const auto position = static_cast<flatbuffers::uoffset_t>(index);
  const std::uint32_t begin = position == 0 ? 0 : ends->Get(position - 1);
  const std::uint32_t end = ends->Get(position);
  if (begin > end || end > size_of(values.texts())) {
    fail("a text does not lie within the texts");
    return {};
  }
  if (begin == end || !spend(end - begin)) return {};
  return std::string(reinterpret_cast<const char*>(values.texts()->data()) + begin, end - begin);
}

fb::Wide ValuesReader::read_wide(const fb::Values& values, std::uint64_t index) noexcept {
  if (index >= size_of(values.wides())) {
    fail("the fields of a value are missing");
    return {};
  }
  return *values.wides()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

// The caller has called has_count(), so types and words are long enough.
StoredValue ValuesReader::read_stored(const fb::Values& values, std::uint32_t index) {
  const auto type = static_cast<StoredType>(values.types()->Get(index));
  const std::uint64_t word = values.words()->Get(index);
  if (type == StoredType::vector_reference)
    return VectorReference{static_cast<std::uint32_t>(word >> 32),
                           static_cast<std::uint32_t>(word)};
  if (type == StoredType::text_reference) {
    const fb::Wide wide = read_wide(values, word);
    return TextReference{static_cast<std::uint64_t>(wide.first()),
                         static_cast<std::uint64_t>(wide.second())};
  }
  return read_by_type(values, type, word);
}

Value ValuesReader::read_value(const fb::Values& values, std::uint32_t index) {
  return read_by_type(values, static_cast<StoredType>(values.types()->Get(index)),
                      values.words()->Get(index));
}

template <class T>
Value ValuesReader::if_valid(T value) {
  return is_valid(value) ? Value(std::move(value)) : fail("a temporal value is out of range");
}

Value ValuesReader::read_by_type(const fb::Values& values, StoredType type, std::uint64_t word) {
  switch (type) {
    case StoredType::null:
      return {};
    case StoredType::boolean:
      return word <= 1 ? Value(word == 1) : fail("a boolean is neither true nor false");
    case StoredType::integer:
      return Value(static_cast<std::int64_t>(word));
    case StoredType::floating:
      return Value(std::bit_cast<double>(word));
    case StoredType::string:
      return Value(read_text(values, word));
    case StoredType::list:
    case StoredType::map:
      return read_container(values, type, word);
    case StoredType::date:
      return if_valid(Date{static_cast<std::int64_t>(word)});
    case StoredType::local_time:
      return if_valid(LocalTime{static_cast<std::int64_t>(word)});
    case StoredType::time:
    case StoredType::local_date_time:
    case StoredType::date_time:
    case StoredType::duration:
      return read_wide_value(values, type, word);
    case StoredType::vector_reference:
    case StoredType::text_reference:
      break;  // allowed only at the top level of a record
  }
  return fail("a value has an unknown type");
}

// Fields are stored as 64-bit numbers, so each is checked before it is narrowed.
Value ValuesReader::read_wide_value(const fb::Values& values, StoredType type, std::uint64_t word) {
  const fb::Wide wide = read_wide(values, word);
  if (fault_ != nullptr) return {};
  const auto narrow = [this](std::int64_t field) {
    if (!std::in_range<std::int32_t>(field)) fail("a temporal value is out of range");
    return static_cast<std::int32_t>(field);
  };
  switch (type) {
    case StoredType::time:
      return if_valid(Time{wide.first(), narrow(wide.second())});
    case StoredType::local_date_time:
      return if_valid(LocalDateTime{wide.first(), narrow(wide.second())});
    case StoredType::duration:
      return if_valid(Duration{wide.first(), wide.second(), wide.third(), narrow(wide.fourth())});
    default:
      break;
  }
  DateTime value{wide.first(), narrow(wide.second()), narrow(wide.third()), {}};
  if (wide.fourth() != 0)
    value.zone = read_text(values, static_cast<std::uint64_t>(wide.fourth()) - 1);
  return if_valid(std::move(value));
}

// The recursion is bounded: the verifier limits the levels, and the budget limits the number of
// tables.
Value ValuesReader::read_container(const fb::Values& values, StoredType type, std::uint64_t word) {
  if (word >= size_of(values.containers())) return fail("a list or map is missing");
  const fb::Values& items = *values.containers()->Get(static_cast<flatbuffers::uoffset_t>(word));
  return type == StoredType::list ? read_list(items) : read_map(items);
}

// Each of the `count` values has been charged with nine bytes, so the reserved memory is within a
// constant factor of that.
Value ValuesReader::read_list(const fb::Values& items) {
  const auto count = static_cast<std::uint32_t>(size_of(items.types()));
  if (!has_count(&items, count)) return {};
  List list;
  list.reserve(count);
  for (std::uint32_t i = 0; i < count && fault_ == nullptr; ++i)
    list.push_back(read_value(items, i));
  return Value(std::move(list));
}

Value ValuesReader::read_map(const fb::Values& items) {
  const auto count = static_cast<std::uint32_t>(size_of(items.types()));
  if (!has_count(&items, count)) return {};
  Map map;
  for (std::uint32_t i = 0; i < count && fault_ == nullptr; ++i) {
    // Text i is the key of value i; texts of values follow the keys.
    std::string key = read_text(items, i);
    if (!map.empty() && std::prev(map.end())->first >= key)
      return fail("the keys of a map do not ascend");
    map.emplace_hint(map.end(), std::move(key), read_value(items, i));
  }
  return Value(std::move(map));
}

// Collects the values for one flatbuffer table; FORMAT.md, section 5, describes the layout. Columns
// are collected in vectors and copied into the builder by finish(), because a FlatBuffer vector
// cannot grow while another one does. References within a table (to texts, wides, containers) are
// indexes, assigned in the order of adding.
//
// Recursion is as deep as the value, which check_storable() has limited. The texts stay below 2^32
// bytes, because a record stays below 64 MiB.

using fb::StoredType;

/// Adds the type and word that represent a value, as listed in FORMAT.md, section 5.
struct AddValue {
  ValuesWriter& writer;

  void operator()(std::monostate) const { writer.add_word(StoredType::null, 0); }
  void operator()(bool value) const { writer.add_word(StoredType::boolean, value ? 1 : 0); }
  void operator()(std::int64_t value) const {
    writer.add_word(StoredType::integer, static_cast<std::uint64_t>(value));
  }
  void operator()(double value) const {
    writer.add_word(StoredType::floating, std::bit_cast<std::uint64_t>(value));
  }
  void operator()(const std::string& value) const { writer.add_text(value); }
  void operator()(const Value::ListPtr& value) const { writer.add_list(*value); }
  void operator()(const Value::MapPtr& value) const { writer.add_map(*value); }
  void operator()(Date value) const {
    writer.add_word(StoredType::date, static_cast<std::uint64_t>(value.days));
  }
  void operator()(LocalTime value) const {
    writer.add_word(StoredType::local_time, static_cast<std::uint64_t>(value.nanoseconds));
  }
  void operator()(Time value) const {
    writer.add_wide(StoredType::time, value.nanoseconds, value.offset_seconds);
  }
  void operator()(LocalDateTime value) const {
    writer.add_wide(StoredType::local_date_time, value.seconds, value.nanoseconds);
  }
  void operator()(const DateTime& value) const { writer.add_date_time(value); }
  void operator()(const Duration& value) const {
    writer.add_wide(StoredType::duration, value.months, value.days, value.seconds,
                    value.nanoseconds);
  }
  void operator()(const VectorReference& value) const {
    writer.add_word(StoredType::vector_reference,
                    std::uint64_t{value.space} << 32 | value.dimension);
  }
  void operator()(const TextReference& value) const {
    writer.add_wide(StoredType::text_reference, static_cast<std::int64_t>(value.bytes),
                    static_cast<std::int64_t>(value.hash));
  }
  void operator()(const Value& value) const { writer.add(value); }
  /// Nodes, relationships, paths and vectors cannot be stored as values.
  template <class T>
  void operator()(const T&) const {
    assert(false && "check_storable was not asked");
    writer.add_word(StoredType::null, 0);
  }
};

void ValuesWriter::add(const StoredValue& value) { std::visit(AddValue{*this}, value); }
void ValuesWriter::add(const Value& value) { std::visit(AddValue{*this}, value.content()); }

void ValuesWriter::add_word(StoredType type, std::uint64_t word) {
  types_.push_back(static_cast<std::uint8_t>(type));
  words_.push_back(word);
}

// Stores ends instead of lengths, so a text is found without adding up the lengths before it.
std::size_t ValuesWriter::append_text(std::string_view text) {
  texts_.append(text);
  text_ends_.push_back(static_cast<std::uint32_t>(texts_.size()));
  return text_ends_.size() - 1;
}

void ValuesWriter::add_text(const std::string& text) {
  add_word(StoredType::string, append_text(text));
}

void ValuesWriter::add_wide(StoredType type, std::int64_t first, std::int64_t second,
                            std::int64_t third, std::int64_t fourth) {
  add_word(type, wides_.size());
  wides_.emplace_back(first, second, third, fourth);
}

void ValuesWriter::add_date_time(const DateTime& value) {
  std::int64_t zone = 0;  // the index of its name + 1; 0 without a zone
  if (!value.zone.empty()) zone = static_cast<std::int64_t>(append_text(value.zone) + 1);
  add_wide(StoredType::date_time, value.seconds, value.nanoseconds, value.offset_seconds, zone);
}

// The inner table is finished before the outer one, because FlatBuffers are built from the leaves.
void ValuesWriter::add_list(const List& list) {
  ValuesWriter items(builder_, list.size());
  for (const Value& item : list) items.add(item);
  add_word(StoredType::list, containers_.size());
  containers_.push_back(items.finish());
}

// The keys are the first texts, so key i belongs to value i without an index of its own.
void ValuesWriter::add_map(const Map& map) {
  ValuesWriter items(builder_, map.size());
  for (const auto& [key, value] : map) items.add_key(key);
  for (const auto& [key, value] : map) items.add(value);
  add_word(StoredType::map, containers_.size());
  containers_.push_back(items.finish());
}

// Empty vectors are omitted: most tables have no texts, wides or containers.
flatbuffers::Offset<fb::Values> ValuesWriter::finish() {
  const auto create = [this](const auto& items) {
    using Offset = decltype(builder_.CreateVector(items));
    return items.empty() ? Offset() : builder_.CreateVector(items);
  };
  const auto types = create(types_);
  const auto words = create(words_);
  const auto text_ends = create(text_ends_);
  const auto* text_bytes = reinterpret_cast<const std::uint8_t*>(texts_.data());
  const auto texts = texts_.empty() ? flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>>()
                                    : builder_.CreateVector(text_bytes, texts_.size());
  const auto wides = wides_.empty() ? flatbuffers::Offset<flatbuffers::Vector<const fb::Wide*>>()
                                    : builder_.CreateVectorOfStructs(wides_);
  const auto containers = create(containers_);
  return fb::CreateValues(builder_, types, words, text_ends, texts, wides, containers);
}

// encode_vector and decode_vector.
//
// count:4 | check:4 | float:4 ...
//
// Vectors are primary data, and the only values with their own checksum: a flipped bit in a float
// would only make distances slightly wrong, which no decoder could notice. The checksum is 32 bits
// of XXH3, in addition to RocksDB's checksums.

namespace {

constexpr std::size_t head_bytes = 8;

// Any floats are a valid vector, so only the checksum reveals damage.
std::uint32_t vector_checksum(std::string_view floats) noexcept {
  return static_cast<std::uint32_t>(checksum(floats));
}

}  // namespace

std::string encode_vector(std::span<const float> components) {
  static_assert(std::endian::native == std::endian::little);
  // Floats are stored in their memory representation; the assertion excludes big-endian machines at
  // compile time.
  const std::string_view floats(reinterpret_cast<const char*>(components.data()),
                                components.size_bytes());
  std::string out;
  out.reserve(head_bytes + floats.size());
  append_little(out, static_cast<std::uint32_t>(components.size()));
  append_little(out, vector_checksum(floats));
  return out.append(floats);
}

Result<std::vector<float>> decode_vector(std::string_view bytes) {
  ByteCursor cursor(bytes);
  const auto count = cursor.read_little<std::uint32_t>();
  const auto expected = cursor.read_little<std::uint32_t>();
  const std::string_view floats = cursor.rest();
  // The count is compared with the bytes before memory is allocated for it.
  if (cursor.failed() || floats.size() != std::size_t{count} * sizeof(float))
    return corruption("a stored vector of " + std::to_string(count) + " components has " +
                      std::to_string(bytes.size()) + " bytes");
  if (vector_checksum(floats) != expected)
    return corruption("the checksum of a stored vector does not match");
  std::vector<float> components(count);
  // Copied bytewise, because the floats may be unaligned.
  floats.copy(reinterpret_cast<char*>(components.data()), floats.size());
  return components;
}

}  // namespace cairn::codec

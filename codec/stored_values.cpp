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

// Values out of a verified flatbuffer. What the verifier has established: offsets lie within the
// buffer, vectors too, tables nest 130 deep at most. What it has not, and is checked here: that the
// columns are equally long, that indexes into other columns exist, that ends of texts ascend, that
// eight-byte items are aligned, that temporal fields are in range, and that no part is shared so
// often that reading it takes more than its bytes.
//
// types   [ 4   2   6 ]
// words   [ 0  42   0 ]          4: text 0      2: the number 42      6: container 0
// ends    [ 3 ]  texts "Ada"     containers [ Values ]
//
// A fault is remembered and not returned, so that readers of one value need no Result; the caller asks
// fault() once, and then throws all away.

namespace {

using fb::StoredType;

template <class Vector>
std::size_t size_of(const Vector* vector) noexcept {
  return vector == nullptr ? 0 : vector->size();
}

}  // namespace

// The first fault is the cause; what follows from it would only confuse.
Value ValuesReader::fail(const char* reason) noexcept {
  if (fault_ == nullptr) fault_ = reason;
  return {};
}

bool ValuesReader::spend(std::size_t bytes) noexcept {
  if (bytes > budget_) {
    budget_ = 0;
    fail("its parts overlap");
  } else {
    budget_ -= bytes;
  }
  return fault_ == nullptr;
}

// Of hostile buffers, containers shared among parents are paid for each time they are entered.
// Types and words are paid for here once, whatever they turn out to be.
bool ValuesReader::has_count(const fb::Values* values, std::size_t count) noexcept {
  const bool agrees = values == nullptr
                          ? count == 0
                          : size_of(values->types()) == count && size_of(values->words()) == count;
  if (!agrees) fail("it has not as many values as types or keys");
  if (values != nullptr &&
      !(has_aligned_items(values->words()) && has_aligned_items(values->wides())))
    fail("its values are misaligned");
  return fault_ == nullptr && spend(count * (sizeof(std::uint8_t) + sizeof(std::uint64_t)));
}

// The verifier has not looked at the ends, which are numbers to it: both are checked here.
// An empty text is paid by its type and word.
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

// The caller has asked has_count(), so types and words are there and long enough.
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
      break;  // at the top of a record only
  }
  return fail("a value has an unknown type");
}

// Fields are stored wider than they are, so each is checked before it is narrowed.
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

// Recursion ends because the verifier has counted the levels, and the budget the tables.
Value ValuesReader::read_container(const fb::Values& values, StoredType type, std::uint64_t word) {
  if (word >= size_of(values.containers())) return fail("a list or map is missing");
  const fb::Values& items = *values.containers()->Get(static_cast<flatbuffers::uoffset_t>(word));
  return type == StoredType::list ? read_list(items) : read_map(items);
}

// Each of the `count` values has been paid with nine bytes: what is reserved is a constant factor
// of them.
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
    // Text i is the key of value i; texts of values come behind the keys.
    std::string key = read_text(items, i);
    if (!map.empty() && std::prev(map.end())->first >= key)
      return fail("the keys of a map do not ascend");
    map.emplace_hint(map.end(), std::move(key), read_value(items, i));
  }
  return Value(std::move(map));
}

// Columns of values for one flatbuffer table; the layout is that of FORMAT.md, section 5. Two
// levels of buffering: columns are collected in vectors and copied into the builder by finish(),
// because a FlatBuffer vector cannot grow while another one does. References within a table (texts,
// wides, containers) are indexes, assigned in the order of adding.
//
// Depth of recursion is that of the value, which check_storable() has limited. The sum of texts
// stays below 2^32 as a record stays below 64 MiB.

using fb::StoredType;

/// Which type and word stand for a value; the table is in FORMAT.md, section 5.
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
  /// Nodes, relationships, paths and vectors are not storable.
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

// Stores ends, not lengths, so that any text is found without adding up the lengths before it.
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
  std::int64_t zone = 0;  // one more than the index of its name
  if (!value.zone.empty()) zone = static_cast<std::int64_t>(append_text(value.zone) + 1);
  add_wide(StoredType::date_time, value.seconds, value.nanoseconds, value.offset_seconds, zone);
}

// The inner table is finished before the outer one is begun: FlatBuffers are built from the leaves.
void ValuesWriter::add_list(const List& list) {
  ValuesWriter items(builder_, list.size());
  for (const Value& item : list) items.add(item);
  add_word(StoredType::list, containers_.size());
  containers_.push_back(items.finish());
}

// The keys are the first texts, so that key i belongs to value i without an index of its own.
void ValuesWriter::add_map(const Map& map) {
  ValuesWriter items(builder_, map.size());
  for (const auto& [key, value] : map) items.add_key(key);
  for (const auto& [key, value] : map) items.add(value);
  add_word(StoredType::map, containers_.size());
  containers_.push_back(items.finish());
}

// Empty vectors are left out: most tables have no texts, wides or containers.
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
// Truth, and the one value of the store that carries its own checksum: a flipped bit in a float is a
// slightly wrong neighbour for ever, which no decoder could see. 32 bits of XXH3 beside RocksDB's
// own block checksum.

namespace {

constexpr std::size_t head_bytes = 8;

// Unlike a record, a damaged vector is still a vector: nothing but a checksum notices.
std::uint32_t vector_checksum(std::string_view floats) noexcept {
  return static_cast<std::uint32_t>(checksum(floats));
}

}  // namespace

std::string encode_vector(std::span<const float> components) {
  static_assert(std::endian::native == std::endian::little);
  // Floats are stored as they lie in memory; the assertion keeps other machines out at compile
  // time.
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
  // The count must agree with the bytes before memory is taken for it.
  if (cursor.failed() || floats.size() != std::size_t{count} * sizeof(float))
    return corruption("a stored vector of " + std::to_string(count) + " components has " +
                      std::to_string(bytes.size()) + " bytes");
  if (vector_checksum(floats) != expected)
    return corruption("the checksum of a stored vector differs");
  std::vector<float> components(count);
  // Copied byte by byte, as they may lie at any address.
  floats.copy(reinterpret_cast<char*>(components.data()), floats.size());
  return components;
}

}  // namespace cairn::codec

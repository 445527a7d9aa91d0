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
// A fault is kept and not returned, so that readers of one value need no Result; the caller asks
// fault() once, and then throws all away.
#include "codec/flatbuffer.hpp"
#include "codec/stored_values.hpp"
#include "codec/temporal_order.hpp"

#include <bit>
#include <utility>

namespace cairn::codec {
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

}  // namespace cairn::codec

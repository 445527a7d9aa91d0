// Columns of values for one flatbuffer table; the layout is that of FORMAT.md, section 5. Two
// levels of buffering: columns are collected in vectors and copied into the builder by finish(),
// because a FlatBuffer vector cannot grow while another one does. References within a table (texts,
// wides, containers) are indexes, assigned in the order of adding.
//
// Depth of recursion is that of the value, which check_storable() has limited. The sum of texts
// stays below 2^32 as a record stays below 64 MiB.
#include "codec/stored_values.hpp"

#include <bit>
#include <cassert>

namespace cairn::codec {

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

// Ends and not lengths: any text is found without adding up those before.
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

}  // namespace cairn::codec

// Decodes values from PackStream, from a client or (is_whole) from another process of this library.
// The memory of each value, counted as in codec/value_extent.hpp, is charged to a limit before the
// value is made.
#include "codec/instant.hpp"
#include "codec/packstream_structures.hpp"
#include "codec/packstream_values.hpp"
#include "codec/packstream_vector.hpp"
#include "codec/value_extent.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace cairn::codec {
namespace {

/// A structure of Bolt: its tag, its name for messages, and its number of fields.
struct StructureShape {
  PackStreamTag tag = PackStreamTag::node;
  std::string_view name;
  std::size_t fields = 0;  // 0: the structure is refused
};

constexpr StructureShape structure_shapes[] = {
    {PackStreamTag::date, "date", 1},
    {PackStreamTag::time, "time", 2},
    {PackStreamTag::local_time, "local time", 1},
    {PackStreamTag::date_time, "datetime", 3},
    {PackStreamTag::zoned_date_time, "datetime with a zone", 3},
    {PackStreamTag::local_date_time, "local datetime", 2},
    {PackStreamTag::duration, "duration", 4},
    {PackStreamTag::vector, "vector", 2},
    {PackStreamTag::node, "node", 0},
    {PackStreamTag::relationship, "relationship", 0},
    {PackStreamTag::unbound_relationship, "relationship", 0},
    {PackStreamTag::path, "path", 0},
    {PackStreamTag::point_2d, "point", 0},
    {PackStreamTag::point_3d, "point", 0},
    {PackStreamTag::date_time_before_5, "datetime of a Bolt before 5.0", 0},
    {PackStreamTag::zoned_date_time_before_5, "datetime of a Bolt before 5.0", 0},
};

/// Clamps a field to 32 bits. Both ends are out of range for all of these fields, so a clamped
/// value stays invalid.
std::int32_t narrowed(std::int64_t field) noexcept {
  using Range = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(field, Range::min(), Range::max()));
}

/// Reads one value of a message. Memory is charged before it is allocated. Errors name the byte
/// where the item begins.
class PackStreamValueReader {
 public:
  PackStreamValueReader(PackStreamReader& reader, const PackStreamLimits& limits,
                        ZoneOffset zone_offset) noexcept
      : reader_(reader),
        limits_(limits),
        zone_offset_(zone_offset),
        memory_left_(limits.memory_bytes) {}

  /// The caller has charged the memory of the value itself.
  Result<Value> read(std::size_t levels_left);
  /// Charges memory. Errors: resource_limit if the values of the message need more than the limit.
  Status spend(std::size_t bytes);

 private:
  using Text = std::string_view;

  /// Reads the next item, and notes where it begins.
  Result<PackStreamItem> next();
  Result<Value> read_container(const PackStreamItem& item, std::size_t levels_left);
  Result<Value> read_list(std::size_t size, std::size_t levels_left);
  Result<Value> read_map(std::size_t size, std::size_t levels_left);
  Result<Value> read_structure(const PackStreamItem& item, std::size_t levels_left);
  /// Reads what write_whole_value() writes in its own way; returns nullopt for other items.
  std::optional<Result<Value>> read_whole(const PackStreamItem& item, std::size_t levels_left);
  Result<Node> read_node(std::size_t levels_left);
  Result<Relationship> read_relationship(std::size_t levels_left);
  Result<Value> read_path(std::size_t levels_left);
  /// Reads a datetime that was sent with both its zone and its offset, so no offset is looked up.
  Result<Value> read_whole_date_time();
  Result<std::int64_t> read_integer();
  Result<std::string> read_text();
  Result<std::size_t> read_list_size();
  Result<Properties> read_properties(std::size_t levels_left);
  /// True for a text. Another process of this library sends a text that is not UTF-8 as bytes.
  [[nodiscard]] bool is_text(const PackStreamItem& item) const {
    return item.type == PackStreamType::text ||
           (limits_.is_whole && item.type == PackStreamType::bytes);
  }
  /// Reads the fields of a structure that clients may send. Precondition: the item has as many as
  /// the shape.
  Result<Value> read_fields(const StructureShape& shape);
  Result<Value> read_zoned_date_time(const StructureShape& shape);
  Result<Value> read_vector(const StructureShape& shape);
  template <std::size_t count>
  Result<std::array<std::int64_t, count>> read_integers(const StructureShape& shape);
  Result<Text> read_text_field(const StructureShape& shape, PackStreamType type);
  /// Returns the value, or an error if it is out of range.
  template <class T>
  Result<Value> if_valid(T value, const StructureShape& shape);
  Result<Value> duration_of(const std::array<std::int64_t, 4>& fields, const StructureShape& shape);

  [[nodiscard]] Error error(ErrorCode code, std::string problem) const {
    return {code, std::move(problem) + " (at byte " + std::to_string(item_at_) + " of the message)",
            std::nullopt};
  }
  [[nodiscard]] Error invalid(std::string problem) const {
    return error(ErrorCode::invalid_argument, std::move(problem));
  }

  PackStreamReader& reader_;
  const PackStreamLimits& limits_;
  ZoneOffset zone_offset_;
  std::size_t memory_left_;
  std::size_t item_at_ = 0;  // position of the last item read
};

Status PackStreamValueReader::spend(std::size_t bytes) {
  if (bytes > memory_left_)
    return error(ErrorCode::resource_limit, "the values of a message need more than the limit of " +
                                                std::to_string(limits_.memory_bytes) +
                                                " bytes: send fewer values at a time");
  memory_left_ -= bytes;
  return {};
}

Result<PackStreamItem> PackStreamValueReader::next() {
  item_at_ = reader_.position();
  return reader_.next();
}

Result<Value> PackStreamValueReader::read(std::size_t levels_left) {
  CAIRN_ASSIGN(const PackStreamItem item, next());
  switch (item.type) {
    case PackStreamType::null:
      return Value();
    case PackStreamType::boolean:
      return item.boolean;
    case PackStreamType::integer:
      return item.integer;
    case PackStreamType::floating:
      return item.floating;
    case PackStreamType::text:
      CAIRN_TRY(spend(item.text.size()));
      return item.text;
    case PackStreamType::bytes:
      if (limits_.is_whole) {
        CAIRN_TRY(spend(item.text.size()));
        return item.text;
      }
      return error(ErrorCode::type_error,
                   "bytes cannot be a value: send a list of integers or a text");
    case PackStreamType::list:
    case PackStreamType::map:
    case PackStreamType::structure:
      break;
  }
  return read_container(item, levels_left);
}

Result<Value> PackStreamValueReader::read_container(const PackStreamItem& item,
                                                    std::size_t levels_left) {
  if (levels_left == 0)
    return error(ErrorCode::resource_limit,
                 "a value has more than " + std::to_string(limits_.max_nesting_levels) +
                     " levels of lists, maps and structures: send a flatter value");
  if (item.type == PackStreamType::list) return read_list(item.size, levels_left - 1);
  if (item.type == PackStreamType::map) return read_map(item.size, levels_left - 1);
  return read_structure(item, levels_left - 1);
}

// All elements are charged at once, because their memory is allocated at once.
Result<Value> PackStreamValueReader::read_list(std::size_t size, std::size_t levels_left) {
  CAIRN_TRY(spend(list_bytes));
  CAIRN_TRY(spend(size * sizeof(Value)));
  List list;
  list.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    auto item = read(levels_left);
    if (!item) return item;
    list.push_back(std::move(*item));
  }
  return list;
}

Result<Value> PackStreamValueReader::read_map(std::size_t size, std::size_t levels_left) {
  CAIRN_TRY(spend(map_bytes));
  Map map;
  for (std::size_t i = 0; i < size; ++i) {
    CAIRN_ASSIGN(const PackStreamItem key, next());
    if (!is_text(key)) return invalid("the key of a map is not a text");
    CAIRN_TRY(spend(map_entry_bytes + key.text.size()));
    const auto [entry, is_new] = map.try_emplace(std::string(key.text));
    if (!is_new) return invalid("the key \"" + entry->first + "\" occurs twice in a map");
    CAIRN_ASSIGN(entry->second, read(levels_left));
  }
  return map;
}

// Another process of this library may send more structures than a driver: those of read_whole()
// come first.
Result<Value> PackStreamValueReader::read_structure(const PackStreamItem& item,
                                                    std::size_t levels_left) {
  if (limits_.is_whole) {
    if (auto whole = read_whole(item, levels_left)) return *std::move(whole);
  }
  const auto* shape =
      std::ranges::find(structure_shapes, PackStreamTag{item.tag}, &StructureShape::tag);
  if (shape == std::end(structure_shapes))
    return error(ErrorCode::type_error,
                 "Bolt has no structure with the tag " + std::to_string(item.tag));
  const std::string name(shape->name);
  if (shape->fields == 0)
    return error(ErrorCode::type_error, "a " + name + " cannot be sent as a value");
  if (shape->fields != item.size)
    return invalid("a " + name + " has " + std::to_string(shape->fields) + " fields, got " +
                   std::to_string(item.size));
  return read_fields(*shape);
}

// The caller has compared the number of fields with the shape; a message that ends early is an error of
// next().
Result<Value> PackStreamValueReader::read_fields(const StructureShape& shape) {
  if (shape.tag == PackStreamTag::vector) return read_vector(shape);
  if (shape.tag == PackStreamTag::zoned_date_time) return read_zoned_date_time(shape);
  if (shape.tag == PackStreamTag::duration) {
    CAIRN_ASSIGN(const auto fields, read_integers<4>(shape));
    return duration_of(fields, shape);
  }
  if (shape.tag == PackStreamTag::date_time) {
    CAIRN_ASSIGN(const auto fields, read_integers<3>(shape));
    return if_valid(DateTime{fields[0], narrowed(fields[1]), narrowed(fields[2]), {}}, shape);
  }
  if (shape.tag == PackStreamTag::date || shape.tag == PackStreamTag::local_time) {
    CAIRN_ASSIGN(const auto fields, read_integers<1>(shape));
    return shape.tag == PackStreamTag::date ? if_valid(Date{fields[0]}, shape)
                                            : if_valid(LocalTime{fields[0]}, shape);
  }
  CAIRN_ASSIGN(const auto fields, read_integers<2>(shape));
  return shape.tag == PackStreamTag::time
             ? if_valid(Time{fields[0], narrowed(fields[1])}, shape)
             : if_valid(LocalDateTime{fields[0], narrowed(fields[1])}, shape);
}

template <std::size_t count>
Result<std::array<std::int64_t, count>> PackStreamValueReader::read_integers(
    const StructureShape& shape) {
  std::array<std::int64_t, count> fields{};
  for (std::int64_t& field : fields) {
    CAIRN_ASSIGN(const PackStreamItem item, next());
    if (item.type != PackStreamType::integer)
      return invalid("a field of a " + std::string(shape.name) + " is not an integer");
    field = item.integer;
  }
  return fields;
}

/// Reads a field of text or of bytes, as `type` says.
Result<std::string_view> PackStreamValueReader::read_text_field(const StructureShape& shape,
                                                                PackStreamType type) {
  CAIRN_ASSIGN(const PackStreamItem item, next());
  if (item.type == type) return item.text;
  return invalid("a field of a " + std::string(shape.name) + " must be " +
                 (type == PackStreamType::text ? "a text" : "a byte array"));
}

template <class T>
Result<Value> PackStreamValueReader::if_valid(T value, const StructureShape& shape) {
  if (is_valid(value)) return Value(std::move(value));
  return invalid("a " + std::string(shape.name) + " is out of range");
}

// Some clients send minus half a second as 0 seconds and minus half a billion nanoseconds.
Result<Value> PackStreamValueReader::duration_of(const std::array<std::int64_t, 4>& fields,
                                                 const StructureShape& shape) {
  std::int64_t seconds = 0;
  if (__builtin_add_overflow(fields[2], floor_divide(fields[3], nanoseconds_per_second), &seconds))
    return invalid("a " + std::string(shape.name) + " is out of range");
  const std::int64_t nanoseconds = floor_modulo(fields[3], nanoseconds_per_second);
  return Value(Duration{fields[0], fields[1], seconds, static_cast<std::int32_t>(nanoseconds)});
}

// The instant is checked before the zone's offset at that instant is looked up.
Result<Value> PackStreamValueReader::read_zoned_date_time(const StructureShape& shape) {
  CAIRN_ASSIGN(const auto fields, read_integers<2>(shape));
  CAIRN_ASSIGN(const Text zone, read_text_field(shape, PackStreamType::text));
  DateTime value{fields[0], narrowed(fields[1]), 0, {}};
  if (is_valid(value)) {
    CAIRN_ASSIGN(value.offset_seconds, zone_offset_(zone, value.seconds));
    CAIRN_TRY(spend(zone.size()));
    value.zone = zone;
  }
  return if_valid(std::move(value), shape);
}

Result<Value> PackStreamValueReader::read_vector(const StructureShape& shape) {
  CAIRN_ASSIGN(const Text type, read_text_field(shape, PackStreamType::bytes));
  const auto component =
      static_cast<PackStreamComponent>(type.size() == 1 ? static_cast<std::uint8_t>(type[0]) : 0);
  const std::size_t width = component_width(component);
  if (width == 0) return invalid("a vector has components of an unknown type");
  CAIRN_ASSIGN(const Text bytes, read_text_field(shape, PackStreamType::bytes));
  if (bytes.size() % width != 0)
    return invalid("a vector ends within a component: it has " + std::to_string(bytes.size()) +
                   " bytes of components of " + std::to_string(width) + " bytes");
  CAIRN_TRY(spend(bytes.size() / width * sizeof(float)));
  return Value(Vector(read_components(component, bytes)));
}

// Reads the structures that write_whole_value() makes in its own way, by their tag and number of fields;
// nullopt for all others.
std::optional<Result<Value>> PackStreamValueReader::read_whole(const PackStreamItem& item,
                                                               std::size_t levels_left) {
  const auto as_value = [](auto read) {
    return read ? Result<Value>(Value(*std::move(read))) : Result<Value>(std::move(read).error());
  };
  const PackStreamTag tag{item.tag};
  if (tag == PackStreamTag::node && item.size == 4) return as_value(read_node(levels_left));
  if (tag == PackStreamTag::relationship && item.size == 5)
    return as_value(read_relationship(levels_left));
  if (tag == PackStreamTag::path && item.size == 2) return read_path(levels_left);
  if (tag == PackStreamTag::zoned_date_time && item.size == 4) return read_whole_date_time();
  return std::nullopt;
}

Result<std::int64_t> PackStreamValueReader::read_integer() {
  CAIRN_ASSIGN(const PackStreamItem item, next());
  if (item.type != PackStreamType::integer) return invalid("an integer is missing");
  return item.integer;
}

Result<std::string> PackStreamValueReader::read_text() {
  CAIRN_ASSIGN(const PackStreamItem item, next());
  if (!is_text(item)) return invalid("a text is missing");
  CAIRN_TRY(spend(item.text.size()));
  return std::string(item.text);
}

Result<std::size_t> PackStreamValueReader::read_list_size() {
  CAIRN_ASSIGN(const PackStreamItem item, next());
  if (item.type != PackStreamType::list) return invalid("a list is missing");
  CAIRN_TRY(spend(item.size * sizeof(Value)));
  return item.size;
}

Result<Properties> PackStreamValueReader::read_properties(std::size_t levels_left) {
  CAIRN_ASSIGN(const Value map, read(levels_left));
  if (map.map() == nullptr) return invalid("a map is missing");
  return *map.map();
}

Result<Node> PackStreamValueReader::read_node(std::size_t levels_left) {
  CAIRN_ASSIGN(const std::int64_t id, read_integer());
  auto content = std::make_shared<Node::Content>();
  CAIRN_ASSIGN(const std::size_t labels, read_list_size());
  for (std::size_t i = 0; i < labels; ++i) {
    CAIRN_ASSIGN(std::string label, read_text());
    content->labels.push_back(std::move(label));
  }
  CAIRN_ASSIGN(content->properties, read_properties(levels_left));
  CAIRN_ASSIGN(content->external_id, read_text());
  return Node(NodeId{static_cast<std::uint64_t>(id)}, std::move(content));
}

Result<Relationship> PackStreamValueReader::read_relationship(std::size_t levels_left) {
  CAIRN_ASSIGN(const std::int64_t id, read_integer());
  CAIRN_ASSIGN(const std::int64_t source, read_integer());
  CAIRN_ASSIGN(const std::int64_t target, read_integer());
  auto content = std::make_shared<Relationship::Content>();
  content->source.value = static_cast<std::uint64_t>(source);
  content->target.value = static_cast<std::uint64_t>(target);
  CAIRN_ASSIGN(content->type, read_text());
  CAIRN_ASSIGN(content->properties, read_properties(levels_left));
  return Relationship(RelationshipId{static_cast<std::uint64_t>(id)}, std::move(content));
}

// The elements of a path are structures, one level deeper.
Result<Value> PackStreamValueReader::read_path(std::size_t levels_left) {
  Path path;
  CAIRN_ASSIGN(const std::size_t nodes, read_list_size());
  for (std::size_t i = 0; i < nodes; ++i) {
    CAIRN_ASSIGN(const Value node, read(levels_left));
    if (node.get_if<Node>() == nullptr)
      return invalid("an element in the node list of a path is not a node");
    path.nodes.push_back(node.as_node());
  }
  CAIRN_ASSIGN(const std::size_t relationships, read_list_size());
  for (std::size_t i = 0; i < relationships; ++i) {
    CAIRN_ASSIGN(const Value relationship, read(levels_left));
    if (relationship.get_if<Relationship>() == nullptr)
      return invalid("an element in the relationship list of a path is not a relationship");
    path.relationships.push_back(relationship.as_relationship());
  }
  return Value(std::move(path));
}

Result<Value> PackStreamValueReader::read_whole_date_time() {
  CAIRN_ASSIGN(const std::int64_t seconds, read_integer());
  CAIRN_ASSIGN(const std::int64_t nanoseconds, read_integer());
  CAIRN_ASSIGN(const std::int64_t offset, read_integer());
  CAIRN_ASSIGN(std::string zone, read_text());
  DateTime value{seconds, narrowed(nanoseconds), narrowed(offset), std::move(zone)};
  if (!is_valid(value)) return invalid("a datetime is out of range");
  return Value(std::move(value));
}

}  // namespace

Result<Value> read_value(PackStreamReader& reader, const PackStreamLimits& limits,
                         ZoneOffset zone_offset) {
  PackStreamValueReader values(reader, limits, zone_offset);
  CAIRN_TRY(values.spend(sizeof(Value)));
  return values.read(limits.max_nesting_levels);
}

}  // namespace cairn::codec

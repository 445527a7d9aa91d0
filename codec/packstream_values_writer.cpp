// Encodes values in PackStream: PackStreamValueWriter for clients, with the fields of structures as
// Bolt 5.0 specifies them, and WholeValueWriter without loss for processes of this library.
#include "codec/element_id.hpp"
#include "codec/packstream_structures.hpp"
#include "codec/packstream_values.hpp"
#include "codec/packstream_vector.hpp"
#include "codec/utf8.hpp"

#include <concepts>
#include <unordered_map>
#include <vector>

namespace cairn::codec {
namespace {

/// Has one overload per type, for std::visit.
class PackStreamValueWriter {
 public:
  PackStreamValueWriter(PackStreamWriter& writer, PackStreamVectors vectors) noexcept
      : writer_(writer), vectors_(vectors) {}

  void write(const Value& value) { std::visit(*this, value.content()); }

  void operator()(std::monostate) { writer_.add_null(); }
  void operator()(bool value) { writer_.add_boolean(value); }
  void operator()(std::int64_t value) { writer_.add_integer(value); }
  void operator()(double value) { writer_.add_float(value); }
  void operator()(const std::string& value) { writer_.add_text(value); }
  void operator()(const Value::ListPtr& value);
  void operator()(const Value::MapPtr& value) { write_map(*value); }
  void operator()(const Node& node);
  void operator()(const Relationship& relationship);
  void operator()(const Value::PathPtr& path);
  void operator()(Date value) { write_integers(PackStreamTag::date, value.days); }
  void operator()(LocalTime value) { write_integers(PackStreamTag::local_time, value.nanoseconds); }
  void operator()(Time value) {
    write_integers(PackStreamTag::time, value.nanoseconds, value.offset_seconds);
  }
  void operator()(LocalDateTime value) {
    write_integers(PackStreamTag::local_date_time, value.seconds, value.nanoseconds);
  }
  void operator()(const DateTime& value);
  void operator()(const Duration& value) {
    write_integers(PackStreamTag::duration, value.months, value.days, value.seconds,
                   value.nanoseconds);
  }
  void operator()(const Vector& vector);

 private:
  void begin(PackStreamTag tag, std::size_t fields) {
    writer_.begin_structure(static_cast<std::uint8_t>(tag), fields);
  }
  void write_integers(PackStreamTag tag, std::integral auto... fields) {
    begin(tag, sizeof...(fields));
    (writer_.add_integer(fields), ...);
  }
  /// Ids are assigned from 1 upwards and never reach 2^63, so they fit a signed integer.
  void write_id(std::uint64_t id) { writer_.add_integer(static_cast<std::int64_t>(id)); }
  void write_map(const Map& map);
  void write_unbound(const Relationship& relationship);

  PackStreamWriter& writer_;
  PackStreamVectors vectors_;
};

void PackStreamValueWriter::operator()(const Value::ListPtr& value) {
  writer_.begin_list(value->size());
  for (const Value& item : *value) write(item);
}

void PackStreamValueWriter::write_map(const Map& map) {
  writer_.begin_map(map.size());
  for (const auto& [key, value] : map) {
    writer_.add_text(key);
    write(value);
  }
}

void PackStreamValueWriter::operator()(const Node& node) {
  begin(PackStreamTag::node, 4);
  write_id(node.id().value);
  writer_.begin_list(node.labels().size());
  for (const std::string& label : node.labels()) writer_.add_text(label);
  write_map(node.properties());
  writer_.add_text(element_id(node.id()));
}

void PackStreamValueWriter::operator()(const Relationship& relationship) {
  begin(PackStreamTag::relationship, 8);
  write_id(relationship.id().value);
  write_id(relationship.source().value);
  write_id(relationship.target().value);
  writer_.add_text(relationship.type());
  write_map(relationship.properties());
  writer_.add_text(element_id(relationship.id()));
  writer_.add_text(element_id(relationship.source()));
  writer_.add_text(element_id(relationship.target()));
}

// A relationship is written without its end nodes, which are known from the path.
void PackStreamValueWriter::write_unbound(const Relationship& relationship) {
  begin(PackStreamTag::unbound_relationship, 4);
  write_id(relationship.id().value);
  writer_.add_text(relationship.type());
  write_map(relationship.properties());
  writer_.add_text(element_id(relationship.id()));
}

/// The distinct elements of a path, and the index of each path element among them.
template <class Entity, class Id>
struct DistinctEntities {
  explicit DistinctEntities(const std::vector<Entity>& entities) {
    for (const Entity& entity : entities)
      if (places.try_emplace(entity.id(), list.size()).second) list.push_back(&entity);
  }
  [[nodiscard]] std::int64_t place_of(const Entity& entity) const {
    return static_cast<std::int64_t>(places.at(entity.id()));
  }

  std::vector<const Entity*> list;
  std::unordered_map<Id, std::size_t> places;
};

// A path starts at node 0 of the list of nodes. Each step is a pair: the relationship, counted from
// 1 and negative if it is followed against its direction, and the node that it leads to, counted
// from 0.
void PackStreamValueWriter::operator()(const Value::PathPtr& path) {
  const DistinctEntities<Node, NodeId> nodes(path->nodes);
  const DistinctEntities<Relationship, RelationshipId> relationships(path->relationships);
  begin(PackStreamTag::path, 3);
  writer_.begin_list(nodes.list.size());
  for (const Node* node : nodes.list) (*this)(*node);
  writer_.begin_list(relationships.list.size());
  for (const Relationship* relationship : relationships.list) write_unbound(*relationship);
  writer_.begin_list(2 * path->relationships.size());
  for (std::size_t i = 0; i < path->relationships.size(); ++i) {
    const Relationship& step = path->relationships[i];
    const std::int64_t number = relationships.place_of(step) + 1;
    writer_.add_integer(step.source() == path->nodes[i].id() ? number : -number);
    writer_.add_integer(nodes.place_of(path->nodes[i + 1]));
  }
}

void PackStreamValueWriter::operator()(const DateTime& value) {
  if (value.zone.empty())
    return write_integers(PackStreamTag::date_time, value.seconds, value.nanoseconds,
                          value.offset_seconds);
  begin(PackStreamTag::zoned_date_time, 3);
  writer_.add_integer(value.seconds);
  writer_.add_integer(value.nanoseconds);
  writer_.add_text(value.zone);
}

void PackStreamValueWriter::operator()(const Vector& vector) {
  if (vectors_ == PackStreamVectors::as_lists) {
    writer_.begin_list(vector.dimension());
    for (float component : vector.components()) writer_.add_float(component);
    return;
  }
  begin(PackStreamTag::vector, 2);
  const auto type = static_cast<char>(PackStreamComponent::float_32);
  writer_.add_bytes(std::string_view(&type, 1));
  writer_.add_bytes(component_bytes(vector.components()));
}

/// Writes values without loss.
class WholeValueWriter {
 public:
  explicit WholeValueWriter(PackStreamWriter& writer) noexcept : writer_(writer) {}

  void write(const Value& value) { std::visit(*this, value.content()); }

  template <class T>
  void operator()(const T& value) {
    PackStreamValueWriter(writer_, PackStreamVectors::as_structures)(value);
  }
  void operator()(const std::string& value) { write_whole_text(writer_, value); }
  void operator()(const Value::ListPtr& value) {
    writer_.begin_list(value->size());
    for (const Value& item : *value) write(item);
  }
  void operator()(const Value::MapPtr& value) { write_map(*value); }
  void operator()(const Node& node);
  void operator()(const Relationship& relationship);
  void operator()(const Value::PathPtr& path);
  void operator()(const DateTime& value);

 private:
  void write_map(const Map& map) {
    writer_.begin_map(map.size());
    for (const auto& [key, value] : map) {
      write_whole_text(writer_, key);
      write(value);
    }
  }
  void begin(PackStreamTag tag, std::size_t fields) {
    writer_.begin_structure(static_cast<std::uint8_t>(tag), fields);
  }
  void write_id(std::uint64_t id) { writer_.add_integer(static_cast<std::int64_t>(id)); }

  PackStreamWriter& writer_;
};

void WholeValueWriter::operator()(const Node& node) {
  begin(PackStreamTag::node, 4);
  write_id(node.id().value);
  writer_.begin_list(node.labels().size());
  for (const std::string& label : node.labels()) write_whole_text(writer_, label);
  write_map(node.properties());
  write_whole_text(writer_, node.external_id());
}

void WholeValueWriter::operator()(const Relationship& relationship) {
  begin(PackStreamTag::relationship, 5);
  write_id(relationship.id().value);
  write_id(relationship.source().value);
  write_id(relationship.target().value);
  write_whole_text(writer_, relationship.type());
  write_map(relationship.properties());
}

void WholeValueWriter::operator()(const Value::PathPtr& path) {
  begin(PackStreamTag::path, 2);
  writer_.begin_list(path->nodes.size());
  for (const Node& node : path->nodes) (*this)(node);
  writer_.begin_list(path->relationships.size());
  for (const Relationship& relationship : path->relationships) (*this)(relationship);
}

void WholeValueWriter::operator()(const DateTime& value) {
  const bool has_zone = !value.zone.empty();
  begin(has_zone ? PackStreamTag::zoned_date_time : PackStreamTag::date_time, has_zone ? 4 : 3);
  for (const std::int64_t field :
       {value.seconds, std::int64_t{value.nanoseconds}, std::int64_t{value.offset_seconds}})
    writer_.add_integer(field);
  if (has_zone) write_whole_text(writer_, value.zone);
}

}  // namespace

void write_whole_value(PackStreamWriter& writer, const Value& value) {
  WholeValueWriter(writer).write(value);
}

void write_whole_text(PackStreamWriter& writer, std::string_view text) {
  if (utf8_prefix(text) == text.size())
    writer.add_text(text);
  else
    writer.add_bytes(text);
}

void write_value(PackStreamWriter& writer, const Value& value, PackStreamVectors vectors) {
  PackStreamValueWriter(writer, vectors).write(value);
}

}  // namespace cairn::codec

// Procedures for system fields, namespaces, and the embedding models of vector indexes.

#include "query/attach/procedure_table.hpp"

#include <cairn/embedder.hpp>
#include <cairn/embedding_space.hpp>
#include <cairn/system_fields.hpp>

namespace cairn::query::attach {
namespace {

using engine::call_value;
using engine::number_value;

/// The system fields of a node or relationship, in a transaction or a snapshot.
template <class Place>
Result<Value> fields_in(const Place& place, CallReader& arguments) {
  const std::uint64_t id = arguments.number("id");
  auto fields = arguments.boolean("is_node") ? cairn::system_fields(place, NodeId{id})
                                             : cairn::system_fields(place, RelationshipId{id});
  if (!fields) return fields.error();
  return *fields ? call_value(**fields) : Value();
}

Result<Value> system_fields_of(CallReader& arguments, const CallPlace& place) {
  if (place.transaction != nullptr) return fields_in(*place.transaction, arguments);
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return fields_in(*snapshot, arguments);
}

Result<Value> name_spaces_of(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(const auto names, name_spaces(*snapshot));
  return Value(engine::text_list(names));
}

/// The next page of a namespace's ids, after the given id.
Result<Value> record_ids(CallReader& arguments, const CallPlace& place) {
  constexpr std::size_t page_size = 65'536;
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  const std::uint64_t after = arguments.number("id");
  const std::string name_space = arguments.text("name_space");
  List page;
  // visit_nodes() stops at an error, so a full page is reported as one.
  const Error full{ErrorCode::cancelled, "the page is full", {}};
  const auto add = [&](auto id) -> Status {
    if (id.value > after) page.push_back(number_value(id.value));
    return page.size() < page_size ? Status() : Status(full);
  };
  const Status done = arguments.boolean("is_node")
                          ? visit_nodes(*snapshot, name_space, add)
                          : visit_relationships(*snapshot, name_space, add);
  if (!done && page.size() < page_size) return done.error();
  return Value(std::move(page));
}

// The system fields in the argument "fields".
Result<SystemFields> fields_among(CallReader& arguments) {
  CallReader reader(arguments.map("fields"));
  SystemFields fields = engine::read_system_fields(reader);
  CAIRN_TRY(reader.check());
  return fields;
}

Result<Value> restore_node_of(CallReader& arguments, const CallPlace& place) {
  const NewNode node = engine::read_new_node(arguments);
  CAIRN_ASSIGN(const SystemFields fields, fields_among(arguments));
  CAIRN_ASSIGN(Transaction * transaction, checked_transaction(arguments, place));
  CAIRN_ASSIGN(const NodeId id, restore_node(*transaction, node, fields));
  return number_value(id.value);
}

Result<Value> restore_relationship_of(CallReader& arguments, const CallPlace& place) {
  const NewRelationship relationship = engine::read_new_relationship(arguments);
  CAIRN_ASSIGN(const SystemFields fields, fields_among(arguments));
  CAIRN_ASSIGN(Transaction * transaction, checked_transaction(arguments, place));
  CAIRN_ASSIGN(const RelationshipId id, restore_relationship(*transaction, relationship, fields));
  return number_value(id.value);
}

Result<Value> find_relationships_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  CAIRN_ASSIGN(const auto found,
               find_relationships(*transaction, NodeId{arguments.number("source")},
                                  arguments.text("type"), NodeId{arguments.number("target")}));
  List ids;
  for (const RelationshipId id : found) ids.push_back(number_value(id.value));
  return Value(std::move(ids));
}

Result<Value> set_deleted_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const std::uint64_t id = arguments.number("id");
  const auto deleted_at = arguments.maybe_integer("deleted_at");
  const bool is_node = arguments.boolean("is_node");
  CAIRN_TRY(arguments.check());
  return nothing(is_node ? set_deleted(*transaction, NodeId{id}, deleted_at)
                         : set_deleted(*transaction, RelationshipId{id}, deleted_at));
}

template <class Place>
Result<Value> find_id_in(const Place& place, CallReader& arguments) {
  CAIRN_ASSIGN(const auto id,
               find_node_id(place, arguments.text("name_space"), arguments.text("external_id")));
  return id ? number_value(id->value) : Value();
}

Result<Value> find_node_id_of(CallReader& arguments, const CallPlace& place) {
  if (place.transaction != nullptr) return find_id_in(*place.transaction, arguments);
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return find_id_in(*snapshot, arguments);
}

Result<Value> adjacent_relationships_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NodeId node{arguments.number("id")};
  const std::string type = arguments.text("type");
  const auto limit = arguments.maybe_integer("limit");
  return list_of_result(
      limit ? adjacent_relationships(*transaction, node, type, static_cast<std::size_t>(*limit))
            : adjacent_relationships(*transaction, node, type));
}

/// An embedder with a name and a dimension only: calls about the model of an index need no more.
class NamedModel final : public Embedder {
 public:
  explicit NamedModel(CallReader& arguments)
      : model_(arguments.text("model")),
        dimension_(static_cast<std::size_t>(arguments.number("dimension"))) {}
  std::string model() const override { return model_; }
  std::size_t dimension() const override { return dimension_; }
  Result<std::vector<Vector>> embed(std::span<const std::string_view>) const override {
    return Error{ErrorCode::unsupported,
                 "the host does not have the embedding model; embed in the attached process",
                 {}};
  }

 private:
  std::string model_;
  std::size_t dimension_;
};

Result<Value> check_model_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  const NamedModel model(arguments);
  return nothing(check_model(*snapshot, arguments.text("index"), model));
}

Result<Value> use_model_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NamedModel model(arguments);
  CAIRN_ASSIGN(std::string warning, use_model(*transaction, arguments.text("index"), model));
  return Value(std::move(warning));
}

Result<Value> index_model_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(std::string model, index_model(*snapshot, arguments.text("index")));
  return Value(std::move(model));
}

// The names are part of the protocol and must not change.
constexpr NamedProcedure field_table[] = {
    {"adjacent_relationships", adjacent_relationships_of},
    {"check_model", check_model_of},
    {"find_node_id", find_node_id_of},
    {"find_relationships", find_relationships_of},
    {"index_model", index_model_of},
    {"name_spaces", name_spaces_of},
    {"record_ids", record_ids},
    {"restore_node", restore_node_of},
    {"restore_relationship", restore_relationship_of},
    {"set_deleted", set_deleted_of},
    {"system_fields", system_fields_of},
    {"use_model", use_model_of},
};

}  // namespace

std::span<const NamedProcedure> field_procedures() { return field_table; }

}  // namespace cairn::query::attach

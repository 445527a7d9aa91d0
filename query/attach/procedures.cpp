#include "query/attach/procedures.hpp"

#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "query/attach/search_procedures.hpp"

#include <cairn/backup.hpp>
#include <cairn/embedder.hpp>
#include <cairn/embedding_space.hpp>
#include <cairn/metrics.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/tokens.hpp>
#include <cairn/version.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace cairn::query::attach {
namespace {

using bolt::CallPlace;
using engine::call_value;
using engine::CallReader;
using engine::list_value;
using engine::number_value;

using Procedure = Result<Value> (*)(CallReader& arguments, const CallPlace& place);

Error wrong_place(std::string_view where) {
  return {ErrorCode::io_error, "the call belongs " + std::string(where), {}};
}

Result<const Snapshot*> snapshot_of(const CallPlace& place) {
  if (place.snapshot == nullptr) return wrong_place("on a snapshot");
  return place.snapshot;
}

Result<Transaction*> transaction_of(const CallPlace& place) {
  if (place.transaction == nullptr) return wrong_place("in a transaction");
  return place.transaction;
}

Value node_value(const std::optional<Node>& node) { return node ? Value(*node) : Value(); }

Result<Value> nothing(const Status& done) {
  if (!done) return done.error();
  return Value();
}

template <class T>
Result<Value> value_of_result(Result<T> result) {
  if (!result) return std::move(result).error();
  return call_value(*result);
}

template <class T>
Result<Value> list_of_result(Result<std::vector<T>> result) {
  if (!result) return std::move(result).error();
  return list_value(*result);
}

// On either kind of place.

template <class Place>
Result<std::optional<Node>> find_node_in(const Place& place, CallReader& arguments) {
  if (const Value* id = arguments.find("external_id"); id != nullptr && id->string() != nullptr)
    return place.find_node(*id->string());
  return place.find_node(NodeId{arguments.number("id")});
}

Result<Value> find_node_anywhere(CallReader& arguments, const CallPlace& place) {
  if (place.transaction != nullptr && arguments.find("name_space") != nullptr) {
    CAIRN_ASSIGN(const auto node, find_node(*place.transaction, arguments.text("name_space"),
                                            arguments.text("external_id")));
    return node_value(node);
  }
  if (place.transaction != nullptr) {
    CAIRN_ASSIGN(const auto node, find_node_in(*place.transaction, arguments));
    return node_value(node);
  }
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(const auto node, find_node_in(*snapshot, arguments));
  return node_value(node);
}

Result<Value> find_relationship_anywhere(CallReader& arguments, const CallPlace& place) {
  const RelationshipId id{arguments.number("id")};
  auto found = place.transaction != nullptr ? find_relationship(*place.transaction, id)
               : place.snapshot != nullptr  ? place.snapshot->find_relationship(id)
                                            : wrong_place("on a snapshot");
  if (!found) return found.error();
  return *found ? Value(**found) : Value();
}

// Of a snapshot.

Result<Value> indexes(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return list_of_result(snapshot->indexes());
}

Result<Value> labels(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return list_of_result(snapshot->labels());
}

Result<Value> types(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return list_of_result(snapshot->relationship_types());
}

Result<Value> properties(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return list_of_result(snapshot->properties());
}

/// Of either kind of record, of a transaction or a snapshot.
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

/// A page of the ids of a namespace, behind the id that is given.
Result<Value> record_ids(CallReader& arguments, const CallPlace& place) {
  constexpr std::size_t page_size = 65'536;
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  const std::uint64_t after = arguments.number("id");
  const std::string name_space = arguments.text("name_space");
  List page;
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

/// As much of an embedder as calls about the model of an index ask for.
class NamedModel final : public Embedder {
 public:
  explicit NamedModel(CallReader& arguments)
      : model_(arguments.text("model")),
        dimension_(static_cast<std::size_t>(arguments.number("dimension"))) {}
  std::string model() const override { return model_; }
  std::size_t dimension() const override { return dimension_; }
  Result<std::vector<Vector>> embed(std::span<const std::string_view>) const override {
    return Error{ErrorCode::unsupported, "the model is in the process that is attached", {}};
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

// Of a transaction.

Result<Value> use_model_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NamedModel model(arguments);
  CAIRN_ASSIGN(std::string warning, use_model(*transaction, arguments.text("index"), model));
  return Value(std::move(warning));
}

SystemFields fields_among(CallReader& arguments) {
  CallReader fields(arguments.map("fields"));
  return engine::read_system_fields(fields);
}

Result<Value> restore_node_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NewNode node = engine::read_new_node(arguments);
  CAIRN_ASSIGN(const NodeId id, restore_node(*transaction, node, fields_among(arguments)));
  return number_value(id.value);
}

Result<Value> restore_relationship_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NewRelationship relationship = engine::read_new_relationship(arguments);
  CAIRN_ASSIGN(const RelationshipId id,
               restore_relationship(*transaction, relationship, fields_among(arguments)));
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

Result<Value> create_node(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NewNode node = engine::read_new_node(arguments);
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const NodeId id, transaction->create_node(node));
  return number_value(id.value);
}

Result<Value> put_node(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NewNode node = engine::read_new_node(arguments);
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const PutNode put, transaction->put_node(node));
  return Value(Map{{"node", number_value(put.node.value)}, {"created", put.created}});
}

Result<Value> create_relationship(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NewRelationship relationship = engine::read_new_relationship(arguments);
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const RelationshipId id, transaction->create_relationship(relationship));
  return number_value(id.value);
}

/// Change the node or the relationship that the arguments name.
template <class Change>
Result<Value> change_entity(CallReader& arguments, const CallPlace& place, const Change& change) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const std::uint64_t id = arguments.number("id");
  const bool is_node = arguments.boolean("is_node");
  CAIRN_TRY(arguments.check());
  return nothing(is_node ? change(*transaction, NodeId{id})
                         : change(*transaction, RelationshipId{id}));
}

Result<Value> set_property(CallReader& arguments, const CallPlace& place) {
  const std::string name = arguments.text("name");
  const Value* value = arguments.find("value");
  return change_entity(arguments, place, [&](Transaction& transaction, auto id) {
    return transaction.set_property(id, name, value == nullptr ? Value() : *value);
  });
}

Result<Value> set_properties(CallReader& arguments, const CallPlace& place) {
  const Properties& values = arguments.map("properties");
  return change_entity(arguments, place, [&](Transaction& transaction, auto id) {
    return transaction.set_properties(id, values);
  });
}

Result<Value> set_expiry(CallReader& arguments, const CallPlace& place) {
  const auto expires_at = arguments.maybe_integer("expires_at");
  return change_entity(arguments, place, [&](Transaction& transaction, auto id) {
    return transaction.set_expiry(id, expires_at);
  });
}

Result<Value> add_label(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  return nothing(transaction->add_label(NodeId{arguments.number("id")}, arguments.text("label")));
}

Result<Value> remove_label(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  return nothing(
      transaction->remove_label(NodeId{arguments.number("id")}, arguments.text("label")));
}

Result<Value> erase_node(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  return nothing(transaction->erase_node(NodeId{arguments.number("id")}));
}

Result<Value> erase_node_and_relationships(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  return nothing(transaction->erase_node_and_relationships(NodeId{arguments.number("id")}));
}

Result<Value> erase_relationship(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  return nothing(transaction->erase_relationship(RelationshipId{arguments.number("id")}));
}

// Of the database.

Result<Value> checkpoint(CallReader&, const CallPlace& place) {
  return nothing(place.database.checkpoint());
}

Result<Value> check(CallReader& arguments, const CallPlace& place) {
  return list_of_result(place.database.check(static_cast<std::size_t>(arguments.number("limit"))));
}

Result<Value> statistics(CallReader&, const CallPlace& place) {
  return value_of_result(place.database.statistics());
}

Result<Value> erase_expired(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const std::size_t erased,
               place.database.erase_expired(static_cast<std::size_t>(arguments.number("limit"))));
  return number_value(erased);
}

Result<Value> backup(CallReader& arguments, const CallPlace& place) {
  return value_of_result(place.database.backup(arguments.text("directory")));
}

Result<Value> drop_name_space_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const std::uint64_t erased, drop_name_space(place.database, arguments.text("name")));
  return number_value(erased);
}

Result<Value> create_token_of(CallReader& arguments, const CallPlace& place) {
  CallReader token(arguments.map("token"));
  const NewToken made = engine::read_new_token(token);
  CAIRN_TRY(token.check());
  CAIRN_ASSIGN(std::string secret, create_token(place.database, made));
  return Value(std::move(secret));
}

Result<Value> list_tokens_of(CallReader&, const CallPlace& place) {
  return list_of_result(list_tokens(place.database));
}

Result<Value> revoke_token_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const bool was_there, revoke_token(place.database, arguments.text("name")));
  return Value(was_there);
}

Result<Value> find_token_of(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const auto token, find_token(place.database, arguments.text("secret")));
  return token ? call_value(*token) : Value();
}

Result<Value> role(CallReader&, const CallPlace& place) {
  return value_of_result(place.database.role());
}

Result<Value> metrics(CallReader&, const CallPlace& place) {
  return call_value(place.database.metrics());
}

Result<Value> check_constraints(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  return nothing(Access::check_constraints(*transaction));
}

struct NamedProcedure {
  std::string_view name;
  Procedure run;
};

constexpr NamedProcedure procedures[] = {
    {"add_label", add_label},
    {"backup", backup},
    {"check", check},
    {"check_constraints", check_constraints},
    {"check_model", check_model_of},
    {"checkpoint", checkpoint},
    {"create_node", create_node},
    {"create_relationship", create_relationship},
    {"create_token", create_token_of},
    {"drop_name_space", drop_name_space_of},
    {"erase_expired", erase_expired},
    {"erase_node", erase_node},
    {"erase_node_and_relationships", erase_node_and_relationships},
    {"erase_relationship", erase_relationship},
    {"faceted_search", faceted_search_for},
    {"find_node", find_node_anywhere},
    {"find_relationship", find_relationship_anywhere},
    {"find_relationships", find_relationships_of},
    {"find_token", find_token_of},
    {"indexes", indexes},
    {"labels", labels},
    {"list_tokens", list_tokens_of},
    {"metrics", metrics},
    {"name_spaces", name_spaces_of},
    {"properties", properties},
    {"put_node", put_node},
    {"recall", recall_for},
    {"record_ids", record_ids},
    {"remove_label", remove_label},
    {"restore_node", restore_node_of},
    {"restore_relationship", restore_relationship_of},
    {"revoke_token", revoke_token_of},
    {"role", role},
    {"search_vectors", search_vectors_for},
    {"set_expiry", set_expiry},
    {"set_properties", set_properties},
    {"set_property", set_property},
    {"statistics", statistics},
    {"system_fields", system_fields_of},
    {"types", types},
    {"use_model", use_model_of},
};

}  // namespace

Result<Value> run_procedure(std::string_view name, const Map& arguments, const CallPlace& place) {
  const auto* const found = std::ranges::find(procedures, name, &NamedProcedure::name);
  if (found == std::end(procedures))
    return Error{ErrorCode::unsupported,
                 "the host of the database (Cairn " + std::string(version()) + ") has no call " +
                     std::string(name) + "; update it",
                 {}};
  CallReader reader(arguments);
  auto result = found->run(reader, place);
  if (result) CAIRN_TRY(reader.check());
  return result;
}

}  // namespace cairn::query::attach

// Each method is a call of the same name in the tables of procedures (record_procedures.cpp, field_procedures.cpp).
#include "query/attach/attached_handles.hpp"

#include "engine/database/call_values.hpp"
#include "query/attach/attached_database.hpp"
#include "query/attach/attached_rows.hpp"
#include "query/bolt/doubt.hpp"

namespace cairn::query::attach {

using codec::EntityKind;
using engine::CallReader;
using engine::number_value;

namespace {

// The arguments that name a node or a relationship.
Map entity_arguments(EntityKind kind, std::uint64_t id) {
  return {{"is_node", kind == EntityKind::node}, {"id", number_value(id)}};
}

Map id_argument(std::uint64_t id) { return {{"id", number_value(id)}}; }

Status status_of(const Result<Value>& result) { return result ? Status() : Status(result.error()); }

// The id in the result of a call.
Result<std::uint64_t> id_of(const Result<Value>& result) {
  if (!result) return result.error();
  const auto* id = result->get_if<std::int64_t>();
  if (id != nullptr) return static_cast<std::uint64_t>(*id);
  return Error{ErrorCode::io_error,
               "the host returned no id; use the same version of Cairn in all programs",
               {}};
}

}  // namespace

Result<std::unique_ptr<Rows::Impl>> WorkForwarding::run(
    const engine::ForwardedStatement& statement) {
  CAIRN_TRY(check());
  if (statement.calls_program) return refused_functions(work_->link());
  const engine::ForwardedStatement here{statement.text, statement.is_writing, statement.parameters,
                                        statement.options, sees_deleted()};
  CAIRN_ASSIGN(auto rows, AttachedRows::run(work_, here, takes_all()));
  return std::unique_ptr<Rows::Impl>(std::move(rows));
}

Result<Value> WorkForwarding::call(std::string_view name, Map arguments,
                                   const StatementOptions& options) {
  CAIRN_TRY(check());
  return work_->call(name, std::move(arguments), options, sees_deleted());
}

Result<Value> WorkForwarding::ask(std::string_view name, Map arguments) const {
  CAIRN_TRY(check());
  return work_->call(name, std::move(arguments), {}, sees_deleted());
}

Result<std::optional<Node>> WorkForwarding::find_node(Map arguments) const {
  CAIRN_ASSIGN(const Value found, ask("find_node", std::move(arguments)));
  const Node* node = found.get_if<Node>();
  return node == nullptr ? std::optional<Node>() : std::optional(*node);
}

// A host cannot call back into this program, and its own functions may differ.
Error refused_functions(const Link& link) {
  return {ErrorCode::unsupported,
          "the statement calls a function or procedure that this program registered; it would run "
          "in " +
              link.peer() +
              ", which cannot call back: register it and run the statement there, or pass its "
              "result as a parameter",
          std::nullopt};
}

Result<std::optional<Node>> AttachedSnapshot::find_node(NodeId node) const {
  return WorkForwarding::find_node(id_argument(node.value));
}

Result<std::optional<Node>> AttachedSnapshot::find_node(std::string_view external_id) const {
  return WorkForwarding::find_node({{"external_id", external_id}});
}

Result<std::optional<Relationship>> AttachedSnapshot::find_relationship(RelationshipId id) const {
  CAIRN_ASSIGN(const Value found, ask("find_relationship", id_argument(id.value)));
  const auto* relationship = found.get_if<Relationship>();
  return relationship == nullptr ? std::optional<Relationship>() : std::optional(*relationship);
}

Result<std::vector<IndexDescription>> AttachedSnapshot::indexes() const {
  CAIRN_ASSIGN(const Value found, ask("indexes", {}));
  return engine::read_items<IndexDescription>(found, engine::read_index);
}

Result<std::vector<NameCount>> AttachedSnapshot::names(std::string_view call) const {
  CAIRN_ASSIGN(const Value found, ask(call, {}));
  return engine::read_items<NameCount>(found, engine::read_name_count);
}

AttachedTransaction::AttachedTransaction(std::shared_ptr<Work> work, TransactionMode mode,
                                         std::shared_ptr<AttachedDatabase> database,
                                         std::unique_ptr<NoteInUse> note)
    : WorkForwarding(std::move(work)),
      mode_(mode),
      database_(std::move(database)),
      note_(std::move(note)) {}

// Rolling back first guarantees that nothing is committed under the name of the note after the name is released.
AttachedTransaction::~AttachedTransaction() { work_->roll_back(); }

Status AttachedTransaction::check() const {
  if (is_open()) return {};
  const Error* const end = work_->ended_by();
  if (end != nullptr && end->code == ErrorCode::cancelled) return *end;
  return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", {}};
}

Result<Value> AttachedTransaction::change(std::string_view name, Map arguments) {
  CAIRN_TRY(check());
  if (mode_ == TransactionMode::read)
    return Error{ErrorCode::unsupported,
                 "this transaction was begun for reading; begin one of TransactionMode::write",
                 {}};
  return work_->call(name, std::move(arguments), {});
}

Result<NodeId> AttachedTransaction::create_node(const NewNode& node) {
  CAIRN_ASSIGN(const std::uint64_t id, id_of(change("create_node", engine::call_map(node))));
  return NodeId{id};
}

Result<PutNode> AttachedTransaction::put_node(const NewNode& node) {
  CAIRN_ASSIGN(const Value put, change("put_node", engine::call_map(node)));
  CallReader reader(put);
  const PutNode done{NodeId{reader.number("node")}, reader.boolean("created")};
  CAIRN_TRY(reader.check());
  return done;
}

Result<RelationshipId> AttachedTransaction::create_relationship(
    const NewRelationship& relationship) {
  CAIRN_ASSIGN(const std::uint64_t id,
               id_of(change("create_relationship", engine::call_map(relationship))));
  return RelationshipId{id};
}

Status AttachedTransaction::set_property(EntityKind kind, std::uint64_t id, std::string_view name,
                                         const Value& value) {
  Map arguments = entity_arguments(kind, id);
  arguments.emplace("name", name);
  arguments.emplace("value", value);
  return status_of(change("set_property", std::move(arguments)));
}

Status AttachedTransaction::set_properties(EntityKind kind, std::uint64_t id,
                                           const Properties& properties) {
  Map arguments = entity_arguments(kind, id);
  arguments.emplace("properties", properties);
  return status_of(change("set_properties", std::move(arguments)));
}

Status AttachedTransaction::set_expiry(EntityKind kind, std::uint64_t id,
                                       std::optional<std::int64_t> expires_at) {
  Map arguments = entity_arguments(kind, id);
  if (expires_at) arguments.emplace("expires_at", *expires_at);
  return status_of(change("set_expiry", std::move(arguments)));
}

Status AttachedTransaction::add_label(NodeId node, std::string_view label) {
  Map arguments = id_argument(node.value);
  arguments.emplace("label", label);
  return status_of(change("add_label", std::move(arguments)));
}

Status AttachedTransaction::remove_label(NodeId node, std::string_view label) {
  Map arguments = id_argument(node.value);
  arguments.emplace("label", label);
  return status_of(change("remove_label", std::move(arguments)));
}

Status AttachedTransaction::erase_node(NodeId node) {
  return status_of(change("erase_node", id_argument(node.value)));
}

Status AttachedTransaction::erase_node_and_relationships(NodeId node) {
  return status_of(change("erase_node_and_relationships", id_argument(node.value)));
}

Status AttachedTransaction::erase_relationship(RelationshipId relationship) {
  return status_of(change("erase_relationship", id_argument(relationship.value)));
}

Result<std::optional<Node>> AttachedTransaction::find_node(NodeId node) const {
  return WorkForwarding::find_node(id_argument(node.value));
}

Result<std::optional<Node>> AttachedTransaction::find_node(std::string_view external_id) const {
  return WorkForwarding::find_node({{"external_id", external_id}});
}

// If the answer is lost, the next host knows by the note whether the commit was made.
Status AttachedTransaction::commit() {
  CAIRN_TRY(check());
  Status done = work_->commit();
  if (done || !work_->is_lost() || !note_) return done;
  if (work_->is_in_doubt()) {
    note_->retire();
    return done;
  }
  const auto outcome = database_->outcome_of(**note_);
  if (!outcome) {
    work_->leave_in_doubt();
    note_->retire();
    return bolt::with_doubt(outcome.error(), bolt::Doubt::unknown_outcome);
  }
  if (!*outcome) return done;
  work_->roll_back();  // its work is over; nothing is sent
  return {};
}

void AttachedTransaction::rollback() noexcept { work_->roll_back(); }

}  // namespace cairn::query::attach

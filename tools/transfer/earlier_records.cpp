#include "tools/transfer/earlier_records.hpp"

#include "tools/transfer/index_statements.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::tools {
namespace {

StatementOptions of_any_size() {
  StatementOptions options;
  options.max_rows = std::numeric_limits<std::size_t>::max();
  options.memory_bytes = std::numeric_limits<std::size_t>::max();
  return options;
}

bool is_component(const Value& number, float component) {
  if (const auto* integer = number.get_if<std::int64_t>())
    return static_cast<float>(*integer) == component;
  const auto* floating = number.get_if<double>();
  return floating != nullptr && static_cast<float>(*floating) == component;
}

bool is_stored_as(const Value& wanted, const Value& stored) {
  const auto* vector = stored.get_if<Vector>();
  if (vector == nullptr || wanted.list() == nullptr) return wanted == stored;
  return std::ranges::equal(*wanted.list(), vector->components(), is_component);
}

}  // namespace

bool are_stored_as(const Properties& wanted, const Properties& stored) {
  std::size_t count = 0;
  for (const auto& [name, value] : wanted) {
    if (value.is_null()) continue;
    const auto found = stored.find(name);
    if (found == stored.end() || !is_stored_as(value, found->second)) return false;
    ++count;
  }
  return count == stored.size();
}

Result<Node> EarlierRecords::find(Transaction& transaction, const NewNode& node) {
  CAIRN_ASSIGN(auto found, transaction.find_node(node.external_id));
  if (!found)
    return Error{ErrorCode::not_found, "no node has the external id \"" + node.external_id + "\"",
                 std::nullopt};
  if (made_.contains(found->id().value) || !nodes_.insert(found->id().value).second)
    return Error{ErrorCode::already_exists,
                 "external id \"" + node.external_id + "\" was used by an earlier line",
                 std::nullopt};
  return *std::move(found);
}

Result<bool> EarlierRecords::has_properties(Transaction& transaction, std::int64_t relationship,
                                            const Properties& wanted) {
  if (!properties_) {
    CAIRN_ASSIGN(properties_, Statement::parse("MATCH ()-[r]->() WHERE id(r) = $id RETURN r"));
  }
  CAIRN_ASSIGN(Rows rows, properties_->run(transaction, {{"id", relationship}}, of_any_size()));
  CAIRN_ASSIGN(const auto row, rows.next());
  return row && are_stored_as(wanted, (*row)[0].get_if<Relationship>()->properties());
}

// Both ends are bound, so that the pair's own adjacency is read, whatever else hangs on them.
Result<const Statement*> EarlierRecords::search_for(const std::string& type) {
  const auto known = searches_.find(type);
  if (known != searches_.end()) return &known->second;
  CAIRN_ASSIGN(Statement made, Statement::parse("MATCH (a) WHERE id(a) = $source "
                                                "MATCH (b) WHERE id(b) = $target MATCH (a)-[r:" +
                                                ticked(type) + "]->(b) RETURN id(r) AS id"));
  return &searches_.emplace(type, std::move(made)).first->second;
}

Result<bool> EarlierRecords::take(Transaction& transaction, const NewRelationship& wanted) {
  if (!nodes_.contains(wanted.source.value) || !nodes_.contains(wanted.target.value)) return false;
  CAIRN_ASSIGN(const Statement* search, search_for(wanted.type));
  const Parameters ends = {{"source", static_cast<std::int64_t>(wanted.source.value)},
                           {"target", static_cast<std::int64_t>(wanted.target.value)}};
  CAIRN_ASSIGN(Rows rows, search->run(transaction, ends, of_any_size()));
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) return false;
    const std::int64_t id = (*row)[0].as_integer();
    if (taken_.contains(static_cast<std::uint64_t>(id))) continue;
    CAIRN_ASSIGN(const bool is_equal, has_properties(transaction, id, wanted.properties));
    if (!is_equal) continue;
    taken_.insert(static_cast<std::uint64_t>(id));
    return true;
  }
}

}  // namespace cairn::tools

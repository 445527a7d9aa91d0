#include "tools/transfer/earlier_records.hpp"

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

Result<Rows> run(Transaction& transaction, std::string_view text, std::int64_t id) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  return statement.run(transaction, {{"id", id}}, of_any_size());
}

Result<bool> has_properties(Transaction& transaction, std::int64_t relationship,
                            const Properties& wanted) {
  CAIRN_ASSIGN(Rows rows,
               run(transaction, "MATCH ()-[r]->() WHERE id(r) = $id RETURN r", relationship));
  CAIRN_ASSIGN(const auto row, rows.next());
  return row && (*row)[0].get_if<Relationship>()->properties() == wanted;
}

}  // namespace

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

Result<std::vector<EarlierRecords::Start>*> EarlierRecords::starting_at(Transaction& transaction,
                                                                        NodeId node) {
  const auto [place, is_new] = starts_.try_emplace(node.value);
  if (!is_new) return &place->second;
  CAIRN_ASSIGN(Rows rows,
               run(transaction, "MATCH (a)-[r]->(b) WHERE id(a) = $id RETURN type(r), id(b), id(r)",
                   static_cast<std::int64_t>(node.value)));
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) return &place->second;
    place->second.push_back({(*row)[0].as_string(),
                             NodeId{static_cast<std::uint64_t>((*row)[1].as_integer())},
                             (*row)[2].as_integer()});
  }
}

// What this import makes between two nodes is not among the starts: they are read before.
Result<bool> EarlierRecords::take(Transaction& transaction, const NewRelationship& wanted) {
  if (!nodes_.contains(wanted.source.value) || !nodes_.contains(wanted.target.value)) return false;
  CAIRN_ASSIGN(std::vector<Start> * starts, starting_at(transaction, wanted.source));
  for (auto one = starts->begin(); one != starts->end(); ++one) {
    if (one->type != wanted.type || one->target.value != wanted.target.value) continue;
    CAIRN_ASSIGN(const bool is_equal, has_properties(transaction, one->id, wanted.properties));
    if (!is_equal) continue;
    *one = std::move(starts->back());
    starts->pop_back();
    return true;
  }
  return false;
}

}  // namespace cairn::tools

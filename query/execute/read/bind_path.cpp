// The path variable of a pattern, put together from the nodes and relationships of the row.
// Paths cost memory and, for variable lengths, reads; so they are made last, behind all steps, and
// only where the pattern has a name for it. One row in, one row out.

#include "query/execute/operators.hpp"

#include <optional>

namespace cairn::query {
namespace {

class BindPathOperator final : public PhysicalOperator {
 public:
  BindPathOperator(const BindPath& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        pattern_(*content.path) {}

 protected:
  /// A row in, a row out. A path through a null (of OPTIONAL MATCH) is null as a whole.
  Result<bool> produce(RowBatch& out) override {
    CAIRN_ASSIGN(const bool more, input().next(out));
    for (std::size_t row = 0; row < out.size(); ++row) {
      CAIRN_ASSIGN(auto path, path_of(out[row]));
      if (path)
        out[row][*pattern_.slot] = std::move(*path);
      else
        out[row][*pattern_.slot] = Value();
    }
    return more;
  }

 private:
  // Nothing where a part of it is null.
  // OPTIONAL MATCH may have left any element null; the path is null then.
  Result<std::optional<Path>> path_of(Row row) {
    Path path;
    const Node* first = row[pattern_.nodes[0].slot].get_if<Node>();
    if (first == nullptr) return std::optional<Path>();
    path.nodes.push_back(*first);
    for (std::size_t i = 0; i < pattern_.relationships.size(); ++i) {
      CAIRN_ASSIGN(const bool is_whole, add_step(row, i, path));
      if (!is_whole) return std::optional<Path>();
    }
    return std::optional(std::move(path));
  }

  // A step is one relationship, or a list of them where its length is variable.
  Result<bool> add_step(Row row, std::size_t i, Path& path) {
    const Value& step = row[pattern_.relationships[i].slot];
    if (const List* list = step.list()) return add_list(*list, path);
    const auto* relationship = step.get_if<Relationship>();
    const Node* node = row[pattern_.nodes[i + 1].slot].get_if<Node>();
    if (relationship == nullptr || node == nullptr) return false;
    path.relationships.push_back(*relationship);
    path.nodes.push_back(*node);
    return true;
  }

  // The nodes between the relationships of a list stand in no slot.
  // The other end of each relationship, as seen from the node the path has come to. The list is in
  // the order of the pattern, whichever way it was walked.
  Result<bool> add_list(const List& list, Path& path) {
    for (const Value& step : list) {
      const auto* relationship = step.get_if<Relationship>();
      if (relationship == nullptr) return false;
      CAIRN_ASSIGN(const auto record, graph().relationship(relationship->id().value));
      if (!record) return false;
      const std::uint64_t here = path.nodes.back().id().value;
      path.relationships.push_back(*relationship);
      path.nodes.emplace_back(NodeId{record->source == here ? record->target : record->source});
    }
    return true;
  }

  const PathPattern& pattern_;
};

}  // namespace

OperatorPtr make_operator(const BindPath& content, Parts parts) {
  return std::make_unique<BindPathOperator>(content, std::move(parts));
}

}  // namespace cairn::query

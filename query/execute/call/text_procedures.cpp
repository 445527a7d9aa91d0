// db.index.fulltext.queryNodes and queryRelationships, as Neo4j has them: all hits unless limited
// otherwise, and no filter. A statement that wants one writes SEARCH.
#include "engine/fulltext/text_hits.hpp"
#include "engine/view/view.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/call/procedure_index.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/numbers.hpp"

#include <limits>
#include <string>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// Which of the hits are given. Neo4j gives all of them by default.
/// `end` is what the search is asked for, since hits come best first; it saturates.
struct HitRange {
  std::size_t skip = 0;
  std::size_t limit = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] std::size_t end() const {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    return limit > most - skip ? most : skip + limit;
  }
};

/// The argument may be left out; a null in its place is an error.
Result<HitRange> hit_range(Arguments arguments) {
  HitRange range;
  if (arguments.size() < 3) return range;
  const Map* options = arguments[2].map();
  if (options == nullptr) return wrong_argument("the options are a map", arguments[2]);
  for (const auto& [name, value] : *options) {
    const auto number = whole_number(value);
    if (name != "limit" && name != "skip")
      return Error{ErrorCode::invalid_argument,
                   "there is no option `" + name + "`; `skip` and `limit` are there", std::nullopt};
    if (!number || *number < 0)
      return wrong_argument("`skip` and `limit` are integers of 0 or more", value);
    (name == "limit" ? range.limit : range.skip) = static_cast<std::size_t>(*number);
  }
  return range;
}

/// Restricted to what the statement may see before ranking, so that k hits are k visible ones.
Result<engine::TextHits> find_texts(ExecutionContext& context, Arguments arguments,
                                    codec::EntityKind kind, std::size_t k) {
  if (arguments[1].string() == nullptr)
    return wrong_argument("a full-text search needs a string", arguments[1]);
  CAIRN_ASSIGN(const std::uint32_t index,
               find_procedure_index(context.graph.catalog(), arguments[0],
                                    {RetrieverKind::full_text, kind}));
  engine::TextQuery query;
  query.text = arguments[1].as_string();
  query.k = k;
  CAIRN_ASSIGN(query.allowed, context.graph.restriction(kind));
  return context.graph.view().search_text(index, query);
}

// Neo4j's calls: every hit is one that the statement may see.
Result<Rows> query_texts(ExecutionContext& context, Arguments arguments, codec::EntityKind kind) {
  CAIRN_ASSIGN(const HitRange range, hit_range(arguments));
  CAIRN_ASSIGN(const auto found, find_texts(context, arguments, kind, range.end()));
  if (!found.warning.empty()) context.warnings.push_back(found.warning);
  Rows rows;
  for (std::size_t i = range.skip; i < found.hits.size(); ++i)
    rows.push_back({entity_value(kind, found.hits[i].id), Value(found.hits[i].score)});
  return rows;
}

}  // namespace

Result<Procedure::Rows> query_nodes_by_text(ExecutionContext& context,
                                            std::span<const Value> arguments) {
  return query_texts(context, arguments, codec::EntityKind::node);
}

Result<Procedure::Rows> query_relationships_by_text(ExecutionContext& context,
                                                    std::span<const Value> arguments) {
  return query_texts(context, arguments, codec::EntityKind::relationship);
}

}  // namespace cairn::query

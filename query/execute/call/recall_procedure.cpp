// CALL db.recall: options from a map, then the same run as Snapshot's recall, in this statement's
// view. Hits come best first; their order is the rows'.
#include "query/execute/call/builtin_procedures.hpp"

#include "query/execute/pipeline/warn_once.hpp"
#include "query/functions/call.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/recall/recall_options.hpp"
#include "query/recall/recall_run.hpp"
#include "query/recall/recall_within.hpp"

#include <cairn/recall.hpp>

#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

Error refusal(ErrorCode code, std::string message) { return {code, std::move(message), {}}; }

Result<RecallOptions> read_options(std::span<const Value> arguments) {
  if (arguments.size() < 2 || arguments[1].is_null()) return RecallOptions();
  if (arguments[1].map() != nullptr) return recall_options_from(*arguments[1].map());
  return refusal(ErrorCode::type_error,
                 "the options of db.recall() are a map, got " + shown(arguments[1]));
}

Value parts_of(const RankedRecord& hit) {
  return map_of({{"text", hit.text},
                 {"propagation", hit.propagation},
                 {"group", hit.group},
                 {"dense", hit.dense},
                 {"named", hit.named},
                 {"rules", hit.rules},
                 {"whole", hit.whole}});
}

}  // namespace

// A null question finds nothing, as in SEARCH.
Result<Procedure::Rows> recall_nodes(ExecutionContext& context, std::span<const Value> arguments) {
  CAIRN_ASSIGN(const RecallOptions options, read_options(arguments));
  if (arguments[0].is_null()) return Procedure::Rows();
  if (arguments[0].string() == nullptr)
    return refusal(ErrorCode::type_error,
                   "the question of db.recall() is a string, got " + shown(arguments[0]));
  for (std::string& warning : unknown_names(options, context.graph.catalog()))
    warn_once(context, std::move(warning));
  CAIRN_ASSIGN(const auto hits, recall_within(context, arguments[0].as_string(), options));
  Procedure::Rows rows;
  for (const RankedRecord& hit : hits)
    rows.push_back(
        {entity_value(codec::EntityKind::node, hit.id), Value(hit.score), parts_of(hit)});
  return rows;
}

}  // namespace cairn::query

// CALL db.recall and db.recall.describe. Both procedures read options from a map and run in the view of this statement.

#include "engine/database/core.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/charged_rows.hpp"
#include "query/execute/call/memory_calls.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/call.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/recall/recall_options.hpp"
#include "query/recall/recall_parts.hpp"
#include "query/recall/recall_run.hpp"

#include <cairn/recall.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

Error refusal(ErrorCode code, std::string message) { return {code, std::move(message), {}}; }

// Without options, or with null, the defaults apply.
Result<RecallOptions> read_options(std::span<const Value> arguments, std::size_t place) {
  if (arguments.size() <= place || arguments[place].is_null()) return RecallOptions();
  if (arguments[place].map() != nullptr) return recall_options_from(*arguments[place].map());
  return refusal(ErrorCode::type_error,
                 "the options of db.recall() must be a map, got " + shown(arguments[place]));
}

/// Makes the vector of a question by the embedder of the database, if an index is named and no vector is given. If the
/// embedder fails, the recall searches only by words.
void embed_question(ExecutionContext& context, std::string_view question, RecallOptions& options) {
  if (options.vector_index.empty() || !options.vector.empty() || context.core == nullptr) return;
  const auto calls = std::static_pointer_cast<const MemoryCalls>(context.core->calls().get());
  const auto embedder = calls == nullptr ? nullptr : calls->embedder();
  if (embedder == nullptr) return;
  const auto made = embedder->embed({&question, 1});
  const bool is_made = made && made->size() == 1;
  if (!is_made)
    warn_once(context,
              "found by words: " + (made ? "the embedder returned another number of vectors"
                                         : made.error().message));
  const auto components = is_made ? made->front().components() : std::span<const float>();
  const bool is_zero =
      std::ranges::all_of(components, [](float component) { return component == 0; });
  if (is_zero) options.vector_index.clear();
  if (is_zero) return;
  options.vector.assign(components.begin(), components.end());
  if (options.vector_model.empty()) options.vector_model = embedder->model();
}

Value nodes_of(const std::vector<std::uint64_t>& ids) {
  List nodes;
  for (const std::uint64_t id : ids) nodes.push_back(entity_value(codec::EntityKind::node, id));
  return nodes;
}

// The components of the score.
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
  CAIRN_ASSIGN(RecallOptions options, read_options(arguments, 1));
  if (arguments[0].is_null()) return Procedure::Rows();
  if (arguments[0].string() == nullptr)
    return refusal(ErrorCode::type_error,
                   "the question of db.recall() must be a string, got " + shown(arguments[0]));
  embed_question(context, arguments[0].as_string(), options);
  if (may_tell_names(context.options))
    for (std::string& warning : unknown_names(options, context.graph.catalog()))
      warn_once(context, std::move(warning));
  CAIRN_ASSIGN(auto found, recall_within(context, arguments[0].as_string(), options));
  for (std::string& warning : found.warnings) warn_once(context, std::move(warning));
  ChargedRows rows(context.budget);  // a row takes several times the memory of its hit
  for (const RankedRecord& hit : found.hits)
    CAIRN_TRY(
        rows.add({entity_value(codec::EntityKind::node, hit.id), Value(hit.score), parts_of(hit),
                  nodes_of(hit.passage), Value(static_cast<std::int64_t>(hit.left_out))}));
  return rows.take();
}

// Returns one row for each part. For a part that was not found, `missing` describes what recall cannot do, and what to
// store.
Result<Procedure::Rows> describe_recall(ExecutionContext& context,
                                        std::span<const Value> arguments) {
  CAIRN_ASSIGN(const RecallOptions options, read_options(arguments, 0));
  CAIRN_ASSIGN(const auto parts, recall_parts(context, options));
  Procedure::Rows rows;
  for (const RecallPart& part : parts)
    rows.push_back({Value(part.name), List(part.properties.begin(), part.properties.end()),
                    Value(part.found), part.missing.empty() ? Value() : Value(part.missing)});
  return rows;
}

}  // namespace cairn::query

// Resolves the names of a request (labels, types, filters) to bitmaps of ids and numbers of types.
#include "query/algorithm/graph_selection.hpp"

#include "engine/catalog/catalog.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/plan/name_warnings.hpp"

#include <cairn/recall.hpp>

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

// Combines labels and filter into one filter, so that one plan answers both.
std::optional<Filter> node_filter(const GraphRequest& request) {
  std::vector<Filter> all;
  if (!request.labels.empty()) {
    std::vector<Filter> labels;
    for (const std::string& label : request.labels) labels.push_back(Filter::has_label(label));
    all.push_back(Filter::any_of(std::move(labels)));
  }
  if (request.filter) all.push_back(*request.filter);
  if (all.empty()) return std::nullopt;
  return all.size() == 1 ? std::move(all.front()) : Filter::all_of(std::move(all));
}

// Adds a warning for each label, type or property of the request that no record has.
void warn_of_names(ExecutionContext& context, const GraphRequest& request) {
  if (!may_tell_names(context.options)) return;
  const engine::Catalog& catalog = context.graph.catalog();
  RecallOptions names;
  names.features.relationship_types = request.types;
  if (const auto filter = node_filter(request)) names.filter = *filter;
  for (std::string& warning : unknown_names(names, catalog)) warn_once(context, std::move(warning));
  if (request.relationship_filter)
    for (std::string& warning : unknown_names(*request.relationship_filter, catalog))
      warn_once(context, std::move(warning));
  if (request.weight.empty()) return;
  if (auto warning = unknown_field({request.weight}, catalog))
    warn_once(context, *std::move(warning));
}

}  // namespace

// A bitmap restricts each kind of record: the result of a filter, or else the ids that the statement may see.
Result<GraphSelection> GraphSelection::find(ExecutionContext& context,
                                            const GraphRequest& request) {
  warn_of_names(context, request);
  GraphSelection selection;
  selection.direction_ = request.direction;
  selection.weight_ = request.weight;
  selection.find_types(context, request);
  CAIRN_TRY(selection.choose(context, request));
  return selection;
}

// filter_ids() returns only ids that the statement sees, so a filtered kind needs no second bitmap.
Status GraphSelection::choose(ExecutionContext& context, const GraphRequest& request) {
  constexpr auto node = codec::EntityKind::node;
  constexpr auto relationship = codec::EntityKind::relationship;
  if (const auto filter = node_filter(request)) {
    CAIRN_ASSIGN(chosen_nodes_, filter_ids(context, *filter, node));
  } else {
    CAIRN_ASSIGN(visible_nodes_, context.graph.restriction(node));
  }
  if (request.relationship_filter) {
    CAIRN_ASSIGN(chosen_relationships_,
                 filter_ids(context, *request.relationship_filter, relationship));
  } else {
    CAIRN_ASSIGN(visible_relationships_, context.graph.restriction(relationship));
  }
  return {};
}

// Unknown types are dropped. If all requested types are unknown, no relationship is selected.
void GraphSelection::find_types(ExecutionContext& context, const GraphRequest& request) {
  for (const std::string& name : request.types)
    if (const auto type = context.graph.catalog().find_type(name)) types_.push_back(*type);
  std::ranges::sort(types_);
  const auto repeated = std::ranges::unique(types_);
  types_.erase(repeated.begin(), repeated.end());
  has_types_ = request.types.empty() || !types_.empty();
}

}  // namespace cairn::query

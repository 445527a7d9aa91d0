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

// Labels and a filter are one filter, so that one plan answers both.
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

// What a filter finds is visible already.
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

void GraphSelection::find_types(ExecutionContext& context, const GraphRequest& request) {
  for (const std::string& name : request.types)
    if (const auto type = context.graph.catalog().find_type(name)) types_.push_back(*type);
  std::ranges::sort(types_);
  const auto repeated = std::ranges::unique(types_);
  types_.erase(repeated.begin(), repeated.end());
  has_types_ = request.types.empty() || !types_.empty();
}

}  // namespace cairn::query

// rank.recency(...), rank.boost(...), rank.fuse_by_rank(...): the parts of a ranking, for statements
// that rank what several searches found. The numbers are those of score.hpp and fusion.hpp.
// Pure but for the clock: recency is measured at the statement's time. Nulls reach these functions,
// because what is missing adds nothing instead of making everything null.

#include "query/ranking/rank_functions.hpp"

#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/time_zone.hpp"
#include "query/ranking/fusion.hpp"
#include "query/ranking/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

// As in the pipeline, what is not there adds nothing.
Result<Value> recency(const Call& call) {
  double scale_days = Ranking::Term{}.scale_days;
  if (call.has(1) && !call[1].is_null()) {
    CAIRN_ASSIGN(scale_days, call.number(1));
  }
  if (!(scale_days > 0)) return call.wrong_value("the scale must be a number of days above 0");
  const auto instant = instant_of(call[0]);
  return Value(instant ? recency_score(*instant, call.context.now, scale_days) : 0.0);
}

Result<Value> position(const Call& call) {
  if (call[0].is_null() || call[1].is_null()) return Value(0.0);
  CAIRN_ASSIGN(const double index, call.number(0));
  CAIRN_ASSIGN(const double total, call.number(1));
  return Value(position_score(index, total));
}

/// 1 + factor, or 1; meant to be multiplied.
Result<Value> boost(const Call& call) {
  Ranking::Boost boost{"value", 0, {}};
  CAIRN_ASSIGN(boost.factor, call.number(1));
  if (!std::isfinite(boost.factor)) return call.wrong_value("the factor must be finite");
  if (call.has(2)) boost.equals = call[2];
  return Value(boost_factor(boost, {{boost.field, call[0]}}));
}

/// The nodes of all lists by id: what is fused are ids.
using Nodes = std::map<std::uint64_t, Value>;

const Value& field(const Map& map, std::string_view name) {
  static const Value none;
  const auto found = map.find(name);
  return found == map.end() ? none : found->second;
}

// An element is {node, score}. One without a node is what OPTIONAL MATCH leaves where nothing is found.
Status add_element(const Call& call, const Value& element, RankedList& list, Nodes& nodes) {
  const auto wrong = [&] { return call.wrong_type(0, "lists of {node, score}"); };
  if (element.map() == nullptr || !element.map()->contains("node")) return wrong();
  const Value& node = field(*element.map(), "node");
  if (node.is_null()) return {};
  const Value& score = field(*element.map(), "score");
  if (node.get_if<Node>() == nullptr || !score.is_number()) return wrong();
  if (!std::isfinite(float_of(score))) return call.wrong_value("a score is not finite");
  const std::uint64_t id = node.as_node().id().value;
  nodes.emplace(id, node);
  list.items.push_back({id, float_of(score)});
  return {};
}

// Best first; a node that a list has twice counts where it stands best.
void make_ranked(RankedList& list) {
  std::ranges::stable_sort(list.items, [](const RankedId& a, const RankedId& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  std::set<std::uint64_t> seen;
  std::erase_if(list.items, [&](const RankedId& item) { return !seen.insert(item.id).second; });
}

/// Without weights each list counts 1.
Status read_weights(const Call& call, std::size_t argument, std::vector<RankedList>& lists) {
  if (!call.has(argument) || call[argument].is_null()) return {};
  const List* weights = call[argument].list();
  if (weights == nullptr || weights->size() != lists.size())
    return call.wrong_value("the weights must be a list with a number for each list");
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const Value& weight = (*weights)[i];
    if (!weight.is_number()) return call.wrong_type(argument, "a list of numbers");
    lists[i].weight = float_of(weight);
  }
  return {};
}

Result<std::vector<RankedList>> read_lists(const Call& call, Nodes& nodes) {
  const List* given = call[0].list();
  if (given == nullptr) return call.wrong_type(0, "a list of lists of {node, score}");
  std::vector<RankedList> lists;
  for (const Value& one : *given) {
    if (one.list() == nullptr) return call.wrong_type(0, "a list of lists of {node, score}");
    RankedList& list = lists.emplace_back();
    for (const Value& element : *one.list()) CAIRN_TRY(add_element(call, element, list, nodes));
    make_ranked(list);
  }
  CAIRN_TRY(read_weights(call, 1, lists));
  return lists;
}

/// Best first, each node once.
Value to_list(const std::vector<FusedId>& fused, const Nodes& nodes) {
  List hits;
  hits.reserve(fused.size());
  for (const FusedId& hit : fused)
    hits.push_back(map_of({{"node", nodes.at(hit.id)}, {"score", hit.score}}));
  return hits;
}

// No list at all has no weights that could be made to sum to 1.
// A null list of lists is null; a null list within is an error.
Result<Value> by_rank(const Call& call) {
  if (call[0].is_null()) return Value();
  Nodes nodes;
  CAIRN_ASSIGN(const auto lists, read_lists(call, nodes));
  if (lists.empty()) return Value(List());
  double k = Fusion{}.k;
  if (call.has(2) && !call[2].is_null()) {
    CAIRN_ASSIGN(k, call.number(2));
  }
  CAIRN_ASSIGN(const auto fused, fuse_by_rank(lists, k));
  return to_list(fused, nodes);
}

Result<Value> by_score(const Call& call) {
  if (call[0].is_null()) return Value();
  Nodes nodes;
  CAIRN_ASSIGN(const auto lists, read_lists(call, nodes));
  CAIRN_ASSIGN(const auto fused, fuse_by_score(lists));
  return to_list(fused, nodes);
}

constexpr std::array entries{
    entry<"rank.boost(value, factor, equals?)", boost, Nulls::pass>(),
    entry<"rank.fuse_by_rank(lists, weights?, k?)", by_rank, Nulls::pass>(),
    entry<"rank.fuse_by_score(lists, weights?)", by_score, Nulls::pass>(),
    entry<"rank.position(index, total)", position, Nulls::pass>(),
    entry<"rank.recency(at, scale_days?)", recency, Nulls::pass>()};

}  // namespace

FunctionFamily rank_functions() { return entries; }

}  // namespace cairn::query

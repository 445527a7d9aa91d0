//    score = min((fused + terms) * product of boosts, highest)
// and the explanation of it, part by part. Fields are looked up by paths, with or without
// "metadata." in front; what a record lacks adds nothing. Below: the rank.* functions of statements.
#include "query/ranking/score.hpp"

#include "query/filter/filter_operators.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/time_zone.hpp"
#include "query/functions/value_semantics.hpp"
#include "query/ranking/fusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::int64_t microseconds_a_day = 86'400'000'000;
constexpr std::string_view metadata_prefix = "metadata.";
const Value missing;

/// A key may have dots itself: the longest beginning that is a key comes first only as a whole,
/// then by each dot.
const Value* find_field(const Map& fields, std::string_view path) {
  if (const auto whole = fields.find(path); whole != fields.end()) return &whole->second;
  for (auto dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const auto head = fields.find(path.substr(0, dot));
    if (head == fields.end() || head->second.map() == nullptr) continue;
    if (const Value* found = find_field(*head->second.map(), path.substr(dot + 1))) return found;
  }
  return nullptr;
}

// A path with quoted keys, as filters write it: a['b.c'].
const Value& field_at_keys(const Properties& fields, std::string_view path) {
  const auto keys = parse_field_path(path);
  if (!keys) return missing;
  const Map* map = &fields;
  const Value* found = &missing;
  for (const std::string& key : *keys) {
    const auto entry = map == nullptr ? fields.end() : map->find(key);
    if (map == nullptr || entry == map->end()) return missing;
    found = &entry->second;
    map = found->map();
  }
  return *found;
}

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = value.get_if<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* floating = value.get_if<double>(); floating && std::isfinite(*floating))
    return *floating;
  return {};
}

bool holds(const Value& field, const Value& wanted) {
  if (equals(field, wanted).value_or(false)) return true;
  const List* list = field.list();
  return list != nullptr && std::ranges::any_of(*list, [&](const Value& item) {
           return equals(item, wanted).value_or(false);
         });
}

Error bad_ranking(const std::string& what, const std::string& field) {
  return {ErrorCode::invalid_argument, what + " on field \"" + field + "\" of a ranking", {}};
}

}  // namespace

const Value& field_at(const Properties& fields, std::string_view path) {
  if (const Value* found = find_field(fields, path)) return *found;
  if (path.find('[') != std::string_view::npos) return field_at_keys(fields, path);
  if (!path.starts_with(metadata_prefix)) return missing;
  const Value* found = find_field(fields, path.substr(metadata_prefix.size()));
  return found == nullptr ? missing : *found;
}

// As in the languages of the source systems, but that lists and maps are true even if empty.
bool is_truthy(const Value& value) noexcept {
  switch (value.type()) {
    case ValueType::null:
      return false;
    case ValueType::boolean:
      return value.as_bool();
    case ValueType::integer:
      return value.as_integer() != 0;
    case ValueType::floating:
      return value.as_float() != 0 && !std::isnan(value.as_float());
    case ValueType::string:
      return !value.as_string().empty();
    default:
      return true;
  }
}

double recency_score(std::int64_t instant, std::int64_t now, double scale_days) noexcept {
  // As floats, because the difference of the ends of the calendar does not fit an integer.
  if (instant >= now) return 1;
  const double days = std::floor((static_cast<double>(now) - static_cast<double>(instant)) /
                                 double{microseconds_a_day});
  return 1 / (1 + days / scale_days);
}

// An index behind its total comes from wrong data and must not push a hit down.
double position_score(double index, double total) noexcept {
  if (!std::isfinite(index) || !std::isfinite(total)) return 0;
  return std::clamp(1 - index / std::max(total, 1.0), 0.0, 1.0);
}

namespace {

// A total that is named and not there leaves the position unknown; none named: only the first counts.
double position_term(const Ranking::Term& term, const Value& field, const Properties& fields) {
  const auto index = number_of(field);
  const auto total =
      term.total_field.empty() ? std::optional(1.0) : number_of(field_at(fields, term.total_field));
  return index && total ? term.weight * position_score(*index, *total) : 0;
}

}  // namespace

double term_value(const Ranking::Term& term, const Properties& fields, std::int64_t now) {
  const Value& field = field_at(fields, term.field);
  if (term.kind == Ranking::Term::Kind::recency) {
    const auto instant = instant_of(field);
    return instant ? term.weight * recency_score(*instant, now, term.scale_days) : 0;
  }
  return position_term(term, field, fields);
}

double boost_factor(const Ranking::Boost& boost, const Properties& fields) {
  const Value& field = field_at(fields, boost.field);
  const bool applies = boost.equals ? holds(field, *boost.equals) : is_truthy(field);
  return applies ? 1 + boost.factor : 1;
}

Explanation explain_score(const FusedId& hit, const Properties& fields, const Ranking& ranking,
                          std::int64_t now) {
  Explanation score;
  score.retrievers = hit.shares;
  score.fused = score.raw = hit.score;
  for (const Ranking::Term& term : ranking.terms) {
    score.terms.push_back(term_value(term, fields, now));
    score.raw += score.terms.back();
  }
  for (const Ranking::Boost& boost : ranking.boosts) {
    score.factors.push_back(boost_factor(boost, fields));
    score.raw *= score.factors.back();
  }
  return score;
}

double public_score(double raw, const Ranking& ranking) {
  return ranking.highest_score ? std::min(raw, *ranking.highest_score) : raw;
}

namespace {

// A path with an invalid bracket would quietly be a name that no record has.
Status check_path(const std::string& field) {
  if (field.find('[') == std::string::npos || parse_field_path(field)) return {};
  return bad_ranking("an invalid path", field);
}

}  // namespace

// Paths first. What is not finite would make every score NaN, which has no place in an order.
Status check_ranking(const Ranking& ranking) {
  for (const Ranking::Term& term : ranking.terms) CAIRN_TRY(check_path(term.field));
  for (const Ranking::Boost& boost : ranking.boosts) CAIRN_TRY(check_path(boost.field));
  for (const Ranking::Term& term : ranking.terms) {
    if (!std::isfinite(term.weight)) return bad_ranking("a weight that is not finite", term.field);
    if (!(term.scale_days > 0)) return bad_ranking("a scale of 0 days or less", term.field);
  }
  for (const Ranking::Boost& boost : ranking.boosts)
    if (!std::isfinite(boost.factor))
      return bad_ranking("a factor that is not finite", boost.field);
  return {};
}

// rank.recency(...), rank.boost(...), rank.fuse_by_rank(...): the parts of a ranking, for statements
// that rank what several searches found. The numbers are those of score.hpp and fusion.hpp.
// Pure but for the clock: recency is measured at the statement's time. Nulls reach these functions,
// because what is missing adds nothing instead of making everything null.

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

// Without any list there are no weights to normalise to 1.
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

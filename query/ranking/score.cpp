//    score = min((fused + terms) * product of boosts, highest)
//
// Computes this score of a hit and its explanation, part by part. A field is looked up by its path, with or without
// the prefix "metadata."; a missing field contributes nothing. The second half of the file has the rank.* functions
// of statements.
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
#include <iterator>
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

/// Finds a value by its dotted path. Keys may contain dots: tries the whole path as a key first, then each prefix
/// that ends at a dot and names a map.
const Value* find_field(const Map& fields, std::string_view path) {
  if (const auto whole = fields.find(path); whole != fields.end()) return &whole->second;
  for (auto dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const auto head = fields.find(path.substr(0, dot));
    if (head == fields.end() || head->second.map() == nullptr) continue;
    if (const Value* found = find_field(*head->second.map(), path.substr(dot + 1))) return found;
  }
  return nullptr;
}

// Finds a value by a path with quoted keys, as in filters: a['b.c'].
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

/// Returns the value if it is a finite number, otherwise nullopt.
std::optional<double> number_of(const Value& value) {
  if (const auto* integer = value.get_if<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* floating = value.get_if<double>(); floating && std::isfinite(*floating))
    return *floating;
  return {};
}

/// True if the field equals `wanted` or is a list that contains it.
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

// Follows Python's truth values, except that empty lists and maps are true.
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
  // Computed in floating point: the difference between the ends of the calendar overflows an integer.
  if (instant >= now) return 1;
  const double days = std::floor((static_cast<double>(now) - static_cast<double>(instant)) /
                                 double{microseconds_a_day});
  return 1 / (1 + days / scale_days);
}

// An index above its total comes from wrong data and must not lower a score: the result is at least 0.
double position_score(double index, double total) noexcept {
  if (!std::isfinite(index) || !std::isfinite(total)) return 0;
  return std::clamp(1 - index / std::max(total, 1.0), 0.0, 1.0);
}

namespace {

// Without a named total field, the total is 1, so only the index 0 contributes. If a named total field is missing, the
// position is unknown and contributes 0.
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

// Adds all terms first and then multiplies by the boosts, as in the formula at the top of this file.
Explanation explain_score(const FusedId& hit, const Properties& fields, const Ranking& ranking,
                          std::int64_t now) {
  Explanation score;
  std::ranges::copy_if(
      hit.shares, std::back_inserter(score.retrievers),
      [](const RetrieverShare& share) { return share.rank != 0 || share.share != 0; });
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

// An invalid bracket would make the path a name that no record has, and the mistake would go unnoticed.
Status check_path(const std::string& field) {
  if (field.find('[') == std::string::npos || parse_field_path(field)) return {};
  return bad_ranking("an invalid path", field);
}

}  // namespace

// A number that is not finite would make every score NaN, and NaN cannot be ordered.
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

// The functions rank.recency(), rank.boost(), rank.fuse_by_rank() and others: the parts of a ranking for statements
// that rank the results of several searches. These functions use the formulas of score.hpp and fusion.hpp.
//
// All are pure, except that recency uses the time of the statement. Nulls are passed to these functions
// (Nulls::pass): a missing value contributes nothing and does not make the result null.

namespace {

// A value that is not an instant contributes 0.
Result<Value> recency(const Call& call) {
  double scale_days = Ranking::Term{}.scale_days;
  if (call.has(1) && !call[1].is_null()) {
    CAIRN_ASSIGN(scale_days, call.number(1));
  }
  if (!(scale_days > 0))
    return call.wrong_value("the scale must be a number of days above 0, got " + shown(call[1]));
  const auto instant = instant_of(call[0]);
  return Value(instant ? recency_score(*instant, call.context.now, scale_days) : 0.0);
}

Result<Value> position(const Call& call) {
  if (call[0].is_null() || call[1].is_null()) return Value(0.0);
  CAIRN_ASSIGN(const double index, call.number(0));
  CAIRN_ASSIGN(const double total, call.number(1));
  return Value(position_score(index, total));
}

// Returns 1 + factor if the boost applies, else 1. Scores are multiplied by it.
Result<Value> boost(const Call& call) {
  Ranking::Boost boost{"value", 0, {}};
  CAIRN_ASSIGN(boost.factor, call.number(1));
  if (!std::isfinite(boost.factor))
    return call.wrong_value("the factor must be finite, got " + shown(call[1]));
  if (call.has(2)) boost.equals = call[2];
  return Value(boost_factor(boost, {{boost.field, call[0]}}));
}

/// The nodes of all lists, by id. Fusion works on ids only.
using Nodes = std::map<std::uint64_t, Value>;

/// Returns the value of a key, or null.
const Value& field(const Map& map, std::string_view name) {
  static const Value none;
  const auto found = map.find(name);
  return found == map.end() ? none : found->second;
}

// Adds an element {node, score} to the list. An element with a null node is skipped: OPTIONAL MATCH produces such an
// element if nothing matches.
Status add_element(const Call& call, const Value& element, RankedList& list, Nodes& nodes) {
  const auto wrong = [&] { return call.wrong_type(0, "lists of {node, score}"); };
  if (element.map() == nullptr || !element.map()->contains("node")) return wrong();
  const Value& node = field(*element.map(), "node");
  if (node.is_null()) return {};
  const Value& score = field(*element.map(), "score");
  if (node.get_if<Node>() == nullptr || !score.is_number()) return wrong();
  if (!std::isfinite(float_of(score)))
    return call.wrong_value("a score must be finite, got " + shown(score));
  const std::uint64_t id = node.as_node().id().value;
  nodes.emplace(id, node);
  list.items.push_back({id, float_of(score)});
  return {};
}

// Sorts best first, and removes all but the best occurrence of a node.
void make_ranked(RankedList& list) {
  std::ranges::stable_sort(list.items, is_better);
  std::set<std::uint64_t> seen;
  std::erase_if(list.items, [&](const RankedId& item) { return !seen.insert(item.id).second; });
}

// Each list has weight 1 if no weights are given.
Status read_weights(const Call& call, std::size_t argument, std::vector<RankedList>& lists) {
  if (!call.has(argument) || call[argument].is_null()) return {};
  const List* weights = call[argument].list();
  if (weights == nullptr || weights->size() != lists.size())
    return call.wrong_value("the weights must be a list with a number for each of the " +
                            std::to_string(lists.size()) + " lists, got " + shown(call[argument]));
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const Value& weight = (*weights)[i];
    if (!weight.is_number()) return call.wrong_type(argument, "a list of numbers");
    lists[i].weight = float_of(weight);
  }
  return {};
}

// Reads the argument `lists` and the weights. Collects the nodes, to return them later.
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

// Converts fused ids to a list of {node, score}, best first.
Value to_list(const std::vector<FusedId>& fused, const Nodes& nodes) {
  List hits;
  hits.reserve(fused.size());
  for (const FusedId& hit : fused)
    hits.push_back(map_of({{"node", nodes.at(hit.id)}, {"score", hit.score}}));
  return hits;
}

// Returns an empty list for no lists, since fuse_by_rank() cannot scale zero weights to the sum 1. A null instead of
// the lists returns null; a null among the lists is an error.
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

// The weights are not scaled, so an empty list of lists needs no special case, unlike in by_rank().
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

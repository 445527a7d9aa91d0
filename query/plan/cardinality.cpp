// Estimates result rows and microseconds for the parts of a filter. The figures come from the indexes: View::estimate()
// reads a few keys and never scans. Separate statistics do not exist, so none can become stale. Estimates order the
// work and decide whether a lookup in an index is worth its cost. A wrong estimate costs time but never changes a
// result. The values of parameters are known, because each run makes a plan, or estimates a cached plan again.
#include "query/plan/cardinality.hpp"

#include "engine/catalog/catalog.hpp"
#include "engine/index/instant_column.hpp"
#include "engine/index/value_postings.hpp"
#include "engine/view/lookup_result.hpp"
#include "query/functions/filter_test.hpp"
#include "query/functions/label_names.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/time_zone.hpp"
#include "query/plan/indexes_of_calls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Estimate = engine::View::Estimate;
using Operation = engine::IndexPredicate::Operation;

// The estimated share of records that equal an operand whose value is unknown at planning time, such as a variable.
constexpr double unknown_share = 0.01;
// At most this many values of a list are looked up. one_of() assumes that the other values are as
// frequent as these.
constexpr std::size_t sampled_values = 32;

// Makes the predicate to ask the index for.
engine::IndexPredicate question(Operation operation, Value low = {}, Value high = {}) {
  engine::IndexPredicate lookup;
  lookup.operation = operation;
  lookup.low = std::move(low);
  lookup.high = std::move(high);
  return lookup;
}

// Expected duration of a lookup with this estimate.
double microseconds(const Estimate& estimate) {
  return cost::index_predicate + estimate.keys * cost::index_key;
}

/// Literals and parameters are the usual operands, so test them first: free_slots() builds a set.
bool reads_variables(const Expression& expression) {
  if (expression.kind == ExpressionKind::literal || expression.kind == ExpressionKind::parameter)
    return false;
  return !free_slots(expression).empty();
}

/// The number of bitmap chunks for this many rows. A chunk covers 2^16 ids, and set operations cost time per chunk.
double chunks(double rows) { return 1 + rows / 65'536; }

// Conditions are seldom independent: a label comes with its properties. So the most selective condition counts fully,
// the next one by its square root, and so on (exponential backoff, as in SQL Server since 2014):
//    all * s1 * s2^(1/2) * s3^(1/4) ...   with the shares s ascending
// The result is at least one row, unless the smallest part has less than one.
double intersection_rows(std::vector<double> rows, double all) {
  if (rows.empty() || all <= 0) return all;
  std::sort(rows.begin(), rows.end());
  double result = all;
  double exponent = 1;
  for (const double one : rows) {
    result *= std::pow(std::clamp(one / all, 0.0, 1.0), exponent);
    exponent /= 2;
  }
  return std::max(result, std::min(1.0, rows.front()));
}

/// Treats the parts of a union as independent: 1 - (1 - s1)(1 - s2)...
double union_rows(const std::vector<double>& rows, double all) {
  double rest = 1;
  for (const double one : rows) rest *= 1 - std::clamp(all > 0 ? one / all : 0, 0.0, 1.0);
  return all * (1 - rest);
}

}  // namespace

// Returns the value of an operand if it is known at planning time: the values of literals and parameters are known,
// those of variables are not. Returns nullopt if the evaluation fails. The run then reports the error, if it evaluates
// the operand at all.
std::optional<Value> Statistics::constant(const Expression* expression) const {
  if (expression == nullptr || reads_variables(*expression)) return std::nullopt;
  return constants_(*expression);
}

// Returns the number of records that this statement may see: without deleted records and records of other
// namespaces. The number is cached.
Result<double> Statistics::total(codec::EntityKind kind) {
  std::optional<double>& kept = totals_[kind == codec::EntityKind::node ? 0 : 1];
  if (!kept) {
    CAIRN_ASSIGN(const codec::Bitmap all, view_.visible(kind, visibility_));
    kept = static_cast<double>(all.cardinality());
  }
  return *kept;
}

Result<bool> Statistics::all_visible(codec::EntityKind kind) {
  return view_.all_visible(kind, visibility_);
}

// The set is computed once per planning run.
Result<const codec::Bitmap*> Statistics::own(codec::EntityKind kind) {
  if (!own_only_) return nullptr;
  std::optional<codec::Bitmap>& kept = own_[kind == codec::EntityKind::node ? 0 : 1];
  if (!kept) {
    CAIRN_ASSIGN(kept, view_.visible(kind, visibility_));
  }
  return &*kept;
}

// Counts records of all namespaces unless `own_only_` is set: an estimate is not worth an intersection of bitmaps.
Result<double> Statistics::labelled(codec::EntityKind kind, std::string_view name) {
  const bool is_node = kind == codec::EntityKind::node;
  const auto id = is_node ? catalog().find_label(name) : catalog().find_type(name);
  if (!id) return 0.0;
  CAIRN_ASSIGN(const codec::Bitmap* seen, own(kind));
  if (seen != nullptr) {
    CAIRN_ASSIGN(const codec::Bitmap named, is_node ? view_.labelled(*id) : view_.typed(*id));
    return static_cast<double>(codec::intersection_cardinality(named, *seen));
  }
  CAIRN_ASSIGN(const std::uint64_t count,
               is_node ? view_.count_labelled(*id) : view_.count_typed(*id));
  return static_cast<double>(count);
}

// The rule is that of known_indexes.hpp.
Result<bool> Statistics::may_show(std::string_view index) {
  if (!own_only_ || !is_made_by_calls(index)) return true;
  const auto id = catalog().find_index(index);
  if (!id) return true;
  const codec::IndexEntry& entry = catalog().indexes().at(*id);
  const bool is_node = entry.entity == codec::EntityKind::node;
  CAIRN_ASSIGN(const codec::Bitmap* seen, own(entry.entity));
  for (const std::uint32_t number : entry.labels_or_types) {
    CAIRN_ASSIGN(codec::Bitmap named, is_node ? view_.labelled(number) : view_.typed(number));
    const auto apart =
        is_node
            ? catalog().find_label(label_apart(catalog().name(codec::CatalogKind::label, number)))
            : std::nullopt;
    if (apart) {
      CAIRN_ASSIGN(const codec::Bitmap others, view_.labelled(*apart));
      named = codec::subtract(named, others);
    }
    if (codec::intersection_cardinality(named, *seen) > 0) return true;
  }
  return false;
}

// A path that is absent or not indexed has no entries.
Result<Estimate> Statistics::ask(const FilterNode& node, codec::EntityKind kind,
                                 engine::IndexPredicate lookup) {
  const auto path = catalog().find_path(kind, engine::join_path(node.keys));
  if (!path) return Estimate{};
  lookup.kind = kind;
  lookup.path = *path;
  return own_only_ ? ask_own(lookup) : view_.estimate(lookup);
}

// Counts the visible ids of a predicate that one posting list answers. The keys of a range belong to all namespaces,
// so a range is estimated as a fixed share of the visible records that have the property.
Result<Estimate> Statistics::ask_own(const engine::IndexPredicate& question) {
  constexpr double range_share = 0.25;
  const bool is_posting = question.operation == Operation::present ||
                          question.operation == Operation::equals ||
                          question.operation == Operation::element;
  engine::IndexPredicate counted = question;
  if (!is_posting) counted.operation = Operation::present;
  CAIRN_ASSIGN(const engine::LookupResult found, view_.lookup(counted));
  CAIRN_ASSIGN(const codec::Bitmap* seen, own(question.kind));
  const auto rows = static_cast<double>(codec::intersection_cardinality(found.ids, *seen));
  const double share = is_posting ? 1 : range_share;
  return Estimate{rows * share, is_posting ? chunks(rows) : rows * share};
}

// Estimates a test whose operand is known only at run time: a fixed share of the records that have the property, and
// at least one row.
Result<Estimate> Statistics::unknown_operand(const FilterNode& node, codec::EntityKind kind) {
  CAIRN_ASSIGN(Estimate present, ask(node, kind, question(Operation::present)));
  present.rows = std::max(1.0, present.rows * unknown_share);
  present.keys = chunks(present.rows);
  return present;
}

// Samples long lists, so that planning does not cost as much as the run.
Result<Estimate> Statistics::one_of(const FilterNode& node, codec::EntityKind kind,
                                    Operation operation) {
  const auto value = constant(node.low);
  if (!value) return unknown_operand(node, kind);
  List storage;
  const List* values = value->is_null() ? nullptr : sequence_of(*value, storage);
  Estimate sum;
  if (values == nullptr) return sum;
  const std::size_t sampled = std::min(values->size(), sampled_values);
  for (std::size_t i = 0; i < sampled; ++i) {
    CAIRN_ASSIGN(const Estimate one, ask(node, kind, question(operation, (*values)[i])));
    sum.rows += one.rows;
    sum.keys += one.keys;
  }
  if (sampled == 0) return sum;
  const double scale = static_cast<double>(values->size()) / static_cast<double>(sampled);
  return Estimate{sum.rows * scale, sum.keys * scale};
}

// A null bound makes the comparison unknown for every record, so no rows match.
Result<Estimate> Statistics::range(const FilterNode& node, codec::EntityKind kind) {
  const auto low = constant(node.low);
  const auto high = constant(node.high);
  if ((node.low != nullptr && !low) || (node.high != nullptr && !high))
    return unknown_operand(node, kind);
  for (const auto* bound : {&low, &high})
    if (*bound && (*bound)->is_null()) return Estimate{};
  engine::IndexPredicate lookup =
      question(Operation::range, low.value_or(Value()), high.value_or(Value()));
  lookup.low_inclusive = node.low_inclusive;
  lookup.high_inclusive = node.high_inclusive;
  return ask(node, kind, std::move(lookup));
}

// Dates are mostly texts. An invalid date is an error when the condition is evaluated, not here. If the dates are
// cached by id, the cached column gives the number of rows. Otherwise the engine caches the ids of each period,
// because the same periods are requested again and again; `times_asked` divides the cost of the keys by the expected
// number of requests.
Result<Estimate> Statistics::instants(const FilterNode& node, codec::EntityKind kind,
                                      const Value& bound) {
  std::optional<std::int64_t> moment = instant_of(bound);
  if (!moment && bound.string() != nullptr) {
    const auto parsed = parse_moment(bound.as_string(), visibility_.now);
    if (parsed) moment = *parsed;
  }
  if (!moment) return ask(node, kind, question(Operation::present));
  const bool is_since = node.test == FilterOperator::since;
  using Limits = std::numeric_limits<std::int64_t>;
  if (const auto path = catalog().find_path(kind, engine::join_path(node.keys))) {
    CAIRN_ASSIGN(const auto column, engine::path_instants(view_, kind, *path, 0));
    if (column && !own_only_)
      return Estimate{
          column->estimate(is_since ? *moment : Limits::min(), is_since ? Limits::max() : *moment),
          0};
  }
  CAIRN_ASSIGN(Estimate estimate,
               ask(node, kind,
                   question(Operation::instant, is_since ? Value(*moment) : Value(),
                            is_since ? Value() : Value(*moment))));
  constexpr double times_asked = 8;
  estimate.keys /= times_asked;
  return estimate;
}

// CONTAINS and similar tests have no key to seek. Such a test examines either each distinct value of the property or
// each record that has the property. text_scan.cpp chooses the cheaper of the two, so the estimate is the lower cost.
Result<Estimate> Statistics::texts(const FilterNode& node, codec::EntityKind kind,
                                   Operation operation, const Value& operand) {
  CAIRN_ASSIGN(Estimate estimate, ask(node, kind, question(operation, operand)));
  const auto path = catalog().find_path(kind, engine::join_path(node.keys));
  if (!path || own_only_) return estimate;
  CAIRN_ASSIGN(const double values,
               engine::estimate_values(view_, kind, *path, codec::EntryKind::scalar));
  const double tests = std::min(values * cost::value_count, estimate.rows * cost::record_read);
  estimate.keys += tests / cost::index_key;
  return estimate;
}

// Estimates a test of a filter. Equality counts records whose value or list element equals the operand. Tests without
// such index entries count the records that have the field. For `in` the counts add up, and for `contains_all` the
// smallest one applies. Only the first values of a long list are counted, and the sum is not scaled.
Result<Estimate> Statistics::test(const FilterNode& node, codec::EntityKind kind) {
  using Op = FilterOperator;
  const auto value = constant(node.low);
  if (node.low != nullptr && !value) return unknown_operand(node, kind);
  const Op op = positive_of(node.test);
  const bool is_upper = op == Op::less_than || op == Op::less_or_equal;
  if (is_upper || op == Op::greater_than || op == Op::greater_or_equal)
    return ask(
        node, kind,
        question(Operation::range, is_upper ? Value() : *value, is_upper ? *value : Value()));
  if (node.normalize) return texts(node, kind, Operation::present, Value());
  if (op == Op::starts_with) return ask(node, kind, question(Operation::starts_with, *value));
  if (op == Op::between && value->list() != nullptr && value->as_list().size() == 2)
    return ask(node, kind, question(Operation::range, value->as_list()[0], value->as_list()[1]));
  if (op == Op::since || op == Op::until) return instants(node, kind, *value);
  if (!node.as_text && (op == Op::matches || op == Op::in_directory))
    return texts(node, kind, Operation::present, Value());
  const bool is_list = op == Op::in || op == Op::contains_all || op == Op::contains;
  if (node.as_text || (!is_list && op != Op::equals))
    return ask(node, kind, question(Operation::present));
  const List single{value->is_null() ? Value() : *value};
  const List& values = is_list && value->list() != nullptr ? value->as_list() : single;
  std::vector<Estimate> each;
  for (std::size_t i = 0; i < std::min(values.size(), sampled_values); ++i) {
    CAIRN_ASSIGN(Estimate one, ask(node, kind, question(Operation::equals, values[i])));
    CAIRN_ASSIGN(const Estimate element, ask(node, kind, question(Operation::element, values[i])));
    each.push_back({one.rows + element.rows, one.keys + element.keys});
  }
  Estimate total;
  for (const Estimate& one : each) {
    const bool is_first = &one == &each.front();
    total.keys += one.keys;
    total.rows = op == Op::in || is_first ? total.rows + one.rows : std::min(total.rows, one.rows);
  }
  return total;
}

// Estimates labels by value. For an unknown value, assumes `unknown_share` of all records. A value that names no labels
// is an error at run time.
Result<Estimate> Statistics::labels(const FilterNode& node, codec::EntityKind kind) {
  CAIRN_ASSIGN(const double all, total(kind));
  const auto value = constant(node.low);
  if (!value) return Estimate{std::max(1.0, all * unknown_share), 1};
  const auto names = label_names(*value);
  if (!names) return Estimate{};
  Estimate sum{node.any ? 0 : all, 0};
  for (std::size_t i = 0; i < std::min(names->size(), sampled_values); ++i) {
    CAIRN_ASSIGN(const double rows, labelled(kind, (*names)[i]));
    sum.rows = node.any ? std::min(all, sum.rows + rows) : std::min(sum.rows, rows);
    sum.keys += chunks(rows) * cost::set_chunk;
  }
  return sum;
}

// Estimates the rows for which the predicate of a leaf is true, ignoring its negation.
Result<Estimate> Statistics::positive(const FilterNode& node, codec::EntityKind kind) {
  const auto with_operand = [&](Operation operation) -> Result<Estimate> {
    const auto value = constant(node.low);
    if (!value) return unknown_operand(node, kind);
    return value->is_null() ? Estimate{} : ask(node, kind, question(operation, *value));
  };
  switch (node.kind) {
    case FilterKind::label: {
      CAIRN_ASSIGN(const double rows, labelled(kind, node.name));
      return Estimate{rows, chunks(rows) * cost::set_chunk};
    }
    case FilterKind::labels:
      return labels(node, kind);
    case FilterKind::present:
      return ask(node, kind, question(Operation::present));
    case FilterKind::equals:
      return with_operand(Operation::equals);
    case FilterKind::starts_with:
      return with_operand(Operation::starts_with);
    case FilterKind::element:
      return with_operand(Operation::element);
    case FilterKind::truth:
      return ask(node, kind, question(Operation::equals, Value(true)));
    case FilterKind::text:
      return texts(node, kind, Operation::of_type, Value(""));
    case FilterKind::one_of:
      return one_of(node, kind, Operation::equals);
    case FilterKind::element_of:
      return one_of(node, kind, Operation::element);
    case FilterKind::range:
      return range(node, kind);
    case FilterKind::identity:
    case FilterKind::external_id:
      return Estimate{1, 1};
    case FilterKind::test:
      return test(node, kind);
    case FilterKind::intersect: {
      CAIRN_ASSIGN(const double all, total(kind));
      return Estimate{all, 0};
    }
    case FilterKind::unite:
      return Estimate{};
    default:
      break;
  }
  const auto ids = constant(node.low);
  const double count = ids && ids->list() != nullptr ? static_cast<double>(ids->list()->size()) : 1;
  return Estimate{count, count};
}

// Estimates a leaf, negated or not. A negated leaf is a complement within the records that have the property, because
// the predicate is unknown for all others. For labels and ids, for negated tests, and for tests that a missing field
// passes, a negated leaf is the complement within all records.
Status Statistics::estimate_leaf(FilterNode& node, codec::EntityKind kind) {
  CAIRN_ASSIGN(const Estimate found, positive(node, kind));
  node.rows = found.rows;
  node.microseconds = microseconds(found);
  const bool is_test = node.kind == FilterKind::test;
  const bool is_rest = is_test && is_negative(node.test);
  if (node.negated == is_rest) return {};
  if (is_test && (node.negated || passes_missing(node.test))) {
    CAIRN_ASSIGN(const double all, total(kind));
    node.rows = std::max(0.0, all - found.rows);
    return {};
  }
  double rest = 0;
  if (node.keys.empty()) {
    CAIRN_ASSIGN(rest, total(kind));
  } else {
    CAIRN_ASSIGN(const Estimate present, ask(node, kind, question(Operation::present)));
    rest = present.rows;
    // IS NULL is the complement within all records.
    if (node.kind == FilterKind::present) {
      CAIRN_ASSIGN(rest, total(kind));
    }
  }
  node.rows = std::max(0.0, rest - found.rows);
  return {};
}

// `at_least` is estimated as the union of its parts, which is an upper bound.
Status Statistics::estimate_branch(FilterNode& node, codec::EntityKind kind) {
  CAIRN_ASSIGN(const double all, total(kind));
  const bool is_union = node.kind != FilterKind::intersect;
  std::vector<double> rows;
  for (const FilterNodePtr& child : node.children) {
    CAIRN_TRY(estimate(*child, kind));
    rows.push_back(child->rows);
  }
  node.rows = is_union ? union_rows(rows, all) : intersection_rows(rows, all);
  // Within an intersection no part costs more than reading the records that the smallest part leaves.
  const double most =
      is_union
          ? std::numeric_limits<double>::infinity()
          : cost::index_predicate + *std::min_element(rows.begin(), rows.end()) * cost::record_read;
  node.microseconds = 0;
  for (const FilterNodePtr& child : node.children)
    node.microseconds += std::min(child->microseconds, most);
  return {};
}

Status Statistics::estimate(FilterNode& node, codec::EntityKind kind) {
  return node.children.empty() ? estimate_leaf(node, kind) : estimate_branch(node, kind);
}

// Statistics of two properties together do not exist, so intersection_rows() combines the conjuncts.
Status Statistics::estimate(FilterPlan& plan) {
  CAIRN_ASSIGN(const double all, total(plan.kind));
  for (FilterConjunct& conjunct : plan.conjuncts) CAIRN_TRY(estimate(*conjunct.node, plan.kind));
  std::vector<double> rows;
  for (const FilterConjunct& conjunct : plan.conjuncts) rows.push_back(conjunct.node->rows);
  plan.rows = intersection_rows(std::move(rows), all);
  plan.is_estimated = true;
  return {};
}

Status Statistics::estimate_parts(FilterPlan& plan) {
  const bool is_asked_by_row = plan.depends_on_row();
  for (FilterConjunct& conjunct : plan.conjuncts)
    if (is_asked_by_row || !is_known_posting(*conjunct.node))
      CAIRN_TRY(estimate(*conjunct.node, plan.kind));
  return {};
}

// Returns the average number of relationships per node in the direction of the pattern. Without a direction, both
// directions count. Relationships are assumed to be spread evenly over all nodes, because they are not counted per
// label.
Result<double> Statistics::degree(const RelationshipPattern& pattern) {
  CAIRN_ASSIGN(const double nodes, total(codec::EntityKind::node));
  double relationships = 0;
  if (pattern.types.empty()) {
    CAIRN_ASSIGN(relationships, total(codec::EntityKind::relationship));
  }
  for (const std::string& type : pattern.types) {
    CAIRN_ASSIGN(const double typed, labelled(codec::EntityKind::relationship, type));
    relationships += typed;
  }
  const double ways = pattern.direction == PatternDirection::any ? 2 : 1;
  return nodes > 0 ? ways * relationships / nodes : 0;
}

}  // namespace cairn::query

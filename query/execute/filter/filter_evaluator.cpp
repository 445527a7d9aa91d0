// A FilterPlan to ids. Conjuncts are intersected from the least expected on; after each, what is
// left decides whether the next is worth asking: if reading the records that are left costs less
// than the scan, the conjunct is left to be checked on these ("adaptive", with true sizes, no
// estimates of joins).
//
// Invariant: what is found holds every record that passes, and its recheck the conjuncts that some of
// them may not pass.
//
// Sets of single postings wait: they are intersected all at once, when somebody must know what is left,
// and not at all where they are only counted.
#include "query/execute/filter/filter_evaluator.hpp"

#include "codec/sorted_ids.hpp"
#include "query/execute/filter/field_lookup.hpp"
#include "query/execute/path_index.hpp"
#include "query/plan/cardinality.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::query {
namespace {

/// Fewest first by estimate, so that what is found bounds what the others must look at. Equals stay
/// in the order of the text.
std::vector<const FilterNode*> by_size(const std::vector<FilterNodePtr>& nodes) {
  std::vector<const FilterNode*> order;
  for (const FilterNodePtr& node : nodes) order.push_back(node.get());
  std::stable_sort(order.begin(), order.end(),
                   [](const FilterNode* a, const FilterNode* b) { return a->rows < b->rows; });
  return order;
}

/// Whether looking up `few` in `many` costs less than reading `many`.
bool is_far_fewer(const Selection& few, const Selection& many) {
  constexpr std::uint64_t lookups =
      4;  // an id that is looked up costs about as much as four that are read
  return !few.all_but && few.ids.cardinality() < many.ids.cardinality() / lookups;
}

}  // namespace

// The smallest expected part comes first: what it leaves makes all others cheaper, or needless.
FilterEvaluator::FilterEvaluator(Evaluator& evaluator, const FilterPlan& plan)
    : evaluator_(evaluator), graph_(evaluator.graph()), plan_(plan) {
  order_.reserve(plan.conjuncts.size());
  for (const FilterConjunct& conjunct : plan.conjuncts)
    order_.push_back({&conjunct, conjunct.node->rows, std::nullopt});
  order_parts();
}

void FilterEvaluator::order_parts() { std::ranges::stable_sort(order_, {}, &Part::rows); }

// Without variables of the row the answer is the same for all rows, until the graph changes.
// Parts that do not read the row are separate from those that do, so that only these are asked
// again.
bool FilterEvaluator::is_outdated() {
  if (epoch_ != graph_.epoch()) {
    epoch_ = graph_.epoch();
    parts_.reset();
    kept_.clear();
  }
  return !parts_ || plan_.depends_on_row();
}

Result<const FilterEvaluator::FoundParts*> FilterEvaluator::find_parts(Row row) {
  if (is_outdated()) {
    found_.reset();
    if (Status gathered = gather(row); !gathered) {
      // Half of it is not an answer: a repeated call evaluates it again.
      parts_.reset();
      return gathered.error();
    }
  }
  return &*parts_;
}

Result<const FilterEvaluator::Found*> FilterEvaluator::find(Row row) {
  CAIRN_TRY(find_parts(row));
  return &made();
}

const FilterEvaluator::Found& FilterEvaluator::made() {
  if (!found_) found_ = Found{codec::intersect_all(parts_->sets), parts_->recheck};
  return *found_;
}

Status FilterEvaluator::gather(Row row) {
  parts_.emplace();
  current_ = Selection::everything(true);
  waiting_.clear();
  CAIRN_TRY(ask_postings(row));
  for (Part& part : order_) {
    if (current_.empty()) break;
    CAIRN_TRY(narrow(part, row));
  }
  return finish();
}

// An estimate of a posting reads it: to ask at once gives its size and its ids for the price of the one.
// With operands of the row most of a filter is asked once for each, and the least part decides.
Status FilterEvaluator::ask_postings(Row row) {
  if (plan_.depends_on_row()) return {};
  for (Part& part : order_) {
    if (!is_known_posting(*part.conjunct->node)) continue;
    CAIRN_TRY(evaluator_.budget().step(64));
    CAIRN_ASSIGN(part.passing, select(*part.conjunct->node, row, Selection::everything(true)));
    part.rows = part.passing->all_but ? std::numeric_limits<double>::infinity()
                                      : static_cast<double>(part.passing->ids.cardinality());
    if (part.passing->empty()) break;
  }
  order_parts();
  return {};
}

// Asking for a single posting costs about what an intersection does, whatever is left, and needs no
// knowledge of it. With one set waiting all that is left is known as well.
bool FilterEvaluator::may_wait(const FilterNode& node) const {
  using Kind = FilterKind;
  const bool is_posting =
      node.kind == Kind::label || node.kind == Kind::equals || node.kind == Kind::truth;
  const bool looks_at_rest =
      !node.children.empty() || node.kind == Kind::text || node.kind == Kind::test;
  return is_posting || (!looks_at_rest && waiting_.size() <= 1 && current_.all_but);
}

void FilterEvaluator::meet_waiting() {
  if (waiting_.empty()) return;
  current_ = intersect({codec::intersect_all(waiting_), false, true}, current_);
  waiting_.clear();
}

void FilterEvaluator::take_passing(Selection passing, const FilterNode& node) {
  if (may_wait(node) && passing.exact && !passing.all_but && !passing.empty()) {
    waiting_.push_back(std::move(passing.ids));
    return;
  }
  meet_waiting();
  current_ = intersect(current_, passing);
}

/// Nothing while that may be all there is.
std::optional<std::uint64_t> FilterEvaluator::most_left() const {
  std::optional<std::uint64_t> most;
  if (!current_.all_but) most = current_.ids.cardinality();
  for (const codec::Bitmap& ids : waiting_)
    most = std::min(most.value_or(ids.cardinality()), ids.cardinality());
  return most;
}

// Never of the first one: with nothing known yet all records would have to be read.
Result<bool> FilterEvaluator::is_too_dear(const FilterNode& node, Row row, std::uint64_t left) {
  const double records = cost::record_read * static_cast<double>(left);
  CAIRN_ASSIGN(const double here, cost_here(node, row, records));
  return here > records;
}

// Values that are cached in order, and dates that are cached by id, cost next to nothing, and so do those that
// are worth keeping from now on.
// `records` is what the answer would save; a column that costs less than that to make is made and
// cached.
Result<double> FilterEvaluator::cost_here(const FilterNode& node, Row row, double records) {
  if (node.microseconds <= records) return node.microseconds;
  double sum = 0;
  for (const FilterNodePtr& child : node.children) {
    CAIRN_ASSIGN(const double one, cost_here(*child, row, records));
    sum += one;
  }
  if (!node.children.empty()) return std::min(sum, node.microseconds);
  if (node.kind == FilterKind::range || node.kind == FilterKind::starts_with) {
    CAIRN_ASSIGN(const auto order, kept_order(graph_, plan_.kind, node.keys, records));
    return order ? cost::index_predicate : node.microseconds;
  }
  if (node.kind != FilterKind::test || node.low == nullptr) return node.microseconds;
  const auto value = operand(node.low, row);
  if (!value || !FieldLookup::compares_dates(node.test, *value)) return node.microseconds;
  CAIRN_ASSIGN(const auto column, kept_instants(graph_, plan_.kind, node.keys, records));
  return column ? cost::index_predicate : node.microseconds;
}

// Types of relationships have no source to check by, so that they are never left out.
Status FilterEvaluator::narrow(Part& part, Row row) {
  const FilterConjunct& conjunct = *part.conjunct;
  if (!may_wait(*conjunct.node)) meet_waiting();
  const auto recheck = [&] {
    parts_->recheck.insert(parts_->recheck.end(), conjunct.sources.begin(), conjunct.sources.end());
  };
  const auto left = most_left();
  if (left && !part.passing && !conjunct.sources.empty()) {
    CAIRN_ASSIGN(const bool too_dear, is_too_dear(*conjunct.node, row, *left));
    if (too_dear) {
      recheck();
      return {};
    }
  }
  auto asked = std::exchange(part.passing, std::nullopt);
  if (!asked) {
    CAIRN_ASSIGN(asked, select(*conjunct.node, row, current_));
  }
  Selection passing = *std::move(asked);
  if (!passing.exact) recheck();
  take_passing(std::move(passing), *conjunct.node);
  return evaluator_.budget().step(64);
}

// Visibility comes last: on the few ids that are left it costs least.
// "All but" needs all that is there; a positive set only what the statement may see of it.
Status FilterEvaluator::finish() {
  if (!current_.all_but || !current_.ids.empty()) meet_waiting();
  std::vector<codec::Bitmap>& sets = parts_->sets;
  sets = std::exchange(waiting_, {});
  if (!current_.all_but) sets.push_back(std::move(current_.ids));
  if (sets.empty()) {
    CAIRN_ASSIGN(const codec::Bitmap* all, graph_.visible(plan_.kind));
    sets.push_back(codec::subtract(*all, current_.ids));
    return {};
  }
  if (sets.size() == 1 && sets.front().empty()) return {};
  CAIRN_ASSIGN(const codec::Bitmap* restriction, graph_.restriction(plan_.kind));
  if (restriction != nullptr) sets.push_back(*restriction);
  return {};
}

// Within a plan that reads the row, the results of parts that do not serve later rows too.
Result<Selection> FilterEvaluator::select(const FilterNode& node, Row row,
                                          const Selection& within) {
  if (node.depends_on_row || !plan_.depends_on_row()) return select_kept(node, row, within);
  // Kept for other rows, so that it must not depend on what was left of this one.
  if (const auto kept = kept_.find(&node); kept != kept_.end()) return kept->second;
  CAIRN_ASSIGN(Selection found, select_kept(node, row, Selection::everything(true)));
  kept_.emplace(&node, found);
  return found;
}

Result<Selection> FilterEvaluator::select_kept(const FilterNode& node, Row row,
                                               const Selection& within) {
  if (node.kind == FilterKind::intersect) return select_intersection(node, row, within);
  if (node.kind == FilterKind::unite) return select_union(node, row, within);
  if (node.kind == FilterKind::at_least) return select_at_least(node, row, within);
  return select_leaf(node, row, within);
}

// Begins with what is left already, so that its own parts may stop early, too.
Result<Selection> FilterEvaluator::select_intersection(const FilterNode& node, Row row,
                                                       Selection current) {
  current.exact = !node.partial;
  for (const FilterNode* child : by_size(node.children)) {
    if (current.empty()) break;
    if (!current.all_but) {
      CAIRN_ASSIGN(const bool too_dear, is_too_dear(*child, row, current.ids.cardinality()));
      if (too_dear) {
        current.exact = false;
        continue;
      }
    }
    CAIRN_ASSIGN(const Selection passing, select(*child, row, current));
    current = intersect(current, passing);
  }
  return current;
}

// All sets are united in one pass; complements, which are rare, one by one. Of a large set only what is left is
// united: few ids are looked up in it sooner than it is read.
// The exactness of the parts is gathered first, because uniting sets makes it the sets' own.
Result<Selection> FilterEvaluator::select_union(const FilterNode& node, Row row,
                                                const Selection& within) {
  Selection rest;
  std::vector<codec::Bitmap> sets;
  for (const FilterNodePtr& child : node.children) {
    CAIRN_ASSIGN(Selection one, select(*child, row, within));
    if (one.all_but) {
      rest = unite(rest, one);
      continue;
    }
    rest.exact = rest.exact && one.exact;
    sets.push_back(is_far_fewer(within, one) ? codec::intersect(within.ids, one.ids)
                                             : std::move(one.ids));
  }
  const bool exact = rest.exact;
  rest = unite(rest, {codec::unite_all(sets), false, true});
  rest.exact = exact;
  return rest;
}

// reached[n]: where at least n + 1 of the parts so far hold. From the top down, so that each part
// counts once.
// A number that is not an integer is an error on the records, not here.
Result<Selection> FilterEvaluator::select_at_least(const FilterNode& node, Row row,
                                                   const Selection& within) {
  const auto minimum = operand(node.low, row);
  const auto* wanted = minimum ? minimum->get_if<std::int64_t>() : nullptr;
  if (wanted == nullptr) return Selection::everything(false);
  if (*wanted <= 0) return Selection::everything(true);
  if (static_cast<std::uint64_t>(*wanted) > node.children.size()) return Selection::nothing();
  std::vector<Selection> reached(static_cast<std::size_t>(*wanted));
  for (const FilterNodePtr& child : node.children) {
    CAIRN_ASSIGN(const Selection one, select(*child, row, within));
    for (std::size_t n = reached.size(); n-- > 1;)
      reached[n] = unite(reached[n], intersect(reached[n - 1], one));
    reached.front() = unite(reached.front(), one);
  }
  return reached.back();
}

Result<Selection> FilterEvaluator::select_leaf(const FilterNode& node, Row row,
                                               const Selection& within) {
  within_ = within.all_but ? nullptr : &within.ids;
  CAIRN_ASSIGN(Selection found, (this->*leaf_of(node.kind))(node, row));
  if (graph_.meter != nullptr && !found.all_but)
    graph_.meter->parts[&node] = found.ids.cardinality();
  return found;
}

// A table rather than a switch of twelve cases.
FilterEvaluator::Leaf FilterEvaluator::leaf_of(FilterKind kind) {
  using Kind = FilterKind;
  static const std::pair<Kind, Leaf> leaves[] = {
      {Kind::label, &FilterEvaluator::label},
      {Kind::present, &FilterEvaluator::present},
      {Kind::equals, &FilterEvaluator::equals},
      {Kind::one_of, &FilterEvaluator::one_of},
      {Kind::range, &FilterEvaluator::range},
      {Kind::starts_with, &FilterEvaluator::starts_with},
      {Kind::text, &FilterEvaluator::text},
      {Kind::element, &FilterEvaluator::element},
      {Kind::element_of, &FilterEvaluator::element_of},
      {Kind::truth, &FilterEvaluator::truth},
      {Kind::identity, &FilterEvaluator::identity},
      {Kind::identities, &FilterEvaluator::identities},
      {Kind::external_id, &FilterEvaluator::external_id},
      {Kind::external_ids, &FilterEvaluator::external_ids},
      {Kind::test, &FilterEvaluator::test},
  };
  return std::find_if(std::begin(leaves), std::end(leaves),
                      [&](const auto& entry) { return entry.first == kind; })
      ->second;
}

}  // namespace cairn::query

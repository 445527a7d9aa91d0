// Evaluates a FilterPlan to ids. Conjuncts are intersected in the order of their expected size.
// After each step the number of remaining ids decides about the next conjunct: if reading the
// remaining records costs less than the index scan, the conjunct is checked on the records instead.
// The decision uses real sizes, not estimates.
//
// Invariant: the ids found include every record that passes, and `recheck` has the conjuncts that
// some of these ids may not pass.
//
// Sets from single posting lists wait in `waiting_`, and are intersected all at once when the
// remaining ids must be known. If a caller only counts the ids, the sets are never intersected.
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

/// Sorts by estimated size, so that the first results limit the work on later ones. Ties keep the
/// order of the text.
std::vector<const FilterNode*> by_size(const std::vector<FilterNodePtr>& nodes) {
  std::vector<const FilterNode*> order;
  for (const FilterNodePtr& node : nodes) order.push_back(node.get());
  std::stable_sort(order.begin(), order.end(),
                   [](const FilterNode* a, const FilterNode* b) { return a->rows < b->rows; });
  return order;
}

/// True if looking up `few` in `many` costs less than reading `many`.
bool is_far_fewer(const Selection& few, const Selection& many) {
  // Looking up an id costs about as much as reading four ids.
  constexpr std::uint64_t lookups = 4;
  return !few.all_but && few.ids.cardinality() < many.ids.cardinality() / lookups;
}

}  // namespace

// Starts with the part of the smallest expected size, because this part makes all others cheaper or
// unnecessary.
FilterEvaluator::FilterEvaluator(Evaluator& evaluator, const FilterPlan& plan)
    : evaluator_(evaluator), graph_(evaluator.graph()), plan_(plan) {
  order_.reserve(plan.conjuncts.size());
  for (const FilterConjunct& conjunct : plan.conjuncts)
    order_.push_back({&conjunct, conjunct.node->rows, std::nullopt});
  order_parts();
}

void FilterEvaluator::order_parts() { std::ranges::stable_sort(order_, {}, &Part::rows); }

// A filter that does not read the row has the same result for all rows until the graph changes. Of
// other filters, only the parts that read the row are evaluated again.
bool FilterEvaluator::is_outdated() {
  if (epoch_ != graph_.epoch()) {
    epoch_ = graph_.epoch();
    parts_.reset();
    kept_.clear();
  }
  return !parts_ || plan_.depends_on_row();
}

// Returns the previous result if it is still valid for this row.
Result<const FilterEvaluator::FoundParts*> FilterEvaluator::find_parts(Row row) {
  if (is_outdated()) {
    found_.reset();
    if (Status gathered = gather(row); !gathered) {
      // An incomplete result must not be used: the next call evaluates the filter again.
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

// Evaluates all parts in the order of their expected size, and stops early if nothing remains.
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

// Looks up single posting lists first. Estimating such a part would read its posting list, so the
// lookup returns the real size and the ids at the same cost. Filters that read the row are skipped:
// most of them are evaluated once per row, and the smallest part decides.
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

// True if the result of the node may wait without being intersected. Looking up a single posting
// list costs about as much as an intersection and does not depend on the remaining ids. With at
// most one waiting set, the remaining ids are known anyway.
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

// Adds the result of one conjunct, either to the waiting sets or to the current selection.
void FilterEvaluator::take_passing(Selection passing, const FilterNode& node) {
  if (may_wait(node) && passing.exact && !passing.all_but && !passing.empty()) {
    waiting_.push_back(std::move(passing.ids));
    return;
  }
  meet_waiting();
  current_ = intersect(current_, passing);
}

/// Returns an upper bound for the number of remaining ids, or nullopt if all ids may remain.
std::optional<std::uint64_t> FilterEvaluator::most_left() const {
  std::optional<std::uint64_t> most;
  if (!current_.all_but) most = current_.ids.cardinality();
  for (const codec::Bitmap& ids : waiting_)
    most = std::min(most.value_or(ids.cardinality()), ids.cardinality());
  return most;
}

// True if asking the index costs more than reading the `left` remaining records. Not called while all records may remain,
// because a skipped part would then mean reading all of them.
Result<bool> FilterEvaluator::is_too_costly(const FilterNode& node, Row row, std::uint64_t left) {
  const double records = cost::record_read * static_cast<double>(left);
  CAIRN_ASSIGN(const double here, cost_here(node, row, records));
  return here > records;
}

// Returns the cost of a node in microseconds. Cached sorted columns and cached dates cost almost
// nothing. `records` is the cost that the answer would save. If building a column costs less than
// `records`, the column is built and cached.
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

// Conjuncts for types of relationships have no source to check on records, so they are never
// skipped.
Status FilterEvaluator::narrow(Part& part, Row row) {
  const FilterConjunct& conjunct = *part.conjunct;
  if (!may_wait(*conjunct.node)) meet_waiting();
  const auto recheck = [&] {
    parts_->recheck.insert(parts_->recheck.end(), conjunct.sources.begin(), conjunct.sources.end());
  };
  const auto left = most_left();
  if (left && !part.passing && !conjunct.sources.empty()) {
    CAIRN_ASSIGN(const bool too_costly, is_too_costly(*conjunct.node, row, *left));
    if (too_costly) {
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

// Applies visibility last, when the fewest ids remain. A complement needs all visible ids. A
// positive set needs only the restriction.
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

// If the plan reads the row, caches the results of parts that do not.
Result<Selection> FilterEvaluator::select(const FilterNode& node, Row row,
                                          const Selection& within) {
  if (node.depends_on_row || !plan_.depends_on_row()) return select_kept(node, row, within);
  // Cached for other rows, so the result must not depend on the ids that remain for this row.
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

// Starts with the remaining ids, so that parts of the intersection can stop early too.
Result<Selection> FilterEvaluator::select_intersection(const FilterNode& node, Row row,
                                                       Selection current) {
  current.exact = !node.partial;
  for (const FilterNode* child : by_size(node.children)) {
    if (current.empty()) break;
    if (!current.all_but) {
      CAIRN_ASSIGN(const bool too_costly, is_too_costly(*child, row, current.ids.cardinality()));
      if (too_costly) {
        current.exact = false;
        continue;
      }
    }
    CAIRN_ASSIGN(const Selection passing, select(*child, row, current));
    current = intersect(current, passing);
  }
  return current;
}

// Unites all sets in one pass, and complements, which are rare, one by one. If only few ids remain,
// looks them up in a large set instead of reading the set. The exactness of the parts is collected
// separately, because uniting the sets resets it.
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

// reached[n] are the ids for which at least n + 1 of the parts so far hold. The inner loop runs
// from the highest n down, so that each part counts once. A number that is not an integer is an
// error when records are checked, not here.
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

// PROFILE shows how many ids each leaf found.
Result<Selection> FilterEvaluator::select_leaf(const FilterNode& node, Row row,
                                               const Selection& within) {
  within_ = within.all_but ? nullptr : &within.ids;
  CAIRN_ASSIGN(Selection found, (this->*leaf_of(node.kind))(node, row));
  if (graph_.meter != nullptr && !found.all_but)
    graph_.meter->parts[&node] = found.ids.cardinality();
  return found;
}

FilterEvaluator::Leaf FilterEvaluator::leaf_of(FilterKind kind) {
  using Kind = FilterKind;
  static const std::pair<Kind, Leaf> leaves[] = {
      {Kind::label, &FilterEvaluator::label},
      {Kind::labels, &FilterEvaluator::labels},
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

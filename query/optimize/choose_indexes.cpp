// Moves conditions that indexes answer from a Select into the operator before it: into the filter
// of a scan or a search, or into a SemiJoinFilter after an expansion.
//    ScanNodes (n)                      ScanNodes (n)
//    Select n:A AND n.p = 1 AND f(n)  ->    | n:A
//                                           | n.p = 1
//                                       Select f(n)
//
//    Expand (a)-->(b)                   Expand (a)-->(b)
//    Select b:B                       ->  SemiJoinFilter b  | b:B
//
// The rule is sound because a filter finds every record for which its conjunct is true. If the
// filter may find too many records, they are checked again. A conjunct is moved only if all other
// variables that it reads are bound before the operator. A SemiJoinFilter is worth its cost if
// finding all its ids once is cheaper than reading a record for each row.

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/optimize/rules.hpp"
#include "query/plan/cardinality.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn::query {

namespace {

// Moves the conditions out of `conjuncts` that a filter on `slot` can answer: all other slots that
// they read are bound before the operator. `bound_here` are the slots that the operator binds.
// Conjuncts that do not read `slot` stay.
std::vector<const Expression*> take_answerable(std::vector<const Expression*>& conjuncts, Slot slot,
                                               const SlotSet& bound_here) {
  std::vector<const Expression*> taken;
  std::vector<const Expression*> left;
  for (const Expression* conjunct : conjuncts) {
    const SlotSet needed = free_slots(*conjunct);
    const bool reads_others = std::any_of(needed.begin(), needed.end(), [&](Slot other) {
      return other != slot && bound_here.contains(other);
    });
    (needed.contains(slot) && !reads_others ? taken : left).push_back(conjunct);
  }
  conjuncts = std::move(left);
  return taken;
}

void add_to(FilterPlan& filter, FilterPlan more) {
  for (FilterConjunct& conjunct : more.conjuncts) filter.conjuncts.push_back(std::move(conjunct));
}

// Visits the operators of a pipeline from first to last. Row estimates are renewed after each
// change, because later choices depend on them.
class IndexChooser {
 public:
  IndexChooser(Pipeline& pipeline, const OptimizerInputs& inputs)
      : pipeline_(pipeline), statistics_(inputs.statistics) {}

  Status run() {
    CAIRN_TRY(estimate_scans());
    for (std::size_t i = 0; i < pipeline_.operators.size(); ++i) {
      CAIRN_TRY(std::visit([&](auto& content) { return choose(content, i); },
                           pipeline_.operators[i].content));
    }
    return {};
  }

 private:
  // Returns the Select that follows an operator and its SemiJoinFilters, if it belongs to the same
  // MATCH. push_filters has moved the conditions there. Without push_filters they are at the end of
  // the MATCH, where only the last step finds them.
  std::optional<std::size_t> select_behind(std::size_t i) const {
    const auto& operators = pipeline_.operators;
    std::size_t next = i + 1;
    while (next < operators.size() &&
           std::holds_alternative<SemiJoinFilter>(operators[next].content))
      ++next;
    const bool is_own = next < operators.size() && operators[next].clause == operators[i].clause;
    if (!is_own || !std::holds_alternative<Select>(operators[next].content)) return std::nullopt;
    return next;
  }

  Select& select_at(std::size_t i) { return std::get<Select>(pipeline_.operators[i].content); }

  void drop_if_empty(std::size_t select) {
    if (select_at(select).conjuncts.empty())
      pipeline_.operators.erase(pipeline_.operators.begin() + static_cast<std::ptrdiff_t>(select));
  }

  Status choose(ScanNodes& scan, std::size_t i) { return fill(scan.filter, i); }
  Status choose(ScanRelationships& scan, std::size_t i) { return fill(scan.filter, i); }

  // Moves conditions from the next Select into the filter of operator `i`.
  Status fill(FilterPlan& filter, std::size_t i) {
    const auto select = select_behind(i);
    if (!select) return statistics_.estimate(pipeline_);
    auto& conjuncts = select_at(*select).conjuncts;
    auto taken = take_answerable(conjuncts, filter.slot, bound_by(pipeline_.operators[i]));
    add_to(filter, plan_filter(filter.slot, filter.kind, taken));
    // Conditions without an index stay in the Select.
    conjuncts.insert(conjuncts.begin(), taken.begin(), taken.end());
    CAIRN_TRY(statistics_.estimate(filter));
    drop_if_empty(*select);
    return statistics_.estimate(pipeline_);
  }

  /// All conditions of a search belong to it. Conditions without an index are checked on records
  /// before the search ranks, never after it.
  Status choose(SearchVectors& search, std::size_t) {
    const auto& catalog = statistics_.catalog();
    // A hybrid search may have a graph retriever, which reaches records that are in no index. So
    // only the index of a single retriever implies its label.
    for (const SearchRetriever& retriever : search.clause->retrievers) {
      const auto index = catalog.find_index(retriever.index);
      if (!index) continue;
      const codec::IndexEntry& entry = catalog.indexes().at(*index);
      CAIRN_ASSIGN(const bool is_known, statistics_.may_show(retriever.index));
      if (search.clause->is_hybrid || !is_known) continue;
      drop_implied_label(search, entry);
      if (implies_types(search, entry)) search.filter.conjuncts.clear();
    }
    add_to(search.filter, plan_filter(search.filter.slot, search.filter.kind, search.conjuncts));
    return statistics_.estimate(search.filter);
  }

  // All records of an index with one label have this label, so the condition on it is redundant.
  // With several labels a record may have any of them, so nothing is implied.
  void drop_implied_label(SearchVectors& search, const codec::IndexEntry& entry) const {
    if (entry.labels_or_types.size() != 1) return;
    const codec::CatalogKind kind = entry.entity == codec::EntityKind::node
                                        ? codec::CatalogKind::label
                                        : codec::CatalogKind::relationship_type;
    const std::string& label = statistics_.catalog().name(kind, entry.labels_or_types.front());
    std::erase_if(search.conjuncts, [&](const Expression* one) {
      return one->kind == ExpressionKind::has_label && one->name == label &&
             one->children[0]->kind == ExpressionKind::variable &&
             one->children[0]->slot == search.clause->slot;
    });
  }

  // True if every type of the index is a type of the pattern. When this is called, the filter of
  // the search contains only the types of the pattern.
  bool implies_types(const SearchVectors& search, const codec::IndexEntry& entry) const {
    if (search.types == nullptr || entry.entity != codec::EntityKind::relationship) return false;
    return std::ranges::all_of(entry.labels_or_types, [&](std::uint32_t type) {
      const auto& name = statistics_.catalog().name(codec::CatalogKind::relationship_type, type);
      return std::ranges::find(*search.types, name) != search.types->end();
    });
  }

  Status choose(Expand& expand, std::size_t i) { return choose_members(expand.walk, i); }
  Status choose(ExpandVariable& expand, std::size_t i) { return choose_members(expand.walk, i); }

  // Makes filters for the other end of an expansion and for its relationship.
  Status choose_members(const Walk& walk, std::size_t i) {
    // Copied, because adding an operator moves the one that owns `walk`.
    const Slot to = walk.to;
    const bool has_relationship = !walk.pattern->hops;
    const Slot relationship = walk.pattern->slot;
    const std::string to_name = walk.to_name;
    const std::string relationship_name = walk.pattern->name;
    CAIRN_TRY(add_members(i, to, codec::EntityKind::node, to_name));
    if (!has_relationship) return {};
    return add_members(i, relationship, codec::EntityKind::relationship, relationship_name);
  }

  /// Adds a filter for one variable, if it is worth its cost. Uses only conditions on this variable
  /// alone, because the ids are computed once for all rows.
  Status add_members(std::size_t i, Slot slot, codec::EntityKind kind, const std::string& name) {
    const auto select = select_behind(i);
    if (!select) return {};
    auto& conjuncts = select_at(*select).conjuncts;
    std::vector<const Expression*> alone;
    for (const Expression* conjunct : conjuncts)
      if (free_slots(*conjunct) == SlotSet{slot}) alone.push_back(conjunct);
    SemiJoinFilter members{plan_filter(slot, kind, alone), name};
    CAIRN_TRY(statistics_.estimate(members.filter));
    if (!is_worth_it(members.filter, pipeline_.operators[i].rows)) return {};
    for (const FilterConjunct& conjunct : members.filter.conjuncts)
      for (const Expression* source : conjunct.sources) std::erase(conjuncts, source);
    drop_if_empty(*select);
    const Operator& step = pipeline_.operators[i];
    Operator keep{std::move(members), step.width, step.clause, 0};
    pipeline_.operators.insert(pipeline_.operators.begin() + static_cast<std::ptrdiff_t>(i + 1),
                               std::move(keep));
    return statistics_.estimate(pipeline_);
  }

  // True if finding all ids once costs less than reading a record for each row.
  static bool is_worth_it(const FilterPlan& filter, double rows) {
    if (filter.conjuncts.empty()) return false;
    double microseconds = 0;
    for (const FilterConjunct& conjunct : filter.conjuncts)
      microseconds += conjunct.node->microseconds;
    return microseconds < rows * cost::record_read;
  }

  template <class Other>
  Status choose(Other&, std::size_t) {
    return {};
  }

  // Runs before the first choice, so that the choice has estimates.
  Status estimate_scans() {
    for (Operator& one : pipeline_.operators) {
      if (auto* scan = std::get_if<ScanNodes>(&one.content))
        CAIRN_TRY(statistics_.estimate(scan->filter));
      if (auto* scan = std::get_if<ScanRelationships>(&one.content))
        CAIRN_TRY(statistics_.estimate(scan->filter));
    }
    return statistics_.estimate(pipeline_);
  }

  Pipeline& pipeline_;
  Statistics& statistics_;
};

}  // namespace

Status choose_indexes(Pipeline& pipeline, const OptimizerInputs& inputs) {
  return IndexChooser(pipeline, inputs).run();
}

}  // namespace cairn::query

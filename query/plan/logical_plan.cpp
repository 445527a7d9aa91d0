// Answers questions about operators of any kind: which slots an operator binds, which slots it reads, and which inner
// pipelines it holds. A kind that a function does not list binds no slots and holds no pipelines.
#include "query/plan/logical_plan.hpp"

namespace cairn::query {

Pipeline::Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;
Pipeline::~Pipeline() = default;

namespace {

/// Returns the slots that the step binds. The slot of a bound end already has a value.
SlotSet slots_of(const Walk& walk) {
  SlotSet slots{walk.pattern->slot};
  if (!walk.to_is_bound) slots.insert(walk.to);
  return slots;
}

SlotSet slots_of(const ScanRelationships& scan) {
  SlotSet slots = slots_of(scan.walk);
  if (!scan.from_is_bound) slots.insert(scan.walk.from);
  return slots;
}

SlotSet slots_of(const SearchVectors& search) {
  SlotSet slots{search.clause->slot};
  if (search.clause->score) slots.insert(*search.clause->score);
  if (search.clause->parts) slots.insert(*search.clause->parts);
  return slots;
}

// A standalone CALL without YIELD binds no slots here.
SlotSet slots_of(const CallProcedure& call) {
  SlotSet slots;
  for (const CallClause::Yield& yield : call.clause->yields) slots.insert(yield.slot);
  return slots;
}

}  // namespace

// Operators that pass rows on unchanged are not listed. Project and Aggregate, which make new rows, are not listed
// either: no condition of a MATCH is moved past them.
SlotSet bound_by(const Operator& one) {
  return std::visit(Overload{
                        [](const ScanNodes& scan) { return SlotSet{scan.filter.slot}; },
                        [](const ScanRelationships& scan) { return slots_of(scan); },
                        [](const Expand& expand) { return slots_of(expand.walk); },
                        [](const ExpandVariable& expand) { return slots_of(expand.walk); },
                        [](const FindShortest& find) { return slots_of(find.walk); },
                        [](const BindPath& bind) { return SlotSet{*bind.path->slot}; },
                        [](const SearchVectors& search) { return slots_of(search); },
                        [](const Unwind& unwind) { return SlotSet{unwind.clause->slot}; },
                        [](const Optional& optional) {
                          return SlotSet(optional.introduced.begin(), optional.introduced.end());
                        },
                        [](const CallProcedure& call) { return slots_of(call); },
                        [](const CallSubquery& call) {
                          return SlotSet(call.clause->columns.begin(), call.clause->columns.end());
                        },
                        [](const auto&) { return SlotSet{}; },
                    },
                    one.content);
}

const SharedPart* shared_part_of(const Operator& one) {
  using Part = const SharedPart*;
  return std::visit(Overload{[](const Aggregate& aggregate) -> Part { return &aggregate.shared; },
                             [](const Distinct& distinct) -> Part { return &distinct.shared; },
                             [](const Sort& sort) -> Part { return &sort.shared; },
                             [](const auto&) -> Part { return nullptr; }},
                    one.content);
}

// Visits the outer pipeline first. Pipelines within expressions are not visited: they are planned when they first
// run.
void for_each_pipeline(Pipeline& pipeline, const std::function<void(Pipeline&)>& visit) {
  visit(pipeline);
  for (Operator& one : pipeline.operators)
    std::visit(Overload{
                   [&](Optional& optional) { for_each_pipeline(optional.inner, visit); },
                   [&](MergePattern& merge) { for_each_pipeline(merge.match, visit); },
                   [&](Foreach& each) { for_each_pipeline(each.updates, visit); },
                   [&](CallSubquery& call) {
                     for (Pipeline& branch : call.branches) for_each_pipeline(branch, visit);
                   },
                   [](auto&) {},
               },
               one.content);
}

// Lists the operators that order_expansions may reorder: steps that bind a part of a MATCH. Operators that only
// filter or read are not listed.
bool is_pattern_step(const Operator& one) {
  return std::visit(
      Overload{[](const ScanNodes&) { return true; }, [](const ScanRelationships&) { return true; },
               [](const Expand&) { return true; }, [](const ExpandVariable&) { return true; },
               [](const FindShortest&) { return true; }, [](const BindPath&) { return true; },
               [](const SearchVectors&) { return true; }, [](const auto&) { return false; }},
      one.content);
}

namespace {

void add(const Expression& expression, SlotSet& slots) { slots.merge(free_slots(expression)); }

void add(const std::vector<const Expression*>& expressions, SlotSet& slots) {
  for (const Expression* one : expressions) add(*one, slots);
}

void add(const FilterPlan& filter, SlotSet& slots) {
  for (const FilterConjunct& conjunct : filter.conjuncts) add(conjunct.sources, slots);
}

// A step reads its start, ends that are bound, and the relationships that it must differ from.
void add(const Walk& walk, SlotSet& slots) {
  slots.insert(walk.from);
  if (walk.to_is_bound) slots.insert(walk.to);
  if (walk.pattern->is_bound) slots.insert(walk.pattern->slot);
  slots.insert(walk.unlike.begin(), walk.unlike.end());
  for (const ExpressionPtr& condition : walk.pattern->each) add(*condition, slots);
}

/// Adds the slots that an operator reads from its input rows. Returns false if the operator may read any slot.
class Reads {
 public:
  explicit Reads(SlotSet& slots) : slots_(slots) {}

  bool operator()(const Select& select) { return take(select.conjuncts); }
  bool operator()(const ScanNodes& scan) { return take(scan.filter); }
  bool operator()(const SemiJoinFilter& keep) {
    slots_.insert(keep.filter.slot);
    return take(keep.filter);
  }
  bool operator()(const Expand& expand) {
    for (const Walk& meeting : expand.meetings) slots_.insert(meeting.from);
    return take(expand.walk);
  }
  bool operator()(const ExpandVariable& expand) {
    for (const auto* tests : {&expand.relationships, &expand.nodes})
      for (const ElementTest& test : *tests) add(*test.condition, slots_);
    return take(expand.walk);
  }
  bool operator()(const Skip&) const { return true; }
  bool operator()(const Limit&) const { return true; }
  bool operator()(const Aggregate& aggregate) {
    if (aggregate.weight) slots_.insert(*aggregate.weight);
    for (const ExpressionPtr& key : aggregate.clause->keys) add(*key, slots_);
    for (const AggregateCall& call : aggregate.clause->aggregates)
      for (const ExpressionPtr& argument : call.arguments) add(*argument, slots_);
    return true;
  }
  /// The row that is sorted has the output columns first and then the input row.
  bool operator()(const Project& project) {
    const ProjectClause& clause = *project.clause;
    for (const ProjectionItem& item : clause.items) add(*item.expression, slots_);
    if (!project.keep_input) return true;
    const auto columns = static_cast<Slot>(clause.items.size());
    for (const SortKey& key : clause.order)
      for (const Slot slot : free_slots(*key.expression))
        if (slot >= columns) slots_.insert(slot - columns);
    return true;
  }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }

 private:
  template <class Content>
  bool take(const Content& content) {
    add(content, slots_);
    return true;
  }

  SlotSet& slots_;
};

// True if the output rows have no slot of the input rows.
bool makes_new_rows(const Operator& one) {
  return std::holds_alternative<Aggregate>(one.content) ||
         std::holds_alternative<Project>(one.content);
}

}  // namespace

// Goes from the last operator to the first. Before the last Project or Aggregate is passed, every slot may leave the
// pipeline.
void for_each_read_behind(const Pipeline& pipeline,
                          const std::function<void(std::size_t, const ReadSlots*)>& visit) {
  ReadSlots live;
  bool is_known = false;
  for (std::size_t i = pipeline.operators.size(); i-- > 0;) {
    const Operator& one = pipeline.operators[i];
    visit(i, is_known ? &live : nullptr);
    if (makes_new_rows(one)) live.clear();
    SlotSet read;
    is_known = std::visit(Reads(read), one.content) && (is_known || makes_new_rows(one));
    if (!read.empty() && live.size() <= *read.rbegin()) live.resize(*read.rbegin() + 1U);
    for (const Slot slot : read) live[slot] = true;
  }
}

}  // namespace cairn::query

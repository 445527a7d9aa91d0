// One list of operators for each part of a UNION, see the header. Helpers here answer, for any kind
// of operator, which slots it binds and which pipelines it holds; a kind that is not named has
// none.
#include "query/plan/logical_plan.hpp"

namespace cairn::query {

Pipeline::Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;
Pipeline::~Pipeline() = default;

namespace {

/// Slots that get their value here; ends that are bound have theirs.
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

SlotSet slots_of(const CallProcedure& call) {
  SlotSet slots;
  for (const CallClause::Yield& yield : call.clause->yields) slots.insert(yield.slot);
  return slots;
}

}  // namespace

// Not listed: operators that keep rows as they are, and those that make new rows (Project,
// Aggregate), behind which no condition of a MATCH is moved.
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

// The outer pipeline first; those within expressions are planned when they are first run.
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

// What order_expansions may move: the steps that bind a part of a MATCH, without what filters or
// reads.
bool is_pattern_step(const Operator& one) {
  return std::visit(
      Overload{[](const ScanNodes&) { return true; }, [](const ScanRelationships&) { return true; },
               [](const Expand&) { return true; }, [](const ExpandVariable&) { return true; },
               [](const FindShortest&) { return true; }, [](const BindPath&) { return true; },
               [](const SearchVectors&) { return true; }, [](const auto&) { return false; }},
      one.content);
}

}  // namespace cairn::query

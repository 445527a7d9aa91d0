// A plan tells what is checked on records, but not why. The reason is asked again of the filter builder: a
// condition without an index scan for any variable of its pattern has no index.
#include "query/plan/unanswered_conditions.hpp"

#include "query/plan/filter_plan.hpp"
#include "query/plan/plan_text.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

bool is_partial(const FilterNode& node) {
  return node.partial || std::ranges::any_of(node.children, [](const FilterNodePtr& child) {
           return is_partial(*child);
         });
}

bool has_index(const Expression& condition, const SlotNames& names) {
  return std::ranges::any_of(names, [&](const auto& variable) {
    return build_filter(condition, variable.first) != nullptr;
  });
}

/// What an operator checks on each record; of a clause without a pattern nothing, as values have no index.
std::vector<const Expression*> checked_by(const Operator& one) {
  using Conditions = std::vector<const Expression*>;
  return std::visit(Overload{[](const Select& select) { return select.conjuncts; },
                             [](const SearchVectors& search) { return search.conjuncts; },
                             [](const FindShortest& find) { return find.conjuncts; },
                             [](const auto&) { return Conditions(); }},
                    one.content);
}

class Collector {
 public:
  explicit Collector(std::string_view statement) : statement_(statement) {}

  void add(const Pipeline& pipeline) {
    for (const Operator& one : pipeline.operators) {
      const auto pattern = pipeline.patterns.find(one.clause);
      if (pattern != pipeline.patterns.end()) add(one, names_of(pattern->second));
      add_inner(one);
    }
  }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  void add(const Operator& one, const SlotNames& names) {
    if (const FilterPlan* filter = filter_of(one).plan)
      for (const FilterConjunct& conjunct : filter->conjuncts)
        if (is_partial(*conjunct.node))
          for (const Expression* source : conjunct.sources) add(*source, names, " (in part)");
    for (const Expression* condition : checked_by(one))
      if (!has_index(*condition, names)) add(*condition, names, "");
  }

  void add(const Expression& condition, const SlotNames& names, std::string_view remark) {
    if (!text_.empty()) text_ += "; ";
    text_ += text_of(condition, statement_, names);
    text_ += remark;
  }

  void add_inner(const Operator& one) {
    std::visit(Overload{[&](const Optional& optional) { add(optional.inner); },
                        [&](const MergePattern& merge) { add(merge.match); },
                        [&](const Foreach& each) { add(each.updates); },
                        [&](const CallSubquery& call) {
                          for (const Pipeline& branch : call.branches) add(branch);
                        },
                        [](const auto&) {}},
               one.content);
  }

  std::string_view statement_;
  std::string text_;
};

}  // namespace

std::string unanswered_conditions(const LogicalPlan& plan, std::string_view statement) {
  Collector collector(statement);
  for (const Pipeline& branch : plan.branches) collector.add(branch);
  return collector.text();
}

}  // namespace cairn::query

// Prints a plan as text, one operator per line. The last operator is on top, and its input is below it:
//
//    Project q.name                               ~12
//      Expand (p)-[:KNOWS]->(q)                   ~12
//        ScanNodes (p)                            ~1
//          | p.name = "Ada"                       ~1
//
// Lines with | are the filter of the operator above, and lines with + are the retrievers of its search. If some
// conditions have no index, a last line lists them. Under PROFILE four columns follow: output rows, ids touched,
// records read, and milliseconds without the time of the input.

#include "codec/utf8.hpp"
#include "query/plan/filter_plan.hpp"
#include "query/plan/logical_plan.hpp"
#include "query/plan/plan_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query {
namespace {

// The next functions find the conditions that no index can answer. The plan shows which conditions are checked on
// records, but not why. So the filter builder is called again: if the builder makes no index scan for any variable of
// the pattern, no index answers the condition.

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

/// Returns the conditions that an operator checks on each record. Clauses without a pattern return none, because
/// their values have no index.
std::vector<const Expression*> checked_by(const Operator& one) {
  using Conditions = std::vector<const Expression*>;
  return std::visit(Overload{[](const Select& select) { return select.conjuncts; },
                             [](const SearchVectors& search) { return search.conjuncts; },
                             [](const FindShortest& find) { return find.conjuncts; },
                             [](const auto&) { return Conditions(); }},
                    one.content);
}

// Collects the text of unanswered conditions from a plan and its inner pipelines.
class Collector {
 public:
  explicit Collector(std::string_view statement) : statement_(statement) {}

  // Only operators of a pattern can have conditions on it.
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

/// Returns the conditions on patterns that are checked on records because no index supports them, as text:
/// "n.p = n.q; n.a = 1 OR n.p = n.q (in part)". Returns "" if an index can answer every condition. Conditions that an
/// index could answer, but that are cheaper to check on records, are not listed.
std::string unanswered_conditions(const LogicalPlan& plan, std::string_view statement) {
  Collector collector(statement);
  for (const Pipeline& branch : plan.branches) collector.add(branch);
  return collector.text();
}

// Returns the profile of an operator, or nullptr if the operator has none. Empty without PROFILE.
using OperatorProfiles = std::function<const OperatorProfile*(const Operator&)>;

// One line of the printed plan, with its figures.
struct Line {
  std::string text;
  std::string expected;
  std::array<std::string, 4> measured;  // rows, ids, records, milliseconds
};

std::string milliseconds(std::uint64_t nanoseconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", static_cast<double>(nanoseconds) / 1e6);
  return text.data();
}

std::string union_title(bool is_distinct) { return is_distinct ? "Union" : "UnionAll"; }

/// Returns how many operators at the start of a pipeline give rows that a later sort or aggregation may not need: a scan
/// omits such rows, and how many depends on the index entries of all namespaces.
std::size_t operators_that_omit_rows(const Pipeline& pipeline) {
  if (pipeline.operators.empty()) return 0;
  const OperatorContent& first = pipeline.operators.front().content;
  const auto* nodes = std::get_if<ScanNodes>(&first);
  const auto* relationships = std::get_if<ScanRelationships>(&first);
  const bool omits = nodes != nullptr
                         ? nodes->first || nodes->nearest || !nodes->extremes.empty()
                         : relationships != nullptr && relationships->nearest.has_value();
  if (!omits) return 0;
  const auto last = std::ranges::find_if(pipeline.operators, [](const Operator& one) {
    return std::holds_alternative<Sort>(one.content) ||
           std::holds_alternative<Aggregate>(one.content);
  });
  return static_cast<std::size_t>(last - pipeline.operators.begin());
}

// Collects all lines first, so that the columns of figures can begin after the longest line.
class Explainer {
 public:
  Explainer(std::string_view statement, Estimates estimates, const OperatorProfiles& meters)
      : statement_(statement), estimates_(estimates), meters_(meters) {}

  // Adds the last operator first and its input below it.
  void add(const Pipeline& pipeline, std::size_t depth) {
    const std::size_t omitting = operators_that_omit_rows(pipeline);
    for (std::size_t i = pipeline.operators.size(); i-- > 0; ++depth) {
      const Operator& one = pipeline.operators[i];
      const OperatorProfile* before = i > 0 ? meter_of(pipeline.operators[i - 1]) : nullptr;
      const auto pattern = pipeline.patterns.find(one.clause);
      const SlotNames names =
          pattern == pipeline.patterns.end() ? SlotNames() : names_of(pattern->second);
      add(one, names, before, depth, i < omitting);
      add_inner(one, depth);
    }
  }

  void add_title(std::string title) { lines_.push_back({std::move(title), "", {}}); }

  /// Aligns the figures in columns after the longest line.
  std::string print() const {
    std::size_t width = 0;
    for (const Line& line : lines_) width = std::max(width, code_points(line.text));
    std::string text = meters_ ? header(width) : "";
    for (const Line& line : lines_) text += print(line, width);
    return text;
  }

 private:
  const OperatorProfile* meter_of(const Operator& one) const {
    return meters_ ? meters_(one) : nullptr;
  }

  /// The time in a profile includes the time of the input, so the operator's own time is the difference of both. The
  /// clocks are read one after the other, so the difference can be negative; then it counts as 0.
  void add(const Operator& one, const SlotNames& names, const OperatorProfile* before,
           std::size_t depth, bool omits_rows) {
    const OperatorProfile* meter = meter_of(one);
    std::string text = describe(one, statement_, names);
    if (meter != nullptr) text += chosen_way(meter->remark);
    text += threads(one);
    Line line{indented(depth, std::move(text)), estimate(one.rows), {}};
    if (meter != nullptr) {
      const std::uint64_t inner = before != nullptr ? before->nanoseconds : 0;
      line.measured = {omits_rows ? count_of_all(meter->rows) : std::to_string(meter->rows),
                       count_of_all(meter->ids_touched), count_of_all(meter->records_read),
                       milliseconds(meter->nanoseconds - std::min(inner, meter->nanoseconds))};
    }
    lines_.push_back(std::move(line));
    add_retrievers(one, meter, depth + 1);
    add_filter(one, meter, depth + 1);
  }

  /// Retrievers of a hybrid search are not operators. Each has its own number of hits and its own remark.
  void add_retrievers(const Operator& one, const OperatorProfile* meter, std::size_t depth) {
    const std::vector<std::string> retrievers = retriever_lines(one, statement_);
    for (std::size_t i = 0; i < retrievers.size(); ++i) {
      Line line{indented(depth, "+ " + retrievers[i]), "", {}};
      if (meter != nullptr && i < meter->retrievers.size()) {
        const RetrieverProfile& retriever = meter->retrievers[i];
        line.text += chosen_way(retriever.remark);
        line.measured[0] = std::to_string(retriever.hits);
      }
      lines_.push_back(std::move(line));
    }
  }

  /// A line that stands for several parts has no filter node, and shows the estimate of the complete filter.
  void add_filter(const Operator& one, const OperatorProfile* meter, std::size_t depth) {
    const OperatorFilter filter = filter_of(one);
    if (filter.plan == nullptr) return;
    for (const FilterLine& part : describe(*filter.plan, filter.name, statement_)) {
      const double rows = part.node != nullptr ? part.node->rows : filter.plan->rows;
      Line line{indented(depth + part.depth, "| " + part.text), estimate(rows), {}};
      if (meter != nullptr)
        if (const auto found = meter->parts.find(part.node); found != meter->parts.end())
          line.measured[0] = count_of_all(found->second);
      lines_.push_back(std::move(line));
    }
  }

  /// Hidden from readers who may not see all namespaces.
  std::string estimate(double rows) const {
    return estimates_ == Estimates::shown ? "~" + two_digits(rows) : "";
  }
  /// The remark depends on the index entries of all namespaces, so it is hidden together with the estimates.
  std::string chosen_way(const std::string& remark) const {
    return estimates_ == Estimates::shown && !remark.empty() ? " (" + remark + ")" : "";
  }
  /// The number of threads depends on estimates.
  std::string threads(const Operator& one) const {
    const SharedPart* const shared = shared_part_of(one);
    if (shared == nullptr || shared->threads == 1) return "";
    return chosen_way(std::to_string(shared->threads) + " threads");
  }
  /// A number that depends on the index entries of all namespaces, such as that of the ids from an index before records
  /// of other namespaces are removed. Hidden together with the estimates.
  std::string count_of_all(std::uint64_t count) const {
    return estimates_ == Estimates::shown ? std::to_string(count) : "";
  }

  /// Indents inner pipelines by two levels, so that they do not look like the input.
  void add_inner(const Operator& one, std::size_t depth) {
    std::visit(Overload{
                   [&](const Optional& optional) { add(optional.inner, depth + 2); },
                   [&](const MergePattern& merge) { add(merge.match, depth + 2); },
                   [&](const Foreach& each) { add(each.updates, depth + 2); },
                   [&](const CallSubquery& call) { add_branches(call, depth + 2); },
                   [](const auto&) {},
               },
               one.content);
  }

  void add_branches(const CallSubquery& call, std::size_t depth) {
    const bool is_union = call.branches.size() > 1;
    if (is_union) add_title(indented(depth, union_title(call.distinct)));
    for (const Pipeline& branch : call.branches) add(branch, is_union ? depth + 1 : depth);
  }

  static std::string indented(std::size_t depth, std::string text) {
    return std::string(2 * depth, ' ') + std::move(text);
  }

  // Widths are counted in code points, because names may be in any script.
  static std::size_t code_points(const std::string& text) {
    return static_cast<std::size_t>(codec::utf8_length(text));
  }

  static std::string right(const std::string& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
  }

  static constexpr std::size_t column_width = 11;

  static std::string header(std::size_t width) {
    std::string line(width, ' ');
    for (const char* name : {"expected", "rows", "ids", "records", "ms"})
      line += right(name, column_width);
    return line + "\n";
  }

  std::string print(const Line& line, std::size_t width) const {
    std::string text = line.text + std::string(width - code_points(line.text), ' ');
    text += right(line.expected, meters_ ? column_width : 9);
    if (meters_)
      for (const std::string& figure : line.measured) text += right(figure, column_width);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  std::string_view statement_;
  Estimates estimates_;
  const OperatorProfiles& meters_;
  std::vector<Line> lines_;
};

}  // namespace

// Rounds to two digits, the precision of estimates: 12345 is 12000, 3.14 is 3.1, and numbers below 0.05 are 0.
std::string two_digits(double number) {
  if (number < 0.05) return "0";
  std::array<char, 32> text{};
  if (number < 9.95) {
    std::snprintf(text.data(), text.size(), "%.1f", number);
    std::string digits = text.data();
    return digits.ends_with(".0") ? digits.substr(0, digits.size() - 2) : digits;
  }
  const double unit = std::pow(10, std::floor(std::log10(number)) - 1);
  std::snprintf(text.data(), text.size(), "%.0f", std::round(number / unit) * unit);
  return text.data();
}

// Prints the last operator of each branch first and its inputs below it.
std::string explain(const LogicalPlan& plan, std::string_view statement, Estimates estimates,
                    const OperatorProfiles& meters) {
  Explainer explainer(statement, estimates, meters);
  const bool is_union = plan.branches.size() > 1;
  if (is_union) explainer.add_title(union_title(plan.distinct));
  for (const Pipeline& branch : plan.branches) explainer.add(branch, is_union ? 1 : 0);
  const std::string unanswered = unanswered_conditions(plan, statement);
  if (unanswered.empty()) return explainer.print();
  return explainer.print() + "conditions that no index answers: " + unanswered + "\n";
}

}  // namespace cairn::query

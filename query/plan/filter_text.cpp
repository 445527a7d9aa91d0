// Prints a filter for EXPLAIN and PROFILE: one line for each part of the tree, so that a profile can show how many
// ids each part found. Operands are printed as written in the statement, shortened to 72 bytes.

#include "codec/utf8.hpp"
#include "query/plan/plan_text.hpp"

#include <utility>

namespace cairn::query {
namespace {

// Prints variable.key.key, with _ for a variable without a name.
std::string property_text(const FilterNode& node, const std::string& name) {
  std::string text = name.empty() ? "_" : name;
  for (const std::string& key : node.keys) text += "." + key;
  return text;
}

// Shortens vectors and long texts, which would make the plan hard to read. Does not cut within a code point.
std::string shortened(std::string text) {
  constexpr std::size_t most_bytes = 72;
  if (text.size() <= most_bytes) return text;
  return text.substr(0, codec::utf8_floor(text, most_bytes)) + "...";
}

// Collects the lines of a filter. Each part is indented one level deeper than the set operation that contains it.
class FilterText {
 public:
  FilterText(std::string name, std::string_view statement)
      : name_(std::move(name)), statement_(statement) {}

  void add(const FilterNode& node, std::size_t depth) {
    lines_.push_back({depth, text(node), &node});
    for (const FilterNodePtr& child : node.children) add(*child, depth + 1);
  }
  void add(std::string line) { lines_.push_back({0, std::move(line), nullptr}); }

  std::vector<FilterLine> take() { return std::move(lines_); }

 private:
  // Set operations are printed by their name. Their children follow on lines of their own.
  std::string text(const FilterNode& node) const {
    if (node.kind == FilterKind::intersect) return node.partial ? "intersect, partly" : "intersect";
    if (node.kind == FilterKind::unite) return "unite";
    if (node.kind == FilterKind::at_least)
      return "at least " + text_of(*node.low, statement_) + " of";
    return (node.negated ? "not " : "") + leaf(node);
  }

  std::string leaf(const FilterNode& node) const {
    const std::string property = property_text(node, name_);
    const auto low = [&] { return text_of(*node.low, statement_); };
    switch (node.kind) {
      case FilterKind::label:
        return (name_.empty() ? "_" : name_) + ":" + node.name;
      case FilterKind::labels:
        return (name_.empty() ? "_" : name_) + (node.any ? ":$any(" : ":$(") + low() + ")";
      case FilterKind::present:
        return property + " is there";
      case FilterKind::equals:
        return property + " = " + low();
      case FilterKind::one_of:
        return property + " in " + low();
      case FilterKind::range:
        return range(node, property);
      case FilterKind::starts_with:
        return property + " starts with " + low();
      case FilterKind::text:
        if (node.of_version)
          return "version(" + property + ")" + text_test(node.text_test) + low() +
                 ", by different texts";
        return property + text_test(node.text_test) + low();
      case FilterKind::element:
        return low() + " in " + property;
      case FilterKind::element_of:
        return "some of " + property + " in " + low();
      case FilterKind::truth:
        return property;
      case FilterKind::identity:
        return "id(" + property + ") = " + low();
      case FilterKind::external_id:
        return property + "@external_id = " + low();
      case FilterKind::external_ids:
        return property + "@external_id in " + low();
      case FilterKind::test:
        return property + " " + std::string(to_string(node.test)) +
               (node.low != nullptr ? " " + low() : "") + (node.as_text ? " as text" : "") +
               (node.normalize ? " in NFC" : "");
      default:
        return "id(" + property + ") in " + low();
    }
  }

  // The operator as text. Version comparisons use the same nodes as text tests.
  static const char* text_test(ExpressionKind kind) {
    switch (kind) {
      case ExpressionKind::ends_with:
        return " ends with ";
      case ExpressionKind::matches:
        return " =~ ";
      case ExpressionKind::equal:
        return " = ";
      case ExpressionKind::not_equal:
        return " <> ";
      case ExpressionKind::less:
        return " < ";
      case ExpressionKind::less_equal:
        return " <= ";
      case ExpressionKind::greater:
        return " > ";
      case ExpressionKind::greater_equal:
        return " >= ";
      default:
        return " contains ";
    }
  }

  // Prints low < property < high, with only the given bounds.
  std::string range(const FilterNode& node, const std::string& property) const {
    std::string line = property;
    if (node.low != nullptr)
      line = text_of(*node.low, statement_) + (node.low_inclusive ? " <= " : " < ") + line;
    if (node.high != nullptr)
      line += (node.high_inclusive ? " <= " : " < ") + text_of(*node.high, statement_);
    return line;
  }

  std::string name_;
  std::string_view statement_;
  std::vector<FilterLine> lines_;
};

}  // namespace

// Replaces each run of white space by one blank, because a plan has one operator per line. Expressions made by the
// planner have no text in the statement and are printed as "...".
std::string text_of(const Expression& expression, std::string_view statement) {
  if (expression.kind == ExpressionKind::literal) return shortened(expression.value.to_text());
  if (expression.kind == ExpressionKind::parameter) return "$" + expression.name;
  const TextRange& where = expression.where;
  if (where.begin >= where.end || where.end > statement.size()) return "...";
  std::string text;
  for (const char c : statement.substr(where.begin, where.end - where.begin)) {
    const bool is_space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_space)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  return shortened(std::move(text));
}

// If there is one conjunct, its lines alone. Otherwise the conjuncts below one line:
//    intersect
//      m:A
//      m.p = 1
std::vector<FilterLine> describe(const FilterPlan& plan, const std::string& name,
                                 std::string_view statement) {
  FilterText text(name, statement);
  const bool is_many = plan.conjuncts.size() > 1;
  if (is_many) text.add("intersect");
  for (const FilterConjunct& conjunct : plan.conjuncts) text.add(*conjunct.node, is_many ? 1 : 0);
  return text.take();
}

}  // namespace cairn::query

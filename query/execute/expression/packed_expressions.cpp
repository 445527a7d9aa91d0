// Evaluates each part of a condition to a vector of truth values, one per row. AND, OR and NOT
// combine such vectors. Values are compared by compare_values(), as in evaluation row by row;
// entities and integers are compared as 64-bit words, without creating a Value.
#include "query/execute/expression/packed_expressions.hpp"

#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/holding.hpp"
#include "query/plan/expression_traits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::query {

// A constant with a long text would be copied for each row.
bool is_light(const BatchColumn& column) {
  constexpr std::size_t short_text = 1'024;
  if (column.form() == BatchColumn::Form::values) return false;
  if (column.form() != BatchColumn::Form::constant) return true;
  const std::string* const text = column.only().string();
  return text != nullptr ? text->size() <= short_text : !Holding::has_content(column.only());
}

// Returns nullptr for a missing parameter, so that the evaluation of rows reports the error.
const BatchColumn* ReadyColumns::of(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::variable:
      return &batch_.column(expression.slot);
    case ExpressionKind::property: {
      const Expression& owner = *expression.children[0];
      if (owner.kind != ExpressionKind::variable) return nullptr;
      return properties_.column(owner.slot, expression.name);
    }
    case ExpressionKind::literal:
      return &constants_.emplace_back(BatchColumn::constant(expression.value));
    case ExpressionKind::parameter: {
      const auto found = parameters_.find(expression.name);
      if (found == parameters_.end()) return nullptr;
      return &constants_.emplace_back(BatchColumn::constant(found->second));
    }
    default:
      return nullptr;
  }
}

namespace {

using Form = BatchColumn::Form;
using Truths = std::vector<RowTruth>;

RowTruth truth_of(bool value) { return value ? RowTruth::yes : RowTruth::no; }

// Only booleans and null can occur here, because compare_values() returns nothing else.
RowTruth truth_of(const Value& value) {
  const bool* known = value.get_if<bool>();
  return known == nullptr ? RowTruth::unknown : truth_of(*known);
}

bool is_equality(ExpressionKind kind) {
  return kind == ExpressionKind::equal || kind == ExpressionKind::not_equal;
}

bool holds(ExpressionKind kind, std::int64_t left, std::int64_t right) {
  switch (kind) {
    case ExpressionKind::equal:
      return left == right;
    case ExpressionKind::not_equal:
      return left != right;
    case ExpressionKind::less:
      return left < right;
    case ExpressionKind::less_equal:
      return left <= right;
    case ExpressionKind::greater:
      return left > right;
    default:
      return left >= right;
  }
}

/// The words of a column. A constant has the same word in each row.
class Words {
 public:
  Words(const BatchColumn& column, std::uint64_t only) : column_(column), only_(only) {}
  [[nodiscard]] std::uint64_t operator[](std::size_t row) const {
    return column_.form() == Form::constant ? only_ : column_.words()[row];
  }
  [[nodiscard]] bool is_missing(std::size_t row) const { return column_.is_missing(row); }

 private:
  const BatchColumn& column_;
  std::uint64_t only_;
};

/// Returns the words of a column if it has this form, or is a constant that fits the form.
/// Otherwise nullopt.
std::optional<Words> words_in(const BatchColumn& column, Form form) {
  if (column.form() == form) return Words(column, 0);
  if (column.form() != Form::constant) return std::nullopt;
  const Value& only = column.only();
  if (form == Form::integers && only.type() == ValueType::integer)
    return Words(column, static_cast<std::uint64_t>(only.as_integer()));
  if (form == Form::nodes && only.type() == ValueType::node)
    return Words(column, only.as_node().id().value);
  if (form == Form::relationships && only.type() == ValueType::relationship)
    return Words(column, only.as_relationship().id().value);
  return std::nullopt;
}

// The result is unknown for rows without a value.
Truths compare_words(ExpressionKind kind, const Words& left, const Words& right, std::size_t rows) {
  Truths truths(rows, RowTruth::unknown);
  for (std::size_t row = 0; row < rows; ++row)
    if (!left.is_missing(row) && !right.is_missing(row))
      truths[row] = truth_of(
          holds(kind, static_cast<std::int64_t>(left[row]), static_cast<std::int64_t>(right[row])));
  return truths;
}

/// Compares values row by row. Both columns are light, so making a value per row is cheap.
Truths compare_each(ExpressionKind kind, const BatchColumn& left, const BatchColumn& right,
                    std::size_t rows) {
  Truths truths(rows);
  for (std::size_t row = 0; row < rows; ++row)
    truths[row] = truth_of(compare_values(kind, left.value(row), right.value(row)));
  return truths;
}

/// Compares a column of codes with a constant. Each value of the dictionary is compared only once.
Truths compare_codes(ExpressionKind kind, const BatchColumn& codes, const Value& other,
                     bool is_left, std::size_t rows) {
  const std::vector<Value>& values = *codes.dictionary();
  std::vector<std::optional<RowTruth>> known(values.size());
  Truths truths(rows, RowTruth::unknown);
  for (std::size_t row = 0; row < rows; ++row) {
    if (codes.is_missing(row)) continue;
    auto& truth = known[codes.words()[row]];
    const Value& value = values[codes.words()[row]];
    if (!truth)
      truth = truth_of(is_left ? compare_values(kind, value, other)
                               : compare_values(kind, other, value));
    truths[row] = *truth;
  }
  return truths;
}

// Chooses the fastest way to compare two columns.
Truths compare(ExpressionKind kind, const BatchColumn& left, const BatchColumn& right,
               std::size_t rows) {
  constexpr std::array comparable = {Form::integers, Form::nodes, Form::relationships};
  for (const Form form : comparable) {
    if (form != Form::integers && !is_equality(kind)) continue;
    const auto a = words_in(left, form);
    const auto b = words_in(right, form);
    if (a && b) return compare_words(kind, *a, *b, rows);
  }
  if (left.form() == Form::codes && right.form() == Form::constant)
    return compare_codes(kind, left, right.only(), true, rows);
  if (right.form() == Form::codes && left.form() == Form::constant)
    return compare_codes(kind, right, left.only(), false, rows);
  return compare_each(kind, left, right, rows);
}

RowTruth negated(RowTruth truth) {
  if (truth == RowTruth::unknown) return truth;
  return truth == RowTruth::yes ? RowTruth::no : RowTruth::yes;
}

/// A false operand decides AND, and a true operand decides OR, regardless of the other side.
RowTruth joined(RowTruth left, RowTruth right, RowTruth decisive) {
  if (left == decisive || right == decisive) return decisive;
  if (left == RowTruth::unknown || right == RowTruth::unknown) return RowTruth::unknown;
  return negated(decisive);
}

// Evaluates a condition for all rows, or returns nullopt if one of its parts needs evaluation row
// by row.
class TruthReader {
 public:
  using Found = Result<std::optional<Truths>>;

  TruthReader(std::size_t rows, ReadyColumns& columns, GraphReader& graph)
      : rows_(rows), columns_(columns), graph_(graph) {}

  Found read(const Expression& condition) {
    if (is_comparison(condition.kind)) return comparison(condition);
    switch (condition.kind) {
      case ExpressionKind::logical_and:
        return join(condition, RowTruth::no);
      case ExpressionKind::logical_or:
        return join(condition, RowTruth::yes);
      case ExpressionKind::logical_not:
        return negation(condition);
      case ExpressionKind::is_null:
      case ExpressionKind::is_not_null:
        return null_test(condition);
      case ExpressionKind::has_label:
        return label_test(condition);
      case ExpressionKind::is_node:
        return node_test(condition);
      default:
        return std::optional<Truths>();
    }
  }

 private:
  // Both operands must be available as columns.
  Found comparison(const Expression& condition) {
    const BatchColumn* const left = columns_.of(*condition.children[0]);
    const BatchColumn* const right = columns_.of(*condition.children[1]);
    if (left == nullptr || right == nullptr || !is_light(*left) || !is_light(*right))
      return std::optional<Truths>();
    return std::optional(compare(condition.kind, *left, *right, rows_));
  }

  // Evaluates all parts for all rows, which is sound because no part can fail.
  Found join(const Expression& condition, RowTruth decisive) {
    CAIRN_ASSIGN(auto left, read(*condition.children[0]));
    if (!left) return left;
    for (std::size_t i = 1; i < condition.children.size(); ++i) {
      CAIRN_ASSIGN(const auto right, read(*condition.children[i]));
      if (!right) return std::optional<Truths>();
      for (std::size_t row = 0; row < rows_; ++row)
        (*left)[row] = joined((*left)[row], (*right)[row], decisive);
    }
    return left;
  }

  Found negation(const Expression& condition) {
    CAIRN_ASSIGN(auto truths, read(*condition.children[0]));
    if (truths)
      for (RowTruth& truth : *truths) truth = negated(truth);
    return truths;
  }

  // Tests the flags of missing values, without reading the values.
  Found null_test(const Expression& condition) {
    const BatchColumn* const column = columns_.of(*condition.children[0]);
    if (column == nullptr) return std::optional<Truths>();
    Truths truths(rows_);
    const bool wants_null = condition.kind == ExpressionKind::is_null;
    for (std::size_t row = 0; row < rows_; ++row)
      truths[row] = truth_of(is_null(*column, row) == wants_null);
    return std::optional(std::move(truths));
  }

  static bool is_null(const BatchColumn& column, std::size_t row) {
    if (column.form() == Form::constant) return column.only().is_null();
    if (column.form() == Form::values) return column.all()[row].is_null();
    return column.is_missing(row);
  }

  // The evaluation row by row reports an error for a label of a deleted entity. So nothing is
  // tested here if the statement has deleted entities.
  Found label_test(const Expression& condition) {
    const Expression& owner = *condition.children[0];
    const BatchColumn* const column =
        owner.kind == ExpressionKind::variable ? columns_.of(owner) : nullptr;
    if (column == nullptr || !column->has_entities() || graph_.has_deleted(column->kind()))
      return std::optional<Truths>();
    CAIRN_ASSIGN(const codec::Bitmap* ids, graph_.labelled(column->kind(), condition.name));
    Truths truths(rows_);
    for (std::size_t row = 0; row < rows_; ++row)
      truths[row] = truth_of(ids->contains(column->words()[row]));
    return std::optional(std::move(truths));
  }

  // Only a column of nodes without missing values is tested here, and only if the statement has
  // deleted no node. Any other column is tested row by row.
  Found node_test(const Expression& condition) {
    const BatchColumn* const column = columns_.of(*condition.children[0]);
    const bool are_nodes = column != nullptr && column->has_entities() && !column->has_missing() &&
                           column->kind() == codec::EntityKind::node &&
                           !graph_.has_deleted(codec::EntityKind::node);
    if (!are_nodes) return std::optional<Truths>();
    CAIRN_ASSIGN(const codec::Bitmap* const seen, graph_.restriction(codec::EntityKind::node));
    Truths truths(rows_, RowTruth::yes);
    if (seen != nullptr)
      for (std::size_t row = 0; row < rows_; ++row)
        truths[row] = truth_of(seen->contains(column->words()[row]));
    return std::optional(std::move(truths));
  }

  std::size_t rows_;
  ReadyColumns& columns_;
  GraphReader& graph_;
};

}  // namespace

Result<std::optional<std::vector<RowTruth>>> truths_of(const Expression& condition,
                                                       std::size_t rows, ReadyColumns& columns,
                                                       GraphReader& graph) {
  return TruthReader(rows, columns, graph).read(condition);
}

}  // namespace cairn::query

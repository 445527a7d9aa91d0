#pragma once
// Evaluates expressions on all rows of a packed batch at once. ReadyColumns finds the columns of operands that need no
// computation; truths_of() evaluates a condition on such columns.

#include "query/bind/expression.hpp"
#include "query/execute/batch_column.hpp"
#include "query/execute/expression/property_batch.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace cairn::query {

/// True if each value of the column is about as small as a few words.
[[nodiscard]] bool is_light(const BatchColumn& column);

/// Finds the columns of operands in one batch. The batch must not change meanwhile.
class ReadyColumns {
 public:
  ReadyColumns(const RowBatch& batch, const PropertyBatch& properties, const Parameters& parameters)
      : batch_(batch), properties_(properties), parameters_(parameters) {}

  /// Returns the column of a variable, of a property that was read ahead, or of a constant.
  /// Otherwise nullptr.
  [[nodiscard]] const BatchColumn* of(const Expression& expression);

 private:
  const RowBatch& batch_;
  const PropertyBatch& properties_;
  const Parameters& parameters_;
  std::deque<BatchColumn> constants_;
};

/// The three truth values; a row passes a filter only with `yes`.
enum class RowTruth : std::uint8_t { no, yes, unknown };

/// Returns one truth value per row, as Evaluator::evaluate() would. Accepts comparisons of columns, tests of labels and
/// null, and AND, OR and NOT of these. Returns nullopt for any other condition and if a part may fail. Then the caller
/// must evaluate row by row.
[[nodiscard]] Result<std::optional<std::vector<RowTruth>>> truths_of(const Expression& condition,
                                                                     std::size_t rows,
                                                                     ReadyColumns& columns,
                                                                     GraphReader& graph);

}  // namespace cairn::query

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

/// Whether a value of the column takes no more time and memory than a few words.
[[nodiscard]] bool is_light(const BatchColumn& column);

/// Of one batch, which must not change while this is used.
class ReadyColumns {
 public:
  ReadyColumns(const RowBatch& batch, const PropertyBatch& properties, const Parameters& parameters)
      : batch_(batch), properties_(properties), parameters_(parameters) {}

  /// A variable, a property that was read ahead, or a constant; null for all else.
  [[nodiscard]] const BatchColumn* of(const Expression& expression);

 private:
  const RowBatch& batch_;
  const PropertyBatch& properties_;
  const Parameters& parameters_;
  std::deque<BatchColumn> constants_;
};

enum class RowTruth : std::uint8_t { no, yes, unknown };

/// One truth for each row, as Evaluator::evaluate() would give it. Nothing where the condition has a part that is no
/// comparison of columns, test of a label or of null, or where a part may fail: such rows are evaluated one by one.
[[nodiscard]] Result<std::optional<std::vector<RowTruth>>> truths_of(const Expression& condition,
                                                                     std::size_t rows,
                                                                     ReadyColumns& columns,
                                                                     GraphReader& graph);

}  // namespace cairn::query

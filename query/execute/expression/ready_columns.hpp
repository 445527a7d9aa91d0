#pragma once
// ReadyColumns: the values of expressions on all rows of a packed batch, where they are there already.

#include "query/bind/expression.hpp"
#include "query/execute/batch_column.hpp"
#include "query/execute/expression/property_batch.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/statement.hpp>

#include <deque>

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

}  // namespace cairn::query

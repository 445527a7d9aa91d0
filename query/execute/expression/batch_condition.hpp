#pragma once
// Conditions on all rows of a packed batch at once, in the three truths of the language.

#include "query/bind/expression.hpp"
#include "query/execute/expression/ready_columns.hpp"
#include "query/execute/graph_reader.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::query {

enum class RowTruth : std::uint8_t { no, yes, unknown };

/// One truth for each row, as Evaluator::evaluate() would give it. Nothing where the condition has a part that is no
/// comparison of columns, test of a label or of null, or where a part may fail: such rows are evaluated one by one.
[[nodiscard]] Result<std::optional<std::vector<RowTruth>>> truths_of(const Expression& condition,
                                                                     std::size_t rows,
                                                                     ReadyColumns& columns,
                                                                     GraphReader& graph);

}  // namespace cairn::query

#pragma once
// The questions of `cairn-bench graph`, in the language and in SQL.

#include <cstdint>
#include <span>
#include <string_view>

namespace cairn::tools {

/// What a question takes: `$id` and `$other` are persons, `$n` counts up from the first new id.
enum class GraphOperands : std::uint8_t { none, person, two_persons, number };

struct GraphQuestion {
  std::string_view name;
  std::string_view about;
  GraphOperands operands;
  std::string_view cypher;  ///< parameters $id, $other, $n
  std::string_view sql;     ///< parameters ?1, ?2: the same in this order; empty: no peer is asked
  bool writes = false;
  bool is_ordered = false;  ///< rows are compared in their order
};

[[nodiscard]] std::span<const GraphQuestion> graph_questions();

}  // namespace cairn::tools

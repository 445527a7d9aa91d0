#pragma once
// Tagging rules in the language: db.rules.*. Records are nodes with the label Memory.

#include "query/execute/call/procedures.hpp"

namespace cairn::query {

/// Rows: name, pattern, tags, fields, kinds.
[[nodiscard]] Result<Procedure::Rows> list_rules(ExecutionContext& context,
                                                 std::span<const Value> arguments);
/// Arguments: name, pattern, tags, and a map with `fields` and `kinds`, which may be left out.
[[nodiscard]] Result<Procedure::Rows> put_rule(ExecutionContext& context,
                                               std::span<const Value> arguments);
/// Argument: name. Errors: not_found where there is no such rule.
[[nodiscard]] Result<Procedure::Rows> drop_rule(ExecutionContext& context,
                                                std::span<const Value> arguments);

/// Each takes a filter of the records, or none. Rows of `preview`: node and the tags it would get.
[[nodiscard]] Result<Procedure::Rows> preview_rules(ExecutionContext& context,
                                                    std::span<const Value> arguments);
/// Rows: rule, matched, newlyTagged, and of the whole run: records, recordsMatched, recordsChanged, run.
[[nodiscard]] Result<Procedure::Rows> count_rules(ExecutionContext& context,
                                                  std::span<const Value> arguments);
[[nodiscard]] Result<Procedure::Rows> apply_rules(ExecutionContext& context,
                                                  std::span<const Value> arguments);
/// Argument: the run. Row: records.
[[nodiscard]] Result<Procedure::Rows> undo_rules(ExecutionContext& context,
                                                 std::span<const Value> arguments);

}  // namespace cairn::query

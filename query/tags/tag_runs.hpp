#pragma once
// Rules in the database, their runs, and undoing a run: the steps that the memory calls and the
// procedures of the language share.
//
// (:MemoryTagRule {name, pattern, tags, fields, kinds})
// (:MemoryTagRun {at})-[:TAGGED {tags}]->(record)        one relationship for each record changed

#include <cairn/graph.hpp>
#include <cairn/memory/rules.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::engine {
class View;
class Writer;
}  // namespace cairn::engine

namespace cairn::query {

/// All rules of the options' namespace by name. Errors: as check_rule(), for a rule that a statement
/// has changed.
[[nodiscard]] Result<std::vector<memory::TagRule>> read_tag_rules(const engine::View& view,
                                                                  const StatementOptions& options);

/// Store a rule in place of one of the same name; true where there was none.
[[nodiscard]] Result<bool> put_tag_rule(engine::Writer& writer, const StatementOptions& options,
                                        const memory::TagRule& rule);
/// False if there is no such name.
[[nodiscard]] Result<bool> erase_tag_rule(engine::Writer& writer, const StatementOptions& options,
                                          std::string_view name);

/// What all rules would do to these records, nothing written.
[[nodiscard]] Result<memory::TagRun> plan_tag_run(const engine::View& view,
                                                  const StatementOptions& options,
                                                  std::span<const NodeId> records);
/// Write what was planned; nothing where nothing changes.
[[nodiscard]] Status write_tag_run(engine::Writer& writer, memory::TagRun& run, std::int64_t now);
/// Take away the tags that a run added; gives the number of records. Errors: not_found where there is
/// no such run.
[[nodiscard]] Result<std::uint64_t> undo_tag_run(engine::Writer& writer,
                                                 const StatementOptions& options, NodeId run,
                                                 std::int64_t now);

}  // namespace cairn::query

#pragma once
// Rules in the database, their runs, and undoing a run: the steps that the memory calls and the
// procedures of the language share.
//
// (:MemoryTagRule {name, pattern, tags, fields, kinds})
// (:MemoryTagRun {at})-[:TAGGED {tags}]->(record)        one relationship for each record changed

#include <cairn/graph.hpp>
#include <cairn/memory/records.hpp>
#include <cairn/memory/rules.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
/// False for an unknown name.
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

// Which tags the rules give a record. Pure: no database.

/// Errors: invalid_argument for an invalid pattern, and for what is missing.
[[nodiscard]] Status check_rule(const memory::TagRule& rule);

/// Whether the pattern is found in one of the rule's fields; elements of lists are looked into.
[[nodiscard]] Result<bool> rule_matches(const memory::TagRule& rule, const memory::Record& record);

/// Adds to the counts of `run`; gives the change, if there is any. `run.rules` is in the order of
/// `rules`.
[[nodiscard]] Result<std::optional<memory::TagChange>> tag_record(
    const std::vector<memory::TagRule>& rules, const memory::Record& record, memory::TagRun& run);

/// The record's tags; nothing that is not a text.
[[nodiscard]] std::vector<std::string> tags_of(const memory::Record& record);

}  // namespace cairn::query

#pragma once
// Tagging rules in the database: storing rules, running them, and undoing a run. Both the memory calls and the procedures
// of the language use these functions.
//
// (:MemoryTagRule {name, pattern, tags, fields, kinds})
// (:MemoryTagRun {at})-[:TAGGED {tags}]->(record)        one relationship for each changed record

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

/// All rules of the options' namespace, ordered by name. Errors: those of check_rule(), if a statement made a rule
/// invalid.
[[nodiscard]] Result<std::vector<memory::TagRule>> read_tag_rules(const engine::View& view,
                                                                  const StatementOptions& options);

/// Stores a rule; replaces a rule of the same name. Returns true if the rule is new.
[[nodiscard]] Result<bool> put_tag_rule(engine::Writer& writer, const StatementOptions& options,
                                        const memory::TagRule& rule);
/// Returns false if no rule has the name.
[[nodiscard]] Result<bool> erase_tag_rule(engine::Writer& writer, const StatementOptions& options,
                                          std::string_view name);

/// What all rules would change on these records. Writes nothing.
[[nodiscard]] Result<memory::TagRun> plan_tag_run(const engine::View& view,
                                                  const StatementOptions& options,
                                                  std::span<const NodeId> records);
/// Stores a planned run and its changes. A run without changes is not stored.
[[nodiscard]] Status write_tag_run(engine::Writer& writer, memory::TagRun& run, std::int64_t now);
/// Removes the tags that a run added and erases the run. Returns the number of records. Errors: not_found if the run does
/// not exist.
[[nodiscard]] Result<std::uint64_t> undo_tag_run(engine::Writer& writer,
                                                 const StatementOptions& options, NodeId run,
                                                 std::int64_t now);

// Matching of rules and records, without a database.

/// Errors: invalid_argument for an invalid pattern, a missing name, or missing tags or fields.
[[nodiscard]] Status check_rule(const memory::TagRule& rule);

/// True if the record has one of the rule's kinds and the pattern is found in one of the rule's
/// fields; items of lists are searched too.
[[nodiscard]] Result<bool> rule_matches(const memory::TagRule& rule, const memory::Record& record);

/// Returns the tags that the rules add to a record; nullopt if they add none. Updates the counts of `run`, whose `rules`
/// must be in the order of `rules`.
[[nodiscard]] Result<std::optional<memory::TagChange>> tag_record(
    const std::vector<memory::TagRule>& rules, const memory::Record& record, memory::TagRun& run);

/// The tags of a record; values that are not texts are left out.
[[nodiscard]] std::vector<std::string> tags_of(const memory::Record& record);

}  // namespace cairn::query

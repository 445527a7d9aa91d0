#pragma once
// Which tags the rules give a record. Pure: no database.

#include <cairn/memory/records.hpp>
#include <cairn/memory/rules.hpp>
#include <cairn/result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

/// Errors: invalid_argument for an invalid pattern, and for what is missing.
[[nodiscard]] Status check_rule(const memory::TagRule& rule);

/// Whether the pattern is found in one of the rule's fields; elements of lists are looked into.
[[nodiscard]] Result<bool> rule_matches(const memory::TagRule& rule, const memory::Record& record);

/// Adds to the counts of `run`; gives the change, if there is any. `run.rules` is in the order of
/// `rules`.
[[nodiscard]] Result<std::optional<memory::TagChange>> tag_record(
    const std::vector<memory::TagRule>& rules, const memory::Record& record, memory::TagRun& run);

/// The record's tags; nothing that is no text.
[[nodiscard]] std::vector<std::string> tags_of(const memory::Record& record);

}  // namespace cairn::query

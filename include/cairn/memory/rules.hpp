#pragma once
// Tagging of records that are there already, by named rules that are stored in the database.
//
//     CAIRN_TRY(memory.put_tag_rule({.name = "drift", .pattern = "(?i)drift", .tags = {"drift"}}));
//     CAIRN_ASSIGN(const TagRun tried, memory.apply_tag_rules({}, {.dry_run = true}));
//     CAIRN_ASSIGN(const TagRun run, memory.apply_tag_rules());
//     if (run.id) CAIRN_TRY(memory.undo_tag_run(*run.id));
//
// Rules never run by themselves: what is written later has its tags after the next run. `CALL
// db.rules.*` is the same in the language.

#include <cairn/graph.hpp>
#include <cairn/memory/requests.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// How the external ids of the nodes of rules begin; no record's may.
inline constexpr std::string_view rule_id_prefix = "tag_rule:";

/// Records in which the pattern is found get the tags, beside those they have.
///
/// Checked when it is stored: invalid_argument without a name, tags or fields, or with a pattern
/// that RE2 does not take. Matching is linear in the text.
struct TagRule {
  /// Not empty; storing a rule of the same name replaces it.
  std::string name;
  /// A regular expression (RE2), found anywhere in the text: "^\\[self\\]" at its beginning, "\\bJan\\b"
  /// as a word, "(?i)drift" in any case.
  std::string pattern;
  /// At least one; stored as a set in Unicode form NFC.
  std::vector<std::string> tags;
  /// Where it is looked for: "content" or paths of metadata; one that has it is enough.
  /// Each value of a list is searched; a value that is not a text never matches.
  std::vector<std::string> fields = {"content"};
  std::vector<std::string> kinds = {};  ///< none: every kind

  friend bool operator==(const TagRule&, const TagRule&) = default;
};

/// What one rule did in a run.
struct TagRuleCount {
  std::string rule;
  /// Records in which its pattern was found.
  std::uint64_t matched = 0;
  std::uint64_t newly_tagged = 0;  ///< of those, records that lacked one of its tags
};

/// A record that got tags.
struct TagChange {
  NodeId id;
  /// Those that it lacked, each once, in the order of the rules.
  std::vector<std::string> added;
};

/// What a run of the rules did, or in a dry run would do.
/// A run is stored as a node with one relationship to each record it changed.
struct TagRun {
  /// What to undo it by; nothing in a dry run and where nothing changed.
  std::optional<NodeId> id;
  std::uint64_t records = 0;  ///< looked at
  std::uint64_t matched = 0;  ///< with at least one rule
  /// One for each rule, by name.
  std::vector<TagRuleCount> rules;
  /// One for each record that changed, ascending by id.
  std::vector<TagChange> changes;
};

}  // namespace cairn::memory

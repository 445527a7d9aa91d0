#pragma once
// Tagging of existing records by named rules that are stored in the database.
//
//     CAIRN_TRY(memory.put_tag_rule({.name = "drift", .pattern = "(?i)drift", .tags = {"drift"}}));
//     CAIRN_ASSIGN(const TagRun tried, memory.apply_tag_rules({}, {.dry_run = true}));
//     CAIRN_ASSIGN(const TagRun run, memory.apply_tag_rules());
//     if (run.id) CAIRN_TRY(memory.undo_tag_run(*run.id));
//
// Rules never run automatically: records written later are tagged in the next run. In the language,
// these calls are `CALL db.rules.*`.

#include <cairn/graph.hpp>
#include <cairn/memory/requests.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// Prefix of the external ids of rule nodes; records must not use it.
inline constexpr std::string_view rule_id_prefix = "tag_rule:";

/// Adds tags to records whose text matches a pattern. Existing tags stay.
///
/// Checked when the rule is stored: invalid_argument without a name, tags or fields, or for a
/// pattern that RE2 does not accept. Matching takes linear time.
struct TagRule {
  /// Not empty; a rule with the same name is replaced.
  std::string name;
  /// A regular expression (RE2), searched anywhere in the text: "^\\[self\\]" at its beginning,
  /// "\\bJan\\b" as a word, "(?i)drift" ignoring case.
  std::string pattern;
  /// At least one tag; stored as a set in Unicode form NFC.
  std::vector<std::string> tags;
  /// Where to search: "content" or paths of metadata; one match is enough. Each element of a list
  /// is searched; a value that is not a text never matches.
  std::vector<std::string> fields = {"content"};
  std::vector<std::string> kinds = {};  ///< empty: all kinds

  friend bool operator==(const TagRule&, const TagRule&) = default;
};

/// What one rule did in a run.
struct TagRuleCount {
  std::string rule;
  /// Number of records that match its pattern.
  std::uint64_t matched = 0;
  std::uint64_t newly_tagged = 0;  ///< matched records that lacked one of its tags
};

/// A record that received tags.
struct TagChange {
  NodeId id;
  /// The tags that it lacked, each once, in the order of the rules.
  std::vector<std::string> added;
};

/// What a run of the rules did, or would do (dry run). A run is stored as a node with a
/// relationship to each changed record.
struct TagRun {
  /// The id for undo_tag_run(); nullopt in a dry run and if nothing changed.
  std::optional<NodeId> id;
  std::uint64_t records = 0;  ///< number of records checked
  std::uint64_t matched = 0;  ///< records that match at least one rule
  /// One entry for each rule, by name.
  std::vector<TagRuleCount> rules;
  /// One entry for each changed record, ascending by id.
  std::vector<TagChange> changes;
};

}  // namespace cairn::memory

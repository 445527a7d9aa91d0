#pragma once
// Tagging of records that are there already, by named rules that are stored in the database.

#include <cairn/graph.hpp>
#include <cairn/memory/requests.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::memory {

/// Records in which the pattern is found get the tags, beside those they have.
struct TagRule {
  std::string name;
  /// A regular expression (RE2), found anywhere in the text: "^\\[self\\]" at its beginning, "\\bJan\\b"
  /// as a word, "(?i)drift" in any case.
  std::string pattern;
  std::vector<std::string> tags;
  /// Where it is looked for: "content" or paths of metadata; one that has it is enough.
  std::vector<std::string> fields = {"content"};
  std::vector<std::string> kinds = {};  ///< none: every kind

  friend bool operator==(const TagRule&, const TagRule&) = default;
};

struct TagRuleCount {
  std::string rule;
  std::uint64_t matched = 0;
  std::uint64_t newly_tagged = 0;  ///< of those, records that lacked one of its tags
};

struct TagChange {
  NodeId id;
  std::vector<std::string> added;
};

/// What a run of the rules did, or in a dry run would do.
struct TagRun {
  /// What to undo it by; nothing in a dry run and where nothing changed.
  std::optional<NodeId> id;
  std::uint64_t records = 0;  ///< looked at
  std::uint64_t matched = 0;  ///< with at least one rule
  std::vector<TagRuleCount> rules;
  std::vector<TagChange> changes;
};

}  // namespace cairn::memory

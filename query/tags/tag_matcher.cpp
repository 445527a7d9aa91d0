// Which records a rule matches, and which tags it adds. Pure functions of rules and records, used
// by previews, counts and runs alike.
#include "query/tags/tag_matcher.hpp"

#include "query/functions/value_semantics.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

using memory::Record;
using memory::TagChange;
using memory::TagRule;
using memory::TagRun;

Error bad_rule(const TagRule& rule, const std::string& problem) {
  return {ErrorCode::invalid_argument, "rule \"" + rule.name + "\" " + problem, {}};
}

// The language matches whole texts; here the pattern may be found anywhere, over lines too.
std::string anywhere(const std::string& pattern) { return "(?s:.*?)(?:" + pattern + ")(?s:.*)"; }

/// A list matches where one of its items does, at any depth; what is neither text nor list never
/// does.
Result<bool> is_found(const std::string& pattern, const Value& value) {
  if (const List* list = value.list()) {
    for (const Value& item : *list) {
      CAIRN_ASSIGN(const bool found, is_found(pattern, item));
      if (found) return true;
    }
    return false;
  }
  if (value.string() == nullptr) return false;
  CAIRN_ASSIGN(const Value found, matches_pattern(value, pattern));
  return found == Value(true);
}

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::count(texts, text) > 0;
}

// The rule's tags that the record lacked before the run; new ones among them go into the change.
bool add_missing(const TagRule& rule, const std::vector<std::string>& before, TagChange& change) {
  bool adds = false;
  for (const std::string& tag : rule.tags) {
    if (contains(before, tag)) continue;
    adds = true;
    if (!contains(change.added, tag)) change.added.push_back(tag);
  }
  return adds;
}

}  // namespace

Status check_rule(const TagRule& rule) {
  if (rule.name.empty()) return bad_rule(rule, "needs a name");
  if (rule.tags.empty()) return bad_rule(rule, "needs tags to give");
  if (rule.fields.empty()) return bad_rule(rule, "needs fields to look into");
  // By itself first: a bracket too many must not close the one that is put around it.
  const auto checked = matches_pattern("", rule.pattern);
  return checked ? Status() : bad_rule(rule, "has a pattern that is " + checked.error().message);
}

// The first field with a match is enough; lists are looked through.
Result<bool> rule_matches(const TagRule& rule, const Record& record) {
  if (!rule.kinds.empty() && !contains(rule.kinds, record.kind)) return false;
  const std::string pattern = anywhere(rule.pattern);
  for (const std::string& field : rule.fields) {
    const Value value = field == "content" ? Value(record.content) : record.field(field);
    CAIRN_ASSIGN(const bool found, is_found(pattern, value));
    if (found) return true;
  }
  return false;
}

// Tags that were written past the schema may be a single text.
std::vector<std::string> tags_of(const Record& record) {
  std::vector<std::string> tags;
  const Value& stored = record.field("tags");
  if (const List* list = stored.list()) {
    for (const Value& tag : *list)
      if (tag.string() != nullptr) tags.push_back(tag.as_string());
  } else if (stored.string() != nullptr) {
    tags.push_back(stored.as_string());
  }
  return tags;
}

// Tags are compared as stored. Counts go into `run`, for every rule that matches.
Result<std::optional<TagChange>> tag_record(const std::vector<TagRule>& rules, const Record& record,
                                            TagRun& run) {
  const std::vector<std::string> before = tags_of(record);
  TagChange change{record.id, {}};
  bool matched = false;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    CAIRN_ASSIGN(const bool found, rule_matches(rules[i], record));
    if (!found) continue;
    matched = true;
    ++run.rules[i].matched;
    if (add_missing(rules[i], before, change)) ++run.rules[i].newly_tagged;
  }
  ++run.records;
  if (matched) ++run.matched;
  if (change.added.empty()) return std::optional<TagChange>();
  return std::optional(std::move(change));
}

}  // namespace cairn::query

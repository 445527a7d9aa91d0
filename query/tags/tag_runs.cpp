// Tagging rules and their runs, stored as nodes. A rule is found by its external id. A run has a relationship to each
// record that it changed, with the tags that it added; undoing the run removes exactly these tags.
//
//    (:MemoryTagRun {at})-[:TAGGED {tags}]->(record)
#include "query/tags/tag_runs.hpp"

#include "codec/bitmap.hpp"
#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/system/clock.hpp"
#include "engine/view/view.hpp"
#include "engine/write/writer.hpp"
#include "query/functions/pattern_match.hpp"
#include "query/functions/value_forms.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using codec::EntityKind;
using memory::TagChange;
using memory::TagRule;
using memory::TagRun;

constexpr std::string_view rule_label = "MemoryTagRule";
constexpr std::string_view run_label = "MemoryTagRun";
constexpr std::string_view tagged = "TAGGED";

/// The external id of the rule with a name.
std::string rule_key(std::string_view name) {
  return std::string(memory::rule_id_prefix) + std::string(name);
}

/// The texts of a list; other values are dropped.
std::vector<std::string> texts_in(const Value& value) {
  std::vector<std::string> texts;
  if (const List* list = value.list())
    for (const Value& item : *list)
      if (item.string() != nullptr) texts.push_back(item.as_string());
  return texts;
}

/// Reads a rule from its node, which any statement may have changed. A property that is not a text counts as empty;
/// check_rule() then refuses an empty name or pattern.
TagRule rule_of(const Node& node) {
  const auto text = [&](const char* name) {
    const std::string* found = node.property(name).string();
    return found == nullptr ? std::string() : *found;
  };
  return {text("name"), text("pattern"), texts_in(node.property("tags")),
          texts_in(node.property("fields")), texts_in(node.property("kinds"))};
}

// The number of the statement's namespace; nullopt if the namespace has no record yet.
std::optional<std::uint32_t> number_of(const engine::View& view, const StatementOptions& options) {
  if (options.name_space.empty()) return 0;
  return view.catalog().find_name_space(options.name_space);
}

std::int64_t now_of(const StatementOptions& options) {
  return options.now ? *options.now : engine::system_time();
}

/// The visible nodes of the statement's own namespace.
Result<codec::Bitmap> own_nodes(const engine::View& view, const StatementOptions& options) {
  const auto name_space = number_of(view, options);
  if (!name_space) return codec::Bitmap();
  return view.visible(EntityKind::node, {*name_space, now_of(options)});
}

/// Finds a rule by its external id, which is one lookup instead of a query.
Result<std::optional<std::uint64_t>> find_rule(const engine::View& view,
                                               const StatementOptions& options,
                                               std::string_view name) {
  const auto name_space = number_of(view, options);
  if (!name_space) return std::optional<std::uint64_t>();
  return view.find_external(*name_space, rule_key(name));
}

/// Stores tags. Without tags the property is removed, because it was absent before the first tag.
Status set_tags(engine::Writer& writer, NodeId id, const std::vector<std::string>& tags,
                std::int64_t now) {
  const Value value = tags.empty() ? Value() : Value(list_of_texts(tags));
  CAIRN_TRY(writer.set_property(EntityKind::node, id.value, "tags", value));
  return writer.set_property(EntityKind::node, id.value, "updated_at", memory::time_text(now));
}

/// The tags of a record as this transaction sees them.
Result<std::vector<std::string>> read_tags(const engine::View& view, NodeId id) {
  CAIRN_ASSIGN(const auto node, view.load_node(id.value));
  return node ? tags_of(memory::record_of(*node)) : std::vector<std::string>();
}

/// Removes the tags that a run added to one record. Other tags stay; a tag that was removed since is ignored.
Status undo_change(engine::Writer& writer, const engine::Adjacent& step, std::int64_t now) {
  CAIRN_ASSIGN(const auto change, writer.view().load_relationship(step.relationship));
  if (!change) return {};
  const auto added = texts_in(change->property("tags"));
  CAIRN_ASSIGN(std::vector<std::string> tags, read_tags(writer.view(), NodeId{step.other}));
  std::erase_if(tags, [&](const std::string& tag) { return std::ranges::count(added, tag) > 0; });
  CAIRN_TRY(set_tags(writer, NodeId{step.other}, tags, now));
  return writer.erase_relationship(step.relationship);
}

/// True if the node is a run of the statement's namespace. The id comes from the caller, so runs of other namespaces
/// must not be found.
Result<bool> is_run(const engine::View& view, const StatementOptions& options, NodeId id) {
  CAIRN_ASSIGN(const auto record, view.find_node(id.value));
  const auto label = view.catalog().find_label(run_label);
  return record && label && record->header.name_space == number_of(view, options) &&
         std::ranges::count(record->labels, *label) > 0;
}

/// The relationships of a run to the records that it changed.
Result<std::vector<engine::Adjacent>> changes_of(const engine::View& view, NodeId run) {
  std::vector<engine::Adjacent> steps;
  const auto type = view.catalog().find_type(tagged);
  if (!type) return steps;
  const std::uint32_t types[] = {*type};
  CAIRN_TRY(view.expand(run.value, engine::Direction::outgoing, types, steps));
  return steps;
}

/// Erases a run with all its relationships, including those that statements added.
Status erase_run(engine::Writer& writer, NodeId run) {
  std::vector<engine::Adjacent> steps;
  CAIRN_TRY(writer.view().expand(run.value, engine::Direction::both, {}, steps));
  for (const engine::Adjacent& step : steps)
    CAIRN_TRY(writer.erase_relationship(step.relationship));
  return writer.erase_node(run.value);
}

}  // namespace

// Rules are checked when they are read, because a statement may have changed them.
Result<std::vector<TagRule>> read_tag_rules(const engine::View& view,
                                            const StatementOptions& options) {
  std::vector<TagRule> rules;
  const auto label = view.catalog().find_label(rule_label);
  if (!label) return rules;
  CAIRN_ASSIGN(const codec::Bitmap labelled, view.labelled(*label));
  CAIRN_ASSIGN(const codec::Bitmap visible, own_nodes(view, options));
  CAIRN_ASSIGN(const auto nodes, view.load_nodes(codec::intersect(labelled, visible).to_vector()));
  for (const std::optional<Node>& node : nodes)
    if (node) rules.push_back(rule_of(*node));
  std::ranges::sort(rules, {}, &TagRule::name);
  for (const TagRule& rule : rules) CAIRN_TRY(check_rule(rule));
  return rules;
}

// Returns true if the rule is new. A rule of the same name gets the new pattern, tags, fields and kinds on its existing
// node.
Result<bool> put_tag_rule(engine::Writer& writer, const StatementOptions& options,
                          const TagRule& rule) {
  CAIRN_TRY(check_rule(rule));
  const Properties properties = {{"name", rule.name},
                                 {"pattern", rule.pattern},
                                 {"tags", memory::tag_set(list_of_texts(rule.tags))},
                                 {"fields", list_of_texts(rule.fields)},
                                 {"kinds", list_of_texts(rule.kinds)}};
  CAIRN_ASSIGN(const auto known, find_rule(writer.view(), options, rule.name));
  if (known) {
    CAIRN_TRY(writer.set_properties(EntityKind::node, *known, properties));
    return false;
  }
  const std::string labels[] = {std::string(rule_label)};
  CAIRN_TRY(writer.create_node(labels, properties, rule_key(rule.name)));
  return true;
}

// Returns false if no rule has the name.
Result<bool> erase_tag_rule(engine::Writer& writer, const StatementOptions& options,
                            std::string_view name) {
  CAIRN_ASSIGN(const auto known, find_rule(writer.view(), options, name));
  if (known) CAIRN_TRY(writer.erase_node(*known));
  return known.has_value();
}

// Loads each selected record. Records of other namespaces are skipped, because a statement cannot change them.
Result<TagRun> plan_tag_run(const engine::View& view, const StatementOptions& options,
                            std::span<const NodeId> records) {
  CAIRN_ASSIGN(const auto rules, read_tag_rules(view, options));
  TagRun run;
  for (const TagRule& rule : rules) run.rules.push_back({rule.name, 0, 0});
  CAIRN_ASSIGN(const codec::Bitmap own, own_nodes(view, options));
  for (const NodeId id : records) {
    if (!own.contains(id.value)) continue;
    CAIRN_ASSIGN(const auto node, view.load_node(id.value));
    if (!node) continue;
    CAIRN_ASSIGN(auto change, tag_record(rules, memory::record_of(*node), run));
    if (change) run.changes.push_back(*std::move(change));
  }
  return run;
}

// A run without changes is not stored.
Status write_tag_run(engine::Writer& writer, TagRun& run, std::int64_t now) {
  if (run.changes.empty()) return {};
  const std::string labels[] = {std::string(run_label)};
  CAIRN_ASSIGN(const std::uint64_t node,
               writer.create_node(labels, {{"at", memory::time_text(now)}}, {}));
  run.id = NodeId{node};
  for (const TagChange& change : run.changes) {
    CAIRN_ASSIGN(std::vector<std::string> tags, read_tags(writer.view(), change.id));
    tags.insert(tags.end(), change.added.begin(), change.added.end());
    CAIRN_TRY(set_tags(writer, change.id, tags, now));
    CAIRN_TRY(writer.create_relationship(node, tagged, change.id.value,
                                         {{"tags", list_of_texts(change.added)}}));
  }
  return {};
}

// Removes a tag of the run even if a user has added the same tag again since, because a record has each tag only once.
Result<std::uint64_t> undo_tag_run(engine::Writer& writer, const StatementOptions& options,
                                   NodeId run, std::int64_t now) {
  CAIRN_ASSIGN(const bool is_there, is_run(writer.view(), options, run));
  if (!is_there) {
    return Error{ErrorCode::not_found,
                 "there is no run " + std::to_string(run.value) +
                     " of the tagging rules; it may have been undone before",
                 {}};
  }
  CAIRN_ASSIGN(const std::vector<engine::Adjacent> changes, changes_of(writer.view(), run));
  for (const engine::Adjacent& step : changes) CAIRN_TRY(undo_change(writer, step, now));
  CAIRN_TRY(erase_run(writer, run));
  return changes.size();
}

// Matching: the records that a rule matches, and the tags that it adds. These functions depend only on rules and
// records. Previews, counts and runs share them.

namespace {

using memory::Record;
using memory::TagChange;
using memory::TagRule;
using memory::TagRun;

Error bad_rule(const TagRule& rule, const std::string& problem) {
  return {ErrorCode::invalid_argument, "rule \"" + rule.name + "\" " + problem, {}};
}

/// A pattern may match any part of a text. A list matches if one of its items does, at any depth. A value that is neither a
/// text nor a list never matches.
Result<bool> is_found(const std::string& pattern, const Value& value) {
  if (const List* list = value.list()) {
    for (const Value& item : *list) {
      CAIRN_ASSIGN(const bool found, is_found(pattern, item));
      if (found) return true;
    }
    return false;
  }
  return value.string() == nullptr ? Result<bool>(false) : finds_pattern(*value.string(), pattern);
}

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::count(texts, text) > 0;
}

// Returns true if the record lacked one of the rule's tags before the run. Adds those tags to the change, each once.
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

// The pattern must be a regular expression of the language.
Status check_rule(const TagRule& rule) {
  if (rule.name.empty()) return bad_rule(rule, "needs a name");
  if (rule.tags.empty()) return bad_rule(rule, "needs tags to add");
  if (rule.fields.empty()) return bad_rule(rule, "needs fields to search");
  const Status checked = check_pattern(rule.pattern);
  return checked ? Status() : bad_rule(rule, "has a pattern that is " + checked.error().message);
}

// One matching field is enough. "content" is the text of the record, any other name a field.
Result<bool> rule_matches(const TagRule& rule, const Record& record) {
  if (!rule.kinds.empty() && !contains(rule.kinds, record.kind)) return false;
  for (const std::string& field : rule.fields) {
    const Value value = field == "content" ? Value(record.content) : record.field(field);
    CAIRN_ASSIGN(const bool found, is_found(rule.pattern, value));
    if (found) return true;
  }
  return false;
}

// A statement may have stored a single text instead of a list of tags.
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

// Tags are compared exactly. The counts of `run` are updated for every rule that matches.
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

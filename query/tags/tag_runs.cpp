// Rules and runs as nodes of the graph: a rule is found by its external id, a run holds a
// relationship to each record with the tags that it added there. Undoing takes just these away.
//
//    (:MemoryTagRun {at})-[:TAGGED {tags}]->(record)
#include "query/tags/tag_runs.hpp"

#include "codec/bitmap.hpp"
#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/system/clock.hpp"
#include "engine/view/view.hpp"
#include "engine/write/writer.hpp"
#include "query/functions/value_forms.hpp"
#include "query/functions/value_semantics.hpp"

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

std::string rule_key(std::string_view name) {
  return std::string(memory::rule_id_prefix) + std::string(name);
}

std::vector<std::string> texts_in(const Value& value) {
  std::vector<std::string> texts;
  if (const List* list = value.list())
    for (const Value& item : *list)
      if (item.string() != nullptr) texts.push_back(item.as_string());
  return texts;
}

/// Rules are nodes that a statement can change. What is not a text counts as empty, and an empty
/// pattern or name is refused by the check of rules.
TagRule rule_of(const Node& node) {
  const auto text = [&](const char* name) {
    const std::string* found = node.property(name).string();
    return found == nullptr ? std::string() : *found;
  };
  return {text("name"), text("pattern"), texts_in(node.property("tags")),
          texts_in(node.property("fields")), texts_in(node.property("kinds"))};
}

// Nothing where the namespace has no record yet.
std::optional<std::uint32_t> number_of(const engine::View& view, const StatementOptions& options) {
  if (options.name_space.empty()) return 0;
  return view.catalog().find_name_space(options.name_space);
}

std::int64_t now_of(const StatementOptions& options) {
  return options.now ? *options.now : engine::system_time();
}

/// What is seen of the statement's own namespace.
Result<codec::Bitmap> own_nodes(const engine::View& view, const StatementOptions& options) {
  const auto name_space = number_of(view, options);
  if (!name_space) return codec::Bitmap();
  return view.visible(EntityKind::node, {*name_space, now_of(options)});
}

/// By its key, not by a statement: one lookup.
Result<std::optional<std::uint64_t>> find_rule(const engine::View& view,
                                               const StatementOptions& options,
                                               std::string_view name) {
  const auto name_space = number_of(view, options);
  if (!name_space) return std::optional<std::uint64_t>();
  return view.find_external(*name_space, rule_key(name));
}

/// No tags are no property and not an empty list, as it was before the first one.
Status set_tags(engine::Writer& writer, NodeId id, const std::vector<std::string>& tags,
                std::int64_t now) {
  const Value value = tags.empty() ? Value() : Value(list_of_texts(tags));
  CAIRN_TRY(writer.set_property(EntityKind::node, id.value, "tags", value));
  return writer.set_property(EntityKind::node, id.value, "updated_at", memory::time_text(now));
}

Result<std::vector<std::string>> read_tags(const engine::View& view, NodeId id) {
  CAIRN_ASSIGN(const auto node, view.load_node(id.value));
  return node ? tags_of(memory::record_of(*node)) : std::vector<std::string>();
}

/// Only the tags that this run added go, all others stay. One that was removed by hand since then is
/// no error.
Status undo_change(engine::Writer& writer, const engine::Adjacent& step, std::int64_t now) {
  CAIRN_ASSIGN(const auto change, writer.view().load_relationship(step.relationship));
  if (!change) return {};
  const auto added = texts_in(change->property("tags"));
  CAIRN_ASSIGN(std::vector<std::string> tags, read_tags(writer.view(), NodeId{step.other}));
  std::erase_if(tags, [&](const std::string& tag) { return std::ranges::count(added, tag) > 0; });
  CAIRN_TRY(set_tags(writer, NodeId{step.other}, tags, now));
  return writer.erase_relationship(step.relationship);
}

/// Its number comes from a caller: a run of another namespace must look like none.
Result<bool> is_run(const engine::View& view, const StatementOptions& options, NodeId id) {
  CAIRN_ASSIGN(const auto record, view.find_node(id.value));
  const auto label = view.catalog().find_label(run_label);
  return record && label && record->header.name_space == number_of(view, options) &&
         std::ranges::count(record->labels, *label) > 0;
}

/// The relationships that the run made, in the order of its records.
Result<std::vector<engine::Adjacent>> changes_of(const engine::View& view, NodeId run) {
  std::vector<engine::Adjacent> steps;
  const auto type = view.catalog().find_type(tagged);
  if (!type) return steps;
  const std::uint32_t types[] = {*type};
  CAIRN_TRY(view.expand(run.value, engine::Direction::outgoing, types, steps));
  return steps;
}

/// With what statements have tied to it: the run is gone with its node.
Status erase_run(engine::Writer& writer, NodeId run) {
  std::vector<engine::Adjacent> steps;
  CAIRN_TRY(writer.view().expand(run.value, engine::Direction::both, {}, steps));
  for (const engine::Adjacent& step : steps)
    CAIRN_TRY(writer.erase_relationship(step.relationship));
  return writer.erase_node(run.value);
}

}  // namespace

// A stored rule may have been changed by a statement: it is checked again.
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

// True where the rule is new. One of the same name gets the new pattern, tags, fields and kinds;
// its node stays.
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

// False for an unknown name.
Result<bool> erase_tag_rule(engine::Writer& writer, const StatementOptions& options,
                            std::string_view name) {
  CAIRN_ASSIGN(const auto known, find_rule(writer.view(), options, name));
  if (known) CAIRN_TRY(writer.erase_node(*known));
  return known.has_value();
}

// Reads every record of the selection whole. Tags are written, so that records of other namespaces have none to come.
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

// A run without a change leaves no trace.
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

// A tag that the run added goes even if somebody has added it again since: it is one tag.
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

// Which records a rule matches, and which tags it adds. Pure functions of rules and records, used
// by previews, counts and runs alike.

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

// Tagging rules in the database, their runs, and undoing a run.
//
// (:MemoryTagRule {name, pattern, tags, fields, kinds})
// (:MemoryTagRun {at})-[:TAGGED {tags}]->(record)        one relationship for each record changed

#include "query/memory/field_check.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"
#include "query/memory/tag_matcher.hpp"

#include <algorithm>
#include <utility>

namespace cairn::memory {
namespace {

using codec::EntityKind;

constexpr std::string_view rule_label = "MemoryTagRule";
constexpr std::string_view run_label = "MemoryTagRun";
constexpr std::string_view tagged = "TAGGED";

std::string rule_key(std::string_view name) {
  return std::string(query::rule_prefix) + std::string(name);
}

List list_of_texts(const std::vector<std::string>& texts) {
  return List(texts.begin(), texts.end());
}

std::vector<std::string> texts_in(const Value& value) {
  std::vector<std::string> texts;
  if (const List* list = value.list())
    for (const Value& item : *list)
      if (item.string() != nullptr) texts.push_back(item.as_string());
  return texts;
}

TagRule rule_of(const Node& node) {
  const auto text = [&](const char* name) {
    const std::string* found = node.property(name).string();
    return found == nullptr ? std::string() : *found;
  };
  return {text("name"), text("pattern"), texts_in(node.property("tags")),
          texts_in(node.property("fields")), texts_in(node.property("kinds"))};
}

Result<std::optional<std::uint64_t>> find_rule(const Memory::Impl& impl, const engine::View& view,
                                               std::string_view name) {
  const auto name_space = impl.name_space(view);
  if (!name_space) return std::optional<std::uint64_t>();
  return view.find_external(*name_space, rule_key(name));
}

Result<std::vector<TagRule>> read_rules(const Memory::Impl& impl, const engine::View& view) {
  CAIRN_ASSIGN(const auto table,
               query::run_statement(
                   view, "MATCH (r:" + std::string(rule_label) + ") RETURN r ORDER BY r.name", {},
                   impl.statement_options()));
  std::vector<TagRule> rules;
  for (const auto& row : table.rows) {
    rules.push_back(rule_of(row[0].as_node()));
    // A statement may have changed what put_tag_rule() had checked.
    CAIRN_TRY(query::check_rule(rules.back()));
  }
  return rules;
}

// The whole run, nothing written yet.
Result<TagRun> plan_run(const Memory::Impl& impl, const engine::View& view,
                        const SearchRequest& selection) {
  CAIRN_ASSIGN(const auto rules, read_rules(impl, view));
  TagRun run;
  for (const TagRule& rule : rules) run.rules.push_back({rule.name, 0, 0});
  CAIRN_ASSIGN(const auto ids, selected_ids(impl, view, selection));
  for (const NodeId id : ids) {
    CAIRN_ASSIGN(const auto node, view.load_node(id.value));
    if (!node) continue;
    CAIRN_ASSIGN(auto change, query::tag_record(rules, query::record_of(*node), run));
    if (change) run.changes.push_back(*std::move(change));
  }
  return run;
}

Status set_tags(engine::Writer& writer, NodeId id, const std::vector<std::string>& tags,
                std::int64_t now) {
  const Value value = tags.empty() ? Value() : Value(list_of_texts(tags));
  CAIRN_TRY(writer.set_property(EntityKind::node, id.value, "tags", value));
  return writer.set_property(EntityKind::node, id.value, "updated_at", query::time_text(now));
}

Result<std::vector<std::string>> read_tags(const engine::View& view, NodeId id) {
  CAIRN_ASSIGN(const auto node, view.load_node(id.value));
  return node ? query::tags_of(query::record_of(*node)) : std::vector<std::string>();
}

Status write_run(engine::Writer& writer, TagRun& run, std::int64_t now) {
  const std::string labels[] = {std::string(run_label)};
  CAIRN_ASSIGN(const std::uint64_t node,
               writer.create_node(labels, {{"at", query::time_text(now)}}, {}));
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

Status undo_change(engine::Writer& writer, const engine::Adjacent& step, std::int64_t now) {
  CAIRN_ASSIGN(const auto change, writer.view().load_relationship(step.relationship));
  if (!change) return {};
  const auto added = texts_in(change->property("tags"));
  CAIRN_ASSIGN(std::vector<std::string> tags, read_tags(writer.view(), NodeId{step.other}));
  std::erase_if(tags, [&](const std::string& tag) { return std::ranges::count(added, tag) > 0; });
  CAIRN_TRY(set_tags(writer, NodeId{step.other}, tags, now));
  return writer.erase_relationship(step.relationship);
}

Result<bool> is_run(const Memory::Impl& impl, const engine::View& view, NodeId id) {
  CAIRN_ASSIGN(const auto record, view.find_node(id.value));
  const auto label = view.catalog().find_label(run_label);
  return record && label && record->header.name_space == impl.name_space(view) &&
         std::ranges::count(record->labels, *label) > 0;
}

}  // namespace

Status Memory::put_tag_rule(const TagRule& rule) {
  CAIRN_TRY(query::check_rule(rule));
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  const Properties properties = {{"name", rule.name},
                                 {"pattern", rule.pattern},
                                 {"tags", query::tag_set(list_of_texts(rule.tags))},
                                 {"fields", list_of_texts(rule.fields)},
                                 {"kinds", list_of_texts(rule.kinds)}};
  CAIRN_ASSIGN(const auto known, find_rule(*impl_, writer.view(), rule.name));
  if (known) {
    CAIRN_TRY(writer.set_properties(EntityKind::node, *known, properties));
  } else {
    const std::string labels[] = {std::string(rule_label)};
    CAIRN_TRY(writer.create_node(labels, properties, rule_key(rule.name)));
  }
  return writing.commit();
}

Result<bool> Memory::erase_tag_rule(std::string_view name) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(const auto known, find_rule(*impl_, writer.view(), name));
  if (!known) return false;
  CAIRN_TRY(writer.erase_node(*known));
  CAIRN_TRY(writing.commit());
  return true;
}

Result<std::vector<TagRule>> Memory::tag_rules() const {
  CAIRN_ASSIGN(const auto view, impl_->view(false));
  return read_rules(*impl_, *view);
}

Result<TagRun> Memory::apply_tag_rules(const SearchRequest& selection, bool dry_run) {
  if (dry_run) {
    CAIRN_ASSIGN(const auto view, impl_->view(selection.include_deleted));
    return plan_run(*impl_, *view, selection);
  }
  if (selection.include_deleted)
    return Error{ErrorCode::unsupported, "deleted records must be restored to be tagged", {}};
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(TagRun run, plan_run(*impl_, writer.view(), selection));
  if (run.changes.empty()) return run;
  CAIRN_TRY(write_run(writer, run, impl_->now()));
  CAIRN_TRY(writing.commit());
  return run;
}

Result<std::uint64_t> Memory::undo_tag_run(NodeId run) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(const bool is_there, is_run(*impl_, writer.view(), run));
  if (!is_there) {
    return Error{ErrorCode::not_found,
                 "there is no run " + std::to_string(run.value) +
                     " of the tagging rules; it may have been undone before",
                 {}};
  }
  std::vector<engine::Adjacent> steps;
  CAIRN_TRY(writer.view().expand(run.value, engine::Direction::outgoing, {}, steps));
  for (const engine::Adjacent& step : steps) CAIRN_TRY(undo_change(writer, step, impl_->now()));
  CAIRN_TRY(writer.erase_node(run.value));
  CAIRN_TRY(writing.commit());
  return steps.size();
}

}  // namespace cairn::memory

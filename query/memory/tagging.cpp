// Tagging rules: calls the procedures db.rules.* for the records of a selection.

#include "query/memory/memory_impl.hpp"

#include <cairn/value_as.hpp>

#include <utility>

namespace cairn::memory {
namespace {

List list_of(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

// Runs a statement of this file. Its errors get no position, because the caller never sees the text.
Result<query::Table> call(const Memory::Impl& impl, const query::Source& source,
                          std::string_view text, const Parameters& parameters) {
  auto table = impl.run(source, text, parameters);
  if (table) return table;
  return Error{table.error().code, table.error().message, {}};
}

/// The ids as a filter, which is the argument of the procedures.
Parameters selected(const std::vector<NodeId>& ids) {
  std::vector<std::uint64_t> numbers;
  for (const NodeId id : ids) numbers.push_back(id.value);
  return {{"filter", to_value(Filter::has_id(numbers))}};
}

Result<std::uint64_t> count_in(const Value& value) { return value_as<std::uint64_t>(value); }

/// Reads the rows of db.rules.count() and db.rules.apply(): one row for each rule, with the totals of the run in every
/// row.
Status read_counts(const query::Table& table, TagRun& run) {
  for (const auto& row : table.rows) {
    TagRuleCount& count = run.rules.emplace_back();
    CAIRN_ASSIGN(count.rule, value_as<std::string>(row.at(0)));
    CAIRN_ASSIGN(count.matched, count_in(row.at(1)));
    CAIRN_ASSIGN(count.newly_tagged, count_in(row.at(2)));
    CAIRN_ASSIGN(run.matched, count_in(row.at(4)));
    if (row.at(6).is_null()) continue;
    CAIRN_ASSIGN(const std::uint64_t id, count_in(row.at(6)));
    run.id = NodeId{id};
  }
  return {};
}

/// Reads rows of an id and the tags that it got.
Status read_changes(const query::Table& table, TagRun& run) {
  for (const auto& row : table.rows) {
    TagChange& change = run.changes.emplace_back();
    CAIRN_ASSIGN(change.id.value, count_in(row.at(0)));
    CAIRN_ASSIGN(change.added, value_as<std::vector<std::string>>(row.at(1)));
  }
  return {};
}

/// What a run would change, without writing.
Result<TagRun> plan_run(const Memory::Impl& impl, const SearchRequest& selection) {
  CAIRN_ASSIGN(const Snapshot snapshot, impl.snapshot(selection.include_deleted));
  CAIRN_ASSIGN(const auto ids, selected_ids(impl, snapshot, selection));
  TagRun run;
  run.records = ids.size();
  const Parameters filter = selected(ids);
  CAIRN_ASSIGN(const auto counts, call(impl, snapshot, "CALL db.rules.count($filter)", filter));
  CAIRN_TRY(read_counts(counts, run));
  CAIRN_ASSIGN(
      const auto changes,
      call(impl, snapshot,
           "CALL db.rules.preview($filter) YIELD node, tags RETURN id(node) AS id, tags", filter));
  CAIRN_TRY(read_changes(changes, run));
  return run;
}

}  // namespace

Status Memory::put_tag_rule(const TagRule& rule) {
  return again([&]() -> Status {
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    CAIRN_TRY(call(*impl_, writing.transaction(),
                   "CALL db.rules.put($name, $pattern, $tags, {fields: $fields, kinds: $kinds})",
                   {{"name", rule.name},
                    {"pattern", rule.pattern},
                    {"tags", list_of(rule.tags)},
                    {"fields", list_of(rule.fields)},
                    {"kinds", list_of(rule.kinds)}}));
    return writing.commit();
  });
}

// An unknown rule commits nothing.
Result<bool> Memory::erase_tag_rule(std::string_view name) {
  return again([&]() -> Result<bool> {
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    const auto erased = call(*impl_, writing.transaction(), "CALL db.rules.drop($name)",
                             {{"name", std::string(name)}});
    if (!erased && erased.error().code == ErrorCode::not_found) return false;
    if (!erased) return erased.error();
    CAIRN_TRY(writing.commit());
    return true;
  });
}

Result<std::vector<TagRule>> Memory::tag_rules() const {
  return again([&]() -> Result<std::vector<TagRule>> {
    CAIRN_ASSIGN(const Snapshot snapshot, impl_->snapshot(false));
    CAIRN_ASSIGN(const auto table,
                 call(*impl_, snapshot,
                      "CALL db.rules.list() YIELD name, pattern, tags, fields, kinds "
                      "RETURN name, pattern, tags, fields, kinds",
                      {}));
    std::vector<TagRule> rules;
    for (const auto& row : table.rows) {
      TagRule& rule = rules.emplace_back();
      CAIRN_ASSIGN(rule.name, value_as<std::string>(row.at(0)));
      CAIRN_ASSIGN(rule.pattern, value_as<std::string>(row.at(1)));
      CAIRN_ASSIGN(rule.tags, value_as<std::vector<std::string>>(row.at(2)));
      CAIRN_ASSIGN(rule.fields, value_as<std::vector<std::string>>(row.at(3)));
      CAIRN_ASSIGN(rule.kinds, value_as<std::vector<std::string>>(row.at(4)));
    }
    return rules;
  });
}

// A dry run only plans, and may include deleted records. The changes of a real run are read from the relationships that
// it stores for undoing.
Result<TagRun> Memory::apply_tag_rules(const SearchRequest& selection, const BulkOptions& options) {
  return again([&]() -> Result<TagRun> {
    if (options.dry_run) return plan_run(*impl_, selection);
    if (selection.include_deleted) return refuse_deleted("tagged");
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    const query::Source source(writing.transaction());
    CAIRN_ASSIGN(const auto ids, selected_ids(*impl_, source, selection));
    TagRun run;
    run.records = ids.size();
    CAIRN_ASSIGN(const auto counts,
                 call(*impl_, source, "CALL db.rules.apply($filter)", selected(ids)));
    CAIRN_TRY(read_counts(counts, run));
    if (!run.id) return run;
    CAIRN_ASSIGN(const auto changes,
                 call(*impl_, source,
                      "MATCH (run)-[change:TAGGED]->(record) WHERE id(run) = $run "
                      "RETURN id(record) AS id, change.tags AS tags ORDER BY id",
                      {{"run", static_cast<std::int64_t>(run.id->value)}}));
    CAIRN_TRY(read_changes(changes, run));
    CAIRN_TRY(writing.commit());
    return run;
  });
}

// Errors: not_found for an id that is not a run.
Result<std::uint64_t> Memory::undo_tag_run(NodeId run) {
  return again([&]() -> Result<std::uint64_t> {
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    CAIRN_ASSIGN(const auto undone, call(*impl_, writing.transaction(), "CALL db.rules.undo($run)",
                                         {{"run", static_cast<std::int64_t>(run.value)}}));
    CAIRN_ASSIGN(const std::uint64_t records, count_in(undone.rows.at(0).at(0)));
    CAIRN_TRY(writing.commit());
    return records;
  });
}

}  // namespace cairn::memory

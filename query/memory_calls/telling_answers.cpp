// Answers of memory.history() and memory.describe(): the history of a record, and names with counts.

#include "query/memory/earlier_texts.hpp"
#include "query/memory/record_writer.hpp"
#include "query/memory/statements.hpp"
#include "query/memory_calls/answers.hpp"
#include "query/memory_calls/read_requests.hpp"
#include "query/memory_calls/record_arguments.hpp"
#include "query/memory_calls/results.hpp"
#include "query/syntax/nearest_name.hpp"

#include <cairn/filter.hpp>
#include <cairn/memory/pending.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using memory::Memory;

// Adds an event if its time is set.
void add_event(Procedure::Rows& rows, std::optional<std::int64_t> time, const char* event,
               Value detail = {}) {
  if (time) rows.push_back({Value(memory::time_text(*time)), Value(event), std::move(detail)});
}

/// Adds the events that the system fields of a record show.
void add_system_events(Procedure::Rows& rows, const SystemFields& fields) {
  add_event(rows, fields.created, "created",
            fields.author.empty() ? Value() : Value(Map{{"author", fields.author}}));
  if (fields.updated != fields.created) add_event(rows, fields.updated, "updated");
  add_event(rows, fields.deleted_at, "hidden");
  add_event(rows, fields.expires_at, "expires");
}

/// Adds the previous texts of a record.
void add_earlier_texts(Procedure::Rows& rows, const Value& texts) {
  const List* list = texts.list();
  if (list == nullptr) return;
  for (const Value& one : *list) {
    const Map* map = one.map();
    if (map == nullptr || !map->contains("at") || !map->contains("content")) continue;
    rows.push_back({map->at("at"), Value("replaced"), Value(Map{{"content", map->at("content")}})});
  }
}

/// Adds the runs of tagging rules that changed the record.
Status add_tag_runs(Procedure::Rows& rows, const Snapshot& snapshot, NodeId id,
                    const StatementOptions& limits) {
  CAIRN_ASSIGN(const Statement runs,
               Statement::parse("MATCH (r:MemoryTagRun)-[t:TAGGED]->(m) WHERE id(m) = $id "
                                "RETURN toString(r.at) AS at, t.tags AS tags"));
  CAIRN_ASSIGN(Rows found, runs.run(snapshot, {{"id", count_value(id.value)}}, limits));
  CAIRN_ASSIGN(const auto all, found.all());
  for (const auto& row : all)
    rows.push_back({row[0], Value("tagged"), Value(Map{{"tags", row[1]}})});
  return {};
}

}  // namespace

// Events are sorted by time. Events at the same time stay in the order above.
Result<MemoryAnswer> answer_history(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.history()", call.arguments));
  RequestReader reader("memory.history()", map);
  memory::FindOptions options;
  reader.read("include_deleted", options.include_deleted);
  CAIRN_ASSIGN(const RecordName name, read_one_name(reader));
  CAIRN_ASSIGN(const auto record, find_named(memory, name, options));
  MemoryAnswer answer;
  if (!record) return answer;
  CAIRN_ASSIGN(Snapshot snapshot, call.database.snapshot());
  if (options.include_deleted) snapshot = snapshot.with_deleted();
  CAIRN_ASSIGN(const auto fields, system_fields(snapshot, record->id));
  if (fields) add_system_events(answer.rows, *fields);
  CAIRN_ASSIGN(const auto node, snapshot.find_node(record->id));
  if (node) add_earlier_texts(answer.rows, node->property(earlier_texts_name));
  CAIRN_TRY(add_tag_runs(answer.rows, snapshot, record->id, call.limits));
  std::ranges::stable_sort(answer.rows, {}, [](const std::vector<Value>& row) {
    return row[0].string() == nullptr ? std::string() : *row[0].string();
  });
  return answer;
}

namespace {

/// The arguments of memory.describe().
struct Description {
  memory::SearchRequest selection;
  std::optional<std::string> field;
  std::size_t limit = 100;
  bool nested = false;
};

Result<Description> read_description(const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.describe()", call.arguments));
  RequestReader reader("memory.describe()", map);
  Description asked;
  reader.read("field", asked.field);
  reader.read("session", asked.selection.session);
  reader.read("kinds", asked.selection.kinds);
  reader.read("nested", asked.nested);
  reader.read_count("limit", asked.limit);
  if (const Value* value = reader.find("filter")) {
    CAIRN_ASSIGN(asked.selection.filter, filter_from(*value));
  }
  CAIRN_TRY(reader.check());
  return asked;
}

/// Adds the most frequent values of a field, and the number of distinct values if the caller asked for this field.
Status add_values(Procedure::Rows& rows, const Memory& memory, const std::string& field,
                  const char* what, const Description& asked) {
  CAIRN_ASSIGN(const memory::Distribution found, memory.value_distribution(field, asked.selection));
  for (std::size_t i = 0; i < std::min(asked.limit, found.values.size()); ++i)
    rows.push_back({Value(what), found.values[i].first, count_value(found.values[i].second)});
  if (asked.field) {
    rows.push_back({Value("distinct"), Value(field), count_value(found.values.size())});
    rows.push_back({Value("null"), Value(field), count_value(found.nulls)});
    rows.push_back({Value("missing"), Value(field), count_value(found.missing)});
  }
  return {};
}

/// The number of records in the selection that pass a condition.
Result<std::uint64_t> count_with(const Memory& memory, memory::SearchRequest selection,
                                 Filter condition) {
  selection.limit = 0;
  selection.filter = Filter::all_of({std::move(selection.filter), std::move(condition)});
  CAIRN_ASSIGN(const memory::Page page, memory.search(selection));
  return page.total;
}

/// Adds the number of metadata keys in the selection, then the keys themselves by name, up to the limit, with their
/// counts.
Status add_keys(Procedure::Rows& rows, const Memory& memory, const Description& asked) {
  const auto depth = asked.nested ? memory::KeyDepth::nested : memory::KeyDepth::top_level;
  CAIRN_ASSIGN(const auto keys, memory.metadata_fields(asked.selection, depth));
  rows.push_back({Value("keys"), Value(), count_value(keys.size())});
  for (std::size_t i = 0; i < std::min(asked.limit, keys.size()); ++i) {
    CAIRN_ASSIGN(
        const std::uint64_t count,
        count_with(memory, asked.selection, Filter::where(keys[i], FilterOperator::exists)));
    rows.push_back({Value("key"), Value(keys[i]), count_value(count)});
  }
  return {};
}

const Value& what_of(const std::vector<Value>& row) { return row.front(); }

/// A warning if no record has the field, with the most similar field; nullopt if one has it. Unlike the warnings of
/// statements it is for every caller, because the fields of visible records reveal nothing of other namespaces.
Result<std::optional<std::string>> absence_of(const Memory& memory, const std::string& field) {
  CAIRN_ASSIGN(const auto keys, field_keys(field));
  if (keys.empty() || (keys.size() == 1 && is_record_part(keys.front()))) return std::nullopt;
  const std::string asked = path_of_keys(keys);
  CAIRN_ASSIGN(const auto known, memory.metadata_fields({}, memory::KeyDepth::nested));
  if (std::ranges::find(known, asked) != known.end()) return std::nullopt;
  // A path beyond Options::max_paths is not listed.
  CAIRN_ASSIGN(const std::uint64_t having,
               count_with(memory, {}, Filter::where(asked, FilterOperator::exists)));
  if (having > 0) return std::nullopt;
  std::string warning = "no record has the property " + asked;
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::string_view nearest = nearest_name(asked, candidates);
  if (!nearest.empty()) warning += "; did you mean " + std::string(nearest) + "?";
  return warning;
}

}  // namespace

// With `field` only the values of that field, otherwise kinds and metadata keys.
Result<MemoryAnswer> answer_describe(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Description asked, read_description(call));
  MemoryAnswer answer;
  CAIRN_ASSIGN(const std::uint64_t total, count_with(memory, asked.selection, Filter()));
  answer.rows.push_back({Value("records"), Value(), count_value(total)});
  if (asked.field) {
    CAIRN_TRY(add_values(answer.rows, memory, *asked.field, "value", asked));
    if (std::ranges::find(answer.rows, Value("value"), what_of) == answer.rows.end()) {
      CAIRN_ASSIGN(auto absence, absence_of(memory, *asked.field));
      if (absence) answer.warnings.push_back(*std::move(absence));
    }
    return answer;
  }
  CAIRN_ASSIGN(
      const std::uint64_t pending,
      count_with(memory, asked.selection,
                 Filter::where(std::string(memory::pending_name), FilterOperator::equals, true)));
  if (pending > 0) answer.rows.push_back({Value("pending"), Value(), count_value(pending)});
  CAIRN_TRY(add_values(answer.rows, memory, "kind", "kind", asked));
  CAIRN_TRY(add_keys(answer.rows, memory, asked));
  return answer;
}

}  // namespace cairn::query

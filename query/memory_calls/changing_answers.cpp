// Answers of memory.update(), forget() and restore().

#include "query/memory_calls/answers.hpp"
#include "query/memory_calls/read_requests.hpp"
#include "query/memory_calls/record_arguments.hpp"
#include "query/memory_calls/results.hpp"

#include <cairn/snapshot.hpp>
#include <cairn/system_fields.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using memory::Memory;

/// The records of a request: either named ones, or all records of a selection.
struct Target {
  std::vector<RecordName> names;
  std::optional<memory::SearchRequest> selection;
};

// Reads `id`, `external_id` and `selection`.
Result<Target> read_target(RequestReader& reader) {
  Target target;
  target.names = read_record_names(reader);
  if (const Value* value = reader.find("selection")) {
    if (value->map() == nullptr)
      reader.refuse("selection", "a map of conditions, as memory.search() takes them", *value);
    else {
      CAIRN_ASSIGN(target.selection, search_request(reader.call(), *value->map()));
    }
  }
  return target;
}

/// Exactly one of names and selection must be given. Called after the reader's own check, so that invalid arguments are
/// reported first.
Status check_target(const RequestReader& reader, const Target& target) {
  if (target.names.empty() != target.selection.has_value())
    return Error{
        ErrorCode::invalid_argument,
        reader.call() +
            " needs exactly one of these: records by `id` or `external_id`, or a `selection`",
        std::nullopt};
  if (!target.selection || target.selection->query.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               reader.call() +
                   " takes no `query` in its `selection`, because a query only ranks records; "
                   "select by kinds, filter, where or session",
               std::nullopt};
}

/// Something must change. An empty map or list was written on purpose, and changes nothing.
Status check_changes(RequestReader& reader, const memory::Update& update) {
  if (reader.find("changes") != nullptr || reader.find("unset") != nullptr || update.content ||
      update.lifetime || !update.merge)
    return {};
  return Error{ErrorCode::invalid_argument,
               reader.call() +
                   " needs what to change: `changes`, a map of fields and their new values; "
                   "`unset`, a list of fields to remove; `content`, a new text; or `expires_at: "
                   "'never'`, which removes the lifetime",
               std::nullopt};
}

/// The id of a named record; nullopt if the record does not exist.
Result<std::optional<NodeId>> id_of(const Memory& memory, const RecordName& name,
                                    bool include_deleted) {
  CAIRN_ASSIGN(const auto record, find_named(memory, name, {include_deleted}));
  return record ? std::optional(record->id) : std::nullopt;
}

/// The number of properties that an update sets on each record. A new content or lifetime counts as one.
std::uint64_t changes_of(const memory::Update& update) {
  return std::max<std::uint64_t>(update.changes.size() + update.unset.size(), 1);
}

/// True if the update removes a lifetime that the record has. An update sets no other lifetime.
Result<bool> removes_lifetime(const MemoryCall& call, NodeId id, const memory::Update& update) {
  if (!update.lifetime) return false;
  CAIRN_ASSIGN(const Snapshot snapshot, call.database.snapshot());
  CAIRN_ASSIGN(const auto fields, system_fields(snapshot, id));
  return fields && fields->expires_at;
}

/// Updates one record and returns it. A record that does not exist is not an error.
Result<MemoryAnswer> update_named(Memory& memory, const MemoryCall& call, const RecordName& name,
                                  const memory::Update& update) {
  MemoryAnswer answer;
  CAIRN_ASSIGN(const auto before, find_named(memory, name, {}));
  if (!before) {
    answer.rows.push_back({count_value(0), List(), Value()});
    return answer;
  }
  CAIRN_ASSIGN(const bool becomes_permanent, removes_lifetime(call, before->id, update));
  CAIRN_ASSIGN(const auto after, memory.update(before->id, update));
  const bool is_changed = after && (becomes_permanent || after->metadata != before->metadata ||
                                    after->content != before->content);
  answer.rows.push_back({count_value(1), is_changed ? ids_value({before->id}) : Value(List()),
                         after ? record_value(*after) : Value()});
  answer.changes.properties_set = is_changed ? changes_of(update) : 0;
  return answer;
}

/// Updates all records of a selection.
Result<MemoryAnswer> update_selected(Memory& memory, const memory::SearchRequest& selection,
                                     const memory::Update& update, bool dry_run) {
  CAIRN_ASSIGN(memory::BulkUpdate done, memory.update_all(selection, update, {dry_run}));
  MemoryAnswer answer;
  answer.rows.push_back({count_value(done.matched), ids_value(done.changed), Value()});
  answer.warnings = std::move(done.warnings);
  if (!dry_run) answer.changes.properties_set = done.changed.size() * changes_of(update);
  return answer;
}

}  // namespace

// One row: how many records were matched, which ones changed, and the record if it was named.
Result<MemoryAnswer> answer_update(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.update()", call.arguments));
  RequestReader reader("memory.update()", map);
  CAIRN_ASSIGN(const Target target, read_target(reader));
  memory::Update update;
  read_update(reader, update);
  bool dry_run = false;
  reader.read("dry_run", dry_run);
  CAIRN_TRY(reader.check());
  CAIRN_TRY(check_target(reader, target));
  CAIRN_TRY(check_changes(reader, update));
  if (target.selection) return update_selected(memory, *target.selection, update, dry_run);
  if (target.names.size() == 1 && !dry_run)
    return update_named(memory, call, target.names[0], update);
  return Error{ErrorCode::invalid_argument,
               "memory.update() by `id` or `external_id` changes one record; use a `selection` for "
               "several records or a `dry_run`",
               std::nullopt};
}

namespace {

/// How records are forgotten: hidden (the default), erased, or given a time of expiry.
struct Forgetting {
  bool erase = false;
  bool dry_run = false;
  bool every_record = false;
  std::optional<memory::Lifetime>
      lifetime;  ///< records expire, and are erased later in the background
};

/// Forgets one record. Returns false if nothing had to be done.
Result<bool> forget_one(Memory& memory, NodeId id, const Forgetting& how) {
  if (how.erase) return memory.purge(id);
  if (!how.lifetime) return memory.remove(id);
  memory::Update update;
  update.lifetime = how.lifetime;
  CAIRN_ASSIGN(const auto changed, memory.update(id, update));
  return changed.has_value();
}

MemoryAnswer forgotten_answer(std::uint64_t matched, std::uint64_t forgotten,
                              const Forgetting& how) {
  MemoryAnswer answer;
  answer.rows.push_back({count_value(matched), count_value(forgotten)});
  // A deletion mark or an expiry is a change of the record's properties.
  (how.erase ? answer.changes.nodes_deleted : answer.changes.properties_set) = forgotten;
  return answer;
}

/// The ids of the records that exist, each once, even if it is named repeatedly.
Result<std::set<std::uint64_t>> ids_of(Memory& memory, const std::vector<RecordName>& names,
                                       bool with_hidden) {
  std::set<std::uint64_t> ids;
  for (const RecordName& name : names) {
    CAIRN_ASSIGN(const auto id, id_of(memory, name, with_hidden));
    if (id) ids.insert(id->value);
  }
  return ids;
}

Result<MemoryAnswer> forget_named(Memory& memory, const std::vector<RecordName>& names,
                                  const Forgetting& how) {
  CAIRN_ASSIGN(const std::set<std::uint64_t> ids, ids_of(memory, names, how.erase));
  std::uint64_t forgotten = 0;
  if (!how.dry_run)
    for (const std::uint64_t id : ids) {
      CAIRN_ASSIGN(const bool is_gone, forget_one(memory, NodeId{id}, how));
      forgotten += is_gone ? 1 : 0;
    }
  return forgotten_answer(ids.size(), forgotten, how);
}

// False for a selection of all records.
bool has_conditions(const memory::SearchRequest& selection) {
  return !selection.kinds.empty() || !selection.where.empty() || !selection.session.empty() ||
         selection.filter.op != FilterOperator::all || !selection.filter.filters.empty();
}

/// Forgets all records of a selection. Returns how many.
Result<std::uint64_t> forget_all(Memory& memory, const memory::SearchRequest& selection,
                                 const Forgetting& how) {
  const memory::BulkRemoval removal{how.every_record};
  if (how.erase) return memory.purge_all(selection, removal);
  if (!how.lifetime) return memory.remove_all(selection, removal);
  memory::Update update;
  update.lifetime = how.lifetime;
  CAIRN_ASSIGN(const memory::BulkUpdate done, memory.update_all(selection, update));
  return done.changed.size();
}

/// Forgets the records of a selection. One without conditions needs a confirmation, as it means every record.
Result<MemoryAnswer> forget_selected(Memory& memory, memory::SearchRequest selection,
                                     const Forgetting& how) {
  if (!how.every_record && !has_conditions(selection))
    return Error{ErrorCode::invalid_argument,
                 "a `selection` without conditions means every record; set `every_record: true` to "
                 "confirm that",
                 std::nullopt};
  selection.limit = 0;
  selection.own_only = true;
  CAIRN_ASSIGN(memory::Page all, memory.search(selection));
  std::uint64_t gone = 0;
  if (!how.dry_run) {
    CAIRN_ASSIGN(gone, forget_all(memory, selection, how));
  }
  MemoryAnswer answer = forgotten_answer(all.total, gone, how);
  answer.warnings = std::move(all.warnings);
  return answer;
}

/// A record that is to stay is not forgotten.
void refuse_never(RequestReader& reader, const Map& map) {
  for (const char* name : {"expires_at", "time_to_live"})
    if (const auto found = map.find(name); found != map.end() && found->second == Value("never"))
      reader.fail({ErrorCode::type_error,
                   "memory.forget() sets a lifetime and removes none; memory.update() with "
                   "`expires_at: 'never'` does",
                   std::nullopt});
}

/// A parameter that a program has not set must not hide the records at once.
void refuse_null_lifetime(RequestReader& reader, const Map& map) {
  for (const char* name : {"expires_at", "time_to_live"})
    if (const auto found = map.find(name); found != map.end() && found->second.is_null())
      reader.refuse(name, "a lifetime, or left out to hide the records now", found->second);
}

}  // namespace

// One row: how many records were matched and how many were forgotten. Without a lifetime, forgetting hides at once.
Result<MemoryAnswer> answer_forget(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.forget()", call.arguments));
  RequestReader reader("memory.forget()", map);
  CAIRN_ASSIGN(Target target, read_target(reader));
  Forgetting how;
  reader.read("erase", how.erase);
  reader.read("dry_run", how.dry_run);
  reader.read("every_record", how.every_record);
  refuse_never(reader, map);
  how.lifetime = reader.lifetime();
  if (!how.erase && !how.lifetime) refuse_null_lifetime(reader, map);
  CAIRN_TRY(reader.check());
  CAIRN_TRY(check_target(reader, target));
  if (how.erase && how.lifetime)
    return Error{ErrorCode::invalid_argument,
                 "memory.forget() either erases records now or lets them expire: set `erase`, or "
                 "one of `expires_at` and `time_to_live`",
                 std::nullopt};
  if (target.selection) return forget_selected(memory, *std::move(target.selection), how);
  return forget_named(memory, target.names, how);
}

// One row: how many records were restored. Records that are not hidden are not counted.
Result<MemoryAnswer> answer_restore(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.restore()", call.arguments));
  RequestReader reader("memory.restore()", map);
  const std::vector<RecordName> names = read_record_names(reader);
  CAIRN_TRY(reader.check());
  CAIRN_TRY(check_target(reader, {names, std::nullopt}));
  std::uint64_t restored = 0;
  CAIRN_ASSIGN(const std::set<std::uint64_t> ids, ids_of(memory, names, true));
  for (const std::uint64_t id : ids) {
    CAIRN_ASSIGN(const bool is_shown, memory.restore(NodeId{id}));
    restored += is_shown ? 1 : 0;
  }
  MemoryAnswer answer;
  answer.changes.properties_set = restored;
  answer.rows.push_back({count_value(restored)});
  return answer;
}

}  // namespace cairn::query

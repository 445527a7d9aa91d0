#include "query/memory/changes.hpp"

#include "query/memory/record_writer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace cairn::query {
namespace {

using memory::Memory;
using memory::Update;

// What a record keeps when all of its metadata is replaced.
constexpr std::array<std::string_view, 4> kept_fields = {"created_at", "updated_at", "sessionId",
                                                         "schemaVersion"};
Status check_names(const Update& update) {
  for (const auto& [name, value] : update.changes) CAIRN_TRY(check_field_name(name));
  for (const std::string& name : update.unset) CAIRN_TRY(check_field_name(name));
  return {};
}

Properties changed_metadata(const Properties& before, const Update& update) {
  Properties after;
  for (const auto& [name, value] : before)
    if (update.merge || std::ranges::count(kept_fields, name) > 0) after.emplace(name, value);
  for (const auto& [name, value] : update.changes) after.insert_or_assign(name, value);
  for (const std::string& name : update.unset) after.erase(name);
  std::erase_if(after, [](const auto& field) { return field.second.is_null(); });
  return after;
}

// What differs, with null for what went.
Properties difference(const Properties& before, const Properties& after) {
  Properties values;
  for (const auto& [name, value] : before)
    if (!after.contains(name)) values.emplace(name, Value());
  for (const auto& [name, value] : after) {
    const auto old = before.find(name);
    if (old == before.end() || !(old->second == value)) values.emplace(name, value);
  }
  return values;
}

Result<RecordChange> checked_change(const memory::Record& record, Properties after,
                                    const Memory::Impl& impl) {
  RecordChange change;
  CAIRN_ASSIGN(change.warnings, impl.options.schema.check(record.kind, after, impl.options.mode));
  settle_times(after);
  change.values = difference(record.metadata, after);
  return change;
}

Status add_content(RecordChange& change, const std::string& before, const std::string& content,
                   const Memory::Impl& impl) {
  if (content == before) return {};
  CAIRN_ASSIGN(const auto embeddings, impl.embed({content}));
  change.values.insert_or_assign("content", content);
  change.values.insert_or_assign("embedding", embeddings.at(0));
  return {};
}

}  // namespace

Result<RecordChange> plan_update(const Node& node, const Update& update, const Memory::Impl& impl) {
  CAIRN_TRY(check_names(update));
  const memory::Record record = record_of(node);
  CAIRN_ASSIGN(RecordChange change,
               checked_change(record, changed_metadata(record.metadata, update), impl));
  if (update.content) CAIRN_TRY(add_content(change, record.content, *update.content, impl));
  return change;
}

Result<RecordChange> plan_upgrade(const Node& node, const Memory::Impl& impl) {
  const memory::Record record = record_of(node);
  Properties after = record.metadata;
  CAIRN_ASSIGN(const std::size_t steps, impl.options.schema.upgrade(record.kind, after));
  if (steps == 0) return RecordChange();
  for (const auto& [name, value] : after)
    if (!record.metadata.contains(name)) CAIRN_TRY(check_field_name(name));
  return checked_change(record, std::move(after), impl);
}

Status apply(engine::Writer& writer, NodeId id, const RecordChange& change, std::int64_t now) {
  if (change.values.empty()) return {};
  for (const auto& [name, value] : change.values)
    CAIRN_TRY(writer.set_property(codec::EntityKind::node, id.value, name, value));
  if (change.values.contains("updated_at")) return {};
  return writer.set_property(codec::EntityKind::node, id.value, "updated_at", time_text(now));
}

namespace {

using Plan = std::function<Result<RecordChange>(const Node&)>;

// `writer` is null in a dry run. The selection was made before the first change.
Result<memory::BulkUpdate> change_all(const engine::View& view, const std::vector<NodeId>& ids,
                                      const Plan& plan, engine::Writer* writer, std::int64_t now) {
  memory::BulkUpdate result;
  result.matched = ids.size();
  for (const NodeId id : ids) {
    CAIRN_ASSIGN(const auto node, view.load_node(id.value));
    if (!node) continue;
    CAIRN_ASSIGN(const RecordChange change, plan(*node));
    result.warnings.insert(result.warnings.end(), change.warnings.begin(), change.warnings.end());
    if (change.values.empty()) continue;
    result.changed.push_back(id);
    if (writer != nullptr) CAIRN_TRY(apply(*writer, id, change, now));
  }
  return result;
}

Result<memory::BulkUpdate> change_selection(const Memory::Impl& impl,
                                            const memory::SearchRequest& selection,
                                            const Plan& plan, bool dry_run) {
  if (dry_run) {
    CAIRN_ASSIGN(const auto view, impl.view(selection.include_deleted));
    CAIRN_ASSIGN(const auto ids, memory::selected_ids(impl, *view, selection));
    return change_all(*view, ids, plan, nullptr, impl.now());
  }
  if (selection.include_deleted)
    return Error{ErrorCode::unsupported, "deleted records must be restored to be changed", {}};
  CAIRN_ASSIGN(memory::Writing writing, memory::Writing::begin(impl));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(const auto ids, memory::selected_ids(impl, writer.view(), selection));
  CAIRN_ASSIGN(auto result, change_all(writer.view(), ids, plan, &writer, impl.now()));
  CAIRN_TRY(writing.commit());
  return result;
}

}  // namespace

}  // namespace cairn::query

namespace cairn::memory {

Result<std::optional<Record>> Memory::update(NodeId id, const Update& update) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(const auto node, impl_->load(writer.view(), id, false));
  if (!node) return std::optional<Record>();
  CAIRN_ASSIGN(const auto change, query::plan_update(*node, update, *impl_));
  CAIRN_TRY(query::apply(writer, id, change, impl_->now()));
  CAIRN_TRY(writing.commit());
  return find(id);
}

Result<BulkUpdate> Memory::update_all(const SearchRequest& selection, const Update& update,
                                      bool dry_run) {
  const auto plan = [&](const Node& node) { return query::plan_update(node, update, *impl_); };
  return query::change_selection(*impl_, selection, plan, dry_run);
}

Result<BulkUpdate> Memory::upgrade_all(bool dry_run) {
  const auto plan = [&](const Node& node) { return query::plan_upgrade(node, *impl_); };
  return query::change_selection(*impl_, {}, plan, dry_run);
}

}  // namespace cairn::memory

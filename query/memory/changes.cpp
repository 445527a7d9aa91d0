// update(), update_all() and upgrade_all(): plan the change of each record, then apply it.
//
// A plan only reads: it determines which properties differ and which links the record gains and loses. So a dry run uses
// the same code without the second step. Each call is one transaction. Embedding happens before the transaction begins,
// because an embedder may take long.
#include "query/memory/earlier_texts.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <cairn/memory/requests.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using memory::Memory;
using memory::Update;

/// The planned change of one record.
struct RecordChange {
  Properties values;  ///< new values of properties; null removes a property
  std::optional<memory::Lifetime> lifetime;
  /// Links that the record's fields no longer name, and links that they name now.
  std::set<FieldLink> lost_links;
  std::set<FieldLink> new_links;
  bool chunks_follow = true;  ///< the chunks of a text get the same values
  std::vector<std::string> warnings;

  /// True if nothing about the record changes.
  [[nodiscard]] bool is_empty() const { return values.empty() && !lifetime; }
};

/// An update with the vector of its content. The vector is computed before the transaction begins, so that other writers
/// do not wait for the embedder.
struct PreparedUpdate {
  const memory::Update& update;
  TextVector embedding{};
  std::vector<std::string> warnings{};
};

// The fields that survive when all metadata is replaced.
constexpr std::array<std::string_view, 4> kept_fields = {"created_at", "updated_at", "sessionId",
                                                         "schemaVersion"};
/// Checks all names before any record is changed, also those to remove: otherwise a mistyped name would silently change
/// nothing.
Status check_names(const Update& update) {
  for (const auto& [name, value] : update.changes) CAIRN_TRY(check_field_name(name));
  for (const std::string& name : update.unset) CAIRN_TRY(check_field_name(name));
  return {};
}

///    merge      before + changes - unset          replace    preserved fields + changes - unset
/// A field whose new value is null is removed.
Properties changed_metadata(const Properties& before, const Update& update) {
  Properties after;
  for (const auto& [name, value] : before)
    if (update.merge || std::ranges::count(kept_fields, name) > 0) after.emplace(name, value);
  for (const auto& [name, value] : update.changes) after.insert_or_assign(name, value);
  for (const std::string& name : update.unset) after.erase(name);
  std::erase_if(after, [](const auto& field) { return field.second.is_null(); });
  return after;
}

// The properties that differ; null for a removed one. Only these are written, so a record without a difference is not
// touched, and its updated_at does not change.
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

/// The elements of `all` that are not in `taken`.
std::set<FieldLink> without(const std::set<FieldLink>& all, const std::set<FieldLink>& taken) {
  std::set<FieldLink> rest;
  std::ranges::set_difference(all, taken, std::inserter(rest, rest.end()));
  return rest;
}

/// sessionId must be a non-empty text: searches ask for it as text, so a number would never be found.
Status check_session(const Properties& metadata) {
  const auto session = metadata.find("sessionId");
  if (session == metadata.end()) return {};
  if (session->second.string() != nullptr && !session->second.as_string().empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "the field \"sessionId\" must be a non-empty string or unset, got " +
                   session->second.to_text(),
               {}};
}

/// Plans a change of the metadata. The schema checks the whole record as it will be. Links are compared as sets of (type,
/// name), so a relationship that stays preserves its own properties.
Result<RecordChange> checked_change(const memory::Record& record, Properties after,
                                    const Memory::Impl& impl) {
  RecordChange change;
  CAIRN_ASSIGN(change.warnings, impl.options.schema.check(record.kind, after, impl.options.mode));
  settle_times(after);
  CAIRN_TRY(check_session(after));
  change.values = difference(record.metadata, after);
  const memory::Schema& schema = impl.options.schema;
  const auto before_links = links_of(schema, record.kind, record.metadata);
  const auto after_links = links_of(schema, record.kind, after);
  change.lost_links = without(before_links, after_links);
  change.new_links = without(after_links, before_links);
  return change;
}

// A record is a member of at most one session.
Status change_session(RecordWriter& records, const Node& node, const RecordChange& change) {
  const auto session = change.values.find("sessionId");
  if (session == change.values.end()) return {};
  const Value& before = node.property("sessionId");
  if (before.string() != nullptr) CAIRN_TRY(records.leave_session(node.id(), before.as_string()));
  if (session->second.is_null()) return {};
  return records.join_session(node.id(), session->second.as_string());
}

// The content is embedded once for all records of the selection.
Result<PreparedUpdate> prepare_update(Memory::Impl& impl, const Update& update) {
  CAIRN_TRY(check_names(update));
  PreparedUpdate prepared{update};
  if (!update.content) return prepared;
  CAIRN_ASSIGN(const Snapshot before, impl.snapshot(false));
  CAIRN_ASSIGN(const bool may_know, impl.may_know_indexes(before));
  // A caller that sees no memory changes none, and does not learn which model made the vectors of others.
  if (!may_know) {
    prepared.embedding.is_pending = true;
    return prepared;
  }
  prepared.embedding = impl.embed({*update.content}, prepared.warnings).front();
  CAIRN_TRY(impl.prepare_indexes());
  return prepared;
}

/// The lifetime that an update gives a record. Nothing, if it removes a lifetime that the record does not have.
Result<std::optional<memory::Lifetime>> planned_lifetime(const Source& source, NodeId id,
                                                         const Update& update,
                                                         const Memory::Impl& impl) {
  if (!update.lifetime || update.lifetime->moment(impl.now())) return update.lifetime;
  CAIRN_ASSIGN(const auto fields, source.system_fields(id));
  return fields && fields->expires_at ? update.lifetime : std::nullopt;
}

// The same content again does not change the vector.
Result<RecordChange> plan_update(const Source& source, const Node& node,
                                 const PreparedUpdate& prepared, const Memory::Impl& impl) {
  const Update& update = prepared.update;
  const memory::Record record = memory::record_of(node);
  CAIRN_ASSIGN(RecordChange change,
               checked_change(record, changed_metadata(record.metadata, update), impl));
  CAIRN_ASSIGN(change.lifetime, planned_lifetime(source, node.id(), update, impl));
  if (update.content && *update.content != record.content) {
    if (update.keep_earlier)
      change.values.insert_or_assign(
          std::string(earlier_texts_name),
          with_earlier_text(node.property(earlier_texts_name), record.content,
                            memory::time_text(impl.now())));
    change.values.insert_or_assign("content", *update.content);
    prepared.embedding.store(change.values);
  }
  return change;
}

// A record that no upgrade applies to gets an empty change. Chunks have upgrades of their own, which would be skipped if
// they got the new version from their text.
Result<RecordChange> plan_upgrade(const Node& node, const Memory::Impl& impl) {
  const memory::Record record = memory::record_of(node);
  Properties after = record.metadata;
  CAIRN_ASSIGN(const std::size_t steps, impl.options.schema.upgrade(record.kind, after));
  if (steps == 0) return RecordChange();
  for (const auto& [name, value] : after)
    if (!record.metadata.contains(name)) CAIRN_TRY(check_field_name(name));
  CAIRN_ASSIGN(RecordChange change, checked_change(record, std::move(after), impl));
  change.chunks_follow = false;
  return change;
}

// Removes the chunks of the old text: they would be found by words that the record no longer contains. The record now has
// the vector of its whole text.
Status erase_chunks(Transaction& transaction, NodeId id) {
  CAIRN_ASSIGN(const auto chunks, memory::chunks_of(transaction, id));
  for (const NodeId chunk : chunks) CAIRN_TRY(transaction.erase_node_and_relationships(chunk));
  return {};
}

/// Sets when a record expires. Its chunks expire at the same time.
Status set_lifetime(const Memory::Impl& impl, Transaction& transaction, NodeId id,
                    const memory::Lifetime& lifetime) {
  const auto moment = lifetime.moment(impl.now());
  CAIRN_TRY(transaction.set_expiry(id, moment));
  CAIRN_ASSIGN(const auto chunks, memory::chunks_of(transaction, id));
  for (const NodeId chunk : chunks) CAIRN_TRY(transaction.set_expiry(chunk, moment));
  return {};
}

/// Sets the values of a planned change, and the time of the update.
Status set_values(const Memory::Impl& impl, Transaction& transaction, NodeId id,
                  const Properties& values) {
  CAIRN_TRY(transaction.set_properties(id, values));
  if (values.contains("updated_at")) return {};
  return transaction.set_property(id, "updated_at", memory::time_text(impl.now()));
}

/// Chunks have the metadata of their text, so that filters find both or neither. The chunks of an old text are erased.
Status change_chunks(const Memory::Impl& impl, const memory::Writing& writing, NodeId text,
                     const RecordChange& change) {
  Transaction& transaction = writing.transaction();
  if (change.values.contains("content")) return erase_chunks(transaction, text);
  RecordWriter records(impl, writing);
  CAIRN_ASSIGN(const auto chunks, memory::chunks_of(transaction, text));
  for (const NodeId id : chunks) {
    CAIRN_ASSIGN(const auto chunk, impl.load_own(transaction, id, false));
    if (!chunk || memory::record_of(*chunk).kind != chunk_kind) continue;
    CAIRN_TRY(change_session(records, *chunk, change));
    CAIRN_TRY(set_values(impl, transaction, id, change.values));
  }
  return {};
}

// Applies a planned change: relationships first, then the session, then properties, and then the chunks of the text.
Status apply(const Memory::Impl& impl, const memory::Writing& writing, const Node& node,
             const RecordChange& change) {
  Transaction& transaction = writing.transaction();
  const NodeId id = node.id();
  if (change.lifetime) CAIRN_TRY(set_lifetime(impl, transaction, id, *change.lifetime));
  if (change.values.empty()) return {};
  RecordWriter records(impl, writing);
  CAIRN_TRY(records.unlink(id, change.lost_links));
  CAIRN_TRY(records.link(id, change.new_links));
  CAIRN_TRY(change_session(records, node, change));
  CAIRN_TRY(set_values(impl, transaction, id, change.values));
  return change.chunks_follow ? change_chunks(impl, writing, id, change) : Status();
}

using Plan = std::function<Result<RecordChange>(const Source&, const Node&)>;

// `writing` is nullptr in a dry run. The ids were selected before the first change; `warnings` come from the selection.
// All plans are made before the first change, so that a dry run names the same records: a text changes its chunks too. They
// are made again for the changes, because a chunk may have changed by then.
Result<memory::BulkUpdate> change_all(const Memory::Impl& impl, const Source& source,
                                      const std::vector<NodeId>& ids, const Plan& plan,
                                      const memory::Writing* writing,
                                      std::vector<std::string> warnings) {
  memory::BulkUpdate result;
  result.warnings = std::move(warnings);
  result.matched = ids.size();
  for (const NodeId id : ids) {
    CAIRN_ASSIGN(const auto node, source.find_node(id));
    if (!node) continue;
    CAIRN_ASSIGN(const RecordChange change, plan(source, *node));
    result.warnings.insert(result.warnings.end(), change.warnings.begin(), change.warnings.end());
    if (!change.is_empty()) result.changed.push_back(id);
  }
  if (writing == nullptr) return result;
  for (const NodeId id : result.changed) {
    CAIRN_ASSIGN(const auto node, source.find_node(id));
    if (!node) continue;  // a chunk, erased with the old content of its text
    CAIRN_ASSIGN(const RecordChange change, plan(source, *node));
    CAIRN_TRY(apply(impl, *writing, *node, change));
  }
  return result;
}

/// Selects records and changes them. A dry run may include deleted records; a real run may not.
Result<memory::BulkUpdate> change_selection(const Memory::Impl& impl,
                                            const memory::SearchRequest& selection,
                                            const Plan& plan, const PreparedUpdate& prepared,
                                            bool dry_run) {
  std::vector<std::string> warnings = prepared.warnings;
  if (dry_run) {
    CAIRN_ASSIGN(const Snapshot snapshot, impl.snapshot(selection.include_deleted));
    CAIRN_ASSIGN(const auto ids, memory::selected_ids(impl, snapshot, selection, &warnings));
    return change_all(impl, snapshot, ids, plan, nullptr, std::move(warnings));
  }
  if (selection.include_deleted) return memory::refuse_deleted("changed");
  CAIRN_ASSIGN(memory::Writing writing, memory::Writing::begin(impl));
  if (!prepared.embedding.vector.is_null()) CAIRN_TRY(writing.use_model(warnings));
  const Source source(writing.transaction());
  CAIRN_ASSIGN(const auto ids, memory::selected_ids(impl, source, selection, &warnings));
  CAIRN_ASSIGN(auto result, change_all(impl, source, ids, plan, &writing, std::move(warnings)));
  CAIRN_TRY(writing.commit());
  return result;
}

}  // namespace

}  // namespace cairn::query

namespace cairn::memory {

// Returns nullopt if the id is not a visible record. Otherwise the new record is read before the commit, as it is hidden
// afterwards if the update lets it expire.
Result<std::optional<Record>> Memory::update(NodeId id, const Update& update) {
  CAIRN_ASSIGN(const auto prepared, query::prepare_update(*impl_, update));
  // Only the transaction is repeated if the host ends; the content is embedded already.
  CAIRN_ASSIGN(const auto node_after, again([&]() -> Result<std::optional<Node>> {
                 CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
                 std::vector<std::string> warnings;  // a record has no place for them; the log has
                 if (!prepared.embedding.vector.is_null()) CAIRN_TRY(writing.use_model(warnings));
                 CAIRN_ASSIGN(const auto node, impl_->load_own(writing.transaction(), id, false));
                 if (!node) return node;
                 CAIRN_ASSIGN(const auto change,
                              query::plan_update(writing.transaction(), *node, prepared, *impl_));
                 CAIRN_TRY(query::apply(*impl_, writing, *node, change));
                 CAIRN_ASSIGN(auto after, writing.transaction().find_node(id));
                 CAIRN_TRY(writing.commit());
                 return after;
               }));
  if (!node_after) return std::optional<Record>();
  impl_->note_access(id);
  return std::optional(record_of(*node_after));
}

// The update is checked and embedded once, then applied to each selected record.
Result<BulkUpdate> Memory::update_all(const SearchRequest& selection, const Update& update,
                                      const BulkOptions& options) {
  CAIRN_ASSIGN(const auto prepared, query::prepare_update(*impl_, update));
  const auto plan = [&](const query::Source& source, const Node& node) {
    return query::plan_update(source, node, prepared, *impl_);
  };
  return again(
      [&] { return query::change_selection(*impl_, selection, plan, prepared, options.dry_run); });
}

Result<BulkUpdate> Memory::upgrade_all(const BulkOptions& options) {
  const auto plan = [&](const query::Source&, const Node& node) {
    return query::plan_upgrade(node, *impl_);
  };
  const Update no_update;
  return again(
      [&] { return query::change_selection(*impl_, {}, plan, {no_update}, options.dry_run); });
}

}  // namespace cairn::memory

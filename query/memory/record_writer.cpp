// Writes records. A record is a node with two labels (Memory and that of its kind), its fields as properties, content,
// embedding, and relationships for the fields that name other records.
//
// Checks happen before the transaction, writing within it.
#include "query/memory/record_writer.hpp"

#include "query/memory/earlier_texts.hpp"

#include <cairn/memory/pending.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/value_as.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::query {
namespace {

using memory::NewRecord;

// Labels of the memory's own nodes, which no kind may have.
constexpr std::array<std::string_view, 3> own_labels = {memory::memory_label, "MemoryTagRule",
                                                        "MemoryTagRun"};

std::string session_key(std::string_view session) {
  return std::string(session_prefix) + std::string(session);
}

// The names of the records that a field refers to: the parent of a thread, the elements of a list, or the value itself.
List names_in(const memory::Field& field, const Value& value) {
  if (field.type == memory::FieldType::thread) {
    const auto thread = memory::thread_of(value);
    return thread && thread->parent_id ? List{Value(*thread->parent_id)} : List{};
  }
  return value.list() == nullptr ? List{value} : value.as_list();
}

/// The session may be given as a member and as a field; both must agree.
Status settle_session(NewRecord& record) {
  const auto named = record.metadata.find("sessionId");
  if (named == record.metadata.end()) {
    if (!record.session.empty()) record.metadata.emplace("sessionId", record.session);
    return {};
  }
  const std::string* text = named->second.string();
  if (text == nullptr)
    return Error{ErrorCode::invalid_argument,
                 "the field \"sessionId\" must be a text, got " + named->second.to_text(),
                 {}};
  if (!record.session.empty() && *text != record.session)
    return Error{ErrorCode::invalid_argument,
                 "the field \"sessionId\" is " + named->second.to_text() +
                     ", but the record's session is '" + record.session +
                     "'; leave the field out: it is set from the session",
                 {}};
  record.session = *text;
  return {};
}

}  // namespace

// Converts times to one form of text, so that the order of texts is the order of times.
void settle_times(Properties& metadata) {
  for (const char* name : {"created_at", "updated_at"}) {
    const auto found = metadata.find(name);
    if (found == metadata.end()) continue;
    if (const auto instant = to_instant(found->second)) found->second = memory::time_text(*instant);
  }
}

bool is_record_part(std::string_view name) noexcept {
  return name == "kind" || name == "content" || name == "embedding" ||
         name == memory::pending_name || name == earlier_texts_name;
}

// Refuses a kind whose label is one of the memory's own labels: its records could not be distinguished from the memory's
// own nodes.
Status check_kind(std::string_view kind) {
  const std::string label = memory::label_of(kind);
  if (label.empty())
    return Error{ErrorCode::invalid_argument, "a record needs a kind, such as \"note\"", {}};
  if (std::ranges::count(own_labels, label) == 0) return {};
  return Error{ErrorCode::invalid_argument,
               "the kind \"" + std::string(kind) + "\" has the label " + label +
                   ", which is reserved; use another kind",
               {}};
}

// is_deleted and deletion_time are refused: a record that only has these properties would look deleted without being
// hidden.
Status check_field_name(std::string_view name) {
  if (is_record_part(name)) {
    return Error{
        ErrorCode::invalid_argument,
        "\"" + std::string(name) +
            "\" is a part of the record itself and cannot be a metadata field; rename the field",
        {}};
  }
  if (name != "is_deleted" && name != "deletion_time") return {};
  return Error{ErrorCode::invalid_argument,
               "\"" + std::string(name) + "\" is set by remove() and restore() only",
               {}};
}

namespace {

// Refuses external ids with the prefixes of sessions and tagging rules.
Status check_external_id(std::string_view id) {
  for (const std::string_view prefix : {session_prefix, memory::rule_id_prefix}) {
    if (!id.starts_with(prefix)) continue;
    return Error{ErrorCode::invalid_argument,
                 "external ids that begin with \"" + std::string(prefix) +
                     "\" are reserved; rename \"" + std::string(id) + "\"",
                 {}};
  }
  return {};
}

}  // namespace

// Checks and completes a record before it is written.
Result<std::vector<std::string>> prepare(NewRecord& record, const memory::MemoryOptions& options) {
  CAIRN_TRY(check_external_id(record.external_id));
  for (const auto& [name, value] : record.metadata) CAIRN_TRY(check_field_name(name));
  CAIRN_TRY(check_kind(record.kind));
  CAIRN_TRY(settle_session(record));
  CAIRN_ASSIGN(auto warnings, options.schema.check(record.kind, record.metadata, options.mode));
  settle_times(record.metadata);
  return warnings;
}

// All links that the fields of a record name, whether or not the named record exists; see link().
std::set<FieldLink> links_of(const memory::Schema& schema, std::string_view kind,
                             const Properties& metadata) {
  std::set<FieldLink> links;
  for (const auto& [name, value] : metadata) {
    const memory::Field* field = schema.find_field(kind, name);
    if (field == nullptr || field->relationship.empty()) continue;
    for (const Value& target : names_in(*field, value))
      if (target.string() != nullptr) links.insert({field->relationship, target.as_string()});
  }
  return links;
}

// updated_at begins as the time of creation.
Result<NodeId> RecordWriter::create(const NewRecord& record, const TextVector& embedding) {
  Properties properties = record.metadata;
  properties.insert_or_assign("kind", record.kind);
  properties.insert_or_assign("content", record.content);
  properties.try_emplace("created_at", memory::time_text(impl_.now()));
  properties.try_emplace("updated_at", properties.at("created_at"));
  embedding.store(properties);
  std::erase_if(properties, [](const auto& property) { return property.second.is_null(); });
  return writing_.create_node({{std::string(memory::memory_label), memory::label_of(record.kind)},
                               std::move(properties),
                               record.external_id,
                               record.lifetime.moment(impl_.now())});
}

// Creates all records before any link, because a record may name a later one.
Result<std::vector<NodeId>> RecordWriter::add_all(const PreparedRecords& prepared) {
  std::vector<NodeId> ids;
  for (std::size_t i = 0; i < prepared.records.size(); ++i) {
    CAIRN_ASSIGN(const NodeId id, create(prepared.records[i], prepared.embeddings[i]));
    ids.push_back(id);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const NewRecord& record = prepared.records[i];
    CAIRN_TRY(link(ids[i], links_of(impl_.options.schema, record.kind, record.metadata)));
    if (!record.session.empty()) CAIRN_TRY(join_session(ids[i], record.session));
  }
  return ids;
}

// A session is a node with an external id, created with its first record.
Status RecordWriter::join_session(NodeId record, const std::string& session) {
  const std::string time = memory::time_text(impl_.now());
  CAIRN_ASSIGN(std::optional<NodeId> node, writing_.find(session_key(session)));
  if (!node) {
    CAIRN_ASSIGN(node, writing_.create_node({{std::string(memory::session_label)},
                                             {{"id", session}, {"created_at", time}},
                                             session_key(session)}));
  }
  return writing_.relate(record, memory::session_relationship, *node, {{"added_at", time}});
}

Status RecordWriter::leave_session(NodeId record, const std::string& session) {
  CAIRN_ASSIGN(const auto memberships,
               relationships_to(record, memory::session_relationship, session_key(session)));
  for (const RelationshipId membership : memberships)
    CAIRN_TRY(writing_.transaction().erase_relationship(membership));
  CAIRN_ASSIGN(const auto node, writing_.find(session_key(session)));
  return node ? memory::erase_empty_sessions(writing_.transaction(), {*node}) : Status();
}

// The names are external ids. A name that no record has and a link to the record itself are skipped.
Status RecordWriter::link(NodeId id, const std::set<FieldLink>& links) {
  for (const FieldLink& one : links) {
    CAIRN_ASSIGN(const auto target, writing_.find_seen(one.name));
    if (!target || *target == id) continue;
    CAIRN_TRY(writing_.relate(id, one.type, *target));
  }
  return {};
}

// Removes one relationship without properties for each link. Relationships with properties were created by the
// application and stay.
Status RecordWriter::unlink(NodeId id, const std::set<FieldLink>& links) {
  Transaction& transaction = writing_.transaction();
  for (const FieldLink& one : links) {
    CAIRN_ASSIGN(const auto known, relationships_to(id, one.type, one.name));
    for (const RelationshipId relationship : known) {
      CAIRN_ASSIGN(const auto loaded, find_relationship(transaction, relationship));
      if (!loaded || !loaded->properties().empty()) continue;
      CAIRN_TRY(transaction.erase_relationship(relationship));
      break;
    }
  }
  return {};
}

// Several relationships may connect the same two nodes. They are returned in ascending order.
Result<std::vector<RelationshipId>> RecordWriter::relationships_to(NodeId id, std::string_view type,
                                                                   std::string_view name) const {
  CAIRN_ASSIGN(const auto target, writing_.find_seen(name));
  if (!target) return std::vector<RelationshipId>();
  return find_relationships(writing_.transaction(), id, type, *target);
}

bool PreparedRecords::has_vectors() const {
  return !std::ranges::all_of(embeddings,
                              [](const TextVector& one) { return one.vector.is_null(); });
}

// Embeds all contents in one call.
Result<PreparedRecords> prepare_all(memory::Memory::Impl& impl, std::vector<NewRecord> records) {
  PreparedRecords prepared;
  std::vector<std::string_view> contents;
  for (NewRecord& record : records) {
    CAIRN_ASSIGN(auto warnings, prepare(record, impl.options));
    prepared.warnings.insert(prepared.warnings.end(), warnings.begin(), warnings.end());
    contents.push_back(record.content);
  }
  prepared.embeddings = impl.embed(contents, prepared.warnings);
  prepared.records = std::move(records);
  CAIRN_TRY(impl.prepare_indexes());
  return prepared;
}

}  // namespace cairn::query

namespace cairn::memory {

Result<Added> Memory::add(const NewRecord& record) { return add(std::span(&record, 1)); }

// Adds all records or none.
Result<Added> Memory::add(std::span<const NewRecord> records) {
  return again([&]() -> Result<Added> {
    CAIRN_ASSIGN(auto prepared, query::prepare_all(*impl_, {records.begin(), records.end()}));
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    if (prepared.has_vectors()) CAIRN_TRY(writing.use_model(prepared.warnings));
    query::RecordWriter writer(*impl_, writing);
    Added added;
    CAIRN_ASSIGN(added.ids, writer.add_all(prepared));
    CAIRN_TRY(writing.commit());
    added.warnings = std::move(prepared.warnings);
    return added;
  });
}

}  // namespace cairn::memory

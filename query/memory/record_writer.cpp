#include "query/memory/record_writer.hpp"

#include "query/functions/moment.hpp"

#include <utility>

namespace cairn::query {
namespace {

using memory::NewRecord;

std::string session_key(std::string_view session) {
  return std::string(session_prefix) + std::string(session);
}

// The texts by which a field names records: itself, its elements, or the parent of a thread.
List names_in(const memory::Field& field, const Value& value) {
  if (field.type == memory::FieldType::thread) {
    const auto thread = memory::thread_of(value);
    return thread && thread->parent_id ? List{Value(*thread->parent_id)} : List{};
  }
  return value.list() == nullptr ? List{value} : value.as_list();
}

Status settle_session(NewRecord& record) {
  const auto named = record.metadata.find("sessionId");
  if (named == record.metadata.end()) {
    if (!record.session.empty()) record.metadata.emplace("sessionId", record.session);
    return {};
  }
  const std::string* text = named->second.string();
  const bool agrees = text != nullptr && (record.session.empty() || *text == record.session);
  if (!agrees) {
    return Error{ErrorCode::invalid_argument,
                 "the field \"sessionId\" is " + named->second.to_text() +
                     " and the record's session is '" + record.session +
                     "'; leave the field out, it is filled in",
                 {}};
  }
  record.session = *text;
  return {};
}

}  // namespace

void settle_times(Properties& metadata) {
  for (const char* name : {"created_at", "updated_at"}) {
    const auto found = metadata.find(name);
    if (found == metadata.end()) continue;
    if (const auto instant = instant_of(found->second)) found->second = time_text(*instant);
  }
}

bool is_record_part(std::string_view name) noexcept {
  return name == "kind" || name == "content" || name == "embedding";
}

// A record that merely says that it is deleted would look hidden and not be it.
Status check_field_name(std::string_view name) {
  if (is_record_part(name)) {
    return Error{ErrorCode::invalid_argument,
                 "\"" + std::string(name) +
                     "\" is a part of the record itself and no field of its metadata; rename the "
                     "field",
                 {}};
  }
  if (name != "is_deleted" && name != "deletion_time") return {};
  return Error{ErrorCode::invalid_argument,
               "\"" + std::string(name) + "\" is set by remove() and restore() only",
               {}};
}

namespace {

// Sessions and tagging rules are nodes with names of this form.
Status check_external_id(std::string_view id) {
  for (const std::string_view prefix : {session_prefix, rule_prefix}) {
    if (!id.starts_with(prefix)) continue;
    return Error{ErrorCode::invalid_argument,
                 "external ids that begin with \"" + std::string(prefix) +
                     "\" are the memory's own; rename \"" + std::string(id) + "\"",
                 {}};
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> prepare(NewRecord& record, const memory::MemoryOptions& options) {
  CAIRN_TRY(check_external_id(record.external_id));
  for (const auto& [name, value] : record.metadata) CAIRN_TRY(check_field_name(name));
  if (memory::label_of(record.kind).empty())
    return Error{ErrorCode::invalid_argument, "a record needs a kind", {}};
  CAIRN_TRY(settle_session(record));
  CAIRN_ASSIGN(auto warnings, options.schema.check(record.kind, record.metadata, options.mode));
  settle_times(record.metadata);
  return warnings;
}

Result<NodeId> RecordWriter::add(const NewRecord& record, const Value& embedding) {
  const std::string time = time_text(impl_.now());
  Properties properties = record.metadata;
  properties.insert_or_assign("kind", record.kind);
  properties.insert_or_assign("content", record.content);
  properties.try_emplace("created_at", time);
  properties.try_emplace("updated_at", properties.at("created_at"));
  if (!embedding.is_null()) properties.insert_or_assign("embedding", embedding);
  std::erase_if(properties, [](const auto& property) { return property.second.is_null(); });
  const std::string labels[] = {std::string(memory::memory_label), memory::label_of(record.kind)};
  CAIRN_ASSIGN(const std::uint64_t id, writer_.create_node(labels, properties, record.external_id));
  CAIRN_TRY(link(NodeId{id}, record));
  if (!record.session.empty()) CAIRN_TRY(join_session(NodeId{id}, record.session, time));
  return NodeId{id};
}

Status RecordWriter::join_session(NodeId record, const std::string& session,
                                  const std::string& time) {
  CAIRN_ASSIGN(std::optional<std::uint64_t> node, find_external(session_key(session)));
  if (!node) {
    const std::string labels[] = {std::string(memory::session_label)};
    const Properties properties = {{"id", session}, {"created_at", time}};
    CAIRN_ASSIGN(node, writer_.create_node(labels, properties, session_key(session)));
  }
  CAIRN_TRY(writer_.create_relationship(record.value, memory::session_relationship, *node,
                                        {{"added_at", time}}));
  return {};
}

Status RecordWriter::link(NodeId id, const NewRecord& record) {
  for (const auto& [name, value] : record.metadata) {
    const memory::Field* field = impl_.options.schema.find_field(record.kind, name);
    if (field == nullptr || field->relationship.empty()) continue;
    CAIRN_TRY(link(id, field->relationship, names_in(*field, value)));
  }
  return {};
}

Status RecordWriter::link(NodeId id, const std::string& type, const Value& names) {
  for (const Value& name : names.as_list()) {
    if (name.string() == nullptr) continue;
    CAIRN_ASSIGN(const auto target, find_external(name.as_string()));
    if (!target || *target == id.value) continue;
    CAIRN_TRY(writer_.create_relationship(id.value, type, *target, {}));
  }
  return {};
}

Result<std::optional<std::uint64_t>> RecordWriter::find_external(std::string_view name) const {
  const auto name_space = impl_.name_space(writer_.view());
  if (!name_space) return std::optional<std::uint64_t>();
  return writer_.view().find_external(*name_space, name);
}

Result<PreparedRecords> prepare_all(memory::Memory::Impl& impl, std::vector<NewRecord> records) {
  PreparedRecords prepared;
  std::vector<std::string_view> contents;
  for (NewRecord& record : records) {
    CAIRN_ASSIGN(auto warnings, prepare(record, impl.options));
    prepared.warnings.insert(prepared.warnings.end(), warnings.begin(), warnings.end());
    contents.push_back(record.content);
  }
  CAIRN_ASSIGN(prepared.embeddings, impl.embed(contents));
  prepared.records = std::move(records);
  CAIRN_TRY(impl.prepare_index());
  return prepared;
}

}  // namespace cairn::query

namespace cairn::memory {

Result<Added> Memory::add(const NewRecord& record) { return add(std::span(&record, 1)); }

Result<Added> Memory::add(std::span<const NewRecord> records) {
  CAIRN_ASSIGN(auto prepared, query::prepare_all(*impl_, {records.begin(), records.end()}));
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  query::RecordWriter writer(*impl_, writing.writer());
  Added added;
  for (std::size_t i = 0; i < prepared.records.size(); ++i) {
    CAIRN_ASSIGN(const NodeId id, writer.add(prepared.records[i], prepared.embeddings[i]));
    added.ids.push_back(id);
  }
  CAIRN_TRY(writing.commit());
  added.warnings = std::move(prepared.warnings);
  return added;
}

}  // namespace cairn::memory

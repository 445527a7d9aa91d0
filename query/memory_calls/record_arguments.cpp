// Reads new records and the names of records from the arguments of a call.
#include "query/memory_calls/record_arguments.hpp"

#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"

#include <utility>

namespace cairn::query {

using memory::NewRecord;

namespace {

/// Adds the current version of the schema, as the functions of cairn/memory/records.hpp do.
void fill_version(Properties& metadata) {
  metadata.try_emplace("schemaVersion", memory::current_schema_version);
}

}  // namespace

Result<NewRecord> read_new_record(std::string_view call, const Value& value) {
  if (value.map() == nullptr)
    return Error{ErrorCode::type_error,
                 "a record of " + std::string(call) +
                     " must be a map {content, kind, metadata, ...}, got " + shown(value),
                 std::nullopt};
  NewRecord record;
  RequestReader reader(call, *value.map());
  reader.read("kind", record.kind);
  reader.read("content", record.content);
  reader.read_fields("metadata", record.metadata);
  reader.read("external_id", record.external_id);
  reader.read("session", record.session);
  record.lifetime = reader.lifetime().value_or(memory::Lifetime());
  CAIRN_TRY(reader.check());
  fill_version(record.metadata);
  return record;
}

Result<std::vector<NewRecord>> read_new_records(std::string_view call, const Value& value) {
  std::vector<NewRecord> records;
  if (value.list() == nullptr) {
    CAIRN_ASSIGN(NewRecord record, read_new_record(call, value));
    records.push_back(std::move(record));
    return records;
  }
  for (const Value& one : *value.list()) {
    CAIRN_ASSIGN(NewRecord record, read_new_record(call, one));
    records.push_back(std::move(record));
  }
  return records;
}

Result<RememberRequest> read_remember(const Map& map) {
  constexpr const char* call = "memory.remember()";
  RememberRequest request;
  RequestReader reader(call, map);
  reader.read("content", request.content);
  reader.read_fields("metadata", request.metadata);
  reader.read("kind", request.options.kind);
  reader.read("external_id", request.options.external_id);
  reader.read("session", request.options.session);
  reader.read_count("chunk_size", request.options.chunks.size);
  reader.read_count("chunk_overlap", request.options.chunks.overlap);
  if (const Value* nodes = reader.find("nodes")) {
    CAIRN_ASSIGN(request.options.nodes, read_new_records(call, *nodes));
  }
  request.options.lifetime = reader.lifetime().value_or(memory::Lifetime());
  CAIRN_TRY(reader.check());
  fill_version(request.metadata);
  return request;
}

namespace {

// `id`: a number or a list of numbers.
void read_ids(RequestReader& reader, const Value& value, std::vector<RecordName>& names) {
  const List single{value};
  for (const Value& one : value.list() != nullptr ? *value.list() : single) {
    const auto id = whole_number(one);
    if (!id || *id < 0)
      return reader.refuse("id", "a record's number or a list of such numbers", value);
    names.emplace_back(NodeId{static_cast<std::uint64_t>(*id)});
  }
}

}  // namespace

std::vector<RecordName> read_record_names(RequestReader& reader) {
  std::vector<RecordName> names;
  if (const Value* value = reader.find("id")) read_ids(reader, *value, names);
  std::vector<std::string> external;
  reader.read("external_id", external);
  for (std::string& one : external) names.emplace_back(std::move(one));
  return names;
}

// Reports mistakes of the members first.
Result<RecordName> read_one_name(RequestReader& reader) {
  std::vector<RecordName> names = read_record_names(reader);
  CAIRN_TRY(reader.check());
  if (names.size() == 1) return std::move(names.front());
  return Error{ErrorCode::invalid_argument,
               reader.call() + " needs exactly one record: set its `id` or its `external_id`",
               std::nullopt};
}

Result<std::optional<memory::Record>> find_named(const memory::Memory& memory,
                                                 const RecordName& name,
                                                 const memory::FindOptions& options) {
  if (const auto* id = std::get_if<NodeId>(&name)) return memory.find(*id, options);
  return memory.find(std::string_view(std::get<std::string>(name)), options);
}

}  // namespace cairn::query

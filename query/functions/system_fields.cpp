// Functions that read the system fields of a record.
#include "query/functions/system_fields.hpp"

#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/view.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/time_zone.hpp"
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <array>

namespace cairn::query {
namespace {

// The error for an entity that was deleted after the statement had found it.
Error record_is_gone(const Call& call, const char* kind, std::uint64_t id) {
  return Error{
      ErrorCode::not_found,
      std::string(call.name) + ": " + kind + " " + std::to_string(id) + " has been deleted",
      {}};
}

/// The system fields that nodes and relationships share.
struct RecordFields {
  codec::RecordHeader header;
  std::string author;
};

// Reads the record even if the entity is loaded, because a loaded entity has only its properties.
Result<RecordFields> record_fields(const Call& call) {
  const engine::View* view = call.context.view;
  if (view == nullptr) return call.wrong_value("a record cannot be read here, outside a statement");
  if (const auto* node = call[0].get_if<Node>()) {
    CAIRN_ASSIGN(auto record, view->find_node(node->id().value));
    if (!record) return record_is_gone(call, "node", node->id().value);
    return RecordFields{record->header, std::move(record->author)};
  }
  const auto* relationship = call[0].get_if<Relationship>();
  if (relationship == nullptr) return call.wrong_type(0, "a node or a relationship");
  CAIRN_ASSIGN(auto record, view->find_relationship(relationship->id().value));
  if (!record) return record_is_gone(call, "relationship", relationship->id().value);
  return RecordFields{record->header, std::move(record->author)};
}

Result<codec::RecordHeader> field_header(const Call& call) {
  CAIRN_ASSIGN(const RecordFields fields, record_fields(call));
  return fields.header;
}

// Converts a stored time to a datetime in UTC.
Value field_moment(std::int64_t microseconds) {
  const Instant instant = instant_at(microseconds);
  return DateTime{instant.seconds, instant.nanoseconds, 0, {}};
}

template <std::int64_t codec::RecordHeader::* field>
Result<Value> field_time(const Call& call) {
  CAIRN_ASSIGN(const codec::RecordHeader header, field_header(call));
  return field_moment(header.*field);
}

Result<Value> field_expires_at(const Call& call) {
  CAIRN_ASSIGN(const codec::RecordHeader header, field_header(call));
  return header.expires_at ? field_moment(*header.expires_at) : Value();
}

// Null if the author was not given when the record was made.
Result<Value> field_author(const Call& call) {
  CAIRN_ASSIGN(RecordFields fields, record_fields(call));
  return fields.author.empty() ? Value() : Value(std::move(fields.author));
}

// The name of the default namespace is empty.
Result<Value> field_namespace(const Call& call) {
  CAIRN_ASSIGN(const codec::RecordHeader header, field_header(call));
  return Value(
      call.context.view->catalog().name(codec::CatalogKind::name_space, header.name_space));
}

// Does the same as the function externalId().
Result<Value> field_external_id(const Call& call) {
  if (call[0].get_if<Node>() == nullptr) return call.wrong_type(0, "a node");
  const auto entries = entity_functions();
  const auto found = std::ranges::find(entries, "externalid", &FunctionEntry::name);
  return found->call(call.arguments, call.context);
}

constexpr std::array system_entries = {
    entry<"@author(entity)", field_author>(),
    entry<"@created_at(entity)", field_time<&codec::RecordHeader::created>>(),
    entry<"@expires_at(entity)", field_expires_at>(),
    entry<"@external_id(node)", field_external_id>(),
    entry<"@namespace(entity)", field_namespace>(),
    entry<"@updated_at(entity)", field_time<&codec::RecordHeader::updated>>(),
};

}  // namespace

const FunctionEntry* find_system_field(std::string_view field) {
  const auto found = std::ranges::find_if(
      system_entries, [&](const FunctionEntry& one) { return one.name.substr(1) == field; });
  return found != system_entries.end() ? &*found : nullptr;
}

std::string_view nearest_system_field(std::string_view field) {
  std::array<std::string_view, system_entries.size()> names;
  std::ranges::transform(system_entries, names.begin(),
                         [](const FunctionEntry& one) { return one.name.substr(1); });
  return nearest_name(field, names);
}

std::string system_field_names() {
  std::string names;
  for (const FunctionEntry& one : system_entries)
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

bool is_external_id(const FunctionEntry& function) {
  return function.name == "@external_id" || function.name == "externalid";
}

// A local datetime is refused, because it denotes no instant.
Result<std::optional<std::int64_t>> expiry_of(const Value& value) {
  if (value.is_null()) return std::optional<std::int64_t>();
  if (value.get_if<DateTime>() != nullptr) {
    if (const auto instant = instant_of(value)) return instant;
  }
  return Error{
      ErrorCode::type_error,
      "@expires_at takes a datetime, as datetime() + duration('P30D'), got " + described(value),
      {}};
}

}  // namespace cairn::query

// Checks one value against its field and normalises it. A misfit is a problem, which strict mode refuses and warn mode
// reports. A remark is advice and never refuses a record.
#include "query/memory/field_check.hpp"

#include <cairn/memory/records.hpp>
#include <cairn/memory/structured_id.hpp>
#include <cairn/value_as.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace cairn::query {
namespace {

using memory::Field;
using memory::FieldType;

// What a type of field accepts.
struct TypeRule {
  const char* demand;  ///< for messages: "... must be a text"
  bool (*fits)(const Value&);
};

bool is_text(const Value& value) { return value.string() != nullptr; }

/// True for a text in ISO 8601 and for typed values with a date.
bool is_instant(const Value& value) {
  if (is_text(value)) return to_instant(value).has_value();
  return value.type() == ValueType::date || value.type() == ValueType::date_time ||
         value.type() == ValueType::local_date_time;
}

template <bool (*fits)(const Value&)>
bool is_list_of(const Value& value) {
  const List* list = value.list();
  return list != nullptr && std::ranges::all_of(*list, fits);
}

// Indexed by FieldType.
constexpr std::array<TypeRule, 12> type_rules = {{
    {"anything", [](const Value&) { return true; }},
    {"a text", is_text},
    {"a number", [](const Value& value) { return value.is_number(); }},
    {"a whole number", [](const Value& value) { return value.type() == ValueType::integer; }},
    {"true or false", [](const Value& value) { return value.type() == ValueType::boolean; }},
    {"an ISO 8601 date or time", is_instant},
    {"a version MAJOR.MINOR.PATCH",
     [](const Value& value) {
       return is_text(value) && memory::parse_version(value.as_string()).has_value();
     }},
    {"a structured id {namespace, type, id}",
     [](const Value& value) {
       return value.map() != nullptr && memory::structured_id_of(value).has_value();
     }},
    {"a thread {id, position from 0, parentId}",
     [](const Value& value) { return memory::thread_of(value).has_value(); }},
    {"a list of texts", is_list_of<is_text>},
    {"a list of texts", is_list_of<is_text>},
    {"a list of maps", is_list_of<[](const Value& value) { return value.map() != nullptr; }>},
}};

/// The comparisons are written so that NaN fails both bounds.
std::optional<std::string> bounds_misfit(const Field& field, const Value& value) {
  if (!value.is_number()) return {};
  const auto* integer = value.get_if<std::int64_t>();
  const double number = integer != nullptr ? static_cast<double>(*integer) : value.as_float();
  if (field.least && !(number >= *field.least))
    return "is less than " + Value(*field.least).to_text();
  if (field.most && !(number <= *field.most)) return "is more than " + Value(*field.most).to_text();
  return {};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

// A single text is stored as a list of one, if the field is a list of texts or tags.
Value normalized(const Field& field, const Value& value) {
  const bool is_one = is_text(value);
  if (field.type == FieldType::tags && (is_one || value.list() != nullptr))
    return memory::tag_set(value);
  return field.type == FieldType::texts && is_one ? Value(List{value}) : value;
}

// Checks the type first, then the bounds, then the closed list of words.
std::optional<std::string> misfit(std::string_view kind, const Field& field, const Value& value) {
  const std::string place = "field \"" + field.name + "\" of a " + std::string(kind) + " ";
  const TypeRule& rule = type_rules[static_cast<std::size_t>(field.type)];
  if (!rule.fits(value)) return place + "is " + value.to_text() + " and must be " + rule.demand;
  if (const auto problem = bounds_misfit(field, value)) return place + *problem;
  if (!field.values_only || std::ranges::count(field.values, value.as_string()) > 0) return {};
  return place + "is " + value.to_text() + " and must be one of: " + joined(field.values);
}

std::optional<std::string> remark(std::string_view kind, const Field& field, const Value& value) {
  if (!field.advised || !is_text(value)) return {};
  if (std::ranges::count(field.values, value.as_string()) > 0) return {};
  return "field \"" + field.name + "\" of a " + std::string(kind) + " is " + value.to_text() +
         "; known words: " + joined(field.values);
}

}  // namespace cairn::query

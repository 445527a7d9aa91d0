// Reads the filter arguments of tools into one filter of the language. Each is validated here,
// before anything runs.
#include "tools/mcp/memory/conditions.hpp"

#include <cairn/value_as.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

namespace cairn::tools::mcp {
namespace {

Error wrong_condition(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), {}};
}

/// Names the operators, if the error is of an unknown one that is like none of them.
Error with_operators(Error error) {
  const bool is_unknown = error.message.starts_with("Unsupported operator");
  if (!is_unknown || error.message.find("did you mean") != std::string::npos) return error;
  error.message += "; operators:";
  constexpr auto last = static_cast<int>(FilterOperator::in_directory);
  for (int op = static_cast<int>(FilterOperator::equals); op <= last; ++op)
    error.message += " " + std::string(to_string(static_cast<FilterOperator>(op)));
  return error;
}

// What Memory::remember() gives to the parts of a text.
constexpr const char* part_kind = "chunk";
constexpr const char* part_label = "Chunk";
constexpr const char* part_field = "chunk_start_char";
constexpr std::array<std::string_view, 4> part_fields = {"chunk_index", "total_chunks", part_field,
                                                         "chunk_end_char"};

bool has_value(const Value& value, std::string_view text) {
  if (value.list() == nullptr) return value == Value(text);
  return std::ranges::find(*value.list(), Value(text)) != value.list()->end();
}

/// True if a filter asks for parts of texts, by their kind, label or fields.
bool names_parts(const Filter& filter) {
  if (filter.op == FilterOperator::has_label && has_value(filter.value, part_label)) return true;
  if (filter.field == "kind" && has_value(filter.value, part_kind)) return true;
  return std::ranges::find(part_fields, filter.field) != part_fields.end() ||
         std::ranges::any_of(filter.filters, names_parts);
}

/// Adds remarks on the ages of a filter.
void add_remarks(Conditions& conditions, const Filter& filter) {
  const bool is_age = filter.op == FilterOperator::since || filter.op == FilterOperator::until;
  if (is_age && filter.value.string() != nullptr)
    if (auto remark = remark_on_age(to_string(filter.op), *filter.value.string()))
      conditions.remarks.push_back(*std::move(remark));
  for (const Filter& part : filter.filters) add_remarks(conditions, part);
}

/// Validates and adds a filter, so that a mistake is reported before anything runs.
Status add_filter(Conditions& conditions, const Value& value) {
  const auto filter = filter_from(value);
  if (!filter) return with_operators(filter.error());
  conditions.filters.push_back(value);
  conditions.names_parts = conditions.names_parts || names_parts(*filter);
  add_remarks(conditions, *filter);
  for (std::string& field : memory::fields_of(*filter))
    conditions.fields.push_back(std::move(field));
  return {};
}

Status add_type(Conditions& conditions, const std::string& type) {
  if (type.empty()) return {};
  constexpr std::array<std::string_view, 4> known = {"note", "decision", "task", "reference"};
  for (const std::string_view one : known) {
    if (type != one) continue;
    conditions.add("kind", "equals", type);
    return {};
  }
  return wrong_condition(
      "memory_type must be one of: note, decision, task, reference (nodeTypes takes any kind), "
      "got " +
      type);
}

/// Relative times are before now; both ends are included.
Status add_date(Conditions& conditions, const char* op, const std::string& date) {
  if (date.empty()) return {};
  const Value condition(Map{{"field", "created_at"}, {"operator", op}, {"value", date}});
  if (!filter_from(condition))
    return wrong_condition("Invalid date format. Use ISO8601 or relative (e.g., \"7d\")");
  conditions.filters.push_back(condition);
  conditions.fields.emplace_back("created_at");
  if (auto remark = remark_on_age(op == std::string_view("since") ? "date_from" : "date_to", date))
    conditions.remarks.push_back(*std::move(remark));
  return {};
}

/// Both ends are included, so that they may be the same. Each of them has been checked alone.
Status check_order(const std::string& from, const std::string& to) {
  using std::chrono::microseconds;
  const std::int64_t now =
      std::chrono::duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  const auto begin = to_instant(from, now);
  const auto end = to_instant(to, now);
  if (!begin || !end || *begin <= *end) return {};
  return wrong_condition("date_from must be <= date_to: " + from + " is after " + to);
}

bool has_elements(const Value* value) {
  return value != nullptr && value->list() != nullptr && !value->list()->empty();
}

}  // namespace

void Conditions::add(std::string_view field, std::string_view op, Value value) {
  filters.push_back(Map{{"field", field}, {"operator", op}, {"value", std::move(value)}});
  fields.emplace_back(field);
}

Value Conditions::filter() const { return Map{{"operator", "AND"}, {"filters", filters}}; }

Value Conditions::whole_filter() const {
  if (names_parts) return filter();
  const List part{Map{{"operator", "has_label"}, {"value", part_label}},
                  Map{{"field", part_field}, {"operator", "exists"}}};
  List all = filters;
  all.push_back(
      Map{{"operator", "NOT"}, {"filters", List{Map{{"operator", "AND"}, {"filters", part}}}}});
  return Map{{"operator", "AND"}, {"filters", std::move(all)}};
}

void Conditions::take_own_names(std::vector<std::string>& warnings) const {
  if (names_parts) return;
  constexpr std::string_view absence = "no record has the ";
  std::erase_if(warnings, [&](const std::string& one) {
    if (!one.starts_with(absence)) return false;
    const std::string_view text = std::string_view(one).substr(absence.size());
    const std::string_view what = text.substr(0, text.find(';'));  // another name may follow
    return what == "label Chunk" || what == "property chunk_start_char";
  });
}

Result<Conditions> read_conditions(const ToolArguments& arguments) {
  Conditions conditions;
  for (const char* const name : {"metadataFilters", "nodeTypes", "tags"})
    if (const Value* list = arguments.find(name); list != nullptr && !has_elements(list))
      conditions.empty_list = name;
  if (const Value* filters = arguments.find("metadataFilters"); has_elements(filters))
    for (const Value& one : *filters->list()) CAIRN_TRY(add_filter(conditions, one));
  if (const Value* group = arguments.find("metadataFilterGroup"))
    CAIRN_TRY(add_filter(conditions, *group));
  if (const Value* kinds = arguments.find("nodeTypes"); has_elements(kinds)) {
    conditions.add("kind", "in", *kinds);
    conditions.names_parts = conditions.names_parts || has_value(*kinds, part_kind);
  }
  if (const std::string session = arguments.text("sessionId"); !session.empty())
    conditions.add("sessionId", "equals", session);
  if (const Value* tags = arguments.find("tags"); has_elements(tags))
    conditions.add("tags", arguments.flag("tag_match_all") ? "contains_all" : "contains_any",
                   *tags);
  CAIRN_TRY(add_type(conditions, arguments.text("memory_type")));
  CAIRN_TRY(add_date(conditions, "since", arguments.text("date_from")));
  CAIRN_TRY(add_date(conditions, "until", arguments.text("date_to")));
  CAIRN_TRY(check_order(arguments.text("date_from"), arguments.text("date_to")));
  return conditions;
}

std::optional<std::string> remark_on_age(std::string_view name, std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789.");
  const std::string_view unit = text.substr(std::min(end, text.size()));
  if (end == 0 || (unit != "m" && unit != "M")) return std::nullopt;
  const std::string count(text.substr(0, end));
  return std::string(name) + " " + count + "m was read as " + count + " months; write " + count +
         "min for minutes, " + count + "mo for months";
}

Status check_lists(const Conditions& conditions) {
  if (conditions.empty_list.empty()) return {};
  return wrong_condition(conditions.empty_list + " is an empty list; leave it out or fill it");
}

}  // namespace cairn::tools::mcp

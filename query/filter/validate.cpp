// What is wrong with a filter that was built by hand. Filters that were read have passed the same checks.

#include "query/filter/field_path.hpp"
#include "query/filter/filter_operators.hpp"

#include <cairn/filter.hpp>

#include <string>

namespace cairn {
namespace {

Error unused(FilterOperator op, std::string_view member) {
  return {
      ErrorCode::invalid_argument,
      "a filter " + std::string(to_string(op)) + " does not read \"" + std::string(member) + "\"",
      std::nullopt};
}

// A member that the operator does not read would be dropped in silence.
Status check_unused(const Filter& filter) {
  const FilterOperator op = filter.op;
  const bool is_group = query::is_group(op);
  const bool has_parts = is_group || op == FilterOperator::any_element;
  const bool reads_field = query::has_field(op);
  const bool reads_value = op == FilterOperator::at_least || (!has_parts && query::takes_value(op));
  const bool says_nothing = filter.value.is_null() || (!has_parts && filter.value == Value(true));
  if (!reads_field && !filter.field.empty()) return unused(op, "field");
  if (!has_parts && !filter.filters.empty()) return unused(op, "filters");
  if (!reads_value && !says_nothing) return unused(op, "value");
  return {};
}

Status check(const Filter& filter, std::size_t level) {
  if (level > query::most_filter_levels) return query::too_many_filter_levels();
  CAIRN_TRY(check_unused(filter));
  CAIRN_TRY(query::check_filter(filter));
  for (const Filter& part : filter.filters) CAIRN_TRY(check(part, level + 1));
  return {};
}

}  // namespace

Status validate(const Filter& filter) { return check(filter, 1); }

Status query::validate_parts(const Filter& filter) {
  if (filter.op != FilterOperator::all) return validate(filter);
  CAIRN_TRY(check_unused(filter));
  CAIRN_TRY(check_filter(filter));
  for (const Filter& part : filter.filters) CAIRN_TRY(validate(part));
  return {};
}

// Of the parts of a group or of an element each is checked by its own call.
Status query::check_filter(const Filter& filter) {
  CAIRN_TRY(check_option(filter.op, "coerce", filter.coerce));
  CAIRN_TRY(check_option(filter.op, "normalize", filter.normalize));
  if (filter.op == FilterOperator::at_least && filter.value.type() != ValueType::integer)
    return Error{ErrorCode::invalid_argument, "AT_LEAST needs a \"minimum\", an integer",
                 std::nullopt};
  if (is_group(filter.op)) return {};
  if (has_field(filter.op)) CAIRN_TRY(parse_field_path(filter.field));
  if (filter.op == FilterOperator::any_element) return {};
  return check_operand(filter.op, filter.value);
}

}  // namespace cairn

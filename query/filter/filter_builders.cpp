// Filters made in C++.
#include "query/filter/field_path.hpp"

#include <cairn/filter.hpp>

namespace cairn {

Filter Filter::where(std::string field, FilterOperator op, Value value) {
  return {op, std::move(field), std::move(value), {}};
}

Filter Filter::all_of(std::vector<Filter> filters) {
  return {FilterOperator::all, {}, {}, std::move(filters)};
}

Filter Filter::any_of(std::vector<Filter> filters) {
  return {FilterOperator::any, {}, {}, std::move(filters)};
}

Filter Filter::none_of(std::vector<Filter> filters) {
  return {FilterOperator::none, {}, {}, std::move(filters)};
}

Filter Filter::at_least(std::int64_t minimum, std::vector<Filter> filters) {
  return {FilterOperator::at_least, {}, Value(minimum), std::move(filters)};
}

Filter Filter::any_element(std::string field, Filter element) {
  return {FilterOperator::any_element, std::move(field), {}, {std::move(element)}};
}

Filter Filter::has_label(std::string label) {
  return {FilterOperator::has_label, {}, Value(std::move(label)), {}};
}

Filter Filter::has_id(const std::vector<std::uint64_t>& ids) {
  List numbers;
  numbers.reserve(ids.size());
  for (const std::uint64_t id : ids) numbers.emplace_back(static_cast<std::int64_t>(id));
  return {FilterOperator::has_id, {}, Value(std::move(numbers)), {}};
}

Result<std::vector<std::string>> path_keys(std::string_view path) {
  return query::parse_field_path(path);
}

}  // namespace cairn

// A filter as the value that filter_from() reads back.

#include <cairn/filter.hpp>

#include <string>
#include <utility>

namespace cairn {

Value to_value(const Filter& filter) {
  Map map;
  map.emplace("operator", Value(to_string(filter.op)));
  const bool is_group = filter.op <= FilterOperator::at_least;
  if (is_group || filter.op == FilterOperator::any_element) {
    List filters;
    for (const Filter& one : filter.filters) filters.push_back(to_value(one));
    map.emplace("filters", std::move(filters));
  }
  if (filter.op == FilterOperator::at_least) map.emplace("minimum", filter.value);
  if (is_group) return map;
  if (filter.op != FilterOperator::has_label) map.emplace("field", filter.field);
  if (filter.op != FilterOperator::any_element) map.emplace("value", filter.value);
  if (filter.coerce) map.emplace("coerce", true);
  return map;
}

}  // namespace cairn

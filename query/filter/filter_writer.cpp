// A filter as the value that filter_from() reads back.
// The law is filter_from(to_value(f)) == f for every filter that is well formed.

#include "query/filter/filter_operators.hpp"

#include <cairn/filter.hpp>

#include <string>
#include <utility>

namespace cairn {

// What the operator has no use for is written too where it is set: the reader refuses it by name, and
// a condition whose operator was forgotten does not become the group that everything passes.
Value to_value(const Filter& filter) {
  Map map;
  map.emplace("operator", Value(to_string(filter.op)));
  const bool is_group = filter.op <= FilterOperator::at_least;
  const bool has_filters = is_group || filter.op == FilterOperator::any_element;
  if (has_filters || !filter.filters.empty()) {
    List filters;
    for (const Filter& one : filter.filters) filters.push_back(to_value(one));
    map.emplace("filters", std::move(filters));
  }
  const bool has_field = query::has_field(filter.op);
  if (has_field || !filter.field.empty()) map.emplace("field", filter.field);
  if (filter.op == FilterOperator::at_least)
    map.emplace("minimum", filter.value);
  else if (!has_filters || !filter.value.is_null())
    map.emplace("value", filter.value);
  if (filter.coerce) map.emplace("coerce", true);
  if (filter.normalize) map.emplace("normalize", true);
  return map;
}

}  // namespace cairn

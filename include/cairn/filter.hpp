#pragma once
// Filter: conditions on the properties of records as a value. The same filter is written in three
// ways that are answered alike: built here, read from JSON, or as `filter.*` functions of the
// language. Values in it are data wherever they come from; nothing is ever pasted into a text.

#include <cairn/export.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

/// What a filter asks. A condition is true or false of a record, never unknown.
///
/// Values compare by type: 8 equals 8.0 and not "8". Where a path leads through a list, each of its
/// maps is followed and one that passes is enough. A negative operator is true of the records that
/// have the field and do not pass the positive one, unless it says "or missing".
enum class FilterOperator : std::uint8_t {
  // Groups, over `filters`.
  all_of,    ///< AND; of none: every record
  any_of,    ///< OR; of none: no record
  none_of,   ///< NOT; the field may be missing
  at_least,  ///< `value`, an integer, of the filters pass

  // Conditions on `field` with `value`.
  equals,                 ///< deep equality
  not_equals,             ///< has the field, and no equal value
  not_equals_or_missing,  ///< not equals, as in natural language
  contains,       ///< list: the element, or all of a list; map: recursive subset; else equal
  contained_by,   ///< list: subset; map: subset; scalar: member
  contains_any,   ///< the value or an element is one of a list
  contains_all,   ///< every one of a list is the value or an element
  contains_none,  ///< none of a list is; the field may be missing
  exists,         ///< present, null included; no value
  not_exists,     ///< absent; no value
  in,             ///< the value or an element is one of a list
  not_in,         ///< has the field, and none of it is in the list
  greater_than,   ///< numbers, instants (ISO 8601 text or temporal), else text order
  greater_or_equal,
  less_than,
  less_or_equal,
  between,       ///< a list of two bounds, both included
  since,         ///< an instant at or after: ISO 8601, temporal, or relative: "7d" ago
  until,         ///< an instant at or before, likewise
  matches,       ///< text in which a regular expression is found; linear time, "(?i)" ignores case
  starts_with,   ///< text with this beginning
  in_directory,  ///< a file path at or below this one (or one of a list), by whole components
  any_element,   ///< one map of the list passes the one filter of `filters`, all at once
  has_label,     ///< the record's label or type is `value`; no field
};

/// The operator's name in JSON and in the language: "greater_than"; groups are "AND", "OR", "NOT"
/// and "AT_LEAST".
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(FilterOperator op) noexcept;

/// One condition, or a group of filters to any depth (64 levels).
struct Filter {
  FilterOperator op = FilterOperator::all_of;
  std::string field;  ///< a path: "a.b"; a key with dots stands as a['b.c']
  Value value;
  std::vector<Filter> filters;
  /// For equals, not_equals, in and not_in: compare as text, so that 8 equals "8".
  bool coerce = false;
};

/// A condition on one field: where("importance", FilterOperator::greater_than, 7).
[[nodiscard]] inline Filter where(std::string field, FilterOperator op, Value value = {}) {
  return {op, std::move(field), std::move(value), {}, false};
}
[[nodiscard]] inline Filter all_of(std::vector<Filter> filters) {
  return {FilterOperator::all_of, {}, {}, std::move(filters), false};
}
[[nodiscard]] inline Filter any_of(std::vector<Filter> filters) {
  return {FilterOperator::any_of, {}, {}, std::move(filters), false};
}
/// None of the filters passes; of one filter: NOT.
[[nodiscard]] inline Filter none_of(std::vector<Filter> filters) {
  return {FilterOperator::none_of, {}, {}, std::move(filters), false};
}
[[nodiscard]] inline Filter at_least(std::int64_t minimum, std::vector<Filter> filters) {
  return {FilterOperator::at_least, {}, Value(minimum), std::move(filters), false};
}
/// Some map in the list `field` passes `element`, whose fields are those of the map.
[[nodiscard]] inline Filter any_element(std::string field, Filter element) {
  return {FilterOperator::any_element, std::move(field), {}, {std::move(element)}, false};
}
[[nodiscard]] inline Filter has_label(std::string label) {
  return {FilterOperator::has_label, {}, Value(std::move(label)), {}, false};
}

/// Read a filter from JSON:
///
///   {"field": "importance", "operator": "greater_than", "value": 7}
///   {"operator": "AND" | "OR" | "NOT", "filters": [...]}
///   {"operator": "AT_LEAST", "minimum": 2, "filters": [...]}
///   {"field": "attachments", "operator": "any_element", "filters": [...]}
///   [...]                                                            all of them
///
/// Errors: invalid_argument, "Unsupported operator: x" for one that is not known, and for values
/// that an operator can not work with (a pattern, a date, a list that is none).
[[nodiscard]] CAIRN_EXPORT Result<Filter> parse_filter(std::string_view json);
/// The same from a value: a map or a list as above, or a string of JSON.
[[nodiscard]] CAIRN_EXPORT Result<Filter> filter_from(const Value& value);
/// The value that filter_from() reads back: what to pass as `$filter` to `matches_filter(n, $filter)`.
[[nodiscard]] CAIRN_EXPORT Value to_value(const Filter& filter);

/// Which of the nodes that pass a filter are wanted.
struct SelectOptions {
  std::vector<std::string> labels = {};  ///< nodes with one of them; none: all nodes
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> limit = std::nullopt;
};

/// The nodes that pass, in the order of their ids, in one column `node`. Answered from the indexes
/// like a WHERE; a field that no record has is named in the result's warnings.
[[nodiscard]] CAIRN_EXPORT Result<Rows> select(const Snapshot& snapshot, const Filter& filter,
                                               const SelectOptions& select_options = {},
                                               const StatementOptions& options = {});
/// How many nodes pass; offset and limit are not looked at.
[[nodiscard]] CAIRN_EXPORT Result<std::uint64_t> count(const Snapshot& snapshot,
                                                       const Filter& filter,
                                                       const SelectOptions& select_options = {},
                                                       const StatementOptions& options = {});

}  // namespace cairn

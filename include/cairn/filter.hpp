#pragma once
// Filter: conditions on the properties of records as a value. A filter can be built here, read from
// JSON, or written with the `filter.*` functions of the language; all three give the same results.
// Values in a filter are always data and are never pasted into a statement.
//
//     using enum FilterOperator;
//     const Filter filter = Filter::all_of(
//         {Filter::where("user", equals, "ada"), Filter::where("importance", greater_than, 5),
//          Filter::none_of({Filter::where("tags", contains_any, list_of({"old"}))})});
//     CAIRN_ASSIGN(Rows rows, select_nodes(snapshot, filter, {.labels = {"Memory"}, .limit = 10}));
//     CAIRN_ASSIGN(const std::uint64_t how_many, count_nodes(snapshot, filter));
//
// Searches (search_vectors(), recall(), faceted_search(), the memory calls) apply the filter first:
// records that it excludes take no place among the best k.

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {

/// The operators of filters. A condition is true or false for a record, never unknown.
///
/// Values compare by type: 8 equals 8.0 and not "8". If a path leads through a list, each map in
/// the list is followed, and one map that passes is enough. A negative operator passes records that
/// have the field and do not pass the positive operator, unless it says "or missing".
///
/// A value of another type than the operator expects does not pass and is not an error: starts_with
/// on a number is false. Only an invalid filter is an error; it is reported before any record is
/// read.
enum class FilterOperator : std::uint8_t {
  // Groups, over `filters`.
  all,   ///< AND; of no filters: every record
  any,   ///< OR; of no filters: no record
  none,  ///< NOT; the field may be missing
  /// Passes if at least `value` filters pass; 0 or less passes every record.
  at_least,  ///< `value` (an integer) of the filters pass

  // Conditions on `field` with `value`.
  /// On a list these compare the whole list. For single elements see contains and in.
  equals,                 ///< deep equality
  not_equals,             ///< has the field, and no equal value
  not_equals_or_missing,  ///< not equals, as in natural language
  contains,       ///< list: the element, or all of a list; map: recursive subset; else equal
  contained_by,   ///< list: subset of `value`; map: subset; scalar: one of `value`
  contains_any,   ///< the value or an element is in the list `value`
  contains_all,   ///< each item of the list `value` is the value or an element
  contains_none,  ///< no item of the list `value` is the value or an element; passes if missing
  /// A null property is not stored, so nulls only occur in lists and maps within a property.
  exists,      ///< present, null included; no value
  not_exists,  ///< absent; no value
  in,          ///< the value or an element is in the list `value`
  not_in,      ///< has the field, and no element of it is in the list `value`
  /// The field and `value` must both be of one of these kinds. Elements of a list are compared too.
  greater_than,  ///< numbers, instants (ISO 8601 text or temporal), otherwise text order
  greater_or_equal,
  less_than,
  less_or_equal,
  between,  ///< a list of two bounds, both included
  /// A relative time is a whole number and min, h, d, w, mo or m (30 days) or y (365 days),
  /// before StatementOptions::now.
  since,  ///< an instant at or after: ISO 8601, temporal, or relative: "7d" ago
  until,  ///< an instant at or before, likewise
  /// Regular expressions have RE2's syntax: no back references, no look-around.
  matches,      ///< the regular expression matches anywhere; linear time, "(?i)" ignores case
  starts_with,  ///< text with this beginning
  /// "/a" contains "/a" and "/a/b", but not "/ab".
  in_directory,  ///< a file path at or below this one (or one of a list), by whole components
  any_element,   ///< one map of the list passes the one filter of `filters`, all at once
  /// Not below any_element (invalid_argument), because an element of a list has no labels and no
  /// id.
  has_label,  ///< the record's label or type is `value`; no field
  has_id,     ///< the record's internal id is `value` or one of a list; no field
};

/// The operator's name in JSON and in the language: "greater_than"; groups are "AND", "OR", "NOT"
/// and "AT_LEAST". Precondition: one of the enumerators. Lifetime: as long as the program.
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(FilterOperator op) noexcept;

/// One condition, or a group of filters, nested up to 64 levels.
///
/// The default is `all` without filters, which every record passes. A filter built by hand is
/// validated when it is used. Leave members that the operator does not use at their defaults.
struct Filter {
  FilterOperator op = FilterOperator::all;
  /// A property of the record; not used by groups, has_label and has_id.
  std::string field = {};  ///< a path: "a.b"; a key with dots is written a['b.c']
  /// What the operator compares with; null for those that take none.
  Value value = {};
  /// The members of a group. For any_element, the one filter on an element.
  std::vector<Filter> filters = {};
  /// For equals, not_equals, in and not_in: compare as text, so that 8 equals "8".
  bool coerce = false;
  /// For equality, membership, starts_with and their negations: compare texts in Unicode form NFC,
  /// so that "é" equals "e" with a combining accent. Cost: checks each distinct text of the field.
  bool normalize = false;

  /// A condition on one field: Filter::where("importance", FilterOperator::greater_than, 7).
  [[nodiscard]] CAIRN_EXPORT static Filter where(std::string field, FilterOperator op,
                                                 Value value = {});
  /// AND: all of the filters pass.
  [[nodiscard]] CAIRN_EXPORT static Filter all_of(std::vector<Filter> filters);
  /// OR: at least one of the filters passes.
  [[nodiscard]] CAIRN_EXPORT static Filter any_of(std::vector<Filter> filters);
  /// NOT: none of the filters passes.
  [[nodiscard]] CAIRN_EXPORT static Filter none_of(std::vector<Filter> filters);
  /// AT_LEAST: `minimum` or more of the filters pass.
  [[nodiscard]] CAIRN_EXPORT static Filter at_least(std::int64_t minimum,
                                                    std::vector<Filter> filters);
  /// Passes if one map in the list `field` passes `element`. The fields of `element` are keys of
  /// the map.
  ///
  ///     const Filter large = Filter::any_element(
  ///         "attachments",
  ///         Filter::all_of({Filter::where("type", FilterOperator::equals, "pdf"),
  ///                         Filter::where("size", FilterOperator::less_than, 1'000)}));
  ///
  /// This finds one attachment that is both. Two separate conditions, on "attachments.type" and on
  /// "attachments.size", could be met by two different attachments.
  [[nodiscard]] CAIRN_EXPORT static Filter any_element(std::string field, Filter element);
  /// The record has the label; case-sensitive.
  [[nodiscard]] CAIRN_EXPORT static Filter has_label(std::string label);
  /// The record's internal id is one of these: NodeId::value, or RelationshipId::value.
  [[nodiscard]] CAIRN_EXPORT static Filter has_id(const std::vector<std::uint64_t>& ids);
};

/// Reads a filter from JSON:
///
///   {"field": "importance", "operator": "greater_than", "value": 7}
///   {"operator": "AND" | "OR" | "NOT", "filters": [...]}
///   {"operator": "AT_LEAST", "minimum": 2, "filters": [...]}
///   {"field": "attachments", "operator": "any_element", "filters": [...]}
///   [...]                                                            all of them
///
/// Conditions may have "coerce": true and "normalize": true. Names of groups are case-insensitive.
/// Errors: invalid_argument for a text that is not JSON, an unknown operator ("Unsupported
/// operator: x"), a value that the operator cannot use (a bad pattern or date, or a value that must
/// be a list), a key that is unknown or that the operator does not use, and an invalid path;
/// resource_limit over 64 levels.
/// Cost: linear. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Filter> parse_filter(std::string_view json);
/// Reads a filter from a value: a map or list as above, or a string with JSON.
/// Errors: as parse_filter().
[[nodiscard]] CAIRN_EXPORT Result<Filter> filter_from(const Value& value);
/// Checks a filter that was built by hand. Calls that take a filter do that too, before they read a
/// record. Errors: as parse_filter().
[[nodiscard]] CAIRN_EXPORT Status validate(const Filter& filter);
/// Returns the keys of a path in the form of filters: "a.b" has a and b, and a['b.c'] has a and
/// b.c. Errors: invalid_argument for an empty key and for an open quote.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<std::string>> path_keys(std::string_view path);
/// Returns the path of these keys, which path_keys() reads back.
[[nodiscard]] CAIRN_EXPORT std::string path_of_keys(std::span<const std::string> keys);
/// Returns the value that filter_from() reads back: pass it as `$filter` to `matches_filter(n,
/// $filter)`. It cannot fail; validate() and the readers report invalid filters.
[[nodiscard]] CAIRN_EXPORT Value to_value(const Filter& filter);

}  // namespace cairn

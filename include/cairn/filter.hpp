#pragma once
// Filter: conditions on the properties of records as a value. The same filter is written in three
// ways that are answered alike: built here, read from JSON, or as `filter.*` functions of the
// language. Values in it are data wherever they come from; nothing is ever pasted into a text.
//
//     using enum FilterOperator;
//     const Filter filter = Filter::all_of(
//         {Filter::where("user", equals, "ada"), Filter::where("importance", greater_than, 5),
//          Filter::none_of({Filter::where("tags", contains_any, list_of({"old"}))})});
//     CAIRN_ASSIGN(Rows rows, select_nodes(snapshot, filter, {.labels = {"Memory"}, .limit = 10}));
//     CAIRN_ASSIGN(const std::uint64_t how_many, count_nodes(snapshot, filter));
//
// In searches (search_vectors(), recall(), faceted_search(), the memory calls) a filter binds
// first: what it leaves out takes no place among the best k.

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
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
///
/// A value of another type than the operator expects does not pass and is not an error: starts_with
/// of a number is false. Only an invalid filter is an error; it is reported before any record is read.
enum class FilterOperator : std::uint8_t {
  // Groups, over `filters`.
  all,   ///< AND; of no filters: every record
  any,   ///< OR; of no filters: no record
  none,  ///< NOT; the field may be missing
  /// `value` filters or more; 0 or less passes every record.
  at_least,  ///< `value`, an integer, of the filters pass

  // Conditions on `field` with `value`.
  /// Of a list: the whole list. For one of its elements see contains and in.
  equals,                 ///< deep equality
  not_equals,             ///< has the field, and no equal value
  not_equals_or_missing,  ///< not equals, as in natural language
  contains,       ///< list: the element, or all of a list; map: recursive subset; else equal
  contained_by,   ///< list: subset; map: subset; scalar: member
  contains_any,   ///< the value or an element is one of a list
  contains_all,   ///< every one of a list is the value or an element
  contains_none,  ///< none of a list is; the field may be missing
  /// A property that is null is not stored, so null is met in lists and maps below a property only.
  exists,      ///< present, null included; no value
  not_exists,  ///< absent; no value
  in,          ///< the value or an element is one of a list
  not_in,      ///< has the field, and none of it is in the list
  /// The field and `value` must be of one of these kinds both; the element of a list counts as
  /// well.
  greater_than,  ///< numbers, instants (ISO 8601 text or temporal), else text order
  greater_or_equal,
  less_than,
  less_or_equal,
  between,  ///< a list of two bounds, both included
  /// Relative: a whole number and min, h, d, w, m (30 days) or y (365 days), back from
  /// StatementOptions::now.
  since,  ///< an instant at or after: ISO 8601, temporal, or relative: "7d" ago
  until,  ///< an instant at or before, likewise
  /// RE2's syntax: no back references, no look-around.
  matches,      ///< text in which a regular expression is found; linear time, "(?i)" ignores case
  starts_with,  ///< text with this beginning
  /// "/a" has "/a" and "/a/b" below it and not "/ab".
  in_directory,  ///< a file path at or below this one (or one of a list), by whole components
  any_element,   ///< one map of the list passes the one filter of `filters`, all at once
  /// Not below any_element: an element of a list has no labels and no id (invalid_argument).
  has_label,  ///< the record's label or type is `value`; no field
  has_id,     ///< the record's internal id is `value` or one of a list; no field
};

/// The operator's name in JSON and in the language: "greater_than"; groups are "AND", "OR", "NOT"
/// and "AT_LEAST".
/// Precondition: one of the enumerators.
/// Lifetime: as long as the program.
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(FilterOperator op) noexcept;

/// One condition, or a group of filters to any depth (64 levels).
///
/// Default: all of nothing, which every record passes. A filter built by hand is checked where it is
/// used, as if it were read. Leave members that the operator does not use at their defaults.
struct Filter {
  FilterOperator op = FilterOperator::all;
  /// A property of the record; unused by groups, has_label and has_id.
  std::string field = {};  ///< a path: "a.b"; a key with dots stands as a['b.c']
  /// What the operator compares with; null for those that take none.
  Value value = {};
  /// The parts of a group; of any_element the one filter of the element.
  std::vector<Filter> filters = {};
  /// For equals, not_equals, in and not_in: compare as text, so that 8 equals "8".
  bool coerce = false;
  /// For equality, membership, starts_with and their negations: compare texts in Unicode form NFC, so
  /// that "é" equals "e" with a combining accent. Cost: each different text of the field.
  bool normalize = false;

  /// A condition on one field: Filter::where("importance", FilterOperator::greater_than, 7).
  [[nodiscard]] CAIRN_EXPORT static Filter where(std::string field, FilterOperator op,
                                                 Value value = {});
  /// AND: every one of the filters passes.
  [[nodiscard]] CAIRN_EXPORT static Filter all_of(std::vector<Filter> filters);
  /// OR: at least one of the filters passes.
  [[nodiscard]] CAIRN_EXPORT static Filter any_of(std::vector<Filter> filters);
  /// NOT: none of the filters passes.
  [[nodiscard]] CAIRN_EXPORT static Filter none_of(std::vector<Filter> filters);
  /// `minimum` of the filters pass, or more.
  [[nodiscard]] CAIRN_EXPORT static Filter at_least(std::int64_t minimum,
                                                    std::vector<Filter> filters);
  /// Some map in the list `field` passes `element`, whose fields are those of the map.
  ///
  ///     const Filter large = Filter::any_element(
  ///         "attachments",
  ///         Filter::all_of({Filter::where("type", FilterOperator::equals, "pdf"),
  ///                         Filter::where("size", FilterOperator::less_than, 1'000)}));
  ///
  /// asks for one attachment that is both; two conditions, on "attachments.type" and on
  /// "attachments.size", may be met by two attachments.
  [[nodiscard]] CAIRN_EXPORT static Filter any_element(std::string field, Filter element);
  /// The record has the label; upper and lower case differ.
  [[nodiscard]] CAIRN_EXPORT static Filter has_label(std::string label);
  /// The record's internal id is one of these: NodeId::value, or RelationshipId::value.
  [[nodiscard]] CAIRN_EXPORT static Filter has_id(const std::vector<std::uint64_t>& ids);
};

/// Read a filter from JSON:
///
///   {"field": "importance", "operator": "greater_than", "value": 7}
///   {"operator": "AND" | "OR" | "NOT", "filters": [...]}
///   {"operator": "AT_LEAST", "minimum": 2, "filters": [...]}
///   {"field": "attachments", "operator": "any_element", "filters": [...]}
///   [...]                                                            all of them
///
/// Conditions may have "coerce": true and "normalize": true. Names of groups are read in any case.
/// Errors: invalid_argument, "Unsupported operator: x" for one that is not known, for values that
/// an operator can not work with (a pattern, a date, a value that is not a list), for a key that is not
/// known or that the operator does not read, for an invalid path; resource_limit over 64
/// levels.
/// Cost: linear. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Filter> parse_filter(std::string_view json);
/// The same from a value: a map or a list as above, or a string of JSON.
/// Errors: as parse_filter().
[[nodiscard]] CAIRN_EXPORT Result<Filter> filter_from(const Value& value);
/// Check a filter that was built by hand. Calls that take a filter do so themselves, before a record is read.
/// Errors: as parse_filter().
[[nodiscard]] CAIRN_EXPORT Status validate(const Filter& filter);
/// The keys of a path as filters write it: "a.b" has a and b, and a['b.c'] has a and b.c.
/// Errors: invalid_argument for an empty key and for an open quote.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<std::string>> path_keys(std::string_view path);
/// The value that filter_from() reads back: what to pass as `$filter` to `matches_filter(n, $filter)`.
/// It does not fail: validate() and the readers report what is wrong.
[[nodiscard]] CAIRN_EXPORT Value to_value(const Filter& filter);

}  // namespace cairn

#pragma once
// Faceted search: the records that pass a filter, newest first and in pages, with exact totals and
// counts of their values. All counts come from the indexes.
//
//     FacetedSearch search;
//     search.tags = {"tea", "taste"};
//     search.date_from = "7d";
//     search.facets = {{.field = "tags", .limit = 10}, {.field = "created_at", .by_age = true}};
//     CAIRN_ASSIGN(const FacetedPage page, faceted_search(snapshot, search));
//     search.cursor = page.next_cursor;   // the next page, where page.has_more
//
// In the query language this is `CALL db.facets`.

#include <cairn/filter.hpp>
#include <cairn/graph.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

/// A request to count the values of a field, over all records of the result and not only those of
/// the page.
struct FacetRequest {
  /// The field, as it is named in the result.
  std::string field;  ///< a path, as in a filter
  /// Counts by age instead of by value: last_7d, last_30d, last_90d and last_year, each including
  /// the shorter periods, and older. Future dates are in no period. The field is then a date, like
  /// `date_field`. A record with several dates counts once for each period.
  bool by_age = false;
  std::size_t limit = 100;  ///< number of values, the most frequent ones; 0: all. Not for ages
};

/// A value, and the number of records of the result that have it.
struct FacetValue {
  Value value;  ///< with its type: 1 and '1' are different values
  std::uint64_t count = 0;

  friend bool operator==(const FacetValue&, const FacetValue&) = default;
};

/// The values of one field in the result, most frequent first; values of equal count are in the
/// order of values. A record counts once for each of its values, and for each element of a list.
///
/// Ages are in the order of the periods, from last_7d to older. Nulls, missing and the records with
/// a value need not add up to the total, because maps are not counted as values.
struct Facet {
  std::string field;
  std::vector<FacetValue> values;
  std::uint64_t distinct = 0;  ///< number of different values, returned or not
  std::uint64_t nulls = 0;     ///< records with a stored null
  std::uint64_t missing = 0;   ///< records without the field
};

/// A faceted query. Every field is optional, and all conditions must hold; `filter` adds any
/// others.
///
/// Dates are ISO 8601 or relative ("7d"); both ends are included, and a date alone is its midnight.
/// All records of a search are compared with one clock reading, StatementOptions::now.
struct FacetedSearch {
  std::vector<std::string> labels = {"Memory"};  ///< records with one of them; empty: all records
  /// Compared as a whole, case-sensitive.
  std::vector<std::string> tags = {};
  /// True: a record needs all tags. False: one of the tags is enough.
  bool tag_match_all = false;
  /// One of note, decision, task and reference. For any other type use `filter`.
  std::optional<std::string> memory_type = std::nullopt;
  std::string date_from = {};
  std::string date_to = {};
  Filter filter = {};  ///< any further conditions
  /// Counted from 1. A page after the last one is empty, which is not an error.
  std::int64_t page = 1;
  std::int64_t page_size = 10;  ///< at most 100
  /// Starts the page here instead of at `page`: FacetedPage::next_cursor of a search with the same
  /// conditions. Pages by cursors neither repeat nor omit a record, whatever is written between
  /// them.
  std::string cursor = {};
  std::vector<FacetRequest> facets = {};
  // The properties that hold tags, type and date, as paths in the form of filters.
  std::string tags_field = "tags";
  std::string type_field = "memory_type";
  std::string date_field = "created_at";
};

/// One page of results, and totals over all pages. Numbers are exact as of the snapshot.
struct FacetedPage {
  std::vector<Node> nodes;  ///< newest first, then largest id; without a date last
  /// Number of records that pass, on all pages.
  std::uint64_t total = 0;
  /// Number of pages: total / page_size, rounded up.
  std::uint64_t total_pages = 0;
  /// As requested. With a cursor it is ignored and returned unchanged.
  std::int64_t page = 1;
  std::int64_t page_size = 10;
  bool has_more = false;
  std::string next_cursor = {};  ///< empty on the last page
  /// In the order of the requests, without those that failed.
  std::vector<Facet> facets;
  /// Facets that could not be counted, and fields that no record has, with the nearest existing
  /// name.
  std::vector<std::string> warnings;
};

/// Finds a page of the records that pass, and counts values over all of them.
///
/// Searches the default namespace, or StatementOptions::name_space; hidden records are excluded.
/// Errors: invalid_argument for page and page_size ("page must be >= 1", "page_size must be <=
/// 100"), for memory_type ("memory_type must be one of: note, decision, task, reference"), for an
/// invalid date, date_from after date_to, and a cursor that no page returned. Errors of the engine
/// are prefixed by "Failed to execute faceted search: ". resource_limit, cancelled, io_error and
/// corruption end the search; any other failure of a facet is a warning. After a few searches the
/// dates of a field are cached in memory, which takes 60 ms for 100,000 records. After that a
/// search of these records takes less than half a millisecond, three facets included. Threads: any.
/// Cost: set operations on the postings of the conditions, and one read for each record on the
/// page.
[[nodiscard]] CAIRN_EXPORT Result<FacetedPage> faceted_search(const Snapshot& snapshot,
                                                              const FacetedSearch& search,
                                                              const StatementOptions& options = {});

/// Counts the values of one field over all records that pass a filter, without returning records.
///
/// Errors: those of parse_filter(); invalid_argument for a field that is not a path; resource_limit
/// and cancelled by `options`. Cost: the filter, and an intersection for each value of the field.
/// Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Facet> count_values(const Snapshot& snapshot,
                                                      const FacetRequest& request,
                                                      const Filter& filter = {},
                                                      const StatementOptions& options = {});

/// Returns the property paths of the nodes that pass a filter, nested ones included, each as its
/// keys, in no order.
///
/// Omits paths over Options::max_paths. Errors: those of parse_filter(); resource_limit and
/// cancelled by `options`. Cost: the filter, and an intersection for each path of the database; no
/// record is read. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<std::vector<std::string>>> property_paths(
    const Snapshot& snapshot, const Filter& filter = {}, const StatementOptions& options = {});

}  // namespace cairn

#pragma once
// Faceted search: the memories that pass a filter, newest first and in pages, with exact totals and
// with counts of their values, all from the indexes.
//
//     FacetedSearch search;
//     search.tags = {"tea", "taste"};
//     search.date_from = "7d";
//     search.facets = {{.field = "tags", .limit = 10}, {.field = "created_at", .by_age = true}};
//     CAIRN_ASSIGN(const FacetedPage page, faceted_search(snapshot, search));
//     search.cursor = page.next_cursor;   // the next page, where page.has_more
//
// `CALL db.facets` is the same in the language.

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

/// What to count over the whole result.
/// Counted are all records of the result, not those of the page.
struct FacetRequest {
  /// As it was asked for.
  std::string field;  ///< a path, as in a filter
  /// Count by age instead of by value: last_7d, last_30d, last_90d and last_year, each with those
  /// before it, and older. Dates to come are in none of them.
  /// The field is then a date, as `date_field` is. A record with several dates counts by each
  /// period once.
  bool by_age = false;
  std::size_t limit = 100;  ///< values given, the most frequent ones; 0 for all. Ages are all given
};

/// A value and how many records of the result have it.
struct FacetValue {
  Value value;  ///< of its own type: 1 and '1' are two
  std::uint64_t count = 0;

  friend bool operator==(const FacetValue&, const FacetValue&) = default;
};

/// The values of one field in the result, most frequent first, equal ones in the order of values.
/// A record counts once for each of its values, elements of lists one by one.
///
/// By age the order is that of the periods, from last_7d to older. nulls, missing and the records
/// with a value need not sum up to the total: maps are no values.
struct Facet {
  std::string field;
  std::vector<FacetValue> values;
  std::uint64_t distinct = 0;  ///< values there are, given or not
  std::uint64_t nulls = 0;     ///< records with a stored null
  std::uint64_t missing = 0;   ///< records without the field
};

/// All parts may be left out. Dates are ISO 8601 or relative ("7d"); both ends are included, and a
/// date alone is its midnight.
/// Conditions hold together; `filter` may say what these do not. All records of a search see one
/// clock, StatementOptions::now.
///
struct FacetedSearch {
  std::vector<std::string> labels = {"Memory"};  ///< records with one of them; none: all
  /// Compared whole, with case.
  std::vector<std::string> tags = {};
  /// False: one of the tags is enough.
  bool tag_match_all = false;
  /// One of note, decision, task and reference. Ask for any other type by `filter`.
  std::optional<std::string> memory_type = std::nullopt;
  std::string date_from = {};
  std::string date_to = {};
  Filter filter = {};  ///< anything besides
  /// From 1; pages behind the last one are empty, which is not an error.
  std::int64_t page = 1;
  std::int64_t page_size = 10;  ///< at most 100
  /// Where the page begins instead of `page`: FacetedPage::next_cursor of a search with the same
  /// conditions. Pages by cursors neither repeat nor leave out a record, whatever is written between.
  std::string cursor = {};
  std::vector<FacetRequest> facets = {};
  // Where records keep what the members above ask for: paths, as in a filter.
  std::string tags_field = "tags";
  std::string type_field = "memory_type";
  std::string date_field = "created_at";
};

/// One page and what is known of all of them.
///
/// Numbers are exact as of the snapshot.
struct FacetedPage {
  std::vector<Node> nodes;  ///< by date, newest first, then by id, largest first; undated ones last
  /// Records that pass, on all pages.
  std::uint64_t total = 0;
  /// How many pages there are: total / page_size, rounded up.
  std::uint64_t total_pages = 0;
  /// As asked for; with a cursor it is not looked at and comes back as it was.
  std::int64_t page = 1;
  std::int64_t page_size = 10;
  bool has_more = false;
  std::string next_cursor = {};  ///< empty on the last page
  /// In the order of the requests, less those that failed.
  std::vector<Facet> facets;
  /// Facets that could not be counted, and fields that no record has, with the nearest name.
  std::vector<std::string> warnings;
};

/// Find a page of the records that pass, and count over all of them.
///
/// Records of the default namespace, or of StatementOptions::name_space; hidden ones are left out.
/// An invalid date, date_from after date_to and a cursor that no page gave are
/// invalid_argument too. resource_limit, cancelled, io_error and corruption end the search; any
/// other failure of a facet is a warning.
/// Errors: invalid_argument in the words of the requirement ("page must be >= 1", "page_size must be
/// <= 100", "memory_type must be one of: note, decision, task, reference", the date's); what fails
/// below keeps its code behind "Failed to execute faceted search: ".
/// The dates of a field are cached in memory after a few searches, 60 ms once for 100,000 records;
/// from then on a search takes less than half a millisecond there, three facets included. Threads:
/// any.
/// Cost: set operations on the postings of what is asked, and one read a record on the page.
[[nodiscard]] CAIRN_EXPORT Result<FacetedPage> faceted_search(const Snapshot& snapshot,
                                                              const FacetedSearch& search,
                                                              const StatementOptions& options = {});

/// Count the values of one field over all records that pass a filter, without a page of them.
///
/// Errors: as parse_filter(); invalid_argument for a field that is not a path; resource_limit and cancelled by `options`.
/// Cost: the filter, and an intersection for each value of the field. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Facet> count_values(const Snapshot& snapshot,
                                                      const FacetRequest& request,
                                                      const Filter& filter = {},
                                                      const StatementOptions& options = {});

/// The property paths that the nodes which pass a filter have, nested ones too, each as its keys, in no order.
///
/// Paths over Options::max_paths are not among them. Errors: as parse_filter(); resource_limit and cancelled by `options`.
/// Cost: the filter, and an intersection for each path of the database; no record is read. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<std::vector<std::string>>> property_paths(
    const Snapshot& snapshot, const Filter& filter = {}, const StatementOptions& options = {});

}  // namespace cairn

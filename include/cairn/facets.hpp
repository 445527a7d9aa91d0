#pragma once
// Faceted search: the memories that pass a filter, newest first and in pages, with exact totals and
// with counts of their values, all from the indexes.

#include <cairn/export.hpp>
#include <cairn/filter.hpp>
#include <cairn/graph.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

/// What to count over the whole result.
struct FacetRequest {
  std::string field;  ///< a path, as in a filter
  /// Count by age instead of by value: last_7d, last_30d, last_90d and last_year, each with those
  /// before it, and older. Dates to come are in none of them.
  bool by_age = false;
  std::size_t limit = 100;  ///< values given, the most frequent ones; 0 for all. Ages are all given
};

struct FacetValue {
  Value value;  ///< of its own type: 1 and '1' are two
  std::uint64_t count = 0;

  friend bool operator==(const FacetValue&, const FacetValue&) = default;
};

/// The values of one field in the result, most frequent first, equal ones in the order of values.
/// A record counts once for each of its values, elements of lists one by one.
struct Facet {
  std::string field;
  std::vector<FacetValue> values;
  std::uint64_t distinct = 0;  ///< values there are, given or not
  std::uint64_t nulls = 0;     ///< records with a stored null
  std::uint64_t missing = 0;   ///< records without the field
};

/// All parts may be left out. Dates are ISO 8601 or relative ("7d"); both ends are included, and a
/// date alone is its midnight.
struct FacetedSearch {
  std::vector<std::string> labels = {"Memory"};  ///< records with one of them; none: all
  std::vector<std::string> tags = {};
  bool tag_match_all = false;
  std::optional<std::string> memory_type = std::nullopt;
  std::string date_from = {};
  std::string date_to = {};
  Filter filter = {};  ///< anything besides
  std::int64_t page = 1;
  std::int64_t page_size = 10;  ///< at most 100
  /// Where the page begins instead of `page`: FacetedPage::next_cursor of a search with the same
  /// conditions. Pages by cursors neither repeat nor leave out a record, whatever is written between.
  std::string cursor = {};
  std::vector<FacetRequest> facets = {};
  std::string tags_field = "tags";
  std::string type_field = "memory_type";
  std::string date_field = "created_at";
};

/// One page and what is known of all of them.
struct FacetedPage {
  std::vector<Node> nodes;  ///< by date, newest first, then by id, largest first; undated ones last
  std::uint64_t total = 0;
  std::uint64_t total_pages = 0;
  std::int64_t page = 1;
  std::int64_t page_size = 10;
  bool has_more = false;
  std::string next_cursor = {};  ///< empty on the last page
  std::vector<Facet> facets;
  /// Facets that could not be counted, and fields that no record has, with the nearest name.
  std::vector<std::string> warnings;
};

/// Errors: invalid_argument in the words of the requirement ("page must be >= 1", "page_size must be
/// <= 100", "memory_type must be one of: note, decision, task, reference", the date's); what fails
/// below keeps its code behind "Failed to execute faceted search: ".
/// Cost: set operations on the postings of what is asked, and one read a record on the page.
[[nodiscard]] CAIRN_EXPORT Result<FacetedPage> faceted_search(const Snapshot& snapshot,
                                                              const FacetedSearch& search,
                                                              const StatementOptions& options = {});

}  // namespace cairn

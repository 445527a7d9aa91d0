#pragma once
// Selects or counts nodes by a filter, without a statement.
//
//     const Filter filter = Filter::where("user", FilterOperator::equals, "ada");
//     CAIRN_ASSIGN(Rows rows, select_nodes(snapshot, filter, {.labels = {"Memory"}, .limit = 10}));
//     CAIRN_ASSIGN(const std::uint64_t how_many, count_nodes(snapshot, filter));

#include <cairn/filter.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn {

/// Which of the nodes that pass a filter are returned. All are returned at once; for large results
/// in pages, faceted_search() has cursors.
struct SelectOptions {
  std::vector<std::string> labels = {};  ///< nodes with one of them; empty: all nodes
  /// Number of passing nodes to skip, in the order of ids.
  std::uint64_t offset = 0;
  /// Maximal number of nodes; nullopt: all.
  std::optional<std::uint64_t> limit = std::nullopt;
};

/// Returns the nodes that pass, in the order of their ids, in one column `node`. Uses indexes like
/// a WHERE. A field that no record has is named in the warnings of the result; an unknown label is
/// not an error. Errors: those of parse_filter() and of Statement::run(). Cost: set operations on
/// postings, then one read per node. Lifetime: the rows keep the snapshot alive. Threads: any
/// number at once on one snapshot.
[[nodiscard]] CAIRN_EXPORT Result<Rows> select_nodes(const Snapshot& snapshot, const Filter& filter,
                                                     const SelectOptions& select_options = {},
                                                     const StatementOptions& options = {});
/// Returns the number of nodes that pass; offset and limit are ignored. Errors: those of
/// select_nodes(). Cost: the postings of the conditions; records are only read if no index decides.
[[nodiscard]] CAIRN_EXPORT Result<std::uint64_t> count_nodes(
    const Snapshot& snapshot, const Filter& filter, const SelectOptions& select_options = {},
    const StatementOptions& options = {});

}  // namespace cairn

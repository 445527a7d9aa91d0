#pragma once
// Nodes by a filter alone, without a statement: which they are, and how many.
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

/// Which of the nodes that pass a filter are wanted.
/// All of them are asked for at once; to go through a large result in pages, faceted_search() has
/// cursors.
struct SelectOptions {
  std::vector<std::string> labels = {};  ///< nodes with one of them; none: all nodes
  /// Of the nodes that pass, in the order of ids.
  std::uint64_t offset = 0;
  /// Nothing: all.
  std::optional<std::uint64_t> limit = std::nullopt;
};

/// The nodes that pass, in the order of their ids, in one column `node`. Answered from the indexes
/// like a WHERE; a field that no record has is named in the result's warnings.
/// Errors: as parse_filter() for the filter, and of Statement::run(); none for a label that nobody
/// has.
/// Cost: set operations on postings, then one read a node.
/// Lifetime: the rows keep the snapshot alive. Threads: any number at once on one snapshot.
[[nodiscard]] CAIRN_EXPORT Result<Rows> select_nodes(const Snapshot& snapshot, const Filter& filter,
                                                     const SelectOptions& select_options = {},
                                                     const StatementOptions& options = {});
/// How many nodes pass; offset and limit are not looked at.
/// Errors: as select_nodes().
/// Cost: the postings of what is asked; records are read only where no index is sure.
[[nodiscard]] CAIRN_EXPORT Result<std::uint64_t> count_nodes(
    const Snapshot& snapshot, const Filter& filter, const SelectOptions& select_options = {},
    const StatementOptions& options = {});

}  // namespace cairn

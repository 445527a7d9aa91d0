// Filters in calls: a fixed statement, with the filter as its parameter.

#include <cairn/select.hpp>

#include <limits>
#include <utility>

namespace cairn {
namespace {

// A filter too, so that no name is ever part of a text; beside the other one, which may be as deep as
// a filter can be.
Value labels_filter(const std::vector<std::string>& labels) {
  if (labels.empty()) return to_value(Filter::all_of({}));
  std::vector<Filter> any;
  for (const std::string& label : labels) any.push_back(Filter::has_label(label));
  return to_value(Filter::any_of(std::move(any)));
}

// The language counts rows in 64 bits with a sign.
Value row_count(std::uint64_t count) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return count > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(count);
}

}  // namespace

// In the order of ids, streamed.
Result<Rows> select_nodes(const Snapshot& snapshot, const Filter& filter,
                          const SelectOptions& select_options, const StatementOptions& options) {
  CAIRN_ASSIGN(
      const Statement statement,
      Statement::parse(
          "MATCH (node) WHERE matches_filter(node, $labels) AND "
          "matches_filter(node, $filter) RETURN node ORDER BY id(node) SKIP $offset LIMIT $limit"));
  const std::uint64_t limit =
      select_options.limit.value_or(std::numeric_limits<std::uint64_t>::max());
  return statement.run(snapshot,
                       {{"labels", labels_filter(select_options.labels)},
                        {"filter", to_value(filter)},
                        {"offset", row_count(select_options.offset)},
                        {"limit", row_count(limit)}},
                       options);
}

// The planner makes an intersection's size of it where the indexes are exact.
Result<std::uint64_t> count_nodes(const Snapshot& snapshot, const Filter& filter,
                                  const SelectOptions& select_options,
                                  const StatementOptions& options) {
  CAIRN_ASSIGN(const Statement statement,
               Statement::parse("MATCH (node) WHERE matches_filter(node, $labels) AND "
                                "matches_filter(node, $filter) RETURN count(*)"));
  CAIRN_ASSIGN(Rows rows, statement.run(snapshot,
                                        {{"labels", labels_filter(select_options.labels)},
                                         {"filter", to_value(filter)}},
                                        options));
  CAIRN_ASSIGN(const auto row, rows.next());
  return static_cast<std::uint64_t>((*row)[0].as_integer());
}

}  // namespace cairn

// select_nodes() and count_nodes(): fixed statements that are parsed once and take the filter as a parameter.

#include <cairn/select.hpp>

#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

// The labels as a filter, so that names are never part of a statement's text. It is separate from the caller's filter,
// which may have the maximum depth already.
Value labels_filter(const std::vector<std::string>& labels) {
  if (labels.empty()) return to_value(Filter::all_of({}));
  std::vector<Filter> any;
  for (const std::string& label : labels) any.push_back(Filter::has_label(label));
  return to_value(Filter::any_of(std::move(any)));
}

/// A statement that is parsed at its first use and then shared.
class Prepared {
 public:
  explicit Prepared(std::string_view text) : text_(text) {}

  Result<const Statement*> get() {
    const std::lock_guard lock(mutex_);
    if (!statement_) {
      CAIRN_ASSIGN(Statement parsed, Statement::parse(text_));
      statement_.emplace(std::move(parsed));
    }
    return &*statement_;
  }

 private:
  const std::string_view text_;
  std::mutex mutex_;  // guards statement_ until it is set
  std::optional<Statement> statement_;
};

// The language has signed 64-bit integers, so larger counts become the largest of them.
Value row_count(std::uint64_t count) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return count > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(count);
}

}  // namespace

// Streams the nodes in the order of their ids.
Result<Rows> select_nodes(const Snapshot& snapshot, const Filter& filter,
                          const SelectOptions& select_options, const StatementOptions& options) {
  static Prepared prepared(
      "MATCH (node) WHERE matches_filter(node, $labels) AND matches_filter(node, $filter) "
      "RETURN node ORDER BY id(node) SKIP $offset LIMIT $limit");
  CAIRN_ASSIGN(const Statement* statement, prepared.get());
  const std::uint64_t limit =
      select_options.limit.value_or(std::numeric_limits<std::uint64_t>::max());
  return statement->run(snapshot,
                        {{"labels", labels_filter(select_options.labels)},
                         {"filter", to_value(filter)},
                         {"offset", row_count(select_options.offset)},
                         {"limit", row_count(limit)}},
                        options);
}

// If the indexes answer the filter exactly, counting needs only the size of an intersection.
Result<std::uint64_t> count_nodes(const Snapshot& snapshot, const Filter& filter,
                                  const SelectOptions& select_options,
                                  const StatementOptions& options) {
  static Prepared prepared(
      "MATCH (node) WHERE matches_filter(node, $labels) AND matches_filter(node, $filter) "
      "RETURN count(*)");
  CAIRN_ASSIGN(const Statement* statement, prepared.get());
  CAIRN_ASSIGN(Rows rows, statement->run(snapshot,
                                         {{"labels", labels_filter(select_options.labels)},
                                          {"filter", to_value(filter)}},
                                         options));
  CAIRN_ASSIGN(const auto row, rows.next());
  return static_cast<std::uint64_t>((*row)[0].as_integer());
}

}  // namespace cairn

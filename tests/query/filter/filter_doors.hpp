#pragma once
// One filter through each of the three doors, with indexes and by reading every record.

#include "tests/query/filter/filter_oracle.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/filter.hpp>
#include <cairn/json.hpp>
#include <cairn/select.hpp>

#include <set>
#include <string>

namespace cairn::test {

inline constexpr std::int64_t fixed_now = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z

enum class Door { call, json, text };
inline constexpr Door all_doors[] = {Door::call, Door::json, Door::text};

inline StatementOptions door_options(bool by_index) {
  StatementOptions options;
  options.now = fixed_now;
  if (!by_index)
    options.disabled_rules =
        "order_expansions push_filters choose_indexes push_limits count_from_cardinality";
  return options;
}

/// The ids of the nodes that pass.
inline std::set<std::uint64_t> passing(Database& database, const Filter& filter, Door door,
                                       bool by_index) {
  const StatementOptions options = door_options(by_index);
  std::set<std::uint64_t> ids;
  if (door == Door::call) {
    const Snapshot snapshot = must(database.snapshot());
    Rows rows = must(select_nodes(snapshot, filter, {}, options));
    while (const auto row = must(rows.next())) ids.insert((*row)[0].as_node().id().value);
    return ids;
  }
  Parameters parameters;
  std::string condition = "matches_filter(n, $json)";
  if (door == Door::json)
    parameters["json"] = to_json(to_value(filter));
  else
    condition = filter_text(filter, parameters);
  Rows rows = must(
      execute(database, "MATCH (n) WHERE " + condition + " RETURN id(n)", parameters, options));
  while (const auto row = must(rows.next()))
    ids.insert(static_cast<std::uint64_t>((*row)[0].as_integer()));
  return ids;
}

}  // namespace cairn::test

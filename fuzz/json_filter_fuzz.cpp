// Parses a filter from JSON. It is refused, or survives writing and reading. It must find the same
// records by index, by scan, by a statement and by the call. The filter and its NOT together must
// find all records.

#include "fuzz/support/expect.hpp"
#include "fuzz/support/outcome.hpp"
#include "fuzz/support/small_database.hpp"

#include <cairn/filter.hpp>
#include <cairn/json.hpp>
#include <cairn/select.hpp>

#include <string>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

StatementOptions options_without(std::string_view rules) {
  StatementOptions options = tight_limits();
  options.disabled_rules = rules;
  return options;
}

constexpr std::string_view index_rules =
    "order_expansions push_filters choose_indexes push_limits count_from_cardinality";

/// Runs the filter as JSON within a statement.
Outcome by_statement(const Snapshot& snapshot, const std::string& json) {
  static const Statement statement =
      Statement::parse("MATCH (n) WHERE matches_filter(n, $json) RETURN n").value();
  return outcome_of(statement.run(snapshot, {{"json", json}}, tight_limits()));
}

/// Checks that the filter and its NOT divide all records.
void check_complement(const Snapshot& snapshot, const Filter& filter, std::size_t found,
                      const std::string& json) {
  const auto all = count_nodes(snapshot, Filter());
  const auto passing = count_nodes(snapshot, filter, {}, tight_limits());
  const auto others = count_nodes(snapshot, Filter::none_of({filter}), {}, tight_limits());
  expect(all.has_value());
  if (!passing || !others) return;  // too many levels, or a limit
  expect(*passing == found && *passing + *others == *all, json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 2 * most_statement_bytes) return -1;
  const auto filter = parse_filter(text_of(data, size));
  if (!filter) {
    expect(!filter.error().message.empty());
    return 0;
  }
  const Value value = to_value(*filter);
  const std::string json = to_json(value);
  const auto again = parse_filter(json);
  expect(again.has_value() && to_value(*again) == value, json);

  const Snapshot snapshot = shared_database().snapshot().value();
  const Outcome found = outcome_of(select_nodes(snapshot, *filter, {}, tight_limits()));
  expect_alike(found, outcome_of(select_nodes(snapshot, *filter, {}, options_without(index_rules))),
               json);
  expect_alike(found, by_statement(snapshot, json), json);
  if (!found.error) check_complement(snapshot, *filter, found.rows.size(), json);
  return 0;
}

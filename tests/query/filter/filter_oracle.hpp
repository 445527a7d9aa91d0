#pragma once
// What a filter means, said a second time in the plainest way: of one record's properties, without
// indexes, plans or the engine's own functions. Tests compare everything with it.

#include <cairn/filter.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace cairn::test {

struct OracleRecord {
  std::set<std::string> labels;
  Map properties;
};

/// `now` in microseconds. Patterns are those of `oracle_finds`: plain text.
[[nodiscard]] bool oracle_passes(const Filter& filter, const OracleRecord& record,
                                 std::int64_t now);

/// A filter as a condition of the language on `n`; values become parameters.
[[nodiscard]] std::string filter_text(const Filter& filter, Parameters& parameters);

}  // namespace cairn::test

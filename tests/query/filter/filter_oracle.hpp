#pragma once
// A second, simple implementation of filters on the properties of one record, without indexes,
// plans or functions of the engine. Tests compare every other implementation with it.

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

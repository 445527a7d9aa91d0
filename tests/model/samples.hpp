#pragma once
// Property values that are easily confused with one another, few enough that two draws often agree.

#include "tests/model/random.hpp"

#include <cairn/value.hpp>

#include <string>
#include <vector>

namespace cairn::test {

struct Sample {
  std::string text;  ///< as an expression of the language
  Value value;
};

[[nodiscard]] const std::vector<Sample>& scalar_samples();
[[nodiscard]] const std::vector<Sample>& string_samples();
/// Scalars, strings, lists and maps.
[[nodiscard]] const std::vector<Sample>& all_samples();

[[nodiscard]] Sample list_sample(const std::vector<Sample>& items);
/// A list of up to four samples; sometimes one of over sixteen numbers.
[[nodiscard]] Sample random_list(Random& random);

/// Returns the properties of a node or relationship: "x" and "y" are any samples, "s" is mostly a
/// string, "n" mostly a number, "list" a list, "m" has maps within maps, and "flag" is a boolean.
/// Each is sometimes absent.
[[nodiscard]] Properties random_properties(Random& random);
/// The value of one of these properties; null now and then.
[[nodiscard]] Value random_property(Random& random, const std::string& name);
[[nodiscard]] const std::vector<std::string>& property_names();

}  // namespace cairn::test

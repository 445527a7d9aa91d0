#pragma once
// Converts values to one canonical text, so that the expected values of a scenario and the actual ones are compared as
// strings: maps are sorted by key, labels are sorted, floats are exact to the last bit.

#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cairn::tck {

enum class ListOrder { kept, ignored };

[[nodiscard]] std::string canonical_text(const Value& value, ListOrder order);

/// Returns the canonical text of a value as the kit writes it: 1, 'a', (:A {x: 1}), [:T], <(:A)-[:T]->(:B)>. Returns
/// nullopt if the text cannot be parsed.
[[nodiscard]] std::optional<std::string> expected_text(std::string_view expected, ListOrder order);

}  // namespace cairn::tck

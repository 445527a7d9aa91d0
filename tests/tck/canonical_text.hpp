#pragma once
// Values as one canonical text, so that what a scenario expects and what came back are compared as
// strings: maps by key, labels in order, floats to the last bit.

#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cairn::tck {

enum class ListOrder { kept, ignored };

[[nodiscard]] std::string canonical_text(const Value& value, ListOrder order);

/// The canonical text of a value as the kit writes it: 1, 'a', (:A {x: 1}), [:T], <(:A)-[:T]->(:B)>.
/// Nullopt where the text cannot be read.
[[nodiscard]] std::optional<std::string> expected_text(std::string_view expected, ListOrder order);

}  // namespace cairn::tck

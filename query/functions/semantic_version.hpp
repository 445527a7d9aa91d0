#pragma once
// Semantic versions as values that the language compares by its own rules.

#include <cairn/value.hpp>

#include <optional>
#include <string_view>

namespace cairn::query {

/// A version of semver.org 2.0 as a list that lists are compared with in the order of versions, or nothing for any
/// other text.
///
///     1.10.0       [1, 10, 0, 1]
///     1.10.0-rc.2  [1, 10, 0, 0, [1, 'rc'], [0, 2]]    before its release; a number before a word
///
/// What follows + has no order and is left out. A number beyond 64 bits makes no version, nor does
/// a text of more than 256 bytes.
[[nodiscard]] std::optional<List> order_of_version(std::string_view text);

}  // namespace cairn::query

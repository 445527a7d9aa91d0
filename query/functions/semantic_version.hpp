#pragma once
// Semantic versions as values that the language compares in the order of versions.

#include <cairn/value.hpp>

#include <optional>
#include <string_view>

namespace cairn::query {

/// Converts a version of semver.org 2.0 to a list. Such lists are ordered as the versions are. Returns nullopt for
/// any other text.
///
///     1.10.0       [1, 10, 0, 1]
///     1.10.0-rc.2  [1, 10, 0, 0, [1, 'rc'], [0, 2]]    before its release; numbers before words
///
/// Build metadata after + is ignored, because it has no order. Returns nullopt for numbers beyond 64 bits and for
/// texts of more than 256 bytes.
[[nodiscard]] std::optional<List> order_of_version(std::string_view text);

}  // namespace cairn::query

#pragma once
// The text of a single value, without quotes: what toString() gives and what + appends to a string.

#include <cairn/value.hpp>

#include <optional>
#include <string>

namespace cairn::query {

/// Nullopt for containers, entities, paths, vectors and null.
[[nodiscard]] std::optional<std::string> scalar_text(const Value& value);

}  // namespace cairn::query

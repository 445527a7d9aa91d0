#pragma once
// Values in other forms: scalars as texts, texts as a list, and entities as bare ids.

#include <cairn/value.hpp>

#include <optional>
#include <span>
#include <string>

namespace cairn::query {

/// Returns the text of a scalar without quotes, as toString() and + produce it. Returns nullopt for containers,
/// entities, paths, vectors and null.
[[nodiscard]] std::optional<std::string> scalar_text(const Value& value);

[[nodiscard]] inline List list_of_texts(std::span<const std::string> texts) {
  return List(texts.begin(), texts.end());
}

// Values from outside of a statement. Their entities are reduced to ids, so that the statement reads the current
// records. So the content of an entity from a caller is never used in place of the record.

/// Returns the value with bare ids instead of entities, also in lists, maps and paths. A value without entities shares
/// its content. Cost: constant without entities; otherwise, visits all elements of lists and maps.
[[nodiscard]] Value bare(const Value& value);

}  // namespace cairn::query

#pragma once
// Values in other forms: a scalar as text, texts as a list, and values from outside with bare ids
// for entities.

#include <cairn/value.hpp>

#include <optional>
#include <span>
#include <string>

namespace cairn::query {

// The text of a single value, without quotes: what toString() gives and what + appends to a string.

/// Nullopt for containers, entities, paths, vectors and null.
[[nodiscard]] std::optional<std::string> scalar_text(const Value& value);

// Texts as a value of the language.

[[nodiscard]] inline List list_of_texts(std::span<const std::string> texts) {
  return List(texts.begin(), texts.end());
}

// Values from outside of a statement: nodes and relationships among them are ids, whatever content they bring. So the
// statement reads the records as they are now, and content that somebody invented is not a record.

/// The value with its entities as bare ids, in lists, maps and paths too. Shares its content if there are no entities.
/// Cost: where there are some, looks at each element of lists and maps.
[[nodiscard]] Value bare(const Value& value);

}  // namespace cairn::query

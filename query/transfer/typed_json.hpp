#pragma once
// Values whose type plain JSON loses, so that an export imports to an equal database.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

namespace cairn::query {

/// The type names of the properties that JSON would change, by property name: a top-level one by its
/// type ("date", "vector", "float"), a container that holds one by "cypher" (its text as a literal).
[[nodiscard]] Map types_of(const Properties& properties);
/// The properties as JSON can hold them, in the forms that apply_types reads back.
[[nodiscard]] Value plain_json(const Properties& properties);
/// Turn the plain forms of `properties` back by `types`. Errors: invalid_argument.
[[nodiscard]] Status apply_types(Properties& properties, const Value& types);

}  // namespace cairn::query

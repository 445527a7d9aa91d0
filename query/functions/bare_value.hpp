#pragma once
// Values from outside of a statement: nodes and relationships among them are ids, whatever content they bring. So the
// statement reads the records as they are now, and content that somebody invented is no record.

#include <cairn/value.hpp>

namespace cairn::query {

/// The value with its entities as bare ids, in lists, maps and paths too. Shares its content if there are no entities.
/// Cost: where there are some, looks at each element of lists and maps.
[[nodiscard]] Value bare(const Value& value);

}  // namespace cairn::query

#pragma once
// Values as text for people.

#include <cairn/export.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <string>

namespace cairn {

/// As Value::to_text(), but of each vector in it, properties of nodes included, no more than
/// `most_components`, and "..." for the others: "vector([0.5, 1.0, ...], 256, FLOAT32)". No literal
/// then.
[[nodiscard]] CAIRN_EXPORT std::string shortened_text(const Value& value,
                                                      std::size_t most_components);

}  // namespace cairn

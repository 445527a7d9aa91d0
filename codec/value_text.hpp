#pragma once
// How values of any size are in messages.

#include <cairn/value.hpp>

#include <cstddef>
#include <string>

namespace cairn::codec {

/// The first `most_bytes` of Value::to_text(), never half a character, and "..." where it is longer.
/// Cost: about that many bytes for each level of the value, whatever it holds.
[[nodiscard]] std::string beginning_of_text(const Value& value, std::size_t most_bytes);

}  // namespace cairn::codec

#pragma once
// Members of objects of JSON.

#include <cairn/value.hpp>

namespace cairn::tools {

/// Returns the member of an object; null if there is none.
[[nodiscard]] inline Value json_member(const Map& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? Value() : found->second;
}

}  // namespace cairn::tools

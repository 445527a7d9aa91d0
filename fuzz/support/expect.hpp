#pragma once
// How a fuzz target asserts: what does not hold ends the program, which is a finding.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>
#include <string_view>

namespace cairn::fuzz {

/// Abort where a claim does not hold, with its place and what is said about it.
inline void expect(bool holds, const std::string& about = {},
                   std::source_location place = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: what must hold does not. %s\n", place.file_name(), place.line(),
               about.c_str());
  std::abort();
}

/// The input of a target as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace cairn::fuzz

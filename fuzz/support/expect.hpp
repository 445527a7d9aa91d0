#pragma once
// Assertions of fuzz targets: a violation ends the program, which the fuzzer reports.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>
#include <string_view>

namespace cairn::fuzz {

/// Aborts if the condition is false, and prints its place and a description.
inline void expect(bool holds, const std::string& about = {},
                   std::source_location place = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: what must hold does not. %s\n", place.file_name(), place.line(),
               about.c_str());
  std::abort();
}

/// Returns the input of a target as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace cairn::fuzz

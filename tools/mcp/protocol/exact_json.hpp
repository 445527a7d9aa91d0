#pragma once
// JSON parsing with exact numbers.

#include <boost/json.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <string_view>

namespace cairn::tools::mcp {

/// Parses a text. Each fraction becomes the nearest double, while boost::json::parse() has an error
/// in the last digit. `problem` is set if the text is not JSON or nests more than `levels` deep, and
/// then `place`, if given, to the number of bytes before it. May throw std::bad_alloc.
[[nodiscard]] boost::json::value parse_exactly(std::string_view text, std::size_t levels,
                                               boost::system::error_code& problem,
                                               std::size_t* place = nullptr);

}  // namespace cairn::tools::mcp

#pragma once
// JSON with its numbers exactly as written.

#include <boost/json.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <string_view>

namespace cairn::tools::mcp {

/// Parse a text. boost::json::parse() reads fractions with an error in the last digit: here each is the nearest double.
/// `problem` says what is wrong: no JSON, or more than `levels` of it. May throw std::bad_alloc.
[[nodiscard]] boost::json::value parse_exactly(std::string_view text, std::size_t levels,
                                               boost::system::error_code& problem);

}  // namespace cairn::tools::mcp

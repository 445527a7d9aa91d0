#pragma once
// The functions format.* of the language, and the TOON format.

#include "query/functions/function_entry.hpp"

#include <cairn/memory/output.hpp>

#include <string>
#include <string_view>

namespace cairn::query {

[[nodiscard]] FunctionFamily format_functions();

/// True if an external id consists of digits, so that it looks like the number of a record.
[[nodiscard]] inline bool looks_like_number(std::string_view external_id) {
  return !external_id.empty() &&
         external_id.find_first_not_of("0123456789") == std::string_view::npos;
}

// A page of records in TOON, one line each. memory::parse_toon() documents the grammar.

[[nodiscard]] std::string toon_text(const memory::Output& output);

}  // namespace cairn::query

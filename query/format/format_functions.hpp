#pragma once
// The functions format.* of the language, and the TOON format.

#include "query/functions/function_entry.hpp"

#include <cairn/memory/output.hpp>

#include <string>

namespace cairn::query {

[[nodiscard]] FunctionFamily format_functions();

// A page of records in TOON, one line each. memory::parse_toon() documents the grammar.

[[nodiscard]] std::string toon_text(const memory::Output& output);

}  // namespace cairn::query

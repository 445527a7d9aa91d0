#pragma once
// What this folder gives to others: the functions format.* of the language, and TOON.

#include "query/functions/function_entry.hpp"

#include <cairn/memory/output.hpp>

#include <string>

namespace cairn::query {

// The functions format.* of the language.

[[nodiscard]] FunctionFamily format_functions();

// TOON: a page of records, one line each. Its grammar stands at memory::parse_toon().

[[nodiscard]] std::string toon_text(const memory::Output& output);

}  // namespace cairn::query

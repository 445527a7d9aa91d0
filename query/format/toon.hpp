#pragma once
// TOON: a page of records, one line each. Its grammar stands at memory::parse_toon().

#include <cairn/memory/output.hpp>

#include <string>

namespace cairn::query {

[[nodiscard]] std::string toon_text(const memory::Output& output);

}  // namespace cairn::query

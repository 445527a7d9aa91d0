#pragma once
// A reader of GBNF, as strict as llama.cpp's.

#include "query/syntax/gbnf.hpp"

#include <string_view>

namespace cairn::test {

/// Reads a grammar that begins with `root`. All its rules describe characters.
///
/// Errors: parse_error for what llama.cpp refuses: a name with other characters, an unknown escape, a rule that is
/// missing or defined twice, and left recursion.
[[nodiscard]] Result<query::ebnf::Grammar> read_gbnf(std::string_view text);

}  // namespace cairn::test

#pragma once
// A reader of GBNF, as strict as llama.cpp's.

#include "query/syntax/gbnf.hpp"

#include <string_view>

namespace cairn::test {

/// Read a grammar that begins with `root`; all its rules are about characters.
///
/// Errors: parse_error for what llama.cpp refuses: a name of other signs, an unknown escape, a rule that is missing or
/// there twice, and left recursion.
[[nodiscard]] Result<query::ebnf::Grammar> read_gbnf(std::string_view text);

}  // namespace cairn::test

#pragma once
// The grammar of the query language as text, for programs that generate or parse statements.
//
//     CAIRN_ASSIGN(const std::string gbnf, language_grammar("gbnf"));
//     std::ofstream("cairn.gbnf") << gbnf;   // llama-cli --grammar-file cairn.gbnf
//
// A language model that is constrained by the grammar writes statements that parse. The grammar
// does not check names and types.

#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <string>
#include <string_view>

namespace cairn {

/// The formats of language_grammar(): W3C's EBNF for people, and GBNF of llama.cpp for constrained
/// decoding.
inline constexpr std::string_view grammar_formats[] = {"ebnf", "gbnf"};

/// Returns the grammar of statements in one of `grammar_formats`.
///
/// Both formats are generated from one source, which describes what the parser accepts. The EBNF
/// begins with an explanation of its notation. The start rule of the GBNF is `root`. Errors:
/// invalid_argument for another format. Cost: some milliseconds for GBNF. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::string> language_grammar(std::string_view format);

}  // namespace cairn

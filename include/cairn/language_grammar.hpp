#pragma once
// The grammar of the query language as text, for programs that write or read statements.
//
//     CAIRN_ASSIGN(const std::string gbnf, language_grammar("gbnf"));
//     std::ofstream("cairn.gbnf") << gbnf;   // llama-cli --grammar-file cairn.gbnf
//
// A language model that is held to it writes statements that parse. Names and types are not of the grammar.

#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <string>
#include <string_view>

namespace cairn {

/// The forms of `language_grammar()`: W3C's EBNF to be read, and GBNF of llama.cpp for constrained decoding.
inline constexpr std::string_view grammar_formats[] = {"ebnf", "gbnf"};

/// Give the grammar of statements in one of `grammar_formats`.
///
/// Both say the same and are made from one source, which describes what the parser takes; how its notation is to be
/// read stands on top of the EBNF. Sentences of the GBNF begin with the rule `root`.
/// Errors: invalid_argument for another format. Cost: of GBNF some milliseconds. Threads: safe from any number of
/// threads.
[[nodiscard]] CAIRN_EXPORT Result<std::string> language_grammar(std::string_view format);

}  // namespace cairn

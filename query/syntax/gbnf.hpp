#pragma once
// A grammar as GBNF, the form of llama.cpp, which lets a language model write sentences of it only.
//
// GBNF is about characters: it skips nothing and knows no keywords. So blanks stand between the tokens of each rule,
// keywords are sets of two letters each, and A - B is written out letter by letter. That words touch no words is a
// property of two neighbours, which may come of different rules; hence each rule is there once for each state before
// and behind it (see gbnf_printer.cpp).

#include "query/syntax/ebnf.hpp"

#include <string>

namespace cairn::query::ebnf {

/// Print a grammar as GBNF, where sentences begin with the rule `root`.
///
/// It has the rules BLANK and SPACE. Errors: unsupported, where A - B has another form than a set, a repeated set, and
/// words.
[[nodiscard]] Result<std::string> print_gbnf(const Grammar& grammar);

/// What is before or behind a token.
enum class Edge : std::uint8_t { apart, word, slash };

/// Whether a token begins and ends with a character of words, and whether it may be empty.
struct TokenEdges {
  Edge before = Edge::apart;
  Edge behind = Edge::apart;
};

/// The edges of a text of a rule or of a token.
/// Errors: unsupported where some texts of the token begin or end otherwise than others.
[[nodiscard]] Result<TokenEdges> edges_of(const Grammar& grammar, const Part& part);

/// Append the rules of all tokens and of all keywords in `words`, in lower case.
Status append_tokens(const Grammar& grammar, std::string& gbnf);

/// A rule of a keyword in any case.
void append_keyword(std::string_view word, std::string& gbnf);

/// The name of the rule of a keyword.
[[nodiscard]] std::string keyword_name(std::string_view word);
/// A name as GBNF takes it.
[[nodiscard]] std::string gbnf_name(std::string_view name);
/// A text in quotation marks.
[[nodiscard]] std::string gbnf_text(std::string_view text);

}  // namespace cairn::query::ebnf

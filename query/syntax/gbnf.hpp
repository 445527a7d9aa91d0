#pragma once
// Grammars as data: the language's own in EBNF, and the form of it that guides a language model
// (GBNF).

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::ebnf {

// A grammar as a value, and the reader of cypher.ebnf, which says what its notation means.

enum class PartKind : std::uint8_t { text, set, rule, sequence, choice, repeat, difference };

/// The characters from `first` to `last`, both included.
struct CharacterRange {
  char32_t first = 0;
  char32_t last = 0;
  bool operator==(const CharacterRange&) const = default;
};

/// One part of the right side of a rule. Which members mean something depends on the kind.
struct Part {
  PartKind kind = PartKind::sequence;
  std::string text;                    ///< of a text
  std::vector<CharacterRange> ranges;  ///< of a set
  bool is_negated = false;             ///< of a set: all but these
  std::size_t rule = 0;                ///< of a rule: its index
  std::vector<Part> parts;  ///< of a sequence or choice; the one that is repeated; A and B of A - B
  bool may_be_absent = false;    ///< of a repeat: ? and *
  bool may_be_repeated = false;  ///< of a repeat: * and +
};

struct Rule {
  std::string name;
  Part part;
  bool is_token = false;  ///< its name is in capitals: no blanks within
};

/// The first rule is where sentences begin.
struct Grammar {
  std::vector<Rule> rules;

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};

/// Whether a text of a rule is a keyword, which has letters only.
[[nodiscard]] bool is_word(std::string_view text) noexcept;

/// The character at `at`, which is moved behind it. Precondition: UTF-8.
[[nodiscard]] char32_t take_character(std::string_view text, std::size_t& at) noexcept;

/// Read rules in W3C's notation.
///
/// Errors: parse_error with the line: what is not a rule, a name without a rule, a name with two.
[[nodiscard]] Result<Grammar> read_ebnf(std::string_view text);

/// The text of cypher.ebnf, as it was when the library was built.
[[nodiscard]] std::string_view cypher_ebnf() noexcept;

// A grammar as GBNF, the form of llama.cpp, which lets a language model write sentences of it only.
//
// GBNF is about characters: it skips nothing and knows no keywords. So blanks stand between the tokens of each rule,
// keywords are sets of two letters each, and A - B is written out letter by letter. That words touch no words is a
// property of two neighbours, which may come of different rules; hence each rule is there once for each state before
// and behind it (see gbnf_printer.cpp).

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

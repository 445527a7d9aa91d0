#pragma once
// Grammars as data: the grammar of the language in EBNF, and its translation to GBNF, which guides a language model.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::ebnf {

// A grammar as a value, and the reader of cypher.ebnf. The file cypher.ebnf describes its notation.

enum class PartKind : std::uint8_t { text, set, rule, sequence, choice, repeat, difference };

/// The characters from `first` to `last`, both included.
struct CharacterRange {
  char32_t first = 0;
  char32_t last = 0;
  bool operator==(const CharacterRange&) const = default;
};

/// One part of the right side of a rule. The kind decides which members are used.
struct Part {
  PartKind kind = PartKind::sequence;
  std::string text;                    ///< of a text; of a rule: its name
  std::vector<CharacterRange> ranges;  ///< of a set
  bool is_negated = false;             ///< of a set: all characters except these
  std::size_t rule = 0;                ///< of a rule: its index
  /// Of a sequence or choice: all parts; of a repeat: one; of a difference: A and B of A - B.
  std::vector<Part> parts;
  bool may_be_absent = false;    ///< of a repeat: true for ? and *
  bool may_be_repeated = false;  ///< of a repeat: true for * and +
};

struct Rule {
  std::string name;
  Part part;
  bool is_token = false;  ///< its name begins with a capital: no blanks inside
};

/// The rules of a grammar. Sentences begin with the first rule.
struct Grammar {
  std::vector<Rule> rules;

  /// Returns the index of the rule with this name.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};

/// True if a text of a rule is a keyword: it has letters only.
[[nodiscard]] bool is_word(std::string_view text) noexcept;

/// Returns the character at `at` and advances `at`. The text must be UTF-8.
[[nodiscard]] char32_t take_character(std::string_view text, std::size_t& at) noexcept;

/// Reads a grammar in W3C's notation. Errors: parse_error with the line for a syntax error, an undefined rule, and a
/// rule with two definitions.
[[nodiscard]] Result<Grammar> read_ebnf(std::string_view text);

/// Returns the text of cypher.ebnf, which is compiled into the library.
[[nodiscard]] std::string_view cypher_ebnf() noexcept;

// GBNF is the notation of llama.cpp, which restricts the output of a language model to a grammar.
//
// GBNF describes characters: it skips nothing and has no keywords. So the translation inserts blanks between tokens,
// makes each letter of a keyword a set of both cases, and writes A - B letter by letter. Whether a blank is required
// between two tokens depends on both tokens, and these may belong to different rules. So each rule is printed once for
// each state before and after it; see gbnf_printer.cpp.

/// Translates a grammar to GBNF. The rule `root` is where sentences begin. The grammar must have the rules BLANK and
/// SPACE. Errors: unsupported for a difference other than `(set set*) - (word | ...)`, which is a name except these
/// words.
[[nodiscard]] Result<std::string> print_gbnf(const Grammar& grammar);

/// What a token begins or ends with: a character of words, a slash, or another character.
enum class Edge : std::uint8_t { apart, word, slash };

/// The edges of a token, which decide whether a blank is needed next to it.
struct TokenEdges {
  Edge before = Edge::apart;
  Edge behind = Edge::apart;
};

/// Returns the edges of a token or of a text in a rule. Errors: unsupported if the texts of the token begin or end in
/// different ways.
[[nodiscard]] Result<TokenEdges> edges_of(const Grammar& grammar, const Part& part);

/// Appends the GBNF rules of all tokens.
Status append_tokens(const Grammar& grammar, std::string& gbnf);

/// Appends the rule of a keyword, which matches it in any case.
void append_keyword(std::string_view word, std::string& gbnf);

/// Returns the name of the rule of a keyword.
[[nodiscard]] std::string keyword_name(std::string_view word);
/// Converts a name to GBNF: lower case, with hyphens.
[[nodiscard]] std::string gbnf_name(std::string_view name);
/// Returns a text as a GBNF string in quotation marks.
[[nodiscard]] std::string gbnf_text(std::string_view text);

}  // namespace cairn::query::ebnf

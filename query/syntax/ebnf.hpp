#pragma once
// A grammar as a value, and the reader of cypher.ebnf, which says what its notation means.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::ebnf {

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
/// Errors: parse_error with the line: what is no rule, a name without a rule, a name with two.
[[nodiscard]] Result<Grammar> read_ebnf(std::string_view text);

/// The text of cypher.ebnf, as it was when the library was built.
[[nodiscard]] std::string_view cypher_ebnf() noexcept;

}  // namespace cairn::query::ebnf

#pragma once
// Recogniser: whether a text is a sentence of a grammar, and how far it is one.

#include "query/syntax/gbnf.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::test {

/// Finds all ends of each rule at each position, once. So the order of alternatives has no meaning, and any grammar
/// without left recursion is accepted.
///
/// Rules with names in capitals are tokens. Before a token within another rule, blanks (BLANK) are skipped. A token is
/// as long as possible, and a word must not be followed by a character of names. A grammar that consists only of tokens
/// describes characters.
class Recogniser {
 public:
  Recogniser(const query::ebnf::Grammar& grammar, std::string_view text);

  [[nodiscard]] bool derives();

  /// The furthest place that a token was looked for at, and the tokens that it could not be.
  [[nodiscard]] std::string furthest() const;

 private:
  using Part = query::ebnf::Part;
  using Ends = std::vector<std::uint32_t>;

  const Ends& ends_of_rule(std::size_t rule, std::uint32_t at);
  Ends ends(const Part& part, std::uint32_t at, bool in_token);
  Ends ends_of_sequence(const Part& part, std::uint32_t at, bool in_token);
  Ends ends_of_repeat(const Part& part, std::uint32_t at, bool in_token);
  Ends ends_of_difference(const Part& part, std::uint32_t at);
  Ends token(const Part& part, std::uint32_t at);
  Ends take_text(std::string_view text, std::uint32_t at, bool any_case) const;
  Ends take_set(const Part& part, std::uint32_t at) const;
  std::uint32_t skip(std::uint32_t at);
  [[nodiscard]] bool goes_on(std::uint32_t at) const;
  void note(const Part& part, std::uint32_t at);

  const query::ebnf::Grammar& grammar_;
  std::string_view text_;
  std::size_t blank_ = 0;  ///< the rule of blanks
  std::unordered_map<std::uint64_t, Ends> known_;
  std::unordered_map<std::uint32_t, std::uint32_t> skipped_;
  std::uint32_t furthest_ = 0;
  std::set<std::string> expected_;
};

/// Whether the grammar derives the text; if not, an explanation for a message.
struct Derivation {
  bool is_derived = false;
  std::string problem;
};
[[nodiscard]] Derivation derive(const query::ebnf::Grammar& grammar, std::string_view text);

}  // namespace cairn::test

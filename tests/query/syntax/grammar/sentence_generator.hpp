#pragma once
// SentenceGenerator: random sentences of a grammar.

#include "query/syntax/gbnf.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

/// Chooses alternatives at random; below a certain depth, those that end soonest.
///
/// Writes blanks and comments between tokens, and sometimes nothing where no separator is needed.
class SentenceGenerator {
 public:
  explicit SentenceGenerator(const query::ebnf::Grammar& grammar);

  [[nodiscard]] std::string sentence(std::uint64_t seed);

 private:
  using Part = query::ebnf::Part;

  std::size_t least_height(const Part& part) const;
  void find_heights();
  void append(const Part& part, std::size_t depth, bool in_token);
  void append_token(const Part& part, std::size_t depth);
  void append_choice(const Part& part, std::size_t depth, bool in_token);
  void append_set(const Part& part);
  void append_difference(const Part& part, std::size_t depth);
  void append_blank(bool is_needed);
  [[nodiscard]] bool is_left_out(const Part& without, std::string_view word) const;
  [[nodiscard]] std::size_t below(std::size_t bound) { return random_() % bound; }

  const query::ebnf::Grammar& grammar_;
  std::vector<std::size_t> heights_;  ///< of the lowest derivation of each rule
  std::mt19937_64 random_;
  std::string text_;
};

}  // namespace cairn::test

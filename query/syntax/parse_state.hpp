#pragma once
// ParseState: what one run of the grammar keeps besides its position: how deep it is, what it would
// have taken at the furthest place it came to, and where brackets end.

#include "query/syntax/lexical.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// Ends a parse at a place that can be named better than by what was expected there. It never leaves
/// query/syntax.
struct SyntaxFailure {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string sentence;
  bool is_limit = false;
};

/// What a terminal that did not match was looking for.
struct Expectation {
  std::string_view what;  ///< as a message says it: "a variable", "RETURN", "')'"
  bool is_keyword = false;
  friend bool operator==(const Expectation&, const Expectation&) = default;
};

class ParseState {
 public:
  ParseState(std::string_view text, std::uint32_t nesting_levels);

  [[nodiscard]] const char* begin() const noexcept { return text_.data(); }
  [[nodiscard]] const char* end() const noexcept { return text_.data() + text_.size(); }
  [[nodiscard]] std::size_t offset(const char* at) const noexcept {
    return static_cast<std::size_t>(at - text_.data());
  }
  [[nodiscard]] const lexical::BracketTable& brackets() const noexcept { return brackets_; }

  /// lexical::skip_blank; the same place is asked for again and again, so the last answer is remembered.
  [[nodiscard]] const char* skip_blank(const char* from) noexcept;

  /// Note that `what` would have been taken at `at`. Only the furthest place is remembered.
  void expect(const char* at, Expectation what);
  [[nodiscard]] std::size_t furthest() const noexcept { return furthest_; }
  [[nodiscard]] const std::vector<Expectation>& expected() const noexcept { return expected_; }
  /// Every keyword that was tried at the furthest place, whatever it was called.
  [[nodiscard]] const std::vector<std::string_view>& keywords() const noexcept { return keywords_; }

  [[noreturn]] void fail(const char* from, const char* to, std::string sentence) const;

  /// From here on, what fails at `at` is called `name`; gives back what to restore.
  struct Group {
    const char* at = nullptr;
    std::string_view name;
  };
  Group enter_group(const char* at, std::string_view name) noexcept;
  void leave_group(Group outer) noexcept { group_ = outer; }

  /// Go into a bracket or a further level of some other kind. Throws where the limit is reached.
  void descend(const char* at, std::uint32_t levels);
  void ascend(std::uint32_t levels) noexcept;

  /// An expression adds `levels` to the tree, on top of the highest of the expressions within it.
  /// Throws where it is higher than anything that reads it may recurse.
  void note_height(const char* at, std::uint32_t levels);
  /// The same check without noting.
  void check_height(const char* at, std::size_t levels) const;

  /// True where | ends the expression, as in [x IN xs WHERE x:A | x], and is not a label alternative.
  bool bar_ends_expression = false;
  /// The same for the next expression that begins.
  bool bar_ends_next = false;

 private:
  [[noreturn]] void fail_too_deep(const char* at) const;

  std::string_view text_;
  lexical::BracketTable brackets_;
  std::uint32_t most_levels_;
  std::uint32_t depth_ = 0;
  std::vector<std::uint32_t> heights_;  ///< of the highest tree so far at each depth
  const char* blank_from_ = nullptr;
  const char* blank_to_ = nullptr;
  std::size_t furthest_ = 0;
  std::vector<Expectation> expected_;
  std::vector<std::string_view> keywords_;
  Group group_;
};

}  // namespace cairn::query

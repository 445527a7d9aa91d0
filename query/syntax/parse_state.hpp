#pragma once
// ParseState: the state of one parse besides its position: the current depth, the expectations at the furthest
// failure, and the brackets of the text.

#include "query/syntax/lexical.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// Thrown to end a parse with a specific message instead of a list of expectations. Caught within query/syntax.
struct SyntaxFailure {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string sentence;   ///< the error message
  bool is_limit = false;  ///< a limit was exceeded; otherwise a syntax error
};

/// The token that a terminal expected but did not find.
struct Expectation {
  std::string_view what;  ///< as in error messages: "a variable", "RETURN", "')'"
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

  /// Does the same as lexical::skip_blank(). Caches the last result, because many terminals are tried at the same
  /// place.
  [[nodiscard]] const char* skip_blank(const char* from) noexcept;

  /// Notes that `what` was expected at `at`. Only the expectations at the furthest place are stored.
  void expect(const char* at, Expectation what);
  [[nodiscard]] std::size_t furthest() const noexcept { return furthest_; }
  [[nodiscard]] const std::vector<Expectation>& expected() const noexcept { return expected_; }
  /// Returns all keywords that were tried at the furthest place, even if a group replaced them in expected().
  [[nodiscard]] const std::vector<std::string_view>& keywords() const noexcept { return keywords_; }

  /// Throws a SyntaxFailure.
  [[noreturn]] void fail(const char* from, const char* to, std::string sentence) const;

  /// A name for everything that fails at `at`. enter_group() returns the previous group, which leave_group()
  /// restores.
  struct Group {
    const char* at = nullptr;
    std::string_view name;
  };
  Group enter_group(const char* at, std::string_view name) noexcept;
  void leave_group(Group outer) noexcept { group_ = outer; }

  /// Enters a bracket or another construct that counts as `levels` of nesting. Throws if the limit is exceeded.
  void descend(const char* at, std::uint32_t levels);
  void ascend(std::uint32_t levels) noexcept;

  /// Adds `levels` to the height of the current expression, on top of its highest inner expression. Throws if the
  /// tree becomes too high for recursive code.
  void note_height(const char* at, std::uint32_t levels);
  /// Checks the limit of height without adding.
  void check_height(const char* at, std::size_t levels) const;

  /// True if a | ends the current expression, as in [x IN xs WHERE x:A | x]. Otherwise it separates labels.
  bool bar_ends_expression = false;
  /// The value of bar_ends_expression for the next expression that begins.
  bool bar_ends_next = false;

 private:
  [[noreturn]] void fail_too_deep(const char* at) const;

  std::string_view text_;
  lexical::BracketTable brackets_;
  std::uint32_t most_levels_;
  std::uint32_t depth_ = 0;
  std::vector<std::uint32_t> heights_;  ///< for each depth: height of its highest tree so far
  const char* blank_from_ = nullptr;    ///< argument of the cached skip_blank()
  const char* blank_to_ = nullptr;      ///< its result
  std::size_t furthest_ = 0;
  std::vector<Expectation> expected_;
  std::vector<std::string_view> keywords_;
  Group group_;
};

}  // namespace cairn::query

#pragma once
// Pattern: a string or regular expression of a tokenizer's file that is searched for in texts.

#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <unicode/regex.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// Points [begin, end) of a text.
struct PointRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const PointRange&, const PointRange&) = default;
};

class Pattern {
 public:
  /// Reads {"String": ...} or {"Regex": ...}, a regular expression of Oniguruma. Errors:
  /// corruption; unsupported, with the expression, if icu_expression() cannot convert it.
  [[nodiscard]] static Result<Pattern> of(const Value& pattern);
  /// Makes a pattern of an expression of Oniguruma. Errors: unsupported, with the expression.
  [[nodiscard]] static Result<Pattern> of_expression(std::string_view expression);

  /// Returns the matches from left to right, without empty ones. Errors: resource_limit if an
  /// expression takes too long.
  [[nodiscard]] Result<std::vector<PointRange>> find(std::u32string_view text) const;

 private:
  [[nodiscard]] std::vector<PointRange> find_string(std::u32string_view text) const;

  std::u32string string_;  // searched for if there is no expression
  std::shared_ptr<const icu::RegexPattern> expression_;
};

/// Converts a regular expression of Oniguruma to one that means the same to ICU with
/// UREGEX_MULTILINE and UREGEX_UNIX_LINES. Errors: unsupported for parts that ICU lacks or
/// interprets differently, and for more than 4,096 bytes; corruption for more closing than opening
/// parentheses.
[[nodiscard]] Result<std::string> icu_expression(std::string_view expression);

}  // namespace cairn::tools

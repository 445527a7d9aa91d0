// Converts a regular expression of Oniguruma to one of ICU. Copies the syntax that both interpret
// alike, replaces classes that ICU defines differently (\s, \w) by sets, and refuses everything
// else. (?i:...) affects only ASCII letters, as in the tokenizers of JavaScript.
#include "tools/embedders/tokenizer/pattern.hpp"
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/text/shown_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::string_view word_class = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}";
// Oniguruma has these code points in \w outside of a class, but not in \w within a class.
constexpr std::string_view more_word_points = "\\u00B2\\u00B3\\u00B9\\u00BC-\\u00BE";
constexpr std::array<std::string_view, 7> group_starts = {
    "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char other_case(char c) { return static_cast<char>(c ^ 0x20); }

class Writer {
 public:
  explicit Writer(std::string_view expression) : expression_(expression) {}

  Result<std::string> write() {
    while (at_ < expression_.size()) CAIRN_TRY(write_next());
    return written_;
  }

 private:
  [[nodiscard]] Error refused(std::string_view part) const {
    return unknown_part("the regular expression " + shown_text(expression_) + " has " +
                        shown_text(part) + ", which Cairn does not know");
  }

  Status write_next() {
    const char c = expression_[at_];
    if (c == '\\') return write_escape();
    if (c == '[') return write_class_start();
    if (c == ']' && depth_ > 0) --depth_;
    if (depth_ == 0 && c == '(') return write_group();
    if (depth_ == 0 && c == ')') is_folded_.pop_back();
    if (depth_ == 0 && c == '}' && expression_.substr(at_ + 1).starts_with('+'))
      return refused("}+");
    write_plain(c);
    return {};
  }

  void write_plain(char c) {
    ++at_;
    const bool is_folded = depth_ == 0 && is_letter(c) && is_folded_.back();
    written_ += is_folded ? std::string{'[', c, other_case(c), ']'} : std::string(1, c);
  }

  Status write_class_start() {
    if (is_folded_.back()) return refused("a class within (?i:");
    if (depth_ > 0 && expression_.substr(at_).starts_with("[:")) return refused("[:");
    ++depth_;
    written_ += expression_[at_++];
    if (at_ < expression_.size() && expression_[at_] == '^') written_ += expression_[at_++];
    return {};
  }

  /// Writes the start of a group. (?i: becomes a plain group, whose letters are then written in
  /// both cases.)
  Status write_group() {
    const std::string_view rest = expression_.substr(at_);
    if (!rest.starts_with("(?")) {
      is_folded_.push_back(is_folded_.back());
      written_ += expression_[at_++];
      return {};
    }
    const auto start = std::ranges::find_if(
        group_starts, [&](std::string_view known) { return rest.starts_with(known); });
    if (start == group_starts.end()) return refused(rest.substr(0, 3));
    const bool is_fold = *start == "(?i:";
    is_folded_.push_back(is_fold || is_folded_.back());
    written_ += is_fold ? "(?:" : *start;
    at_ += start->size();
    return {};
  }

  /// Writes an escape. Escaped characters, and escapes that ICU interprets alike, stay unchanged.
  /// Classes become sets of the code points that Oniguruma has in them.
  Status write_escape() {
    const std::string_view escape = expression_.substr(at_, 2);
    if (escape.size() < 2) return refused(escape);
    at_ += 2;
    const char c = escape[1];
    constexpr std::string_view alike = "pPnrtfuxAz";
    if (!is_letter(c) && !is_digit(c)) {
      written_ += escape;
    } else if (c == 's' || c == 'S') {
      written_ += c == 's' ? "\\p{White_Space}" : "\\P{White_Space}";
    } else if (c == 'd' || c == 'D') {
      written_ += c == 'd' ? "\\p{Nd}" : "\\P{Nd}";
    } else if (c == 'w' || c == 'W') {
      written_ += std::string(c == 'w' ? "[" : "[^") + std::string(word_class) +
                  std::string(depth_ == 0 ? more_word_points : "") + "]";
    } else if (alike.find(c) != std::string_view::npos) {
      return write_alike(escape);
    } else {
      return refused(escape);
    }
    return {};
  }

  /// Braces of an escape do not belong to a class or group.
  Status write_alike(std::string_view escape) {
    if (is_folded_.back()) return refused(std::string(escape) + " within (?i:");
    written_ += escape;
    if (at_ >= expression_.size() || expression_[at_] != '{') return {};
    const std::size_t end = expression_.find('}', at_);
    if (end == std::string_view::npos) return refused(expression_.substr(at_));
    written_ += expression_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    return {};
  }

  std::string_view expression_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;                 // of classes
  std::vector<char> is_folded_ = {0, 0};  // of each open group; one more for an unmatched )
  std::string written_;
};

}  // namespace

Result<std::string> icu_expression(std::string_view expression) {
  // Each open group takes a place on ICU's stack.
  constexpr std::size_t most_bytes = 4'096;
  if (expression.size() > most_bytes)
    return unknown_part("a regular expression has more than 4,096 bytes");
  if (std::ranges::count(expression, ')') > std::ranges::count(expression, '('))
    return wrong_model("the regular expression " + shown_text(expression) + " has a ) too many");
  return Writer(expression).write();
}

}  // namespace cairn::tools

// Reader of W3C's EBNF notation: recursive descent over characters, with a function for each level of the notation.
//
//    grammar  := { name '::=' choice }           choice   := sequence { '|' sequence }
//    sequence := { difference }                  difference := repeat [ '-' repeat ]
//    repeat   := primary [ '?' | '*' | '+' ]     primary  := name | text | set | number | '(' choice ')'
//
// A part first refers to a rule by name. After all rules are read, resolve() replaces the names by rule numbers.
#include "query/syntax/gbnf.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace cairn::query::ebnf {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) { return is_letter(c) || c == '_'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// Makes a sequence or a choice; a single part is returned unchanged.
Part group(PartKind kind, std::vector<Part> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Part result;
  result.kind = kind;
  result.parts = std::move(parts);
  return result;
}

class EbnfReader {
 public:
  explicit EbnfReader(std::string_view text) : text_(text) {}

  Result<Grammar> read() {
    Grammar grammar;
    for (skip(); at_ < text_.size(); skip()) {
      CAIRN_ASSIGN(Rule rule, read_rule());
      if (grammar.find(rule.name)) return problem("the rule " + rule.name + " is defined twice");
      grammar.rules.push_back(std::move(rule));
    }
    for (Rule& rule : grammar.rules) CAIRN_TRY(resolve(grammar, rule.part));
    return grammar;
  }

 private:
  // An error with the current line.
  [[nodiscard]] Error problem(const std::string& what) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return {ErrorCode::parse_error, "line " + std::to_string(line) + " of the grammar: " + what,
            std::nullopt};
  }

  /// Skips blanks and comments.
  void skip() {
    while (at_ < text_.size()) {
      if (text_.substr(at_).starts_with("/*")) {
        at_ = std::min(text_.find("*/", at_), text_.size() - 2) + 2;
      } else if (text_[at_] == ' ' || text_[at_] == '\n') {
        ++at_;
      } else {
        return;
      }
    }
  }

  // Skips blanks, and takes the symbol if it is next.
  bool take(std::string_view symbol) {
    skip();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }

  // Returns an empty name if no name follows.
  std::string take_name() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// True if the next rule begins here: a name with ::= after it.
  [[nodiscard]] bool at_next_rule() {
    const std::size_t begin = at_;
    const bool result = !take_name().empty() && take("::=");
    at_ = begin;
    return result;
  }

  Result<Rule> read_rule() {
    Rule rule;
    rule.name = take_name();
    if (rule.name.empty() || !take("::=")) return problem("a rule is written name ::= ...");
    rule.is_token = is_capital(rule.name.front());
    CAIRN_ASSIGN(rule.part, read_choice());
    return rule;
  }

  Result<Part> read_choice() {
    std::vector<Part> parts;
    do {
      CAIRN_ASSIGN(Part part, read_sequence());
      parts.push_back(std::move(part));
    } while (take("|"));
    return group(PartKind::choice, std::move(parts));
  }

  Result<Part> read_sequence() {
    std::vector<Part> parts;
    for (skip(); at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')' && !at_next_rule();
         skip()) {
      CAIRN_ASSIGN(Part part, read_difference());
      parts.push_back(std::move(part));
    }
    if (parts.empty()) return problem("something is missing here");
    return group(PartKind::sequence, std::move(parts));
  }

  Result<Part> read_difference() {
    CAIRN_ASSIGN(Part part, read_repeat());
    if (!take("-")) return part;
    CAIRN_ASSIGN(Part without, read_repeat());
    Part result;
    result.kind = PartKind::difference;
    result.parts.push_back(std::move(part));
    result.parts.push_back(std::move(without));
    return result;
  }

  Result<Part> read_repeat() {
    CAIRN_ASSIGN(Part part, read_primary());
    const char sign = at_ < text_.size() ? text_[at_] : ' ';
    if (sign != '?' && sign != '*' && sign != '+') return part;
    ++at_;
    Part result;
    result.kind = PartKind::repeat;
    result.may_be_absent = sign != '+';
    result.may_be_repeated = sign != '?';
    result.parts.push_back(std::move(part));
    return result;
  }

  /// primary := ( choice ) | [ set ] | #xNN | 'text' | name
  Result<Part> read_primary() {
    if (take("(")) {
      CAIRN_ASSIGN(Part part, read_choice());
      if (!take(")")) return problem("a ) is missing");
      return part;
    }
    if (take("[")) return read_set();
    if (text_[at_] == '#') return one_character();
    if (text_[at_] == '\'' || text_[at_] == '"') return read_text();
    Part part;
    part.kind = PartKind::rule;
    part.text = take_name();
    if (part.text.empty())
      return problem("`" + std::string(1, text_[at_]) + "` begins no part of a rule");
    return part;
  }

  // A text in single or double quotes, without escapes.
  Result<Part> read_text() {
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos || end == at_) return problem("this text does not end");
    Part part;
    part.kind = PartKind::text;
    part.text = text_.substr(at_, end - at_);
    at_ = end + 1;
    return part;
  }

  // A set of characters: [a-z#x41] or [^...].
  Result<Part> read_set() {
    Part part;
    part.kind = PartKind::set;
    part.is_negated = text_.substr(at_).starts_with('^');
    if (part.is_negated) ++at_;
    while (at_ < text_.size() && text_[at_] != ']') {
      const char32_t first = set_character();
      char32_t last = first;
      if (text_.substr(at_).starts_with('-')) {
        ++at_;
        last = set_character();
      }
      part.ranges.push_back({first, last});
    }
    if (at_++ >= text_.size()) return problem("this set does not end");
    return part;
  }

  Part one_character() {
    Part part;
    part.kind = PartKind::set;
    const char32_t c = set_character();
    part.ranges.push_back({c, c});
    return part;
  }

  /// Reads #x41 or a character itself.
  char32_t set_character() {
    if (!text_.substr(at_).starts_with("#x")) return take_character(text_, at_);
    std::uint32_t value = 0;
    const auto parsed =
        std::from_chars(text_.data() + at_ + 2, text_.data() + text_.size(), value, 16);
    at_ = static_cast<std::size_t>(parsed.ptr - text_.data());
    return value;
  }

  // Sets the rule numbers of all references.
  Status resolve(const Grammar& grammar, Part& part) const {
    if (part.kind == PartKind::rule) {
      const auto found = grammar.find(part.text);
      if (!found) return problem("there is no rule " + part.text);
      part.rule = *found;
    }
    for (Part& inner : part.parts) CAIRN_TRY(resolve(grammar, inner));
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::size_t> Grammar::find(std::string_view name) const {
  const auto found = std::ranges::find(rules, name, &Rule::name);
  if (found == rules.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rules.begin());
}

bool is_word(std::string_view text) noexcept { return std::ranges::all_of(text, is_letter); }

char32_t take_character(std::string_view text, std::size_t& at) noexcept {
  utf8proc_int32_t value = 0;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                      static_cast<utf8proc_ssize_t>(text.size() - at), &value);
  at += bytes > 0 ? static_cast<std::size_t>(bytes) : 1;
  return static_cast<char32_t>(value);
}

Result<Grammar> read_ebnf(std::string_view text) { return EbnfReader(text).read(); }

}  // namespace cairn::query::ebnf

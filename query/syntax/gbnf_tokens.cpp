// Prints tokens as GBNF. Sets, texts and repeats have a direct translation. A difference A - B, such as a name that is
// not a keyword, becomes a tree over the letters of the words in B. In each node of the tree, a name continues with a
// letter of a word, or with any other character and then freely. A name may end at a node unless the letters so far are
// a word of B.
#include "query/syntax/gbnf.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace cairn::query::ebnf {
namespace {

using Ranges = std::vector<CharacterRange>;

constexpr char32_t last_ascii = 0x7F;

// Characters that may be written literally.
bool is_plain(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_word_character(char32_t c) { return is_plain(c) || c > last_ascii; }

/// Returns a character of a set or string. All characters except letters and digits are written as numbers, so no
/// character has a special meaning.
std::string gbnf_character(char32_t c) {
  if (is_plain(c)) return std::string(1, static_cast<char>(c));
  constexpr std::string_view digits = "0123456789ABCDEF";
  const int count = c <= last_ascii ? 2 : c <= 0xFFFF ? 4 : 8;
  std::string result = count == 2 ? "\\x" : count == 4 ? "\\u" : "\\U";
  for (int i = count - 1; i >= 0; --i) result += digits[(c >> (4 * i)) & 0xF];
  return result;
}

std::string gbnf_set(const Ranges& ranges, bool is_negated) {
  std::string result = is_negated ? "[^" : "[";
  for (const auto& [first, last] : ranges) {
    result += gbnf_character(first);
    if (last != first) result += "-" + gbnf_character(last);
  }
  return result + "]";
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The set of a letter in both cases: [aA].
std::string either_case(char letter) {
  return std::string("[") + lower(letter) + upper(letter) + "]";
}

Error cannot_print(const std::string& what) {
  return {ErrorCode::unsupported, "GBNF cannot express this part of the grammar: " + what,
          std::nullopt};
}

/// Collects the characters of a part that is a choice of sets. Returns false for any other part.
bool collect_ranges(const Grammar& grammar, const Part& part, Ranges& ranges) {
  if (part.kind == PartKind::rule)
    return collect_ranges(grammar, grammar.rules[part.rule].part, ranges);
  if (part.kind == PartKind::choice)
    return std::ranges::all_of(
        part.parts, [&](const Part& one) { return collect_ranges(grammar, one, ranges); });
  if (part.kind != PartKind::set || part.is_negated) return false;
  ranges.insert(ranges.end(), part.ranges.begin(), part.ranges.end());
  return true;
}

/// Collects the words of B in upper case. Returns false if B is not a choice of words.
bool collect_words(const Grammar& grammar, const Part& part, std::set<std::string>& words) {
  if (part.kind == PartKind::rule)
    return collect_words(grammar, grammar.rules[part.rule].part, words);
  if (part.kind == PartKind::choice)
    return std::ranges::all_of(part.parts,
                               [&](const Part& one) { return collect_words(grammar, one, words); });
  if (part.kind != PartKind::text || !is_word(part.text)) return false;
  std::string word = part.text;
  std::ranges::transform(word, word.begin(), upper);
  words.insert(std::move(word));
  return true;
}

/// Prints a rule for names that are not in a list of words.
class WordsLeftOut {
 public:
  /// `first` and `rest` are the characters that may begin and continue a name.
  WordsLeftOut(std::string name, std::set<std::string> words, Ranges first, Ranges rest)
      : name_(std::move(name)),
        words_(std::move(words)),
        first_(std::move(first)),
        rest_(std::move(rest)) {}

  std::string print() const {
    std::string gbnf = name_ + "-wide ::= " + gbnf_set(beyond_ascii(rest_), false) + "\n";
    gbnf += name_ + "-rest ::= (" + gbnf_set(within_ascii(rest_, {}), false) + " | " + name_ +
            "-wide)*\n";
    return gbnf + name_ + " ::= " + after("") + "\n";
  }

 private:
  static Ranges beyond_ascii(const Ranges& ranges) {
    Ranges result;
    for (const CharacterRange& range : ranges)
      if (range.first > last_ascii) result.push_back(range);
    return result;
  }

  /// Returns ASCII characters, except the letters in `without` in either case.
  static Ranges within_ascii(const Ranges& ranges, const std::set<char>& without) {
    Ranges result;
    for (const auto& [first, last] : ranges) {
      for (char32_t c = first; c <= std::min(last, last_ascii); ++c) {
        if (without.contains(upper(static_cast<char>(c)))) continue;
        if (!result.empty() && result.back().last + 1 == c)
          result.back().last = c;
        else
          result.push_back({c, c});
      }
    }
    return result;
  }

  /// Returns the letters that continue `beginning` to a word.
  std::set<char> next_letters(const std::string& beginning) const {
    std::set<char> letters;
    for (const std::string& word : words_)
      if (word.size() > beginning.size() && word.starts_with(beginning))
        letters.insert(word[beginning.size()]);
    return letters;
  }

  /// Returns the expression for what may follow a beginning of a word.
  std::string after(const std::string& beginning) const {
    const std::set<char> letters = next_letters(beginning);
    const Ranges others = within_ascii(beginning.empty() ? first_ : rest_, letters);
    std::string result =
        "(" + gbnf_set(others, false) + " | " + name_ + "-wide) " + name_ + "-rest";
    for (const char letter : letters)
      result += " | " + either_case(letter) + " " + after(beginning + letter);
    const bool may_end = !beginning.empty() && !words_.contains(beginning);
    return "(" + result + ")" + (may_end ? "?" : "");
  }

  std::string name_;
  std::set<std::string> words_;
  Ranges first_;
  Ranges rest_;
};

// Prints a difference if it has the supported form: (set set*) - (word | ...).
Result<std::string> print_difference(const Grammar& grammar, const Rule& rule) {
  const Part* whole = &rule.part.parts[0];
  while (whole->kind == PartKind::rule) whole = &grammar.rules[whole->rule].part;
  Ranges first;
  Ranges rest;
  std::set<std::string> words;
  const bool has_form = whole->kind == PartKind::sequence && whole->parts.size() == 2 &&
                        whole->parts[1].kind == PartKind::repeat &&
                        collect_ranges(grammar, whole->parts[0], first) &&
                        collect_ranges(grammar, whole->parts[1].parts[0], rest) &&
                        collect_words(grammar, rule.part.parts[1], words);
  if (!has_form) return cannot_print("in " + rule.name + ", A - B is not a name without words");
  return WordsLeftOut(gbnf_name(rule.name), std::move(words), std::move(first), std::move(rest))
      .print();
}

std::string print_token_part(const Grammar& grammar, const Part& part);

// Prints all inner parts with `between` as separator.
std::string print_joined(const Grammar& grammar, const Part& part, std::string_view between) {
  std::string result;
  for (const Part& one : part.parts) {
    if (!result.empty()) result += between;
    result += print_token_part(grammar, one);
  }
  return result;
}

// Prints a part of a token other than a difference.
std::string print_token_part(const Grammar& grammar, const Part& part) {
  switch (part.kind) {
    case PartKind::text:
      return gbnf_text(part.text);
    case PartKind::set:
      return gbnf_set(part.ranges, part.is_negated);
    case PartKind::rule:
      return gbnf_name(grammar.rules[part.rule].name);
    case PartKind::sequence:
      return print_joined(grammar, part, " ");
    case PartKind::repeat:
      return "(" + print_token_part(grammar, part.parts[0]) + ")" +
             (!part.may_be_repeated ? "?"
              : part.may_be_absent  ? "*"
                                    : "+");
    case PartKind::choice:
    case PartKind::difference:
      break;
  }
  return "(" + print_joined(grammar, part, " | ") + ")";
}

/// Whether a part may begin (or end) with a word character, whether with another character, and whether the part may be
/// empty.
struct Ends {
  bool is_word = false;
  bool is_other = false;
  bool may_be_empty = false;

  void add(const Ends& other) {
    is_word = is_word || other.is_word;
    is_other = is_other || other.is_other;
  }
};

enum class Side : std::uint8_t { first, last };

Ends ends_of(const Grammar& grammar, const Part& part, Side side);

/// Combines the parts of a sequence up to the first one that cannot be empty.
Ends ends_of_sequence(const Grammar& grammar, const std::vector<Part>& parts, Side side) {
  Ends result;
  result.may_be_empty = true;
  for (std::size_t i = 0; i < parts.size() && result.may_be_empty; ++i) {
    const Part& part = side == Side::first ? parts[i] : parts[parts.size() - 1 - i];
    const Ends ends = ends_of(grammar, part, side);
    result.add(ends);
    result.may_be_empty = ends.may_be_empty;
  }
  return result;
}

Ends ends_of_character(char32_t c) { return {is_word_character(c), !is_word_character(c), false}; }

// A negated set may begin or end with almost any character.
Ends ends_of_set(const Part& part) {
  if (part.is_negated) return {true, true, false};
  Ends result;
  for (const CharacterRange& range : part.ranges) {
    result.add(ends_of_character(range.first));
    result.add(ends_of_character(range.last));
  }
  return result;
}

/// Returns the characters with which a part may begin or end, and whether it may be empty.
Ends ends_of(const Grammar& grammar, const Part& part, Side side) {
  Ends result;
  switch (part.kind) {
    case PartKind::text: {
      const char c = side == Side::first ? part.text.front() : part.text.back();
      return ends_of_character(static_cast<unsigned char>(c));
    }
    case PartKind::set:
      return ends_of_set(part);
    case PartKind::rule:
      return ends_of(grammar, grammar.rules[part.rule].part, side);
    case PartKind::sequence:
      return ends_of_sequence(grammar, part.parts, side);
    case PartKind::difference:
      return ends_of(grammar, part.parts[0], side);
    case PartKind::repeat:
      result = ends_of(grammar, part.parts[0], side);
      result.may_be_empty = result.may_be_empty || part.may_be_absent;
      return result;
    case PartKind::choice:
      break;
  }
  for (const Part& one : part.parts) {
    const Ends ends = ends_of(grammar, one, side);
    result.add(ends);
    result.may_be_empty = result.may_be_empty || ends.may_be_empty;
  }
  return result;
}

}  // namespace

std::string keyword_name(std::string_view word) { return "word-" + gbnf_name(word); }

std::string gbnf_name(std::string_view name) {
  std::string result(name);
  std::ranges::transform(result, result.begin(), [](char c) { return c == '_' ? '-' : lower(c); });
  return result;
}

std::string gbnf_text(std::string_view text) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) result += gbnf_character(take_character(text, at));
  return result + "\"";
}

// The slash has an edge of its own: a comment directly after a slash would begin with the slash itself.
Result<TokenEdges> edges_of(const Grammar& grammar, const Part& part) {
  const Ends first = ends_of(grammar, part, Side::first);
  const Ends last = ends_of(grammar, part, Side::last);
  // Only the token for the end of a sentence may be empty.
  if (first.may_be_empty && !first.is_word) return TokenEdges{};
  const bool is_mixed = (first.is_word && first.is_other) || (last.is_word && last.is_other);
  if (is_mixed || first.may_be_empty)
    return cannot_print("the texts of " +
                        (part.kind == PartKind::rule ? grammar.rules[part.rule].name : part.text) +
                        " begin and end in more than one way; make a token of each");
  TokenEdges around;
  if (first.is_word) around.before = Edge::word;
  if (last.is_word) around.behind = Edge::word;
  if (part.kind == PartKind::text && part.text == "/") around.behind = Edge::slash;
  return around;
}

Status append_tokens(const Grammar& grammar, std::string& gbnf) {
  for (const Rule& rule : grammar.rules) {
    if (!rule.is_token) continue;
    if (rule.part.kind == PartKind::difference) {
      CAIRN_ASSIGN(const std::string text, print_difference(grammar, rule));
      gbnf += text;
    } else {
      gbnf += gbnf_name(rule.name) + " ::= " + print_token_part(grammar, rule.part) + "\n";
    }
  }
  return {};
}

void append_keyword(std::string_view word, std::string& gbnf) {
  gbnf += keyword_name(word) + " ::=";
  for (const char letter : word) gbnf += " " + either_case(letter);
  gbnf += "\n";
}

}  // namespace cairn::query::ebnf

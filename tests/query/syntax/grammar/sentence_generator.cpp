#include "tests/query/syntax/grammar/sentence_generator.hpp"

#include "query/syntax/lexical.hpp"

#include <algorithm>
#include <limits>

namespace cairn::test {

using query::ebnf::PartKind;
namespace lexical = query::lexical;

namespace {

constexpr std::size_t endless = std::numeric_limits<std::size_t>::max() / 2;
/// From here on a sentence is brought to an end.
constexpr std::size_t deep = 24;
constexpr std::size_t most_rounds = 4;

void append_utf8(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(leads[more] | (c >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | ((c >> (6 * i)) & 0x3F));
}

/// Whether two pieces side by side would be read as one word.
bool would_join(std::string_view before, std::string_view behind) {
  std::size_t last = before.size();
  while (last > 0 && (static_cast<unsigned char>(before[--last]) & 0xC0) == 0x80) continue;
  const auto is_word = [](std::string_view text) {
    return lexical::skip_name_rest(text.data(), text.data() + text.size()) != text.data();
  };
  return !before.empty() && is_word(before.substr(last)) && is_word(behind);
}

}  // namespace

SentenceGenerator::SentenceGenerator(const query::ebnf::Grammar& grammar)
    : grammar_(grammar), heights_(grammar.rules.size(), endless) {
  find_heights();
}

std::string SentenceGenerator::sentence(std::uint64_t seed) {
  random_.seed(seed);
  text_.clear();
  append(grammar_.rules[0].part, 0, grammar_.rules[0].is_token);
  return text_;
}

void SentenceGenerator::find_heights() {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = 0; i < heights_.size(); ++i) {
      const std::size_t height = least_height(grammar_.rules[i].part);
      is_changed = is_changed || height < heights_[i];
      heights_[i] = std::min(heights_[i], height);
    }
  }
}

std::size_t SentenceGenerator::least_height(const Part& part) const {
  if (part.kind == PartKind::rule) return std::min(endless, heights_[part.rule] + 1);
  if (part.kind == PartKind::repeat && part.may_be_absent) return 0;
  std::size_t result = part.kind == PartKind::choice ? endless : 0;
  for (const Part& one : part.parts) {
    const std::size_t height = least_height(one);
    result = part.kind == PartKind::choice ? std::min(result, height) : std::max(result, height);
  }
  return result;
}

void SentenceGenerator::append(const Part& part, std::size_t depth, bool in_token) {
  const bool is_token = part.kind == PartKind::text ||
                        (part.kind == PartKind::rule && grammar_.rules[part.rule].is_token);
  if (is_token && !in_token) return append_token(part, depth);
  switch (part.kind) {
    case PartKind::text:
      text_ += part.text;
      return;
    case PartKind::set:
      return append_set(part);
    case PartKind::rule:
      return append(grammar_.rules[part.rule].part, depth + 1, in_token);
    case PartKind::choice:
      return append_choice(part, depth, in_token);
    case PartKind::difference:
      return append_difference(part, depth);
    case PartKind::sequence:
      for (const Part& one : part.parts) append(one, depth, in_token);
      return;
    case PartKind::repeat:
      break;
  }
  std::size_t rounds = part.may_be_absent ? 0 : 1;
  if (depth < deep && below(3) == 0) rounds += 1 + (part.may_be_repeated ? below(most_rounds) : 0);
  if (!part.may_be_repeated) rounds = std::min<std::size_t>(rounds, 1);
  for (std::size_t i = 0; i < rounds; ++i) append(part.parts[0], depth + i, in_token);
}

void SentenceGenerator::append_choice(const Part& part, std::size_t depth, bool in_token) {
  std::vector<const Part*> open;
  std::size_t least = endless;
  for (const Part& one : part.parts) least = std::min(least, least_height(one));
  for (const Part& one : part.parts)
    if (depth < deep || least_height(one) == least) open.push_back(&one);
  append(*open[below(open.size())], depth, in_token);
}

void SentenceGenerator::append_token(const Part& part, std::size_t depth) {
  const std::string before = std::exchange(text_, std::string());
  append(part, depth, true);
  if (part.kind == PartKind::text)
    for (char& c : text_)
      if (c >= 'A' && c <= 'Z' && below(3) == 0) c = static_cast<char>(c - 'A' + 'a');
  const std::string token = std::exchange(text_, before);
  append_blank(would_join(text_, token));
  text_ += token;
}

// Only a space follows a slash: the slash and the first one of a comment would begin a line comment.
void SentenceGenerator::append_blank(bool is_needed) {
  constexpr std::string_view blanks[] = {" ", "\n", "\t ", "/* x * / **/", "// y\n", "\xC2\xA0"};
  if (!is_needed && below(3) == 0) return;
  const bool is_behind_slash = text_.ends_with('/');
  text_ += below(8) == 0 && !is_behind_slash ? blanks[below(std::size(blanks))] : " ";
}

void SentenceGenerator::append_set(const Part& part) {
  if (!part.is_negated) {
    const auto& [first, last] = part.ranges[below(part.ranges.size())];
    return append_utf8(text_, first + static_cast<char32_t>(below(last - first + 1)));
  }
  for (;;) {
    const char32_t c = below(8) == 0 ? static_cast<char32_t>(0x80 + below(0x700))
                                     : static_cast<char32_t>(0x20 + below(0x5F));
    const bool is_in = std::ranges::any_of(
        part.ranges, [c](const auto& range) { return range.first <= c && c <= range.last; });
    if (!is_in) return append_utf8(text_, c);
  }
}

void SentenceGenerator::append_difference(const Part& part, std::size_t depth) {
  const std::string before = text_;
  do {
    text_.clear();
    append(part.parts[0], depth, true);
  } while (is_left_out(part.parts[1], text_));
  text_ = before + text_;
}

bool SentenceGenerator::is_left_out(const Part& without, std::string_view word) const {
  if (without.kind == PartKind::text) return lexical::is_keyword(word, without.text);
  if (without.kind == PartKind::rule) return is_left_out(grammar_.rules[without.rule].part, word);
  return std::ranges::any_of(without.parts,
                             [&](const Part& one) { return is_left_out(one, word); });
}

}  // namespace cairn::test

#include "tests/query/syntax/grammar/recogniser.hpp"

#include "query/syntax/lexical.hpp"

#include <algorithm>

namespace cairn::test {

using query::ebnf::PartKind;
namespace lexical = query::lexical;

namespace {

void add(std::vector<std::uint32_t>& ends, const std::vector<std::uint32_t>& more) {
  for (const std::uint32_t end : more)
    if (std::ranges::find(ends, end) == ends.end()) ends.push_back(end);
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace

Recogniser::Recogniser(const query::ebnf::Grammar& grammar, std::string_view text)
    : grammar_(grammar),
      text_(text),
      blank_(grammar.find("BLANK").value_or(grammar.rules.size())) {}

bool Recogniser::derives() {
  const Ends& found = ends_of_rule(0, 0);
  return std::ranges::find(found, text_.size()) != found.end();
}

std::string Recogniser::furthest() const {
  std::string result =
      "derived up to: " + std::string(text_.substr(0, furthest_)) + "\nthen one of:";
  for (const std::string& what : expected_) result += " " + what;
  return result;
}

const Recogniser::Ends& Recogniser::ends_of_rule(std::size_t rule, std::uint32_t at) {
  const std::uint64_t key = (static_cast<std::uint64_t>(rule) << 32) | at;
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const auto& [name, part, is_token] = grammar_.rules[rule];
  Ends found = ends(part, at, is_token);
  return known_.emplace(key, std::move(found)).first->second;
}

Recogniser::Ends Recogniser::ends(const Part& part, std::uint32_t at, bool in_token) {
  const bool is_token = part.kind == PartKind::text ||
                        (part.kind == PartKind::rule && grammar_.rules[part.rule].is_token);
  if (is_token && !in_token) return token(part, at);
  switch (part.kind) {
    case PartKind::text:
      return take_text(part.text, at, false);
    case PartKind::set:
      return take_set(part, at);
    case PartKind::rule:
      return ends_of_rule(part.rule, at);
    case PartKind::sequence:
      return ends_of_sequence(part, at, in_token);
    case PartKind::repeat:
      return ends_of_repeat(part, at, in_token);
    case PartKind::difference:
      return ends_of_difference(part, at);
    case PartKind::choice:
      break;
  }
  Ends result;
  for (const Part& one : part.parts) add(result, ends(one, at, in_token));
  return result;
}

Recogniser::Ends Recogniser::ends_of_sequence(const Part& part, std::uint32_t at, bool in_token) {
  Ends places{at};
  for (const Part& one : part.parts) {
    Ends next;
    for (const std::uint32_t place : places) add(next, ends(one, place, in_token));
    places = std::move(next);
  }
  return places;
}

Recogniser::Ends Recogniser::ends_of_repeat(const Part& part, std::uint32_t at, bool in_token) {
  Ends result = ends(part.parts[0], at, in_token);
  for (std::size_t i = 0; part.may_be_repeated && i < result.size(); ++i)
    if (result[i] != at) add(result, ends(part.parts[0], result[i], in_token));
  if (part.may_be_absent) add(result, {at});
  return result;
}

// What is taken away are words in any case, as keywords are.
Recogniser::Ends Recogniser::ends_of_difference(const Part& part, std::uint32_t at) {
  Ends result = ends(part.parts[0], at, true);
  std::vector<const Part*> without{&part.parts[1]};
  for (std::size_t i = 0; i < without.size(); ++i) {
    const Part& one = *without[i];
    if (one.kind == PartKind::rule) without.push_back(&grammar_.rules[one.rule].part);
    for (const Part& inner : one.parts) without.push_back(&inner);
    if (one.kind == PartKind::text)
      for (const std::uint32_t end : take_text(one.text, at, true)) std::erase(result, end);
  }
  return result;
}

Recogniser::Ends Recogniser::token(const Part& part, std::uint32_t at) {
  const std::uint32_t begin = skip(at);
  Ends found = part.kind == PartKind::text
                   ? take_text(part.text, begin, query::ebnf::is_word(part.text))
                   : ends_of_rule(part.rule, begin);
  if (found.empty()) {
    note(part, begin);
    return {};
  }
  const std::uint32_t end = std::ranges::max(found);
  if (end > begin && goes_on(end)) return {};
  return {end};
}

Recogniser::Ends Recogniser::take_text(std::string_view text, std::uint32_t at,
                                       bool any_case) const {
  const std::string_view here = text_.substr(at, text.size());
  const bool is_here = std::ranges::equal(
      here, text, [any_case](char a, char b) { return any_case ? upper(a) == upper(b) : a == b; });
  if (!is_here) return {};
  return {at + static_cast<std::uint32_t>(text.size())};
}

Recogniser::Ends Recogniser::take_set(const Part& part, std::uint32_t at) const {
  if (at >= text_.size()) return {};
  std::size_t end = at;
  const char32_t c = query::ebnf::take_character(text_, end);
  const bool is_in = std::ranges::any_of(
      part.ranges, [c](const auto& range) { return range.first <= c && c <= range.last; });
  if (is_in == part.is_negated) return {};
  return {static_cast<std::uint32_t>(end)};
}

std::uint32_t Recogniser::skip(std::uint32_t at) {
  if (blank_ == grammar_.rules.size()) return at;
  if (const auto found = skipped_.find(at); found != skipped_.end()) return found->second;
  std::uint32_t behind = at;
  for (;;) {
    const Ends& found = ends_of_rule(blank_, behind);
    if (found.empty()) break;
    behind = std::ranges::max(found);
  }
  skipped_[at] = behind;
  return behind;
}

/// Whether a word that ends at `at` would go on there.
bool Recogniser::goes_on(std::uint32_t at) const {
  const auto rest_of = [this](std::size_t from) {
    const char* first = text_.data() + from;
    return lexical::skip_name_rest(first, text_.data() + text_.size()) != first;
  };
  std::size_t before = at - 1;
  while (before > 0 && (static_cast<unsigned char>(text_[before]) & 0xC0) == 0x80) --before;
  return rest_of(before) && rest_of(at);
}

void Recogniser::note(const Part& part, std::uint32_t at) {
  if (at < furthest_) return;
  if (at > furthest_) expected_.clear();
  furthest_ = at;
  expected_.insert(part.kind == PartKind::text ? part.text : grammar_.rules[part.rule].name);
}

Derivation derive(const query::ebnf::Grammar& grammar, std::string_view text) {
  Recogniser recogniser(grammar, text);
  if (recogniser.derives()) return {true, {}};
  return {false, recogniser.furthest()};
}

}  // namespace cairn::test

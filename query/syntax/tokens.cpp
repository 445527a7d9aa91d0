// Scanners for names, keywords, symbols and operators, written by hand.
//
// Each function skips blanks and takes one token. If the token is missing, the function leaves `first` unchanged and
// notes the expected token in the state. Error messages are made of these notes. X3's own lexical parsers are not used,
// because they do not know Unicode names and do not report what they expected. Cost: linear in the token.
#include "query/syntax/terminals.hpp"

#include <charconv>

namespace cairn::query::grammar {
namespace {

using ast::Operator;

std::string_view between(Iterator first, Iterator last) {
  return {first, static_cast<std::size_t>(last - first)};
}

bool starts_with(const ParseState& state, Iterator at, std::string_view text) {
  return between(at, state.end()).starts_with(text);
}

/// Replaces doubled back quotes in the content of a quoted name.
std::string unquote_name(std::string_view inside) {
  std::string result;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    result += inside[i];
    if (inside[i] == '`') ++i;
  }
  return result;
}

/// Takes the quoted name at `at`; `end` becomes its end.
std::string take_quoted_name(const ParseState& state, Iterator at, Iterator& end) {
  end = lexical::skip_quoted(at, state.end());
  if (end == nullptr) state.fail(at, at + 1, "this name has no closing `");
  if (end - at == 2) state.fail(at, end, "a name cannot be empty");
  return unquote_name(between(at + 1, end - 1));
}

/// Stores the place of a node. Offsets are bytes from the start of the statement and fit 32 bits, because the size of
/// the text is checked before.
template <class Node>
Node located(const ParseState& state, Node node, Iterator first, Iterator last) {
  node.begin = static_cast<std::uint32_t>(state.offset(first));
  node.end = static_cast<std::uint32_t>(state.offset(last));
  return node;
}

/// Fails at an operator of another programming language, with the equivalent of this language.
void refuse_foreign_operator(const ParseState& state, Iterator at) {
  struct Foreign {
    std::string_view theirs;
    std::string_view advice;
  };
  static constexpr Foreign table[] = {{"!=", "there is no operator !=; unequal is written <>"},
                                      {"==", "there is no operator ==; equal is written ="},
                                      {"&&", "there is no operator &&; write AND"}};
  for (const auto& [theirs, advice] : table) {
    if (starts_with(state, at, theirs)) state.fail(at, at + 2, std::string(advice));
  }
}

/// Takes a comparison operator, =~, || or an arithmetic operator at `at`. `first` may be before blanks, and moves
/// only on success.
std::optional<Operator> take_operator_symbol(const ParseState& state, Iterator& first,
                                             Iterator at) {
  struct Entry {
    std::string_view text;
    Operator op;
  };
  // Longer symbols come before their prefixes.
  static constexpr Entry table[] = {
      {"<>", Operator::not_equal}, {"<=", Operator::less_equal},  {">=", Operator::greater_equal},
      {"=~", Operator::matches},   {"||", Operator::concatenate}, {"<", Operator::less},
      {">", Operator::greater},    {"=", Operator::equal},        {"+", Operator::add},
      {"-", Operator::subtract},   {"*", Operator::multiply},     {"/", Operator::divide},
      {"%", Operator::modulo},     {"^", Operator::power}};
  for (const auto& [text, op] : table) {
    if (starts_with(state, at, text)) {
      first = at + text.size();
      return op;
    }
  }
  return std::nullopt;
}

/// Takes AND, OR, XOR, IN, NOT IN, CONTAINS, STARTS WITH or ENDS WITH. Blanks and comments may separate two words of
/// one operator. STARTS without WITH is not taken. IS [NOT] NULL is not an operator here but a test after an operand.
std::optional<InfixOperator> take_operator_word(ParseState& state, Iterator& first) {
  struct Entry {
    std::string_view word;
    std::string_view second;
    InfixOperator op;
  };
  static constexpr Entry table[] = {
      {"AND", "", {Operator::logical_and}},    {"OR", "", {Operator::logical_or}},
      {"XOR", "", {Operator::logical_xor}},    {"IN", "", {Operator::in}},
      {"CONTAINS", "", {Operator::contains}},  {"STARTS", "WITH", {Operator::starts_with}},
      {"ENDS", "WITH", {Operator::ends_with}}, {"NOT", "IN", {Operator::in, true}}};
  const Iterator start = first;
  for (const auto& [word, second, op] : table) {
    if (take_keyword(state, first, word) &&
        (second.empty() || take_keyword(state, first, second))) {
      return op;
    }
    first = start;
  }
  return std::nullopt;
}

Iterator skip_digits(const ParseState& state, Iterator first) {
  while (first != state.end() && *first >= '0' && *first <= '9') ++first;
  return first;
}

/// Takes a decimal number without sign. Leading zeros are allowed, unlike in expressions.
std::optional<std::uint64_t> take_hop_count(ParseState& state, Iterator& first) {
  const Iterator at = state.skip_blank(first);
  const Iterator end = skip_digits(state, at);
  if (end == at) return std::nullopt;
  std::uint64_t value = 0;
  if (std::from_chars(at, end, value).ec != std::errc{}) {
    state.fail(at, end, "this number of hops is too large");
  }
  first = end;
  return value;
}

}  // namespace

// A keyword ends where a name would end, so that ORDERED is not ORDER.
bool take_keyword(ParseState& state, Iterator& first, std::string_view keyword) {
  const Iterator at = state.skip_blank(first);
  const std::size_t left = static_cast<std::size_t>(state.end() - at);
  const bool is_word =
      left >= keyword.size() && lexical::is_keyword({at, keyword.size()}, keyword) &&
      lexical::skip_name_rest(at + keyword.size(), state.end()) == at + keyword.size();
  if (!is_word) {
    state.expect(at, {keyword, true});
    return false;
  }
  first = at + keyword.size();
  return true;
}

// The state stores `quoted` as a view, so `quoted` must be a literal.
bool take_symbol(ParseState& state, Iterator& first, std::string_view symbol,
                 std::string_view quoted) {
  const Iterator at = state.skip_blank(first);
  const Iterator behind = at + symbol.size();
  // A single | or . is not a half of || or ...
  const bool is_half = (symbol == "|" || symbol == ".") && starts_with(state, at, symbol) &&
                       starts_with(state, behind, symbol);
  if (is_half || !starts_with(state, at, symbol)) {
    state.expect(at, {quoted});
    return false;
  }
  first = behind;
  return true;
}

// name := letter { letter | digit | mark | '_' } | '`' { any | '``' } '`'
//
// A name in back quotes is never reserved. `any_word` is for labels, types, keys and procedures: their place shows that
// the word is a name, so n.order and (:Match) need no quotes.
std::optional<ast::Name> take_name(ParseState& state, Iterator& first, std::string_view what,
                                   bool any_word) {
  const Iterator at = state.skip_blank(first);
  ast::Name name;
  Iterator end = at;
  if (at != state.end() && *at == '`') {
    name.text = take_quoted_name(state, at, end);
  } else {
    end = lexical::skip_name(at, state.end());
    name.text = between(at, end);
    if (name.empty() || (!any_word && lexical::is_reserved(name.text))) {
      state.expect(at, {what});
      return std::nullopt;
    }
  }
  first = end;
  return located(state, std::move(name), at, end);
}

// Examples: date.truncate, db . labels
std::optional<ast::Name> take_dotted_name(ParseState& state, Iterator& first,
                                          std::string_view what) {
  auto name = take_name(state, first, what, true);
  if (!name) return name;
  while (take_symbol(state, first, ".", "'.'")) {
    const auto part = take_name(state, first, what, true);
    if (!part) return std::nullopt;
    name->text += '.' + part->text;
    name->end = part->end;
  }
  return name;
}

// parameter := '$' ( name | digit { digit } | '`' ... '`' )
//
// After the $ no word is reserved, and a digit may come first: $1. A single $ is reported as a specific error by
// fail() and not as an expectation.
std::optional<ast::Parameter> take_parameter(ParseState& state, Iterator& first) {
  const Iterator at = state.skip_blank(first);
  if (at == state.end() || *at != '$') {
    state.expect(at, {"a parameter"});
    return std::nullopt;
  }
  const Iterator start = at + 1;
  Iterator end = start;
  ast::Parameter result;
  if (start != state.end() && *start == '`') {
    result.name = take_quoted_name(state, start, end);
  } else {
    end = lexical::skip_name_rest(start, state.end());
    result.name = between(start, end);
  }
  if (result.name.empty()) state.fail(at, start, "a name must follow the $ of a parameter");
  first = end;
  return result;
}

// Called only at an @, so that "a system field" does not appear in messages about other texts.
std::optional<ast::SystemField> take_system_field(ParseState& state, Iterator& first) {
  Iterator at = first;
  if (!take_symbol(state, at, "@", "'@'")) return std::nullopt;
  const auto name = take_name(state, at, "a system field", true);
  if (!name) return std::nullopt;
  ast::SystemField field;
  static_cast<ast::Located&>(field) = *name;
  field.name = name->text;
  first = at;
  return field;
}

// hops := '*' [ integer ] [ '..' [ integer ] ]
//
// *2 is exactly two, and *2.. is two or more: is_range distinguishes them if `most` is absent. take_symbol()
// distinguishes `.` from `..`.
std::optional<ast::Hops> take_hops(ParseState& state, Iterator& first) {
  Iterator at = first;
  if (!take_symbol(state, at, "*", "'*'")) return std::nullopt;
  ast::Hops result{.is_present = true, .is_range = false, .least = {}, .most = {}};
  result.least = take_hop_count(state, at);
  result.is_range = take_symbol(state, at, "..", "'..'");
  if (result.is_range) result.most = take_hop_count(state, at);
  first = at;
  return result;
}

// quantifier := '+' | '*' | '{' integer '}' | '{' [ integer ] ',' [ integer ] '}'
//
// A missing lower bound is 0, unlike in *..3. Returns early without noting an expectation, so that quantifiers do not
// appear in messages about other texts.
std::optional<ast::Hops> take_quantifier(ParseState& state, Iterator& first) {
  const Iterator at = state.skip_blank(first);
  if (at == state.end() || (*at != '+' && *at != '*' && *at != '{')) return std::nullopt;
  Iterator end = at + 1;
  ast::Hops result{.is_present = true, .is_range = true, .least = *at == '+' ? 1 : 0, .most = {}};
  if (*at == '{') {
    const auto least = take_hop_count(state, end);
    result.is_range = take_symbol(state, end, ",", "','");
    if (result.is_range) result.most = take_hop_count(state, end);
    result.least = least.value_or(0);
    const bool has_number = least || result.is_range;
    if (!has_number || !take_symbol(state, end, "}", "'}'"))
      state.fail(at, end, "a number of hops is expected here, as {2}, {1,3}, {1,} or {,3}");
  }
  first = end;
  return result;
}

// selector := ALL [ SHORTEST ] [ PATHS ] | ANY [ SHORTEST | integer ] [ PATHS ]
//           | SHORTEST ( integer [ PATHS ] [ GROUPS ] | [ PATHS ] GROUPS )         and PATH, GROUP
std::optional<ast::PathSelector> take_path_selector(ParseState& state, Iterator& first) {
  using ast::PathSelection;
  const auto take_one_of = [&](std::string_view plural, std::string_view singular) {
    return take_keyword(state, first, plural) || take_keyword(state, first, singular);
  };
  const bool is_all = take_keyword(state, first, "ALL");
  const bool is_any = !is_all && take_keyword(state, first, "ANY");
  const bool is_shortest = take_keyword(state, first, "SHORTEST");
  if (!is_all && !is_any && !is_shortest) return std::nullopt;
  ast::PathSelector selector{is_all ? PathSelection::all : PathSelection::paths, 1};
  const bool has_count = !is_all && is_any != is_shortest;
  const Iterator at = state.skip_blank(first);
  const auto count = has_count ? take_hop_count(state, first) : std::nullopt;
  selector.count = count.value_or(1);
  take_one_of("PATHS", "PATH");
  const bool has_groups = !is_all && !is_any && take_one_of("GROUPS", "GROUP");
  if (has_groups || (is_all && is_shortest)) selector.selection = PathSelection::groups;
  if (has_count && !is_any && !count && !has_groups)
    state.fail(at, at, "SHORTEST needs a number of paths, as in SHORTEST 1, or GROUPS");
  return selector;
}

// In messages, the group "an operator" replaces the eight words that are tried. Symbols are compared before the group,
// because they are not noted for messages.
std::optional<InfixOperator> take_binary_operator(ParseState& state, Iterator& first) {
  const Iterator at = state.skip_blank(first);
  if (at == state.end()) {
    state.expect(at, {"an operator"});
    return std::nullopt;
  }
  refuse_foreign_operator(state, at);
  if (auto op = take_operator_symbol(state, first, at)) return InfixOperator{*op};
  const auto outer = state.enter_group(at, "an operator");
  const auto op = take_operator_word(state, first);
  state.leave_group(outer);
  return op;
}

// IS [NOT] NULL has the precedence of predicates (see precedence.hpp) and may be repeated, because its result is never
// null. IS without NULL is not taken.
std::optional<NullTest> take_null_test(ParseState& state, Iterator& first) {
  const Iterator start = first;
  const auto outer = state.enter_group(state.skip_blank(first), "an operator");
  const bool is_test = take_keyword(state, first, "IS");
  state.leave_group(outer);
  if (!is_test) return std::nullopt;
  const bool is_negated = take_keyword(state, first, "NOT");
  if (take_keyword(state, first, "NULL")) {
    return NullTest{is_negated ? Operator::is_not_null : Operator::is_null,
                    static_cast<std::uint32_t>(state.offset(first))};
  }
  first = start;
  return std::nullopt;
}

// fold_operators() checks which prefixes are allowed at which place.
std::optional<PrefixOperator> take_prefix_operator(ParseState& state, Iterator& first) {
  const Iterator at = state.skip_blank(first);
  PrefixOperator result;
  if (take_keyword(state, first, "NOT")) {
    result.op = Operator::logical_not;
  } else if (at != state.end() && (*at == '-' || *at == '+')) {
    result.op = *at == '-' ? Operator::negate : Operator::plus_sign;
    first = at + 1;
  } else {
    return std::nullopt;
  }
  return located(state, result, at, first);
}

}  // namespace cairn::query::grammar

#pragma once
// The terminals of the grammar. Each one skips blanks, and then takes a token or leaves the position unchanged. If the
// token is missing, the terminal notes the expected token in the state, so that error messages do not depend on the
// names of X3 rules.

#include "query/syntax/ast.hpp"
#include "query/syntax/parse_state.hpp"

#include <boost/spirit/home/x3/core/parser.hpp>
#include <boost/spirit/home/x3/core/skip_over.hpp>
#include <boost/spirit/home/x3/support/context.hpp>
#include <boost/spirit/home/x3/support/traits/attribute_of.hpp>
#include <boost/spirit/home/x3/support/traits/has_attribute.hpp>
#include <boost/spirit/home/x3/support/traits/move_to.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace cairn::query::grammar {

namespace x3 = boost::spirit::x3;

using Iterator = const char*;

struct StateTag;
using Context = x3::context<StateTag, ParseState>;

template <class AnyContext>
[[nodiscard]] ParseState& state_of(const AnyContext& context) {
  return x3::get<StateTag>(context);
}

// The tokens. Each function moves `first` after the token and returns true or a value. If the token is not there,
// `first` is unchanged.

bool take_keyword(ParseState& state, Iterator& first, std::string_view keyword);
/// `quoted` is the symbol in quotation marks, for error messages.
bool take_symbol(ParseState& state, Iterator& first, std::string_view symbol,
                 std::string_view quoted);
/// `what` describes the name in error messages. Reserved words are accepted only if `any_word`.
std::optional<ast::Name> take_name(ParseState& state, Iterator& first, std::string_view what,
                                   bool any_word);
/// Takes a.b.c; blanks are allowed around the dots.
std::optional<ast::Name> take_dotted_name(ParseState& state, Iterator& first,
                                          std::string_view what);
std::optional<ast::Literal> take_literal(ParseState& state, Iterator& first);
std::optional<ast::Parameter> take_parameter(ParseState& state, Iterator& first);
/// Takes @name.
std::optional<ast::SystemField> take_system_field(ParseState& state, Iterator& first);
/// Takes the hops in brackets: *, *2, *1..3, *1.. or *..3.
std::optional<ast::Hops> take_hops(ParseState& state, Iterator& first);
/// Takes the quantifier after a relationship: {2}, {1,3}, {1,}, {,3}, + or *.
std::optional<ast::Hops> take_quantifier(ParseState& state, Iterator& first);
/// Takes the words before a path: ANY SHORTEST, SHORTEST 3 GROUPS.
std::optional<ast::PathSelector> take_path_selector(ParseState& state, Iterator& first);

/// An operator between two operands.
struct InfixOperator {
  ast::Operator op = ast::Operator::add;
  bool is_negated = false;  ///< only for NOT IN
};
std::optional<InfixOperator> take_binary_operator(ParseState& state, Iterator& first);

/// IS NULL or IS NOT NULL after an operand.
struct NullTest {
  ast::Operator op = ast::Operator::is_null;
  std::uint32_t end = 0;  ///< offset of its end
};

std::optional<NullTest> take_null_test(ParseState& state, Iterator& first);

/// NOT, - or + with its place.
struct PrefixOperator : ast::Located {
  ast::Operator op = ast::Operator::negate;
};
std::optional<PrefixOperator> take_prefix_operator(ParseState& state, Iterator& first);

// The tokens as X3 parsers

struct Keyword : x3::parser<Keyword> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  std::string_view text;

  constexpr explicit Keyword(std::string_view keyword) : text(keyword) {}
  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator&, const C& context, R&, A&) const {
    return take_keyword(state_of(context), first, text);
  }
};

struct Symbol : x3::parser<Symbol> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  std::string_view quoted;  ///< the symbol in quotation marks: 'x'

  constexpr explicit Symbol(std::string_view symbol) : quoted(symbol) {}
  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator&, const C& context, R&, A&) const {
    return take_symbol(state_of(context), first, quoted.substr(1, quoted.size() - 2), quoted);
  }
};

/// A token with a value. `take` is the function that parses it.
template <class Value, std::optional<Value> (*take)(ParseState&, Iterator&)>
struct Token : x3::parser<Token<Value, take>> {
  using attribute_type = Value;
  static constexpr bool has_attribute = true;

  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator&, const C& context, R&, A& attribute) const {
    auto value = take(state_of(context), first);
    if (!value) return false;
    x3::traits::move_to(std::move(*value), attribute);
    return true;
  }
};

enum class NameKind { variable, any_word, dotted };

/// A name as an X3 parser; `what` describes it in error messages.
struct NameToken : x3::parser<NameToken> {
  using attribute_type = ast::Name;
  static constexpr bool has_attribute = true;
  std::string_view what;
  NameKind kind;

  constexpr NameToken(std::string_view called, NameKind name_kind)
      : what(called), kind(name_kind) {}
  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator&, const C& context, R&, A& attribute) const {
    auto name = take(state_of(context), first);
    if (!name) return false;
    x3::traits::move_to(std::move(*name), attribute);
    return true;
  }

 private:
  std::optional<ast::Name> take(ParseState& state, Iterator& first) const {
    if (kind == NameKind::dotted) return take_dotted_name(state, first, what);
    return take_name(state, first, what, kind == NameKind::any_word);
  }
};

/// Tests the text ahead without taking a token; see lookahead.hpp.
struct Ahead : x3::parser<Ahead> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  bool (*test)(ParseState&, Iterator);

  constexpr explicit Ahead(bool (*look)(ParseState&, Iterator)) : test(look) {}
  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator&, const C& context, R&, A&) const {
    return test(state_of(context), first);
  }
};

constexpr Keyword operator""_kw(const char* text, std::size_t size) {
  return Keyword(std::string_view(text, size));
}
constexpr Symbol operator""_sym(const char* text, std::size_t size) {
  return Symbol(std::string_view(text, size));
}

constexpr NameToken variable{"a variable", NameKind::variable};
constexpr NameToken property_name{"a property name", NameKind::any_word};
constexpr NameToken label_name{"a label or type", NameKind::any_word};
constexpr NameToken map_key{"a key", NameKind::any_word};
constexpr NameToken function_name{"a function name", NameKind::dotted};
constexpr NameToken procedure_name{"a procedure name", NameKind::dotted};
constexpr NameToken index_name{"an index name", NameKind::any_word};
constexpr NameToken database_name{"the name of a database", NameKind::any_word};
constexpr NameToken name_space_name{"the name of a namespace", NameKind::any_word};

constexpr Token<ast::Literal, take_literal> literal;
constexpr Token<ast::Parameter, take_parameter> parameter;
constexpr Token<ast::SystemField, take_system_field> system_field;
constexpr Token<ast::Hops, take_hops> hops;
constexpr Token<ast::Hops, take_quantifier> path_quantifier;
constexpr Token<ast::PathSelector, take_path_selector> path_selector;
constexpr Token<InfixOperator, take_binary_operator> binary_operator;
constexpr Token<NullTest, take_null_test> null_test;
constexpr Token<PrefixOperator, take_prefix_operator> prefix_operator;

}  // namespace cairn::query::grammar

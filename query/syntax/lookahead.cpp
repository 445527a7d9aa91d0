// Everything here costs a few tokens and one search in the table of brackets.
// PEG alternatives that begin alike would be read twice at each level of brackets, which doubles
// the time with every level: 30 brackets, a billion tries. So the few constructs that share a
// beginning are distinguished here first, and the grammar takes the chosen one with expectation
// points.
//
// A wrong guess is never a wrong tree, only another error message: what is chosen must then match.
#include "query/syntax/lookahead.hpp"

namespace cairn::query::grammar {
namespace {

/// A position that moves over tokens without telling the state what was missing.
/// Copied by value at each use, which is what makes it a look and not a step.
class Glance {
 public:
  Glance(ParseState& state, const char* first) : state_(state), at_(state.skip_blank(first)) {}

  [[nodiscard]] bool at_symbol(char symbol) const { return at_ != state_.end() && *at_ == symbol; }

  bool take(char symbol) {
    if (!at_symbol(symbol)) return false;
    move_to(at_ + 1);
    return true;
  }

  bool take_keyword(std::string_view keyword) {
    const char* end = lexical::skip_name(at_, state_.end());
    const std::string_view word(at_, static_cast<std::size_t>(end - at_));
    if (!lexical::is_keyword(word, keyword)) return false;
    move_to(end);
    return true;
  }

  bool take_name() {
    const char* end = at_symbol('`') ? lexical::skip_quoted(at_, state_.end())
                                     : lexical::skip_name(at_, state_.end());
    if (end == nullptr || end == at_) return false;
    move_to(end);
    return true;
  }

  /// A name that a variable may have: false, null and the words of clauses only in backquotes.
  bool take_variable() {
    const char* end = lexical::skip_name(at_, state_.end());
    const std::string_view word(at_, static_cast<std::size_t>(end - at_));
    return !lexical::is_reserved(word) && take_name();
  }

  /// A reserved word that is not the name of a function as well.
  [[nodiscard]] bool at_clause_word() const {
    const char* end = lexical::skip_name(at_, state_.end());
    const std::string_view word(at_, static_cast<std::size_t>(end - at_));
    return lexical::is_reserved(word) && !lexical::is_keyword(word, "EXISTS");
  }

  /// The bracket that opens here, or null.
  [[nodiscard]] const lexical::Bracket* bracket() const {
    return state_.brackets().find(state_.offset(at_));
  }

  bool take_bracket(char open) {
    const lexical::Bracket* found = at_symbol(open) ? bracket() : nullptr;
    if (found == nullptr || found->close == std::string_view::npos) return false;
    move_to(state_.begin() + found->close + 1);
    return true;
  }

  /// What may be behind a relationship: +, * or {1,3}.
  void take_quantifier() {
    if (!take('+') && !take('*')) take_bracket('{');
  }

 private:
  void move_to(const char* at) { at_ = state_.skip_blank(at); }

  ParseState& state_;
  const char* at_;
};

/// @ {...}: with a name behind it, it is a field of a value.
bool at_system_map(Glance glance) { return glance.take('@') && glance.at_symbol('{'); }

/// What may be in a node pattern after its variable, or first of all.
bool at_node_detail(const Glance& glance) {
  return at_system_map(glance) || glance.at_symbol(')') || glance.at_symbol(':') ||
         glance.at_symbol('{') || glance.at_symbol('$');
}

/// ( with a node's beginning: (), (a), (a:L), (:L), ({...}), (a WHERE
/// `(a)` alone opens a node as well as a parenthesized name; is_pattern asks what follows it.
bool opens_node(Glance glance) {
  if (!glance.take('(')) return false;
  if (at_node_detail(glance) || glance.take_keyword("WHERE")) return true;
  return glance.take_variable() && (at_node_detail(glance) || glance.take_keyword("WHERE"));
}

/// With a comma it is a list literal; a comprehension has a bar.
bool has_comprehension_form(const lexical::Bracket* bracket) {
  return bracket != nullptr && bracket->has_bar && !bracket->has_comma;
}

}  // namespace

bool is_system_mark(ParseState& state, const char* first) {
  return Glance(state, first).at_symbol('@');
}

// The brackets are jumped over, so the look is as long as the arrow: -, <-, -[...]-, -->, --{1,3}
bool is_pattern(ParseState& state, const char* first) {
  Glance glance(state, first);
  if (!opens_node(glance) || !glance.take_bracket('(')) return false;
  glance.take('<');
  if (!glance.take('-')) return false;
  if (glance.at_symbol('[') && !glance.take_bracket('[')) return false;
  if (!glance.take('-')) return false;
  glance.take('>');
  glance.take_quantifier();
  return opens_node(glance);
}

namespace {

/// Whether what begins as a path goes on behind it, as an operand does.
bool is_operand(ParseState& state, const char* first) {
  Glance glance(state, first);
  while (glance.take_bracket('(')) {
    if (glance.at_symbol('|') || glance.take_keyword("WHERE")) return false;
    glance.take('<');
    if (!glance.take('-')) return true;
    glance.take_bracket('[');
    glance.take('-');
    glance.take('>');
    glance.take_quantifier();
  }
  return false;
}

}  // namespace

// Only asked where a path must stand, so that a second bracket can be nothing else.
bool is_parenthesized_path(ParseState& state, const char* first) {
  Glance glance(state, first);
  return glance.take('(') && glance.at_symbol('(');
}

// Not by its bar: [x IN xs WHERE p] has none. [x IN xs, 1] is a list, and so is [(x IN xs)].
bool is_list_comprehension(ParseState& state, const char* first) {
  Glance glance(state, first);
  const lexical::Bracket* bracket = glance.bracket();
  return glance.take('[') && glance.take_variable() && glance.take_keyword("IN") &&
         !bracket->has_comma;
}

// The bar is required: [(a)-->(b)] is a list of one pattern, which the binder refuses with advice. It may also be one of
// labels: [(a)-->(b) OR n:A|B] is a list.
bool is_pattern_comprehension(ParseState& state, const char* first) {
  Glance glance(state, first);
  if (!glance.at_symbol('[') || !has_comprehension_form(glance.bracket())) return false;
  const char* inside = state.skip_blank(first) + 1;
  if (is_pattern(state, inside)) return !is_operand(state, inside);
  Glance name(state, inside);
  return name.take_name() && name.take('=') && name.at_symbol('(');
}

// ALL is reserved, any, none and single are not: any(x) with no IN is a call of a function of that
// name.
bool is_quantifier(ParseState& state, const char* first) {
  Glance glance(state, first);
  const bool is_word = glance.take_keyword("ALL") || glance.take_keyword("ANY") ||
                       glance.take_keyword("NONE") || glance.take_keyword("SINGLE");
  return is_word && glance.take('(') && glance.take_variable() && glance.take_keyword("IN");
}

bool is_reduce(ParseState& state, const char* first) {
  Glance glance(state, first);
  return glance.take_keyword("REDUCE") && glance.take('(') && glance.take_name() &&
         glance.take('=');
}

// Read as a name first, a call would need a second reading of all its dots.
// A reserved word before a bracket is the beginning of a clause or an operator: NOT (a), IN (b).
// Only exists( ) is a reserved word and a function too.
bool is_call(ParseState& state, const char* first) {
  Glance glance(state, first);
  if (glance.at_clause_word()) return false;
  if (!glance.take_name()) return false;
  while (glance.take('.')) {
    if (!glance.take_name()) return false;
  }
  return glance.at_symbol('(');
}

bool is_count_all(ParseState& state, const char* first) {
  Glance glance(state, first);
  return glance.take_keyword("COUNT") && glance.take('(') && glance.take('*') &&
         glance.at_symbol(')');
}

// n {.x} is a map projection and EXISTS {...} a subquery; the first word decides which, later.
bool is_name_and_brace(ParseState& state, const char* first) {
  Glance glance(state, first);
  return glance.take_name() && glance.at_symbol('{');
}

bool is_shortest_path(ParseState& state, const char* first) {
  Glance glance(state, first);
  const bool is_word =
      glance.take_keyword("SHORTESTPATH") || glance.take_keyword("ALLSHORTESTPATHS");
  return is_word && glance.at_symbol('(');
}

// p = (a)-->(b) in a pattern. Never asked where an expression may begin with a comparison.
bool is_assignment(ParseState& state, const char* first) {
  Glance glance(state, first);
  return glance.take_name() && glance.at_symbol('=');
}

}  // namespace cairn::query::grammar

// Lookahead functions of the grammar. Each function reads a few tokens and at most searches the table of brackets.
//
// If two alternatives of a PEG have the same beginning, backtracking parses this beginning twice. With nested brackets,
// the time doubles at each level. So these functions decide first, and the grammar parses the chosen alternative with
// expectation points.
//
// A wrong decision never gives a wrong tree: the chosen alternative fails, and only the error message may be worse.
#include "query/syntax/lookahead.hpp"

namespace cairn::query::grammar {
namespace {

/// A position that advances over tokens without recording expectations in the state. The position is a copy, so a
/// lookahead does not move the parser.
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

  /// Takes a name that a variable may have. Reserved words are refused unless they are in back quotes.
  bool take_variable() {
    const char* end = lexical::skip_name(at_, state_.end());
    const std::string_view word(at_, static_cast<std::size_t>(end - at_));
    return !lexical::is_reserved(word) && take_name();
  }

  /// True at a reserved word that is not the name of a function.
  [[nodiscard]] bool at_clause_word() const {
    const char* end = lexical::skip_name(at_, state_.end());
    const std::string_view word(at_, static_cast<std::size_t>(end - at_));
    return lexical::is_reserved(word) && !lexical::is_keyword(word, "EXISTS");
  }

  /// Returns the bracket that opens here, or nullptr.
  [[nodiscard]] const lexical::Bracket* bracket() const {
    return state_.brackets().find(state_.offset(at_));
  }

  /// Skips a bracket with its content.
  bool take_bracket(char open) {
    const lexical::Bracket* found = at_symbol(open) ? bracket() : nullptr;
    if (found == nullptr || found->close == std::string_view::npos) return false;
    move_to(state_.begin() + found->close + 1);
    return true;
  }

  /// Skips a quantifier of a relationship: +, * or {1,3}.
  void take_quantifier() {
    if (!take('+') && !take('*')) take_bracket('{');
  }

 private:
  void move_to(const char* at) { at_ = state_.skip_blank(at); }

  ParseState& state_;
  const char* at_;
};

/// True at @ {...}. In contrast, @ with a name is a field of a value.
bool at_system_map(Glance glance) { return glance.take('@') && glance.at_symbol('{'); }

/// True at a character that may follow the variable of a node pattern or the opening bracket.
bool at_node_detail(const Glance& glance) {
  return at_system_map(glance) || glance.at_symbol(')') || glance.at_symbol(':') ||
         glance.at_symbol('{') || glance.at_symbol('$');
}

/// True at the beginning of a node pattern: (), (a), (a:L), (:L), ({...}) or (a WHERE. A parenthesized name `(a)`
/// looks the same; is_pattern() checks what follows it.
bool opens_node(Glance glance) {
  if (!glance.take('(')) return false;
  if (at_node_detail(glance) || glance.take_keyword("WHERE")) return true;
  return glance.take_variable() && (at_node_detail(glance) || glance.take_keyword("WHERE"));
}

/// True for brackets of a comprehension, which have a bar and no comma. Brackets with a comma are a list literal.
bool has_comprehension_form(const lexical::Bracket* bracket) {
  return bracket != nullptr && bracket->has_bar && !bracket->has_comma;
}

}  // namespace

bool is_system_mark(ParseState& state, const char* first) {
  return Glance(state, first).at_symbol('@');
}

// Brackets are skipped as a whole, so only the arrow is examined: -, <-, -[...]-, -->, --{1,3}.
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

/// True if the path at `first` is an operand, because an expression continues after it.
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

// Called only where a path is required, so a second opening bracket can only belong to the path.
bool is_parenthesized_path(ParseState& state, const char* first) {
  Glance glance(state, first);
  return glance.take('(') && glance.at_symbol('(');
}

// Does not require a bar, because [x IN xs WHERE p] has none. [x IN xs, 1] and [(x IN xs)] are lists.
bool is_list_comprehension(ParseState& state, const char* first) {
  Glance glance(state, first);
  const lexical::Bracket* bracket = glance.bracket();
  return glance.take('[') && glance.take_variable() && glance.take_keyword("IN") &&
         !bracket->has_comma;
}

// Requires a bar: [(a)-->(b)] is a list with one pattern, which the binder refuses with advice. The bar may also be a
// choice of labels, as in the list [(a)-->(b) OR n:A|B]; is_operand() detects this.
bool is_pattern_comprehension(ParseState& state, const char* first) {
  Glance glance(state, first);
  if (!glance.at_symbol('[') || !has_comprehension_form(glance.bracket())) return false;
  const char* inside = state.skip_blank(first) + 1;
  if (is_pattern(state, inside)) return !is_operand(state, inside);
  Glance name(state, inside);
  return name.take_name() && name.take('=') && name.at_symbol('(');
}

// ANY, NONE and SINGLE are not reserved: any(x) without IN is a call of a function with this name.
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

// Distinguishes calls from names in advance, since otherwise a dotted name would be parsed twice. A reserved word
// before a bracket begins a clause or is an operator, as in NOT (a) and IN (b). Only EXISTS is a reserved word and a
// function.
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

// True for a map projection n {.x} and a subquery EXISTS {...}. The first word distinguishes them later.
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

// Called only where a path is required, and a path cannot begin with a word.
bool is_path_selector(ParseState& state, const char* first) {
  Glance glance(state, first);
  return glance.take_keyword("ANY") || glance.take_keyword("ALL") ||
         glance.take_keyword("SHORTEST");
}

// True for p = (a)-->(b). Called only in patterns, so the = cannot be a comparison.
bool is_assignment(ParseState& state, const char* first) {
  Glance glance(state, first);
  return glance.take_name() && glance.at_symbol('=');
}

}  // namespace cairn::query::grammar

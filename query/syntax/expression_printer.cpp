// Prints expressions with as few parentheses as the precedences allow, keywords in upper case, one blank between
// tokens, and strings in single quotes. Recursion is as deep as the tree, which the parser has limited.
#include "codec/hex.hpp"
#include "query/syntax/text_printer.hpp"

#include <array>
#include <charconv>

namespace cairn::query {
namespace {

using ast::Operator;
using grammar::Precedence;

/// The spellings are in the order of ast::Operator. NOT includes its blank; signs have no blank.
std::string_view spelling(Operator op) {
  static constexpr std::string_view table[] = {
      "OR", "XOR",         "AND",       "NOT ",     "=",  "<>",      "<",           "<=", ">", ">=",
      "IN", "STARTS WITH", "ENDS WITH", "CONTAINS", "=~", "IS NULL", "IS NOT NULL", "+",  "-", "||",
      "*",  "/",           "%",         "^",        "+",  "-"};
  return table[static_cast<std::size_t>(op)];
}

/// Returns the shortest text that is parsed as the same double. The text has a point or an exponent, so that it is not
/// parsed as an integer.
std::string float_text(double value) {
  std::array<char, 32> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), written.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string integer_text(const ast::Integer& integer) {
  return (integer.is_negative ? "-" : "") + std::to_string(integer.magnitude);
}

/// Escapes characters that would end the string or are invisible.
void append_escaped(std::string& text, char c) {
  constexpr std::string_view specials = "\b\f\n\r\t\\'";
  constexpr std::string_view letters = "bfnrt\\'";
  const auto found = specials.find(c);
  if (found != std::string_view::npos) {
    text += '\\';
    text += letters[found];
  } else if (static_cast<unsigned char>(c) < 0x20) {
    text += "\\u00" + codec::hex_text(static_cast<unsigned char>(c));
  } else {
    text += c;
  }
}

std::string string_text(const std::string& value) {
  std::string text = "'";
  for (const char c : value) append_escaped(text, c);
  return text + '\'';
}

struct LiteralText {
  std::string operator()(ast::Null) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const ast::Integer& value) const { return integer_text(value); }
  std::string operator()(double value) const { return float_text(value); }
  std::string operator()(const std::string& value) const { return string_text(value); }
};

/// A negative literal is the only atom that begins with a sign. As a base it needs parentheses: -1.a would be parsed
/// as the negation of 1.a.
bool is_negative_number(const ast::Expression& expression) {
  const auto* literal = expression.get_if<ast::Literal>();
  if (literal == nullptr) return false;
  const auto* integer = std::get_if<ast::Integer>(&literal->value);
  const auto* number = std::get_if<double>(&literal->value);
  return (integer != nullptr && integer->is_negative) || (number != nullptr && *number < 0);
}

/// True if an operand needs parentheses. A chain inside of a chain with the same precedence needs them too, because it
/// would become a part of the outer chain. A path needs them before a - or <, which would be parsed as its next
/// relationship.
bool binds_less(const ast::Expression& expression, Precedence weakest) {
  if (const auto* chain = expression.get_if<ast::OperatorChain>()) {
    return grammar::precedence_of(chain->rest.front().op) < weakest;
  }
  if (const auto* prefix = expression.get_if<ast::PrefixOperation>()) {
    return grammar::precedence_of(prefix->op) < weakest;
  }
  return expression.get_if<ast::PathPattern>() != nullptr && weakest > Precedence::logical_not;
}

}  // namespace

void TextPrinter::expression(const ast::Expression& expression) {
  std::visit([this](const auto& content) { part(content); }, expression.content);
}

void TextPrinter::expressions(const std::vector<ast::Expression>& items) {
  list(items, ", ", [this](const auto& item) { expression(item); });
}

void TextPrinter::optional(std::string_view keyword, const ast::Expression& expression) {
  if (expression.empty()) return;
  put(keyword);
  this->expression(expression);
}

void TextPrinter::parenthesized(const ast::Expression& expression) {
  put("(");
  this->expression(expression);
  put(")");
}

// Prints an operand of an operator; see binds_less().
void TextPrinter::operand(const ast::Expression& expression, Precedence weakest) {
  if (binds_less(expression, weakest)) {
    parenthesized(expression);
  } else {
    this->expression(expression);
  }
}

// Prints the expression before the suffixes.
void TextPrinter::base(const ast::Expression& expression) {
  const bool is_atom = expression.get_if<ast::OperatorChain>() == nullptr &&
                       expression.get_if<ast::PrefixOperation>() == nullptr &&
                       expression.get_if<ast::SuffixChain>() == nullptr &&
                       expression.get_if<ast::PathPattern>() == nullptr &&
                       !is_negative_number(expression);
  if (is_atom) {
    this->expression(expression);
  } else {
    parenthesized(expression);
  }
}

void TextPrinter::part(const ast::Literal& part) { put(std::visit(LiteralText{}, part.value)); }

void TextPrinter::part(const ast::Parameter& part) {
  put("$");
  // $1 is a valid parameter, although 1 is not a name.
  const bool is_number = part.name.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) {
    put(part.name);
  } else {
    name(part.name);
  }
}

void TextPrinter::part(const ast::CountAll&) { put("count(*)"); }

void TextPrinter::part(const ast::ListLiteral& part) {
  // [x IN xs] is a comprehension; the list needs parentheses: [(x IN xs)].
  const bool is_ambiguous =
      part.items.size() == 1 && part.items.front().get_if<ast::OperatorChain>() != nullptr;
  put("[");
  if (is_ambiguous) {
    parenthesized(part.items.front());
  } else {
    expressions(part.items);
  }
  put("]");
}

void TextPrinter::part(const ast::MapLiteral& part) {
  put("{");
  list(part.entries, ", ", [this](const ast::MapEntry& entry) {
    name(entry.key.text);
    put(": ");
    expression(entry.value);
  });
  put("}");
}

// Operands with the same precedence get parentheses on both sides. (a - b) - c and a - b - c have equal values but
// different trees, because a chain is flat.
void TextPrinter::part(const ast::OperatorChain& part) {
  const Precedence own = grammar::precedence_of(part.rest.front().op);
  const auto stronger = static_cast<Precedence>(static_cast<std::uint8_t>(own) + 1);
  operand(part.first, stronger);
  for (const ast::OperatorLink& link : part.rest) {
    put(" ").put(spelling(link.op));
    if (link.operand.empty()) continue;
    put(" ");
    operand(link.operand, stronger);
  }
}

// No parentheses are needed between two signs, or between NOT and NOT.
void TextPrinter::part(const ast::PrefixOperation& part) {
  put(spelling(part.op));
  operand(part.operand, grammar::precedence_of(part.op));
}

void TextPrinter::part(const ast::SuffixChain& part) { suffixes(part, part.suffixes.size()); }

void TextPrinter::suffixes(const ast::SuffixChain& chain, std::size_t count) {
  base(chain.base);
  for (std::size_t i = 0; i < count; ++i) suffix(chain.suffixes[i]);
}

// .name, @field, :labels, [index] or [from..to]
void TextPrinter::suffix(const ast::Suffix& suffix) {
  if (const auto* property = std::get_if<ast::Name>(&suffix.content)) {
    put(".");
    name(property->text);
  } else if (const auto* field = std::get_if<ast::SystemField>(&suffix.content)) {
    put("@");
    name(field->name);
  } else if (const auto* labels = std::get_if<ast::LabelExpression>(&suffix.content)) {
    // A choice of labels is put in parentheses, because a bare | may end the expression.
    put(":");
    label_operand(*labels, ast::LabelKind::negation);
  } else {
    const auto& subscript = std::get<ast::Subscript>(suffix.content);
    put("[");
    expression(subscript.from);
    if (subscript.end.is_present) put("..");
    expression(subscript.end.to);
    put("]");
  }
}

// n {.x, .*, y, z: 1}
void TextPrinter::part(const ast::MapProjection& part) {
  variable(part.variable);
  put(" {");
  list(part.entries, ", ", [this](const auto& entry) { projection_entry(entry); });
  put("}");
}

// The forms .*, variable, .own and key: value.
void TextPrinter::projection_entry(const ast::ProjectionEntry& entry) {
  using Kind = ast::ProjectionEntry::Kind;
  if (entry.kind == Kind::all_properties) {
    put(".*");
  } else if (entry.kind == Kind::variable) {
    variable(entry.key);
  } else {
    if (entry.kind == Kind::own_property) put(".");
    name(entry.key.text);
    optional(": ", entry.value);
  }
}

// The simple form of CASE has a subject; without a subject, each WHEN has a condition.
void TextPrinter::part(const ast::CaseExpression& part) {
  put("CASE");
  optional(" ", part.subject);
  for (const ast::CaseBranch& branch : part.branches) {
    optional(" WHEN ", branch.condition);
    optional(" THEN ", branch.result);
  }
  optional(" ELSE ", part.otherwise);
  put(" END");
}

void TextPrinter::part(const ast::FunctionCall& part) {
  dotted_name(part.name.text);
  put("(");
  if (part.is_distinct) put("DISTINCT ");
  expressions(part.arguments);
  put(")");
}

// [x IN xs WHERE x > 1 | x + 1]
void TextPrinter::part(const ast::ListComprehension& part) {
  put("[");
  variable(part.variable);
  optional(" IN ", part.list);
  optional(" WHERE ", part.where);
  optional(" | ", part.result);
  put("]");
}

// all(x IN xs WHERE x > 1)
void TextPrinter::part(const ast::Quantifier& part) {
  static constexpr std::string_view words[] = {"all(", "any(", "none(", "single("};
  put(words[static_cast<std::size_t>(part.kind)]);
  variable(part.variable);
  optional(" IN ", part.list);
  optional(" WHERE ", part.where);
  put(")");
}

// reduce(sum = 0, x IN xs | sum + x)
void TextPrinter::part(const ast::Reduce& part) {
  put("reduce(");
  variable(part.accumulator);
  optional(" = ", part.initial);
  put(", ");
  variable(part.variable);
  optional(" IN ", part.list);
  optional(" | ", part.step);
  put(")");
}

// [(a)-->(b) WHERE b.x = 1 | b.y]
void TextPrinter::part(const ast::PatternComprehension& part) {
  put("[");
  path(part.pattern);
  optional(" WHERE ", part.where);
  optional(" | ", part.result);
  put("]");
}

// A subquery has either patterns with a condition or a query; the other part is empty and prints nothing.
void TextPrinter::part(const ast::Subquery& part) {
  static constexpr std::string_view words[] = {"EXISTS { ", "COUNT { ", "COLLECT { "};
  put(words[static_cast<std::size_t>(part.kind)]);
  paths(part.paths);
  optional(" WHERE ", part.where);
  query(part.query);
  put(" }");
}

}  // namespace cairn::query

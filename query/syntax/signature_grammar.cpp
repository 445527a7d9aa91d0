// Signatures: their grammar, and whether values fit the declared types. This grammar is separate from the grammar of
// statements, because signatures are written in programs, and statements have no types.
#include "query/syntax/signature.hpp"

#include <boost/fusion/adapted/struct/adapt_struct.hpp>
#include <boost/spirit/home/x3.hpp>
#include <boost/variant.hpp>

#include <algorithm>
#include <array>

namespace cairn::query::signature_grammar {
namespace {

/// The parsed parts of a signature.
struct ReadSignature {
  std::string name;
  std::vector<DeclaredName> parameters;
  // Columns of a procedure, or result of a function.
  boost::variant<std::vector<DeclaredName>, DeclaredType>
      outcome;  // columns of a procedure, or a result
};

}  // namespace
}  // namespace cairn::query::signature_grammar

BOOST_FUSION_ADAPT_STRUCT(cairn::query::DeclaredName, name, is_optional, type)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::signature_grammar::ReadSignature, name, parameters, outcome)

namespace cairn::query::signature_grammar {
namespace {

namespace x3 = boost::spirit::x3;

using Kind = DeclaredType::Kind;

struct KindWord {
  const char* word;
  Kind kind;
};

/// The words for each kind. The first word of a kind is its canonical one.
constexpr std::array kind_words = {
    KindWord{"ANY", Kind::any},
    KindWord{"BOOLEAN", Kind::boolean},
    KindWord{"INTEGER", Kind::integer},
    KindWord{"FLOAT", Kind::floating},
    KindWord{"NUMBER", Kind::number},
    KindWord{"STRING", Kind::string},
    KindWord{"LIST", Kind::list},
    KindWord{"MAP", Kind::map},
    KindWord{"NODE", Kind::node},
    KindWord{"RELATIONSHIP", Kind::relationship},
    KindWord{"PATH", Kind::path},
    KindWord{"VECTOR", Kind::vector},
    KindWord{"DATE", Kind::date},
    KindWord{"LOCAL TIME", Kind::local_time},
    KindWord{"ZONED TIME", Kind::time},
    KindWord{"LOCAL DATETIME", Kind::local_date_time},
    KindWord{"ZONED DATETIME", Kind::date_time},
    KindWord{"DURATION", Kind::duration},
    KindWord{"BOOL", Kind::boolean},
    KindWord{"INT", Kind::integer},
    KindWord{"TIME", Kind::time},
    KindWord{"DATETIME", Kind::date_time},
};

/// The keys are in lower case, as x3::no_case requires.
struct Kinds : x3::symbols<Kind> {
  Kinds() {
    for (const KindWord& one : kind_words) {
      std::string lower(one.word);
      std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
      add(lower, one.kind);
    }
  }
};
const Kinds kinds;

// ANY includes null; other types do not unless ? follows.
const auto set_kind = [](auto& context) {
  DeclaredType& type = x3::_val(context);
  type.kind = x3::_attr(context);
  type.nulls = type.kind == Kind::any ? 1 : 0;
};
// LIST<type>: one level more. Bit i of `nulls` belongs to level i, so the bits are shifted by one.
const auto set_element = [](auto& context) {
  const DeclaredType& element = x3::_attr(context);
  DeclaredType& type = x3::_val(context);
  type = element;
  ++type.list_depth;
  type.nulls <<= 1;
  if (type.list_depth > DeclaredType::most_depth) x3::_pass(context) = false;
};
const auto allow_null = [](auto& context) { x3::_val(context).nulls |= 1; };

const auto word_char = x3::char_("a-zA-Z0-9_");
const auto word = x3::lexeme[x3::char_("a-zA-Z_") >> *word_char];
const auto end_of_word = !word_char;

const x3::rule<struct NameId, std::string> name = "a name";
const x3::rule<struct WordId, std::string> plain_word = "a name";
const x3::rule<struct TypeId, DeclaredType> type = "a type";
const x3::rule<struct ParameterId, DeclaredName> parameter = "a parameter";
const x3::rule<struct ColumnId, DeclaredName> column = "a column";
const x3::rule<struct ParametersId, std::vector<DeclaredName>> parameters = "parameters";
const x3::rule<struct ColumnsId, std::vector<DeclaredName>> columns = "columns";
const x3::rule<struct OutcomeId, boost::variant<std::vector<DeclaredName>, DeclaredType>> outcome =
    "a type, or columns in parentheses";
const x3::rule<struct EndId> end = "nothing more";
const x3::rule<struct SignatureId, ReadSignature> signature = "a signature";

const auto name_def = x3::raw[x3::lexeme[word >> *('.' >> word)]];
const auto plain_word_def = x3::raw[word];
const auto type_def = ((x3::no_case["list"] >> x3::lit('<') >> x3::expect[type][set_element] >
                        '>') |
                       x3::lexeme[x3::no_case[kinds][set_kind] >> end_of_word]) >>
                      -x3::lit('?')[allow_null];
const auto parameter_def = plain_word >> x3::matches['?'] > x3::lit("::") > type;
const auto column_def = plain_word >> x3::attr(false) > x3::lit("::") > type;
const auto columns_def = '(' >> -(column % ',') > ')';
const auto parameters_def = '(' >> -(parameter % ',') > ')';
const auto outcome_def = columns | type;
const auto signature_def = name > parameters > x3::lit("::") > outcome > end;
const auto end_def = x3::eoi;

BOOST_SPIRIT_DEFINE(name, plain_word, type, parameter, column, parameters, columns, outcome, end,
                    signature)

constexpr std::string_view blanks = " \t\n\v\f\r";

// Converts the parsed parts to a signature.
Signature made_of(ReadSignature&& read) {
  Signature made;
  made.name = std::move(read.name);
  made.parameters = std::move(read.parameters);
  made.is_function = read.outcome.which() == 1;
  if (made.is_function)
    made.result = boost::get<DeclaredType>(read.outcome);
  else
    made.columns = boost::get<std::vector<DeclaredName>>(std::move(read.outcome));
  return made;
}

// The error at `rest`, the text that could not be parsed.
Error no_signature(std::string_view text, std::string_view expected, std::string_view rest) {
  std::string message =
      "\"" + std::string(text) + "\" is not a signature: expected " + std::string(expected);
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  message += rest.empty() ? " at its end" : " at \"" + std::string(rest) + "\"";
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

}  // namespace

std::string_view without_blanks_around(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Parses a signature. Blanks are allowed between words, but not inside of them.
Result<Signature> parse(std::string_view text) {
  ReadSignature read;
  const char* first = text.data();
  const char* const last = first + text.size();
  try {
    if (x3::phrase_parse(first, last, signature, x3::space, read)) return made_of(std::move(read));
  } catch (const x3::expectation_failure<const char*>& failure) {
    return no_signature(text, failure.which(), {failure.where(), last});
  }
  return no_signature(text, "a name", {first, last});
}

}  // namespace cairn::query::signature_grammar

namespace cairn::query {
namespace {

/// Returns the fault of a signature with a repeated name, or with an optional parameter before a required one.
std::optional<std::string> fault_of(const Signature& signature) {
  for (const auto* names : {&signature.parameters, &signature.columns})
    for (auto one = names->begin(); one != names->end(); ++one)
      if (std::any_of(names->begin(), one,
                      [&](const auto& other) { return other.name == one->name; }))
        return "has `" + one->name + "` twice";
  const auto& parameters = signature.parameters;
  if (!std::ranges::is_sorted(parameters, {}, &DeclaredName::is_optional))
    return "has a required parameter after an optional one";
  return std::nullopt;
}

// The canonical word of a kind.
std::string_view word_of(DeclaredType::Kind kind) {
  return std::ranges::find(signature_grammar::kind_words, kind, &signature_grammar::KindWord::kind)
      ->word;
}

// True if a value of this type belongs to the kind. An integer is accepted as a float.
bool is_of(DeclaredType::Kind kind, ValueType type) {
  using Kind = DeclaredType::Kind;
  switch (kind) {
    case Kind::any:
      return true;
    case Kind::number:
    case Kind::floating:
      return type == ValueType::integer || type == ValueType::floating;
    case Kind::boolean:
      return type == ValueType::boolean;
    case Kind::integer:
      return type == ValueType::integer;
    case Kind::string:
      return type == ValueType::string;
    case Kind::list:
      return type == ValueType::list;
    case Kind::map:
      return type == ValueType::map;
    case Kind::node:
      return type == ValueType::node;
    case Kind::relationship:
      return type == ValueType::relationship;
    case Kind::path:
      return type == ValueType::path;
    case Kind::vector:
      return type == ValueType::vector;
    case Kind::date:
      return type == ValueType::date;
    case Kind::local_time:
      return type == ValueType::local_time;
    case Kind::time:
      return type == ValueType::time;
    case Kind::local_date_time:
      return type == ValueType::local_date_time;
    case Kind::date_time:
      return type == ValueType::date_time;
    case Kind::duration:
      return type == ValueType::duration;
  }
  return false;
}

/// True if a vector is accepted as a list of floats.
bool takes_vector_as_list(const DeclaredType& type) {
  if (type.list_depth == 0) return type.kind == DeclaredType::Kind::list;
  using Kind = DeclaredType::Kind;
  return type.list_depth == 1 &&
         (type.kind == Kind::any || type.kind == Kind::number || type.kind == Kind::floating);
}

}  // namespace

DeclaredType::Fit DeclaredType::fit_of(const Value& value) const {
  if (value.is_null()) return has_null() ? Fit::same : Fit::none;
  if (value.type() == ValueType::vector && takes_vector_as_list(*this)) return Fit::changed;
  if (list_depth > 0) return fit_of_list(value);
  if (!is_of(kind, value.type())) return Fit::none;
  return kind == Kind::floating && value.type() == ValueType::integer ? Fit::changed : Fit::same;
}

// The fit of a list is the worst fit of its elements.
DeclaredType::Fit DeclaredType::fit_of_list(const Value& value) const {
  const List* list = value.list();
  if (list == nullptr) return Fit::none;
  const DeclaredType inner = element();
  Fit fit = Fit::same;
  for (const Value& one : *list) {
    const Fit of_one = inner.fit_of(one);
    if (of_one == Fit::none) return Fit::none;
    if (of_one == Fit::changed) fit = Fit::changed;
  }
  return fit;
}

// Converts integers to floats and vectors to lists, also inside of lists.
Value DeclaredType::changed(const Value& value) const {
  if (value.type() == ValueType::integer) return static_cast<double>(value.as_integer());
  List items;
  if (const auto* vector = value.get_if<Vector>()) {
    items.assign(vector->components().begin(), vector->components().end());
    return items;
  }
  const DeclaredType inner = element();
  for (const Value& one : value.as_list())
    items.push_back(inner.fit_of(one) == Fit::changed ? inner.changed(one) : one);
  return items;
}

std::optional<Value> DeclaredType::fit(const Value& value) const {
  const Fit fit = fit_of(value);
  if (fit == Fit::none) return std::nullopt;
  return fit == Fit::same ? value : changed(value);
}

std::string DeclaredType::text() const {
  std::string text;
  for (std::uint32_t i = 0; i < list_depth; ++i) text += "LIST<";
  text += word_of(kind);
  for (std::uint32_t level = list_depth + 1; level-- > 0;) {
    if (level < list_depth) text += '>';
    // ANY includes null without a ?
    const bool is_plain = level == list_depth && kind == Kind::any;
    if ((nulls >> level & 1) != 0 && !is_plain) text += '?';
  }
  return text;
}

std::size_t Signature::least_arguments() const {
  return static_cast<std::size_t>(
      std::ranges::count(parameters, false, &DeclaredName::is_optional));
}

// Parses a signature, and checks the rules that the grammar cannot express.
Result<Signature> parse_signature(std::string_view text) {
  constexpr std::size_t most_bytes = 4'096;  // nested types need stack
  if (text.size() > most_bytes)
    return Error{ErrorCode::invalid_argument,
                 "a signature has at most " + std::to_string(most_bytes) + " bytes, not " +
                     std::to_string(text.size()),
                 std::nullopt};
  CAIRN_ASSIGN(Signature signature, signature_grammar::parse(text));
  if (const auto fault = fault_of(signature))
    return Error{ErrorCode::invalid_argument, "\"" + std::string(text) + "\" " + *fault,
                 std::nullopt};
  signature.text = signature_grammar::without_blanks_around(text);
  return signature;
}

}  // namespace cairn::query

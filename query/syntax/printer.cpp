// Prints names, statements and commands on the schema as canonical text. Tests with generated trees check that
// parse(print(tree)) == tree. bind_projection.cpp treats expressions with equal text as the same column, so expressions
// with different meanings must print differently.
#include "query/syntax/printer.hpp"

#include "query/syntax/backticks.hpp"
#include "query/syntax/lexical.hpp"
#include "query/syntax/text_printer.hpp"

namespace cairn::query {
namespace {

// True if the name needs no back quotes.
bool is_plain_name(std::string_view name) {
  const char* last = name.data() + name.size();
  return !name.empty() && lexical::skip_name(name.data(), last) == last;
}

}  // namespace

std::string in_backticks(std::string_view name) {
  std::string result = "`";
  for (const char c : name) {
    result += c;
    if (c == '`') result += c;
  }
  return result + '`';
}

void TextPrinter::name(std::string_view name) {
  put(is_plain_name(name) ? name : in_backticks(name));
}

// A reserved word needs back quotes as a variable, but not as a label or key.
void TextPrinter::variable(const ast::Name& name) {
  if (name.empty()) return;
  const bool is_bare = is_plain_name(name.text) && !lexical::is_reserved(name.text);
  put(is_bare ? name.text : in_backticks(name.text));
}

// Prints a.b.c, each part quoted if necessary.
void TextPrinter::dotted_name(std::string_view name) {
  while (true) {
    const auto dot = name.find('.');
    this->name(name.substr(0, dot));
    if (dot == std::string_view::npos) return;
    put(".");
    name.remove_prefix(dot + 1);
  }
}

void TextPrinter::statement(const ast::Statement& statement) {
  static constexpr std::string_view modes[] = {"", "EXPLAIN ", "PROFILE "};
  put(modes[static_cast<std::size_t>(statement.mode)]);
  if (!statement.database.empty()) {
    put("USE ");
    name(statement.database.text);
    put(" ");
  }
  std::visit([this](const auto& part) { content(part); }, statement.content);
}

// Names such as `for` are put in back quotes: CREATE INDEX for FOR (...) would read the name as a keyword.
void TextPrinter::schema_name(const ast::Name& given, bool if_not_exists) {
  const bool is_word =
      lexical::is_keyword(given.text, "IF") || lexical::is_keyword(given.text, "FOR");
  if (!given.empty()) put(" ");
  if (is_word)
    put(in_backticks(given.text));
  else if (!given.empty())
    name(given.text);
  if (if_not_exists) put(" IF NOT EXISTS");
}

// FOR (n:A|B) or FOR ()-[r:R]-()
void TextPrinter::schema_target(const ast::IndexTarget& target) {
  put(target.on_relationship ? " FOR ()-[" : " FOR (");
  variable(target.variable);
  put(":");
  list(target.names, "|", [this](const ast::Name& each) { name(each.text); });
  put(target.on_relationship ? "]-()" : ")");
}

// (n.a, n.b.c)
void TextPrinter::schema_properties(const std::vector<ast::IndexProperty>& properties) {
  put("(");
  list(properties, ", ", [this](const ast::IndexProperty& property) {
    variable(property.variable);
    for (const ast::Name& part : property.path) {
      put(".");
      name(part.text);
    }
  });
  put(")");
}

void TextPrinter::content(const ast::CreateIndex& content) {
  static constexpr std::string_view types[] = {"CREATE INDEX", "CREATE VECTOR INDEX",
                                               "CREATE FULLTEXT INDEX", "CREATE TEXT INDEX",
                                               "CREATE POINT INDEX"};
  put(types[static_cast<std::size_t>(content.type)]);
  schema_name(content.name, content.if_not_exists);
  schema_target(content.target);
  put(" ON ");
  schema_properties(content.properties);
  optional(" OPTIONS ", content.options);
}

void TextPrinter::content(const ast::CreateLookupIndex& content) {
  const ast::LookupTarget& target = content.target;
  put("CREATE LOOKUP INDEX");
  schema_name(content.name, content.if_not_exists);
  put(target.on_relationship ? " FOR ()-[" : " FOR (");
  variable(target.variable);
  put(target.on_relationship ? "]-()" : ")");
  put(" ON EACH ");
  dotted_name(target.function.text);
  put("(");
  variable(target.argument);
  put(")");
  optional(" OPTIONS ", content.options);
}

void TextPrinter::content(const ast::CreateConstraint& content) {
  static constexpr std::string_view types[] = {" IS UNIQUE",          " IS KEY",
                                               " IS NOT NULL",        " IS NODE UNIQUE",
                                               " IS NODE KEY",        " IS RELATIONSHIP UNIQUE",
                                               " IS RELATIONSHIP KEY"};
  put("CREATE CONSTRAINT");
  schema_name(content.name, content.if_not_exists);
  schema_target(content.target);
  put(" REQUIRE ");
  schema_properties(content.properties);
  put(types[static_cast<std::size_t>(content.type)]);
  optional(" OPTIONS ", content.options);
}

void TextPrinter::content(const ast::DropConstraint& content) {
  put("DROP CONSTRAINT ");
  name(content.name.text);
  if (content.if_exists) put(" IF EXISTS");
}

void TextPrinter::content(const ast::DropIndex& content) {
  put("DROP INDEX ");
  name(content.name.text);
  if (content.if_exists) put(" IF EXISTS");
}

void TextPrinter::content(const ast::CreateDatabase& content) {
  put("CREATE DATABASE ");
  name(content.name.text);
  if (content.if_not_exists) put(" IF NOT EXISTS");
}

void TextPrinter::content(const ast::DropDatabase& content) {
  put("DROP DATABASE ");
  name(content.name.text);
  if (content.if_exists) put(" IF EXISTS");
}

void TextPrinter::content(const ast::DropNameSpace& content) {
  put("DROP NAMESPACE ");
  name(content.name.text);
  if (content.if_exists) put(" IF EXISTS");
}

std::string print(const ast::Expression& expression) {
  TextPrinter printer;
  printer.expression(expression);
  return printer.take();
}

std::string print_prefix(const ast::SuffixChain& chain, std::size_t count) {
  TextPrinter printer;
  printer.suffixes(chain, count);
  return printer.take();
}

std::string print(const ast::Statement& statement) {
  TextPrinter printer;
  printer.statement(statement);
  return printer.take();
}

}  // namespace cairn::query

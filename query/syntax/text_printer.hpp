#pragma once
// TextPrinter: base of the printers of expressions, patterns, clauses and statements.

#include "query/syntax/ast.hpp"
#include "query/syntax/precedence.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query {

/// Appends canonical text to a buffer. The functions for one kind of node are in one source file.
class TextPrinter {
 public:
  [[nodiscard]] std::string take() { return std::move(text_); }

  void statement(const ast::Statement& statement);

  // expression_printer.cpp
  void expression(const ast::Expression& expression);
  void suffixes(const ast::SuffixChain& chain, std::size_t count);

  // clause_printer.cpp
  void path(const ast::PathPattern& path);
  void labels(const ast::LabelExpression& labels);

  void query(const ast::Query& query);

 private:
  using Precedence = grammar::Precedence;

  TextPrinter& put(std::string_view text) {
    text_ += text;
    return *this;
  }
  /// Prints all items with a separator between them.
  template <class Items, class Print>
  void list(const Items& items, std::string_view separator, Print print) {
    bool is_first = true;
    for (const auto& item : items) {
      if (!is_first) put(separator);
      is_first = false;
      print(item);
    }
  }
  void expressions(const std::vector<ast::Expression>& items);
  /// Prints `keyword` and the expression; nothing if the expression is absent.
  void optional(std::string_view keyword, const ast::Expression& expression);

  /// Prints a name; reserved words get back quotes if the name is a variable.
  void variable(const ast::Name& name);
  void name(std::string_view name);
  void dotted_name(std::string_view name);

  // One function for each alternative of an expression.
  void part(std::monostate) {}
  void part(const ast::Literal& part);
  void part(const ast::Parameter& part);
  void part(const ast::CountAll& part);
  void part(const ast::Name& part) { variable(part); }
  void part(const ast::ListLiteral& part);
  void part(const ast::MapLiteral& part);
  void part(const ast::OperatorChain& part);
  void part(const ast::PrefixOperation& part);
  void part(const ast::SuffixChain& part);
  void part(const ast::MapProjection& part);
  void part(const ast::CaseExpression& part);
  void part(const ast::FunctionCall& part);
  void part(const ast::ListComprehension& part);
  void part(const ast::Quantifier& part);
  void part(const ast::Reduce& part);
  void part(const ast::PathPattern& part) { path(part); }
  void part(const ast::PatternComprehension& part);
  void part(const ast::Subquery& part);
  template <class T>
  void part(const ast::Box<T>& box) {
    part(*box);
  }

  /// Prints the expression, in parentheses if its precedence is lower than `weakest`.
  void operand(const ast::Expression& expression, Precedence weakest);
  /// Prints the expression, in parentheses unless it is an atom.
  void base(const ast::Expression& expression);
  void parenthesized(const ast::Expression& expression);
  void suffix(const ast::Suffix& suffix);
  void projection_entry(const ast::ProjectionEntry& entry);

  // Parts of patterns.
  void label_operand(const ast::LabelExpression& operand, ast::LabelKind outer);
  void label_part(const ast::LabelExpression& labels);
  void node(const ast::NodePattern& node);
  void relationship(const ast::RelationshipPattern& relationship);
  void details(const ast::RelationshipDetails& details);
  void hops(const ast::Hops& hops);
  void quantifier(const ast::Hops& hops);

  void clauses(const std::vector<ast::Clause>& clauses);
  void clause(std::monostate) {}
  void clause(const ast::Match& clause);
  void clause(const ast::Unwind& clause);
  void clause(const ast::Project& clause);
  void clause(const ast::Create& clause);
  void clause(const ast::Set& clause);
  void clause(const ast::Remove& clause);
  void clause(const ast::Merge& clause);
  void clause(const ast::Delete& clause);
  void clause(const ast::Call& clause);
  void clause(const ast::Foreach& clause);
  void clause(const ast::CallSubquery& clause);
  void imports(const ast::Imports& imports);
  void reported_status(const ast::Name& status);
  void search(const ast::Search& search);
  void retriever(const ast::SearchRetriever& retriever);
  void way(const ast::SearchStrategy& way);
  void output(std::string_view keywords, const ast::Name& name);
  void items(const ast::ItemList& list);
  void yield(const ast::Yield& yield);
  void set_items(const std::vector<ast::SetItem>& items);
  void paths(const std::vector<ast::PathPattern>& paths);

  // The content of a statement: a query or a command on the schema.
  void content(const ast::Query& content) { query(content); }
  void content(const ast::CreateIndex& content);
  void content(const ast::CreateLookupIndex& content);
  void content(const ast::CreateDatabase& content);
  void content(const ast::DropDatabase& content);
  void content(const ast::DropIndex& content);
  void content(const ast::CreateConstraint& content);
  void content(const ast::DropConstraint& content);
  void schema_name(const ast::Name& given, bool if_not_exists);
  void schema_target(const ast::IndexTarget& target);
  void schema_properties(const std::vector<ast::IndexProperty>& properties);
  void content(const ast::DropNameSpace& content);

  std::string text_;
};

}  // namespace cairn::query

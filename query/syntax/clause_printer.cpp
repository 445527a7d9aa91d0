// Clauses, one line each, with a blank between them.
#include "query/syntax/text_printer.hpp"

namespace cairn::query {

void TextPrinter::query(const ast::Query& query) {
  clauses(query.first);
  for (const ast::UnionPart& part : query.rest) {
    put(part.is_all ? " UNION ALL " : " UNION ");
    clauses(part.clauses);
  }
}

// A FOREACH is boxed, because it holds clauses itself.
void TextPrinter::clauses(const std::vector<ast::Clause>& clauses) {
  list(clauses, " ", [this](const ast::Clause& each) {
    std::visit(
        [this]<class T>(const T& content) {
          if constexpr (std::is_same_v<T, ast::Box<ast::Foreach>>) {
            clause(*content);
          } else {
            clause(content);
          }
        },
        each.content);
  });
}

void TextPrinter::clause(const ast::Match& clause) {
  put(clause.is_optional ? "OPTIONAL MATCH " : "MATCH ");
  paths(clause.paths);
  if (!clause.search.variable.empty()) search(clause.search);
  optional(" WHERE ", clause.where);
}

// The options in the one order that the grammar takes them in.
void TextPrinter::search(const ast::Search& search) {
  put(" SEARCH ");
  variable(search.variable);
  put(search.is_full_text ? " IN (FULLTEXT INDEX " : " IN (VECTOR INDEX ");
  name(search.index.text);
  optional(" FOR ", search.query);
  optional(" WHERE ", search.where);
  if (search.is_exact) put(" EXACT");
  optional(" EF ", search.ef);
  optional(" LIMIT ", search.limit);
  put(")");
  if (search.score.empty()) return;
  put(" SCORE AS ");
  variable(search.score);
}

void TextPrinter::clause(const ast::Unwind& clause) {
  optional("UNWIND ", clause.list);
  put(" AS ");
  variable(clause.variable);
}

void TextPrinter::clause(const ast::Project& clause) {
  put(clause.is_return ? "RETURN " : "WITH ");
  if (clause.is_distinct) put("DISTINCT ");
  items(clause.list);
  if (!clause.order.empty()) put(" ORDER BY ");
  list(clause.order, ", ", [this](const ast::SortItem& item) {
    expression(item.expression);
    if (item.is_descending) put(" DESC");
  });
  optional(" SKIP ", clause.skip);
  optional(" LIMIT ", clause.limit);
  optional(" WHERE ", clause.where);
}

void TextPrinter::items(const ast::ItemList& list) {
  if (list.has_star) put(list.items.empty() ? "*" : "*, ");
  this->list(list.items, ", ", [this](const ast::ProjectionItem& item) {
    expression(item.expression);
    if (item.alias.empty()) return;
    put(" AS ");
    variable(item.alias);
  });
}

void TextPrinter::clause(const ast::Create& clause) {
  put("CREATE ");
  paths(clause);
}

void TextPrinter::clause(const ast::Set& clause) {
  put("SET ");
  set_items(clause);
}

void TextPrinter::set_items(const std::vector<ast::SetItem>& items) {
  list(items, ", ", [this](const ast::SetItem& item) {
    expression(item.target);
    if (item.assignment.op == ast::SetOperator::none) return;
    put(item.assignment.op == ast::SetOperator::assign ? " = " : " += ");
    expression(item.assignment.value);
  });
}

void TextPrinter::clause(const ast::Remove& clause) {
  put("REMOVE ");
  expressions(clause);
}

void TextPrinter::clause(const ast::Merge& clause) {
  put("MERGE ");
  path(clause.path);
  for (const ast::MergeAction& action : clause.actions) {
    put(action.on_create ? " ON CREATE SET " : " ON MATCH SET ");
    set_items(action.items);
  }
}

void TextPrinter::clause(const ast::Delete& clause) {
  put(clause.is_detach ? "DETACH DELETE " : "DELETE ");
  expressions(clause.targets);
}

void TextPrinter::clause(const ast::Call& clause) {
  put("CALL ");
  dotted_name(clause.procedure.text);
  if (clause.arguments.is_present) {
    put("(");
    expressions(clause.arguments.values);
    put(")");
  }
  yield(clause.yield);
}

void TextPrinter::yield(const ast::Yield& yield) {
  if (yield.has_star) put(" YIELD *");
  if (yield.items.empty()) return;
  put(" YIELD ");
  list(yield.items, ", ", [this](const ast::YieldItem& item) {
    variable(item.column);
    if (item.alias.empty()) return;
    put(" AS ");
    variable(item.alias);
  });
  optional(" WHERE ", yield.where);
}

void TextPrinter::clause(const ast::Foreach& clause) {
  put("FOREACH (");
  variable(clause.variable);
  optional(" IN ", clause.list);
  put(" | ");
  clauses(clause.updates);
  put(")");
}

}  // namespace cairn::query

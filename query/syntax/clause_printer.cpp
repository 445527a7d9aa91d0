// Prints clauses with one blank between them and without line breaks, because texts are compared, and shown within a
// line of a plan. An absent WHERE or ORDER BY prints nothing.

#include "query/syntax/text_printer.hpp"

#include <array>

namespace cairn::query {

// UNION is left-associative, and the language has no parentheses for UNION.
void TextPrinter::query(const ast::Query& query) {
  clauses(query.first);
  for (const ast::UnionPart& part : query.rest) {
    put(part.is_all ? " UNION ALL " : " UNION ");
    clauses(part.clauses);
  }
}

// FOREACH and CALL { } are boxed, because they contain clauses themselves.
void TextPrinter::clauses(const std::vector<ast::Clause>& clauses) {
  list(clauses, " ", [this](const ast::Clause& each) {
    std::visit(
        [this]<class T>(const T& content) {
          if constexpr (std::is_same_v<T, ast::Box<ast::Foreach>> ||
                        std::is_same_v<T, ast::Box<ast::CallSubquery>>) {
            clause(*content);
          } else {
            clause(content);
          }
        },
        each.content);
  });
}

// OPTIONAL MATCH (a)-->(b) SEARCH ... WHERE a.x = 1
void TextPrinter::clause(const ast::Match& clause) {
  put(clause.is_optional ? "OPTIONAL MATCH " : "MATCH ");
  paths(clause.paths);
  if (!clause.search.variable.empty()) search(clause.search);
  optional(" WHERE ", clause.where);
}

// Prints the options in the only order that the grammar accepts.
void TextPrinter::search(const ast::Search& search) {
  put(" SEARCH ");
  variable(search.variable);
  put(search.from.is_hybrid ? " IN (HYBRID " : " IN (");
  list(search.from.retrievers, ", ", [this](const ast::SearchRetriever& each) { retriever(each); });
  if (!search.from.fusion.method.empty()) {
    put(" FUSE ");
    name(search.from.fusion.method.text);
    optional("(", search.from.fusion.k);
    if (!search.from.fusion.k.empty()) put(")");
  }
  optional(" WHERE ", search.where);
  way(search.way);
  optional(" CANDIDATES ", search.candidates);
  optional(" WITHIN ", search.cut.within);
  optional(" MIN SCORE ", search.cut.min_score);
  optional(" LIMIT ", search.cut.limit);
  put(")");
  output(" SCORE AS ", search.score);
  output(" BREAKDOWN AS ", search.parts);
}

// Examples: VECTOR INDEX v FOR $q EXACT WEIGHT 2, GRAPH (n)-[:R*1..2]-() WEIGHT 1
void TextPrinter::retriever(const ast::SearchRetriever& retriever) {
  // By RetrieverKind. No clause makes a retriever of keywords.
  static constexpr std::array<std::string_view, 5> kinds = {"VECTOR INDEX ", "FULLTEXT INDEX ", "",
                                                            "GRAPH ", "RANKED INDEX "};
  put(kinds[static_cast<std::size_t>(retriever.kind)]);
  if (retriever.kind == RetrieverKind::graph) {
    path(retriever.path);
  } else {
    name(retriever.index.text);
    optional(" FOR ", retriever.query);
  }
  way(retriever.way);
  optional(" WEIGHT ", retriever.weight);
}

// PLAIN EXACT EF 100 ACCURACY high
void TextPrinter::way(const ast::SearchStrategy& way) {
  if (way.is_plain) put(" PLAIN");
  if (way.is_exact) put(" EXACT");
  optional(" EF ", way.ef);
  if (way.recall.empty()) return;
  put(" ACCURACY ");
  name(way.recall.text);
}

void TextPrinter::output(std::string_view keywords, const ast::Name& name) {
  if (name.empty()) return;
  put(keywords);
  variable(name);
}

void TextPrinter::clause(const ast::Unwind& clause) {
  optional("UNWIND ", clause.list);
  put(" AS ");
  variable(clause.variable);
}

// The binder ensures that only WITH has a WHERE.
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

// The grammar accepts the star at the first place only.
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

// An item without an assignment has labels, which are a part of its target: SET n:A:B.
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

// MERGE (a:A {x: 1}) ON CREATE SET a.n = 1 ON MATCH SET a.n = 2
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

// CALL p differs from CALL p(): without parentheses, the arguments are the statement parameters with the names of the
// procedure's parameters.
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

// YIELD *, or YIELD a, b AS c WHERE c > 1
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

// (*) or (a, b); nothing if the query imports by WITH.
void TextPrinter::imports(const ast::Imports& imports) {
  if (imports.kind == ast::ImportKind::by_with) return;
  put(imports.kind == ast::ImportKind::all ? "(*" : "(");
  list(imports.names, ", ", [this](const ast::Name& each) { variable(each); });
  put(") ");
}

// CALL (a, b) { ... } IN TRANSACTIONS OF 100 ROWS ON ERROR CONTINUE REPORT STATUS AS s
void TextPrinter::clause(const ast::CallSubquery& clause) {
  put("CALL ");
  imports(clause.imports);
  put("{ ");
  query(clause.query);
  put(" }");
  const ast::InTransactions& transactions = clause.transactions;
  if (!transactions.is_present) return;
  put(transactions.is_concurrent ? " IN CONCURRENT TRANSACTIONS" : " IN TRANSACTIONS");
  optional(" OF ", transactions.rows);
  if (!transactions.rows.empty()) put(" ROWS");
  reported_status(transactions.early_status);
  if (!transactions.on_error.empty()) {
    put(" ON ERROR ");
    name(transactions.on_error.text);
  }
  reported_status(transactions.status);
}

void TextPrinter::reported_status(const ast::Name& status) {
  if (status.empty()) return;
  put(" REPORT STATUS AS ");
  variable(status);
}

void TextPrinter::clause(const ast::Foreach& clause) {
  put("FOREACH (");
  variable(clause.variable);
  optional(" IN ", clause.list);
  put(" | ");
  clauses(clause.updates);
  put(")");
}

// Patterns: nodes, relationships, paths and labels

using ast::LabelKind;

void TextPrinter::labels(const ast::LabelExpression& labels) {
  if (labels.empty()) return;
  put(":");
  label_part(labels);
}

// Prints labels without the first colon: A&B, A|B, !A, %, $(names), $any(names).
void TextPrinter::label_part(const ast::LabelExpression& labels) {
  switch (labels.kind) {
    case LabelKind::name:
      name(labels.name);
      break;
    case LabelKind::any_label:
      put("%");
      break;
    case LabelKind::negation:
      put("!");
      label_operand(labels.operands.front(), LabelKind::negation);
      break;
    case LabelKind::all_of:
    case LabelKind::any_of:
      list(labels.operands, labels.kind == LabelKind::all_of ? "&" : "|",
           [&](const auto& operand) { label_operand(operand, labels.kind); });
      break;
    case LabelKind::by_value:
      put(labels.is_any ? "$any(" : "$(");
      expression(labels.value.front());
      put(")");
      break;
    case LabelKind::absent:
      break;
  }
}

// Prints an operand of `outer`, in parentheses if necessary.
void TextPrinter::label_operand(const ast::LabelExpression& operand, LabelKind outer) {
  const bool is_list = operand.kind == LabelKind::all_of || operand.kind == LabelKind::any_of;
  // & has higher precedence than |.
  const bool is_bare =
      !is_list || (outer == LabelKind::any_of && operand.kind == LabelKind::all_of);
  if (!is_bare) put("(");
  label_part(operand);
  if (!is_bare) put(")");
}

namespace {

std::string selector_text(const ast::PathSelector& selector) {
  using ast::PathSelection;
  if (selector.selection == PathSelection::none) return {};
  if (selector.selection == PathSelection::all) return "ALL ";
  return "SHORTEST " + std::to_string(selector.count) +
         (selector.selection == PathSelection::groups ? " GROUPS " : " ");
}

}  // namespace

// Parentheses around a path have no meaning and are not printed, unless a condition is inside them.
void TextPrinter::path(const ast::PathPattern& path) {
  static constexpr std::string_view searches[] = {"", "shortestPath(", "allShortestPaths("};
  if (!path.variable.empty()) {
    variable(path.variable);
    put(" = ");
  }
  put(selector_text(path.element.selector));
  put(searches[static_cast<std::size_t>(path.element.search)]);
  if (!path.element.where.empty()) put("(");
  node(path.element.first);
  for (const ast::PathStep& step : path.element.steps) {
    relationship(step.relationship);
    node(step.node);
  }
  optional(" WHERE ", path.element.where);
  const bool is_open = path.element.search != ast::PathSearch::every || !path.element.where.empty();
  if (is_open) put(")");
}

void TextPrinter::paths(const std::vector<ast::PathPattern>& paths) {
  list(paths, ", ", [this](const auto& each) { path(each); });
}

// (n:A {x: 1} @ {external_id: $id} WHERE n.y > 2)
void TextPrinter::node(const ast::NodePattern& node) {
  put("(");
  variable(node.variable);
  labels(node.labels);
  const bool has_more = !node.variable.empty() || !node.labels.empty();
  optional(has_more ? " " : "", node.properties);
  optional(has_more || !node.properties.empty() ? " @ " : "@ ", node.system);
  optional(" WHERE ", node.where);
  put(")");
}

// A relationship without details is printed without brackets: --> and not -[]->.
void TextPrinter::relationship(const ast::RelationshipPattern& relationship) {
  put(relationship.points_left ? "<-" : "-");
  if (relationship.details != ast::RelationshipDetails{}) details(relationship.details);
  put(relationship.points_right ? "->" : "-");
  quantifier(relationship.quantifier);
}

// [r:R*1..3 {x: 1} WHERE r.y > 2]
void TextPrinter::details(const ast::RelationshipDetails& details) {
  put("[");
  variable(details.variable);
  labels(details.types);
  hops(details.hops);
  optional(" ", details.properties);
  optional(" @ ", details.system);
  optional(" WHERE ", details.where);
  put("]");
}

// The forms *, *2, *1..3, *1.. and *..3.
void TextPrinter::hops(const ast::Hops& hops) {
  if (!hops.is_present) return;
  put("*");
  if (hops.least) put(std::to_string(*hops.least));
  if (hops.is_range) put("..");
  if (hops.most) put(std::to_string(*hops.most));
}

// The forms {2}, {1,3} and {1,}.
void TextPrinter::quantifier(const ast::Hops& hops) {
  if (!hops.is_present) return;
  put("{" + std::to_string(hops.least.value_or(0)));
  if (hops.is_range) put(",");
  if (hops.most) put(std::to_string(*hops.most));
  put("}");
}

}  // namespace cairn::query

// A visitor of syntax trees, and two walks with it. The first walk counts the aggregates of an expression: a projection
// groups if one of its items has an aggregate. The second walk collects the names in a subquery: the projections of the
// subquery carry these outer variables on.
//
// Both walks run on the syntax tree, where a name is still a text. Recursion is as deep as that of the parser. Cost:
// one visit for each node of the tree.
#include "query/bind/ast_walk.hpp"

#include "query/builtins/registry.hpp"

#include <type_traits>

namespace cairn::query::ast {
namespace {

/// Visits the children of one node. Calls `visit` for expressions, names of variables and subqueries; `visit` decides
/// whether to descend into them. Map keys, names of labels and properties are not variables
/// and are skipped.
template <class Visit>
class Children {
 public:
  explicit Children(Visit& visit) : visit_(visit) {}

  void operator()(std::monostate) {}
  void operator()(const Literal&) {}
  void operator()(const Parameter&) {}
  void operator()(const CountAll&) {}
  void operator()(const Name& name) { visit_(name); }
  template <class T>
  void operator()(const Box<T>& box) {
    (*this)(*box);
  }
  template <class T>
  void operator()(const std::vector<T>& items) {
    for (const T& item : items) (*this)(item);
  }
  void operator()(const Expression& expression) { visit_(expression); }

  void operator()(const ListLiteral& part) { (*this)(part.items); }
  void operator()(const MapLiteral& part) { (*this)(part.entries); }
  void operator()(const MapEntry& part) { visit_(part.value); }
  void operator()(const OperatorChain& part) {
    visit_(part.first);
    for (const OperatorLink& link : part.rest) visit_(link.operand);
  }
  void operator()(const PrefixOperation& part) { visit_(part.operand); }
  void operator()(const LabelExpression& part) {
    (*this)(part.operands);
    (*this)(part.value);
  }
  /// Variables can occur in the base, in subscripts and in labels by value.
  void operator()(const SuffixChain& part) {
    visit_(part.base);
    for (const Suffix& suffix : part.suffixes) {
      if (const auto* subscript = std::get_if<Subscript>(&suffix.content)) {
        visit_(subscript->from);
        visit_(subscript->end.to);
      }
      if (const auto* labels = std::get_if<LabelExpression>(&suffix.content)) (*this)(*labels);
    }
  }
  /// n {.a, b, c: x} reads n, b and x. The entry .a is a property.
  void operator()(const MapProjection& part) {
    visit_(part.variable);
    for (const ProjectionEntry& entry : part.entries) {
      if (entry.kind == ProjectionEntry::Kind::variable) visit_(entry.key);
      visit_(entry.value);
    }
  }
  void operator()(const CaseExpression& part) {
    visit_(part.subject);
    for (const CaseBranch& branch : part.branches) all(branch.condition, branch.result);
    visit_(part.otherwise);
  }
  void operator()(const FunctionCall& part) { (*this)(part.arguments); }
  void operator()(const ListComprehension& part) { all(part.list, part.where, part.result); }
  void operator()(const Quantifier& part) { all(part.list, part.where); }
  void operator()(const Reduce& part) { all(part.initial, part.list, part.step); }
  void operator()(const PatternComprehension& part) {
    (*this)(part.pattern);
    all(part.where, part.result);
  }
  void operator()(const Subquery& part) { visit_(part); }

  void operator()(const NodePattern& part) {
    visit_(part.variable);
    (*this)(part.labels);
    all(part.properties, part.system, part.where);
  }
  void operator()(const PathPattern& part) {
    visit_(part.variable);
    (*this)(part.element.first);
    for (const PathStep& step : part.element.steps) {
      const RelationshipDetails& details = step.relationship.details;
      visit_(details.variable);
      (*this)(details.types);
      all(details.properties, details.system, details.where);
      (*this)(step.node);
    }
    visit_(part.element.where);
  }

  void operator()(const Match& part) {
    (*this)(part.paths);
    (*this)(part.search);
    visit_(part.where);
  }
  /// Visits in the order in which the binder binds; target and outputs come last.
  void operator()(const Search& part) {
    for (const SearchRetriever& retriever : part.from.retrievers) {
      all(retriever.query, retriever.way.ef, retriever.weight);
      if (retriever.kind == RetrieverKind::graph) (*this)(retriever.path);
    }
    all(part.variable, part.from.fusion.k, part.where, part.way.ef, part.candidates,
        part.cut.within, part.cut.min_score, part.cut.limit, part.score, part.parts);
  }
  void operator()(const Unwind& part) { all(part.list, part.variable); }
  void operator()(const Project& part) {
    for (const ProjectionItem& item : part.list.items) all(item.expression, item.alias);
    for (const SortItem& item : part.order) visit_(item.expression);
    all(part.skip, part.limit, part.where);
  }
  void operator()(const SetItem& part) { all(part.target, part.assignment.value); }
  void operator()(const Merge& part) {
    (*this)(part.path);
    for (const MergeAction& action : part.actions) (*this)(action.items);
  }
  void operator()(const Delete& part) { (*this)(part.targets); }
  void operator()(const Call& part) {
    (*this)(part.arguments.values);
    for (const YieldItem& item : part.yield.items) all(item.column, item.alias);
    visit_(part.yield.where);
  }
  void operator()(const Foreach& part) {
    all(part.variable, part.list);
    (*this)(part.updates);
  }
  void operator()(const CallSubquery& part) {
    (*this)(part.imports.names);
    (*this)(part.query);
    visit_(part.transactions.rows);
  }
  void operator()(const Clause& clause) { std::visit(*this, clause.content); }
  void operator()(const Query& query) {
    (*this)(query.first);
    for (const UnionPart& part : query.rest) (*this)(part.clauses);
  }

 private:
  template <class... Parts>
  void all(const Parts&... parts) {
    (visit_(parts), ...);
  }

  Visit& visit_;
};

/// Counts aggregating calls. Skips subqueries, whose aggregates are over rows of their own. Function names are looked
/// up as by the binder, which reports unknown functions later.
class AggregateCounter {
 public:
  void operator()(const Name&) {}
  void operator()(const Subquery&) {}
  /// Counts nested aggregates as well; bind_aggregate() refuses them.
  void operator()(const Expression& expression) {
    if (const auto* call = expression.get_if<FunctionCall>()) {
      const FunctionEntry* entry = find_function(call->name.text);
      if (entry != nullptr && entry->make_aggregator != nullptr) ++count;
    } else if (expression.get_if<CountAll>() != nullptr) {
      ++count;
    }
    std::visit(Children(*this), expression.content);
  }

  std::size_t count = 0;
};

/// Collects every name that may be a variable. A superfluous name is harmless, but a missing name would lose a
/// variable.
class NameCollector {
 public:
  explicit NameCollector(NameSet& names) : names_(names) {}

  void operator()(const Name& name) { names_.insert(name.text); }
  void operator()(const Subquery& subquery) {
    Children children(*this);
    children(subquery.paths);
    (*this)(subquery.where);
    children(subquery.query);
  }
  void operator()(const Expression& expression) { std::visit(Children(*this), expression.content); }

 private:
  NameSet& names_;
};

}  // namespace
}  // namespace cairn::query::ast

namespace cairn::query {

std::size_t count_aggregates(const ast::Expression& expression) {
  ast::AggregateCounter counter;
  counter(expression);
  return counter.count;
}

void collect_names(const ast::Expression& expression, NameSet& names) {
  ast::NameCollector collector(names);
  collector(expression);
}

void collect_names(const std::vector<ast::Clause>& clauses, NameSet& names) {
  ast::NameCollector collector(names);
  ast::Children<ast::NameCollector> children(collector);
  children(clauses);
}

}  // namespace cairn::query

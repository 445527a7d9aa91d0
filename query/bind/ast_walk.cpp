// One visitor knows the children of every node; what is done with them is the caller's. It recurses no
// deeper than the parser did.
// Two questions are asked of a piece of syntax before it is bound: how many aggregates it has (a
// projection groups if any item has one), and which names it mentions (a subquery carries these
// variables through its WITHs). Both are answered on the tree of the text, where a name is still a
// name. Cost: one visit a node, each time it is asked.
#include "query/bind/ast_walk.hpp"

#include "query/builtins/registry.hpp"

#include <type_traits>

namespace cairn::query::ast {
namespace {

/// Calls `visit` for everything below one node: expressions, names of variables, subqueries.
/// `visit` gets expressions, names and subqueries, and goes on into them or does not: that choice
/// is the only difference between the walks. Keys of maps, labels and property names are no
/// variables and are left out.
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
  /// Of a chain the base, the subscripts and labels by value may hold variables.
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
  /// n {.a, b, c: x} reads n, b and x; .a is a property.
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
    all(part.variable, part.properties, part.system, part.where);
  }
  void operator()(const PathPattern& part) {
    visit_(part.variable);
    (*this)(part.element.first);
    for (const PathStep& step : part.element.steps) {
      const RelationshipDetails& details = step.relationship.details;
      all(details.variable, details.properties, details.system, details.where);
      (*this)(step.node);
    }
  }

  void operator()(const Match& part) {
    (*this)(part.paths);
    (*this)(part.search);
    visit_(part.where);
  }
  /// In the order in which the binder binds them, target and outputs last.
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

/// Does not look into subqueries, whose aggregates are over their own rows.
/// Names of functions are looked up here as the binder will do later, so that an unknown function
/// counts as none and is reported there.
class AggregateCounter {
 public:
  void operator()(const Name&) {}
  void operator()(const Subquery&) {}
  /// Aggregates within aggregates count as well; that they are not allowed is said elsewhere.
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

/// Takes every name that might be a variable: too many do no harm, a missing one would.
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

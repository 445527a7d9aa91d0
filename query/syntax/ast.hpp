#pragma once
// The syntax tree: what was written, names unresolved. Chains (a + b - c, a AND b, a.b[c]) are lists
// and not nested, so the depth of a tree is that of the brackets in the text. An Expression or a
// LabelExpression without content stands for an absent one.

#include "query/syntax/ast_expression.hpp"
#include "query/syntax/retriever_kind.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query::ast {

// Clauses.

/// EXACT, EF and ACCURACY of a vector index, PLAIN of a full-text index.
struct SearchStrategy : Located {
  bool is_plain = false;
  bool is_exact = false;
  Expression ef;
  Name recall;

  [[nodiscard]] bool empty() const noexcept {
    return !is_plain && !is_exact && ef.empty() && recall.empty();
  }
  bool operator==(const SearchStrategy&) const = default;
};

/// One way of finding: by an index, or along a pattern of the graph.
struct SearchRetriever : Located {
  RetrieverKind kind = RetrieverKind::vector;
  Name index;
  Expression query;
  PathPattern path;
  SearchStrategy way;
  Expression weight;

  bool operator==(const SearchRetriever&) const = default;
};

/// `method` is empty where nothing is said.
struct SearchFusion {
  Name method;
  Expression k;

  bool operator==(const SearchFusion&) const = default;
};

struct SearchRetrievers {
  bool is_hybrid = false;
  std::vector<SearchRetriever> retrievers;
  SearchFusion fusion;

  bool operator==(const SearchRetrievers&) const = default;
};

/// Which hits are rows. `limit` may be left out where `within` is given.
struct SearchCut {
  Expression within;
  Expression min_score;
  Expression limit;

  bool operator==(const SearchCut&) const = default;
};

/// `variable` is empty where there is no SEARCH.
struct Search : Located {
  Name variable;
  SearchRetrievers from;
  Expression where;
  SearchStrategy way;
  Expression candidates;
  SearchCut cut;
  Name score;
  Name parts;

  bool operator==(const Search&) const = default;
};

struct Match {
  bool is_optional = false;
  std::vector<PathPattern> paths;
  Search search;
  Expression where;

  bool operator==(const Match&) const = default;
};

struct Unwind {
  Expression list;
  Name variable;

  bool operator==(const Unwind&) const = default;
};

struct ProjectionItem {
  Expression expression;
  Name alias;

  bool operator==(const ProjectionItem&) const = default;
};

struct ItemList {
  bool has_star = false;
  std::vector<ProjectionItem> items;

  bool operator==(const ItemList&) const = default;
};

struct SortItem {
  Expression expression;
  bool is_descending = false;

  bool operator==(const SortItem&) const = default;
};

/// WITH or RETURN. A WHERE behind RETURN is refused by the binder, with advice.
struct Project {
  bool is_return = false;
  bool is_distinct = false;
  ItemList list;
  std::vector<SortItem> order;
  Expression skip;
  Expression limit;
  Expression where;

  bool operator==(const Project&) const = default;
};

using Create = std::vector<PathPattern>;

enum class SetOperator : std::uint8_t { none, assign, merge };

struct SetAssignment {
  SetOperator op = SetOperator::none;
  Expression value;

  bool operator==(const SetAssignment&) const = default;
};

/// Without an assignment the target ends in labels.
struct SetItem {
  Expression target;
  SetAssignment assignment;

  bool operator==(const SetItem&) const = default;
};

using Set = std::vector<SetItem>;
using Remove = std::vector<Expression>;  ///< each ends in a property or in labels

struct MergeAction {
  bool on_create = false;
  std::vector<SetItem> items;

  bool operator==(const MergeAction&) const = default;
};

struct Merge {
  PathPattern path;
  std::vector<MergeAction> actions;

  bool operator==(const Merge&) const = default;
};

struct Delete {
  bool is_detach = false;
  std::vector<Expression> targets;

  bool operator==(const Delete&) const = default;
};

struct CallArguments {
  bool is_present = false;
  std::vector<Expression> values;

  bool operator==(const CallArguments&) const = default;
};

struct YieldItem {
  Name column;
  Name alias;

  bool operator==(const YieldItem&) const = default;
};

/// Neither star nor items: no YIELD.
struct Yield {
  bool has_star = false;
  std::vector<YieldItem> items;
  Expression where;

  bool operator==(const Yield&) const = default;
};

struct Call {
  Name procedure;
  CallArguments arguments;
  Yield yield;

  bool operator==(const Call&) const = default;
};

struct Foreach;
struct CallSubquery;

struct Clause : Located {
  using Content = std::variant<std::monostate, Match, Unwind, Project, Create, Set, Remove, Merge,
                               Delete, Call, Box<Foreach>, Box<CallSubquery>>;
  Content content;

  Clause();
  Clause(Clause&&) noexcept;
  Clause& operator=(Clause&&) noexcept;
  ~Clause();

  Clause& operator=(Match part);
  Clause& operator=(Unwind part);
  Clause& operator=(Project part);
  Clause& operator=(Create part);
  Clause& operator=(Set part);
  Clause& operator=(Remove part);
  Clause& operator=(Merge part);
  Clause& operator=(Delete part);
  Clause& operator=(Call part);
  Clause& operator=(Foreach part);
  Clause& operator=(CallSubquery part);

  bool operator==(const Clause& other) const;
};

struct Foreach {
  Name variable;
  Expression list;
  std::vector<Clause> updates;

  bool operator==(const Foreach&) const = default;
};

struct UnionPart : Located {
  bool is_all = false;
  std::vector<Clause> clauses;

  bool operator==(const UnionPart&) const = default;
};

struct Query {
  std::vector<Clause> first;
  std::vector<UnionPart> rest;

  bool operator==(const Query&) const = default;
};

enum class SubqueryKind : std::uint8_t { exists, count, collect };

/// { query }, or the short form { patterns WHERE ... } of EXISTS and COUNT.
struct Subquery {
  SubqueryKind kind = SubqueryKind::exists;
  std::vector<PathPattern> paths;
  Expression where;
  Query query;

  bool operator==(const Subquery&) const = default;
};

/// Which variables a CALL subquery sees: those of a list, all of them, or those of a WITH at the begin of each part.
enum class ImportKind : std::uint8_t { by_with, list, all };

struct Imports {
  ImportKind kind = ImportKind::by_with;
  std::vector<Name> names;

  bool operator==(const Imports&) const = default;
};

/// IN [CONCURRENT] TRANSACTIONS [OF rows ROWS] [ON ERROR on_error].
struct InTransactions : Located {
  bool is_present = false;
  bool is_concurrent = false;
  Expression rows;
  Name on_error;

  bool operator==(const InTransactions&) const = default;
};

/// CALL (imports) { query } IN TRANSACTIONS.
struct CallSubquery {
  Imports imports;
  Query query;
  InTransactions transactions;

  bool operator==(const CallSubquery&) const = default;
};

// Statements.

struct IndexTarget {
  bool on_relationship = false;
  Name variable;
  std::vector<Name> names;

  bool operator==(const IndexTarget&) const = default;
};

struct IndexProperty {
  Name variable;
  std::vector<Name> path;

  bool operator==(const IndexProperty&) const = default;
};

enum class IndexType : std::uint8_t { range, vector, full_text };

struct CreateIndex {
  IndexType type = IndexType::range;
  Name name;
  bool if_not_exists = false;
  IndexTarget target;
  std::vector<IndexProperty> properties;
  Expression options;

  bool operator==(const CreateIndex&) const = default;
};

struct DropIndex {
  Name name;
  bool if_exists = false;

  bool operator==(const DropIndex&) const = default;
};

enum class ConstraintType : std::uint8_t {
  unique,
  key,
  not_null,
  // With what they are for in front, as IS NODE KEY.
  node_unique,
  node_key,
  relationship_unique,
  relationship_key,
};

/// CREATE CONSTRAINT n IF NOT EXISTS FOR (d:Document) REQUIRE (d.source, d.number) IS NODE KEY
struct CreateConstraint {
  Name name;
  bool if_not_exists = false;
  IndexTarget target;
  std::vector<IndexProperty> properties;
  ConstraintType type = ConstraintType::unique;
  Expression options;

  bool operator==(const CreateConstraint&) const = default;
};

struct DropConstraint {
  Name name;
  bool if_exists = false;

  bool operator==(const DropConstraint&) const = default;
};

struct DropNameSpace {
  Name name;
  bool if_exists = false;

  bool operator==(const DropNameSpace&) const = default;
};

enum class StatementMode : std::uint8_t { run, explain, profile };

struct Statement {
  StatementMode mode = StatementMode::run;
  std::variant<Query, CreateIndex, DropIndex, CreateConstraint, DropConstraint, DropNameSpace>
      content;

  bool operator==(const Statement&) const = default;
};

}  // namespace cairn::query::ast

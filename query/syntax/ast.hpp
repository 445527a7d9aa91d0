#pragma once
// The syntax tree: a statement as it is written, with names unresolved. Chains such as a + b - c, a AND b and a.b[c]
// are flat lists, so the depth of the tree is the depth of the brackets in the text. An Expression or a LabelExpression
// without content means that the part is absent.

#include "query/syntax/ast_expression.hpp"

#include <cairn/retriever_kind.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query::ast {

// Clauses

/// The options of a retriever: EXACT, EF and ACCURACY for vector indexes, PLAIN for full-text indexes.
struct SearchStrategy : Located {
  bool is_plain = false;
  bool is_exact = false;
  Expression ef;
  Name recall;  ///< the word after ACCURACY

  [[nodiscard]] bool empty() const noexcept {
    return !is_plain && !is_exact && ef.empty() && recall.empty();
  }
  bool operator==(const SearchStrategy&) const = default;
};

/// One retriever of a SEARCH: an index with a query, or a graph pattern.
struct SearchRetriever : Located {
  RetrieverKind kind = RetrieverKind::vector;
  Name index;
  Expression query;
  PathPattern path;  ///< of a graph retriever
  SearchStrategy way;
  Expression weight;

  bool operator==(const SearchRetriever&) const = default;
};

/// FUSE method(k). `method` is empty without a FUSE.
struct SearchFusion {
  Name method;
  Expression k;

  bool operator==(const SearchFusion&) const = default;
};

/// retriever, or HYBRID retriever, ... FUSE method.
struct SearchRetrievers {
  bool is_hybrid = false;
  std::vector<SearchRetriever> retrievers;
  SearchFusion fusion;

  bool operator==(const SearchRetrievers&) const = default;
};

/// The options that select which hits become rows. `limit` may be absent if `within` is given.
struct SearchCut {
  Expression within;
  Expression min_score;
  Expression limit;

  bool operator==(const SearchCut&) const = default;
};

/// SEARCH variable IN (...). `variable` is empty if the MATCH has no SEARCH.
struct Search : Located {
  Name variable;
  SearchRetrievers from;
  Expression where;
  SearchStrategy way;  ///< options after WHERE, if there is only one retriever
  Expression candidates;
  SearchCut cut;
  Name score;  ///< SCORE AS
  Name parts;  ///< BREAKDOWN AS

  bool operator==(const Search&) const = default;
};

/// [OPTIONAL] MATCH paths SEARCH ... WHERE condition.
struct Match {
  bool is_optional = false;
  std::vector<PathPattern> paths;
  Search search;
  Expression where;

  bool operator==(const Match&) const = default;
};

/// UNWIND list AS variable.
struct Unwind {
  Expression list;
  Name variable;

  bool operator==(const Unwind&) const = default;
};

/// expression AS alias. Without an AS the alias is empty.
struct ProjectionItem {
  Expression expression;
  Name alias;

  bool operator==(const ProjectionItem&) const = default;
};

/// *, items, or both: *, a.x AS x.
struct ItemList {
  bool has_star = false;
  std::vector<ProjectionItem> items;

  bool operator==(const ItemList&) const = default;
};

/// One expression of ORDER BY.
struct SortItem {
  Expression expression;
  bool is_descending = false;

  bool operator==(const SortItem&) const = default;
};

/// WITH or RETURN. The grammar accepts WHERE after RETURN, and the binder refuses it with advice.
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

/// CREATE path, ...
using Create = std::vector<PathPattern>;

/// The operators = (assign) and += (merge).
enum class SetOperator : std::uint8_t { none, assign, merge };

/// The operator and the value after the target of a SET.
struct SetAssignment {
  SetOperator op = SetOperator::none;
  Expression value;

  bool operator==(const SetAssignment&) const = default;
};

/// An item of SET. Without an assignment, the target ends in labels.
struct SetItem {
  Expression target;  ///< n.x, n or n:A:B
  SetAssignment assignment;

  bool operator==(const SetItem&) const = default;
};

/// SET item, ...
using Set = std::vector<SetItem>;
using Remove = std::vector<Expression>;  ///< each expression ends in a property or in labels

/// ON CREATE SET or ON MATCH SET.
struct MergeAction {
  bool on_create = false;
  std::vector<SetItem> items;

  bool operator==(const MergeAction&) const = default;
};

/// MERGE path with its ON CREATE and ON MATCH.
struct Merge {
  PathPattern path;
  std::vector<MergeAction> actions;

  bool operator==(const Merge&) const = default;
};

/// [DETACH] DELETE target, ...
struct Delete {
  bool is_detach = false;
  std::vector<Expression> targets;

  bool operator==(const Delete&) const = default;
};

/// The arguments of a CALL. `is_present` distinguishes p() from p without parentheses.
struct CallArguments {
  bool is_present = false;
  std::vector<Expression> values;

  bool operator==(const CallArguments&) const = default;
};

/// column AS alias.
struct YieldItem {
  Name column;
  Name alias;

  bool operator==(const YieldItem&) const = default;
};

/// YIELD. A clause without YIELD has no star and no items.
struct Yield {
  bool has_star = false;
  std::vector<YieldItem> items;
  Expression where;

  bool operator==(const Yield&) const = default;
};

/// CALL procedure(arguments) YIELD ...
struct Call {
  Name procedure;
  CallArguments arguments;
  Yield yield;
  /// ORDER BY, SKIP, LIMIT and WHERE after the YIELD of a SHOW. The grammar turns them into clauses, so they are in no
  /// finished tree.
  std::vector<Project> order;

  bool operator==(const Call&) const = default;
};

struct Foreach;
struct CallSubquery;

/// One clause of a query.
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

/// FOREACH (variable IN list | updates).
struct Foreach {
  Name variable;
  Expression list;
  std::vector<Clause> updates;

  bool operator==(const Foreach&) const = default;
};

/// UNION [ALL] with the query after it.
struct UnionPart : Located {
  bool is_all = false;
  std::vector<Clause> clauses;

  bool operator==(const UnionPart&) const = default;
};

/// Single queries joined by UNION.
struct Query {
  std::vector<Clause> first;
  std::vector<UnionPart> rest;

  bool operator==(const Query&) const = default;
};

enum class SubqueryKind : std::uint8_t { exists, count, collect };

/// EXISTS, COUNT or COLLECT { query }. EXISTS and COUNT have a short form { patterns WHERE ... }.
struct Subquery {
  SubqueryKind kind = SubqueryKind::exists;
  std::vector<PathPattern> paths;
  Expression where;
  Query query;

  bool operator==(const Subquery&) const = default;
};

/// The variables that CALL { } imports: the variables of a WITH at the beginning of each part, of a list, or all.
enum class ImportKind : std::uint8_t { by_with, list, all };

/// The imports of a CALL { }. `names` are the variables of a list.
struct Imports {
  ImportKind kind = ImportKind::by_with;
  std::vector<Name> names;

  bool operator==(const Imports&) const = default;
};

/// IN [CONCURRENT] TRANSACTIONS [OF rows ROWS] [REPORT STATUS AS early_status] [ON ERROR on_error]
/// [REPORT STATUS AS status].
struct InTransactions : Located {
  bool is_present = false;
  bool is_concurrent = false;
  Expression rows;
  Name early_status;
  Name on_error;
  Name status;

  bool operator==(const InTransactions&) const = default;
};

/// CALL (imports) { query } IN TRANSACTIONS.
struct CallSubquery {
  Imports imports;
  Query query;
  InTransactions transactions;

  bool operator==(const CallSubquery&) const = default;
};

// Statements

/// FOR (variable:names) of an index or a constraint.
struct IndexTarget {
  bool on_relationship = false;
  Name variable;
  std::vector<Name> names;  ///< labels or types

  bool operator==(const IndexTarget&) const = default;
};

/// variable.path of an index or a constraint.
struct IndexProperty {
  Name variable;
  std::vector<Name> path;

  bool operator==(const IndexProperty&) const = default;
};

/// An index of Neo4j's type TEXT or POINT is bound to what takes its place here, or refused.
enum class IndexType : std::uint8_t { range, vector, full_text, text, point };

/// CREATE [VECTOR | FULLTEXT | TEXT | POINT] INDEX name IF NOT EXISTS FOR target ON properties OPTIONS {...}
struct CreateIndex {
  IndexType type = IndexType::range;
  Name name;
  bool if_not_exists = false;
  IndexTarget target;
  std::vector<IndexProperty> properties;
  Expression options;

  bool operator==(const CreateIndex&) const = default;
};

/// FOR (variable) ON EACH function(argument) of a CREATE LOOKUP INDEX.
struct LookupTarget {
  bool on_relationship = false;
  Name variable;
  Name function;  ///< labels or type
  Name argument;

  bool operator==(const LookupTarget&) const = default;
};

/// CREATE LOOKUP INDEX name IF NOT EXISTS FOR (n) ON EACH labels(n) OPTIONS {...}
struct CreateLookupIndex {
  Name name;
  bool if_not_exists = false;
  LookupTarget target;
  Expression options;

  bool operator==(const CreateLookupIndex&) const = default;
};

/// DROP INDEX name IF EXISTS
struct DropIndex {
  Name name;
  bool if_exists = false;

  bool operator==(const DropIndex&) const = default;
};

enum class ConstraintType : std::uint8_t {
  unique,
  key,
  not_null,
  // Kinds that name nodes or relationships, as in IS NODE KEY.
  node_unique,
  node_key,
  relationship_unique,
  relationship_key,
};

/// CREATE CONSTRAINT name IF NOT EXISTS FOR (d:Document) REQUIRE (d.source, d.number) IS NODE KEY OPTIONS {...}
struct CreateConstraint {
  Name name;
  bool if_not_exists = false;
  IndexTarget target;
  std::vector<IndexProperty> properties;
  ConstraintType type = ConstraintType::unique;
  Expression options;

  bool operator==(const CreateConstraint&) const = default;
};

/// DROP CONSTRAINT name IF EXISTS
struct DropConstraint {
  Name name;
  bool if_exists = false;

  bool operator==(const DropConstraint&) const = default;
};

/// DROP NAMESPACE name IF EXISTS
struct DropNameSpace {
  Name name;
  bool if_exists = false;

  bool operator==(const DropNameSpace&) const = default;
};

/// CREATE DATABASE name IF NOT EXISTS
struct CreateDatabase {
  Name name;
  bool if_not_exists = false;

  bool operator==(const CreateDatabase&) const = default;
};

/// DROP DATABASE name IF EXISTS, which the binder refuses with advice.
struct DropDatabase {
  Name name;
  bool if_exists = false;

  bool operator==(const DropDatabase&) const = default;
};

enum class StatementMode : std::uint8_t { run, explain, profile };

/// A whole statement, possibly with EXPLAIN or PROFILE, and with USE database.
struct Statement {
  StatementMode mode = StatementMode::run;
  Name database;
  std::variant<Query, CreateIndex, CreateLookupIndex, DropIndex, CreateConstraint, DropConstraint,
               DropNameSpace, CreateDatabase, DropDatabase>
      content;

  bool operator==(const Statement&) const = default;
};

}  // namespace cairn::query::ast

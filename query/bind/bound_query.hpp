#pragma once
// The bound statement, which the binder passes to the planner. Names are resolved and short forms are expanded:
//
// - Labels, inline properties and WHERE of a MATCH are one list of conjuncts over its slots.
// - A row is a vector of values. Within a part (up to the next WITH or RETURN) slots are only added. A projection
//   starts a new row; its slots 0..n-1 are the columns. Local variables of comprehensions have slots of the row,
//   too. `width` is the necessary length of the row.
// - An aggregating projection evaluates `keys` and `aggregates` on the input row. The group row consists of the
//   keys and then the aggregates; items are expressions over the group row.
// - The sort row consists of the output columns and then the input row. If the projection aggregates or is
//   distinct, it has no input row. SKIP and LIMIT use no variables. `where` of a WITH is over the output row.

#include "engine/view/view.hpp"
#include "query/bind/expression.hpp"

#include <cairn/ranking.hpp>
#include <cairn/retriever_kind.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cairn {
enum class VectorAccuracy : std::uint8_t;  // cairn/vector_search.hpp
}  // namespace cairn

namespace cairn::query {

class RegisteredCalls;
struct RegisteredProcedure;

/// A node of a pattern. In a MATCH its labels and properties are conjuncts of the clause.
struct NodePattern {
  Slot slot = 0;
  std::string name;       ///< variable as written, for plans and messages; empty without one
  bool is_bound = false;  ///< bound by an earlier clause, or earlier in this one
  std::vector<std::string> labels;  ///< labels to create, in CREATE and MERGE; empty in MATCH
  /// Further labels to create: a list of names and of lists of names; or nullptr.
  ExpressionPtr labels_by_value;
  ExpressionPtr properties;  ///< to create, in CREATE and MERGE, see properties_of(); null in MATCH
};

enum class PatternDirection : std::uint8_t { right, left, any };

/// The number of hops of a variable-length relationship. Its variable is a list of relationships.
struct HopRange {
  std::uint64_t least = 1;
  std::optional<std::uint64_t> most;  ///< nullopt: no upper bound
};

/// A relationship of a pattern between the nodes before and after it, or a path of them.
struct RelationshipPattern {
  Slot slot = 0;
  std::string name;
  bool is_bound = false;
  PatternDirection direction = PatternDirection::any;
  std::vector<std::string> types;  ///< any of these; empty: all types
  std::optional<HopRange> hops;    ///< nullopt: a single relationship
  Slot element_slot = 0;  ///< variable-length: slot of the one relationship that `each` tests
  /// Variable-length: conjuncts that every relationship must pass.
  std::vector<ExpressionPtr> each;
  ExpressionPtr type_by_value;  ///< the type to create if `types` is empty, in CREATE and MERGE
  ExpressionPtr properties;     ///< as in NodePattern
};

enum class PathSearch : std::uint8_t { every, shortest, all_shortest };

/// A path with n relationships and n + 1 nodes.
struct PathPattern {
  std::optional<Slot> slot;  ///< slot of the path variable
  std::string name;
  PathSearch search = PathSearch::every;
  /// With a selector such as SHORTEST 3, only the conditions in the pattern decide which paths are the shortest.
  bool is_selected = false;
  std::uint64_t count = 1;  ///< of a selected path: number of paths, or of lengths if all_shortest
  std::vector<NodePattern> nodes;
  std::vector<RelationshipPattern> relationships;
};

/// One retriever of a SEARCH. An index retriever uses `index`, `query` and the strategy. A graph retriever uses the
/// steps of its pattern, which leads from the searched variable to its start.
struct SearchRetriever {
  RetrieverKind kind = RetrieverKind::vector;
  std::string index;
  ExpressionPtr query;
  bool plain = false;                      ///< full-text: no query syntax; operators are plain text
  ExpressionPtr ef_search;                 ///< or nullptr
  std::optional<VectorAccuracy> accuracy;  ///< nullopt: standard
  PatternDirection direction = PatternDirection::any;  ///< seen from the searched variable
  std::vector<std::string> types;                      ///< any of these; empty: all types
  HopRange hops;                                       ///< `most` is always set
  /// Start node, bound by an earlier clause; nullptr: the hits of the other retrievers.
  ExpressionPtr seed;
  ExpressionPtr weight;  ///< nullptr: 1, and 3 for recall
  TextRange where;       ///< place in the statement, for errors
};

/// SEARCH variable IN (retriever, ... WHERE ... WITHIN d MIN SCORE s LIMIT k) SCORE AS score BREAKDOWN AS parts.
struct SearchClause {
  Slot slot = 0;  ///< the searched variable
  std::string variable;
  bool is_hybrid = false;
  std::vector<SearchRetriever> retrievers;  ///< exactly one unless is_hybrid
  Fusion::Kind fusion = Fusion{}.kind;
  ExpressionPtr fusion_k;  ///< constant of reciprocal rank fusion; nullptr: 60
  /// Evaluated before the search; may use variables of earlier clauses.
  std::vector<ExpressionPtr> conjuncts;
  /// Hits to fetch from each retriever; nullptr: the default of the language.
  ExpressionPtr candidates;
  ExpressionPtr within;       ///< or nullptr
  ExpressionPtr min_score;    ///< or nullptr
  ExpressionPtr limit;        ///< nullptr: no limit, only possible with `within`
  std::optional<Slot> score;  ///< slot of SCORE AS
  std::optional<Slot> parts;  ///< slot of BREAKDOWN AS
  TextRange where;
};

/// All relationships of one clause must be different. If an OPTIONAL MATCH finds nothing, it returns one row with
/// nulls in the slots of `introduced`.
struct MatchClause {
  bool optional = false;
  std::vector<PathPattern> paths;
  std::vector<ExpressionPtr> conjuncts;
  std::size_t inner_conjuncts =
      0;  ///< how many of them, from the first one on, are in the patterns
  std::optional<SearchClause> search;
  std::vector<Slot> introduced;  ///< slots that had no value before the clause
  std::uint32_t width = 0;
};

struct UnwindClause {
  ExpressionPtr list;
  Slot slot = 0;
  std::uint32_t width = 0;
};

/// One aggregate of a projection, such as count(DISTINCT n.x).
struct AggregateCall {
  const FunctionEntry* function = nullptr;  ///< nullptr: count(*)
  bool distinct = false;
  std::vector<ExpressionPtr> arguments;  ///< over the input row
};

struct ProjectionItem {
  ExpressionPtr expression;  ///< over the input row; over the group row if aggregating
  std::string name;  ///< empty: not a column, but carried on for `where` or the rest of a subquery
};

struct SortKey {
  ExpressionPtr expression;  ///< over the sort row
  bool descending = false;
};

/// WITH or RETURN.
struct ProjectClause {
  bool is_return = false;
  bool distinct = false;
  bool aggregating = false;
  std::vector<ExpressionPtr> keys;  ///< grouping keys, over the input row
  std::vector<AggregateCall> aggregates;
  std::vector<ProjectionItem> items;
  std::vector<SortKey> order;
  ExpressionPtr skip;
  ExpressionPtr limit;
  ExpressionPtr where;
  std::uint32_t input_width = 0;  ///< length of the input row
  /// Length of the rows that follow. Also enough for sort and group rows with their local variables.
  std::uint32_t width = 0;
};

struct CreateClause {
  std::vector<PathPattern> paths;
  std::uint32_t width = 0;
};

/// One change of SET or REMOVE.
struct SetItem {
  enum class Kind : std::uint8_t {
    property,
    replace_all,
    merge_all,
    labels,
    remove_property,
    remove_labels,
    expiry,  ///< the system field expires_at; without a value it is removed
  };
  Kind kind = Kind::property;
  ExpressionPtr target;  ///< an entity
  std::string property;
  std::vector<std::string> labels;
  ExpressionPtr value;  ///< for labels: a list of the labels given by value, or nullptr
};

/// SET and REMOVE.
struct SetClause {
  std::vector<SetItem> items;
  std::uint32_t width = 0;
};

/// MERGE: matches the path, or creates all of it if there is no match.
struct MergeClause {
  PathPattern path;
  std::vector<SetItem> on_create;  ///< ON CREATE SET
  std::vector<SetItem> on_match;   ///< ON MATCH SET
  std::vector<Slot> introduced;
  std::uint32_t width = 0;
};

/// DELETE; with `detach` also the relationships of deleted nodes.
struct DeleteClause {
  bool detach = false;
  std::vector<ExpressionPtr> targets;  ///< nodes, relationships or paths
  std::uint32_t width = 0;
};

/// FOREACH (slot IN list | updates).
struct ForeachClause;

/// CALL name(arguments) YIELD column AS variable. A standalone CALL returns all columns.
struct CallClause {
  std::string procedure;  ///< in lower case, with dots
  /// The procedure of the program; nullptr: one of the language.
  const RegisteredProcedure* registered = nullptr;
  std::vector<ExpressionPtr> arguments;
  struct Yield {
    std::string column;  ///< column of the procedure
    std::string name;    ///< variable in the statement
    Slot slot = 0;
  };
  std::vector<Yield> yields;
  std::vector<ExpressionPtr> conjuncts;  ///< the WHERE of YIELD
  /// No parentheses: the arguments are the statement parameters with the same names.
  bool implicit_arguments = false;
  std::uint32_t width = 0;
  TextRange where;
};

/// What an error of a batch does to a CALL { } IN TRANSACTIONS, after the batch is rolled back.
enum class OnError : std::uint8_t {
  fail,   ///< ends the statement with the error
  go_on,  ///< CONTINUE: the next batch runs
  stop    ///< BREAK: no further batch runs
};

/// CALL { query }: runs the query for each row and stores its columns in slots of their own. Without columns, each
/// row is passed on once.
struct CallSubqueryClause {
  /// Expression with the query, as for COLLECT. Imported variables keep their slots.
  ExpressionPtr subquery;
  std::vector<Slot> columns;     ///< slots of the query's columns
  bool in_transactions = false;  ///< the changes for each batch of rows are committed on their own
  ExpressionPtr batch_rows;      ///< the rows of a batch; nullptr: the default
  OnError on_error = OnError::fail;
  /// For what became of the row's batch. Its output rows have nulls in `columns` if the batch failed.
  std::optional<Slot> status;
  std::uint32_t width = 0;
};

using Clause =
    std::variant<MatchClause, UnwindClause, ProjectClause, CreateClause, SetClause, MergeClause,
                 DeleteClause, CallClause, CallSubqueryClause, std::unique_ptr<ForeachClause>>;

/// FOREACH (slot IN list | updates).
struct ForeachClause {
  Slot slot = 0;
  ExpressionPtr list;
  std::vector<Clause> updates;
  std::uint32_t width = 0;
};

struct SingleQuery {
  std::vector<Clause> clauses;
  std::vector<std::string> columns;  ///< empty without a RETURN
};

/// One or more single queries joined by UNION. `distinct` is false for UNION ALL.
struct Query {
  std::vector<SingleQuery> parts;
  bool distinct = true;
  bool is_writing = false;
};

/// CREATE or DROP of an index or a constraint, CREATE DATABASE, or DROP NAMESPACE.
struct SchemaCommand {
  enum class Kind : std::uint8_t {
    create_range_index,
    create_vector_index,
    create_full_text_index,
    create_unique_constraint,
    create_key_constraint,
    create_not_null_constraint,
    drop_index,
    drop_constraint,
    drop_name_space,
    create_text_index,    ///< Neo4j's; a range index takes its place
    create_lookup_index,  ///< Neo4j's; labels and types are indexed already
    create_database,      ///< Neo4j's; a namespace begins with its first record
  };
  Kind kind = Kind::create_range_index;
  std::string name;
  bool if_exists_or_not = false;  ///< IF NOT EXISTS / IF EXISTS
  bool on_relationship = false;
  std::vector<std::string> labels_or_types;
  std::vector<std::string> properties;
  ExpressionPtr options;  ///< a map, possibly with parameters; or nullptr
};

/// A parameter that a filter of the statement uses. The statement is bound again when the form of the filter changes.
struct FilterParameter {
  std::string name;
  bool is_whole = false;  ///< the parameter is the whole filter, and not a value in a filter
};

/// How the operands of a filter in a parameter are bound: as the literal values of one run, or as parameters of each
/// run, which operand_name() names.
enum class FilterOperands : std::uint8_t { literals, parameters };

enum class StatementMode : std::uint8_t { run, explain, profile };

/// A procedure that the statement calls anywhere.
struct CalledProcedure {
  std::string name;            ///< in lower case, with dots
  bool is_registered = false;  ///< a procedure of the program
  std::string written;         ///< the name as the text has it
  TextRange where;             ///< of the name
  struct Column {
    std::string name;
    TextRange where;
  };
  std::vector<Column> columns;  ///< that YIELD names
};

/// The database of a USE.
struct UsedDatabase {
  std::string name;
  TextRange where;
};

/// A statement whose names are resolved. Never changes, so any number of threads may run it.
struct BoundStatement {
  StatementMode mode = StatementMode::run;
  std::variant<Query, SchemaCommand> content;
  std::optional<UsedDatabase> database = {};
  /// All calls of procedures, also in subqueries, in the order of the text.
  std::vector<CalledProcedure> calls = {};
  /// The filters in parameters, which are bound as a part of the statement.
  std::vector<FilterParameter> filter_parameters = {};
  /// Owns the procedures and functions that the statement points to, together with the database and other statements.
  /// nullptr if the program has none.
  std::shared_ptr<const RegisteredCalls> registered = nullptr;
};

// The records that a pattern of CREATE or MERGE makes. The expression is the map of properties. If the pattern has
// system fields, it is a list of two maps: the properties and the system fields.

/// Returns the map of properties, or nullptr. Precondition: `made` is the expression of a pattern as described above.
[[nodiscard]] inline const Expression* properties_of(const ExpressionPtr& made) {
  if (made == nullptr || made->kind != ExpressionKind::list) return made.get();
  return made->children[0].get();
}

/// Returns the map of system fields, or nullptr.
[[nodiscard]] inline const Expression* system_of(const ExpressionPtr& made) {
  if (made == nullptr || made->kind != ExpressionKind::list) return nullptr;
  return made->children[1].get();
}

}  // namespace cairn::query

#pragma once
// BoundQuery: what the binder hands to the planner. Scoping is resolved, sugar is gone:
//
// - Labels, inline property maps and WHERE of a MATCH are one list of conjuncts over its slots.
// - A row is a vector of values. Within a part (up to the next WITH or RETURN) slots only grow; a
//   projection starts a new row whose slots 0..n-1 are its columns. Local variables of
//   comprehensions have slots of the row, too. `width` says how long the row must be.
// - An aggregating projection evaluates `keys` and `aggregates` on the input row; the group row is
//   the keys, then the aggregates, and the items are expressions over the group row.
// - The sort row is the output columns, then, unless the projection aggregates or is distinct, the
//   input row. SKIP and LIMIT use no variables. `where` of a WITH is over the output row.

#include "engine/view/view.hpp"
#include "query/bind/expression.hpp"
#include "query/syntax/retriever_kind.hpp"

#include <cairn/ranking.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cairn::query {

class RegisteredCalls;
struct RegisteredProcedure;

struct NodePattern {
  Slot slot = 0;
  std::string name;       ///< the variable as written, empty if none; for plans and messages
  bool is_bound = false;  ///< bound before this clause (or earlier within it)
  std::vector<std::string> labels;  ///< to create, in CREATE and MERGE; empty in MATCH
  ExpressionPtr properties;  ///< to create, in CREATE and MERGE (properties_of()); null in MATCH
};

enum class PatternDirection : std::uint8_t { right, left, any };

/// Hops of a variable-length relationship: its variable is a list of relationships.
struct HopRange {
  std::uint64_t least = 1;
  std::optional<std::uint64_t> most;
};

struct RelationshipPattern {
  Slot slot = 0;
  std::string name;
  bool is_bound = false;
  PatternDirection direction = PatternDirection::any;
  std::vector<std::string> types;  ///< any of them; empty: all
  std::optional<HopRange> hops;
  Slot element_slot = 0;            ///< where `each` sees one relationship of a variable-length one
  std::vector<ExpressionPtr> each;  ///< conjuncts over every relationship of a variable-length one
  ExpressionPtr properties;         ///< as of NodePattern
};

enum class PathSearch : std::uint8_t { every, shortest, all_shortest };

/// nodes.size() == relationships.size() + 1.
struct PathPattern {
  std::optional<Slot> slot;  ///< of the path variable
  std::string name;
  PathSearch search = PathSearch::every;
  std::vector<NodePattern> nodes;
  std::vector<RelationshipPattern> relationships;
};

/// One retriever of a SEARCH. An index retriever has `index`, `query` and its strategy; a graph retriever has
/// the steps of a pattern from the searched variable to its start.
struct SearchRetriever {
  RetrieverKind kind = RetrieverKind::vector;
  std::string index;
  ExpressionPtr query;
  bool plain = false;  ///< texts: no syntax, every sign is text
  bool exact = false;
  ExpressionPtr ef_search;                             ///< or null
  std::optional<engine::Accuracy> accuracy;            ///< nothing: standard
  PatternDirection direction = PatternDirection::any;  ///< from the searched variable
  std::vector<std::string> types;                      ///< any of them; empty: all
  HopRange hops;                                       ///< its end is given
  ExpressionPtr seed;    ///< a node bound before; null: the hits of the other retrievers
  ExpressionPtr weight;  ///< null: 1, and 3 by recall
  TextRange where;
};

/// SEARCH variable IN (retriever, ... WHERE ... WITHIN d MIN SCORE s LIMIT k) SCORE AS score BREAKDOWN AS parts.
struct SearchClause {
  Slot slot = 0;
  std::string variable;
  bool is_hybrid = false;
  std::vector<SearchRetriever> retrievers;  ///< one, unless hybrid
  Fusion::Kind fusion = Fusion::Kind::max_norm;
  ExpressionPtr fusion_k;                ///< of ranks; null: 60
  std::vector<ExpressionPtr> conjuncts;  ///< bind before the search; may use variables bound before
  ExpressionPtr candidates;  ///< hits that a retriever brings; null: as the language says
  ExpressionPtr within;      ///< or null
  ExpressionPtr min_score;   ///< or null
  ExpressionPtr limit;       ///< null with `within` only: all there are
  std::optional<Slot> score;
  std::optional<Slot> parts;
  TextRange where;
};

/// All relationships of one clause are different from each other. OPTIONAL: one row of nulls in
/// `introduced` where nothing matches.
struct MatchClause {
  bool optional = false;
  std::vector<PathPattern> paths;
  std::vector<ExpressionPtr> conjuncts;
  std::optional<SearchClause> search;
  std::vector<Slot> introduced;
  std::uint32_t width = 0;
};

struct UnwindClause {
  ExpressionPtr list;
  Slot slot = 0;
  std::uint32_t width = 0;
};

struct AggregateCall {
  const FunctionEntry* function = nullptr;  ///< null: count(*)
  bool distinct = false;
  std::vector<ExpressionPtr> arguments;  ///< over the input row
};

struct ProjectionItem {
  ExpressionPtr expression;  ///< over the input row, or over the group row when aggregating
  std::string name;          ///< empty: carried along for `where` or the rest of a subquery alone
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
  std::vector<ExpressionPtr> keys;
  std::vector<AggregateCall> aggregates;
  std::vector<ProjectionItem> items;
  std::vector<SortKey> order;
  ExpressionPtr skip;
  ExpressionPtr limit;
  ExpressionPtr where;
  std::uint32_t input_width = 0;
  std::uint32_t width = 0;  ///< of the rows that follow (and of sort and group rows with locals)
};

struct CreateClause {
  std::vector<PathPattern> paths;
  std::uint32_t width = 0;
};

struct SetItem {
  enum class Kind : std::uint8_t {
    property,
    replace_all,
    merge_all,
    labels,
    remove_property,
    remove_labels,
    expiry,  ///< the system field; without a value it is taken away
  };
  Kind kind = Kind::property;
  ExpressionPtr target;  ///< an entity
  std::string property;
  std::vector<std::string> labels;
  ExpressionPtr value;  ///< of labels: a list of those by value, if there are any
};

/// SET and REMOVE.
struct SetClause {
  std::vector<SetItem> items;
  std::uint32_t width = 0;
};

struct MergeClause {
  PathPattern path;
  std::vector<SetItem> on_create;
  std::vector<SetItem> on_match;
  std::vector<Slot> introduced;
  std::uint32_t width = 0;
};

struct DeleteClause {
  bool detach = false;
  std::vector<ExpressionPtr> targets;  ///< nodes, relationships or paths
  std::uint32_t width = 0;
};

/// FOREACH (slot IN list | updates).
struct ForeachClause;

/// CALL name(arguments) YIELD column AS variable. A standalone call returns all columns.
struct CallClause {
  std::string procedure;  ///< lower case, with dots
  const RegisteredProcedure* registered =
      nullptr;  ///< one of the program; null: one of the language
  std::vector<ExpressionPtr> arguments;
  struct Yield {
    std::string column;  ///< of the procedure
    std::string name;    ///< that it has in the statement
    Slot slot = 0;
  };
  std::vector<Yield> yields;
  std::vector<ExpressionPtr> conjuncts;  ///< the WHERE of YIELD
  bool implicit_arguments = false;  ///< no parentheses: parameters of the same names are passed
  std::uint32_t width = 0;
  TextRange where;
};

/// CALL { query }: its rows for each row, columns in slots of their own; without columns each row once.
struct CallSubqueryClause {
  ExpressionPtr subquery;  ///< has the query, as COLLECT does; imported variables keep their slots
  std::vector<Slot> columns;
  bool in_transactions = false;  ///< asked for
  std::uint32_t width = 0;
};

using Clause =
    std::variant<MatchClause, UnwindClause, ProjectClause, CreateClause, SetClause, MergeClause,
                 DeleteClause, CallClause, CallSubqueryClause, std::unique_ptr<ForeachClause>>;

struct ForeachClause {
  Slot slot = 0;
  ExpressionPtr list;
  std::vector<Clause> updates;
  std::uint32_t width = 0;
};

struct SingleQuery {
  std::vector<Clause> clauses;
  std::vector<std::string> columns;  ///< empty without RETURN
};

/// One or more single queries joined by UNION; `distinct` unless all are UNION ALL.
struct Query {
  std::vector<SingleQuery> parts;
  bool distinct = true;
  bool is_writing = false;
};

/// CREATE and DROP of an INDEX or a CONSTRAINT, and DROP NAMESPACE.
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
    drop_name_space
  };
  Kind kind = Kind::create_range_index;
  std::string name;
  bool if_exists_or_not = false;  ///< IF NOT EXISTS / IF EXISTS
  bool on_relationship = false;
  std::vector<std::string> labels_or_types;
  std::vector<std::string> properties;
  ExpressionPtr options;  ///< a map, may hold parameters; or null
};

/// A parameter that a filter of the statement is made of.
struct FilterParameter {
  std::string name;
  bool is_whole = false;  ///< it is the filter itself, and no value in one
};

/// What the operands of a filter in a parameter become: the values of one run, or parameters of each run, named by
/// operand_name().
enum class FilterOperands : std::uint8_t { literals, parameters };

enum class StatementMode : std::uint8_t { run, explain, profile };

/// A procedure that a statement calls, wherever in it.
struct CalledProcedure {
  std::string name;            ///< lower case, with dots
  bool is_registered = false;  ///< by the program
};

struct BoundStatement {
  StatementMode mode = StatementMode::run;
  std::variant<Query, SchemaCommand> content;
  /// All of them, in subqueries too, as often as they are called.
  std::vector<CalledProcedure> calls = {};
  /// Filters in parameters are part of the statement: it is bound with those of a run.
  std::vector<FilterParameter> filter_parameters = {};
  /// What its calls point into; null where the program has none.
  std::shared_ptr<const RegisteredCalls> registered =
      nullptr;  // owners: the database and statements
};

// What a pattern of CREATE or MERGE gives a record that it makes: the map of its properties, or, where
// system fields stand there as well, a list of that map and theirs.

/// The properties, or null.
[[nodiscard]] inline const Expression* properties_of(const ExpressionPtr& made) {
  if (made == nullptr || made->kind != ExpressionKind::list) return made.get();
  return made->children[0].get();
}

/// The map of the system fields, or null.
[[nodiscard]] inline const Expression* system_of(const ExpressionPtr& made) {
  if (made == nullptr || made->kind != ExpressionKind::list) return nullptr;
  return made->children[1].get();
}

}  // namespace cairn::query

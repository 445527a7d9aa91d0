#pragma once
// The contents of plan operators: one struct per kind, and the pipeline that holds operators. This file is separate
// from the plan, so that the implementation of one operator need not know the variant of all kinds.

#include "codec/catalog_entry.hpp"
#include "query/bind/bound_query.hpp"
#include "query/plan/filter_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::query {

struct Operator;

/// The patterns of one clause number: the operators with this number match these patterns.
struct PatternSource {
  std::span<const PathPattern> paths;
  const SearchClause* search = nullptr;  ///< the SEARCH of the MATCH; may be null
  /// Conditions of shortest paths.
  std::map<const PathPattern*, std::vector<const Expression*>> tests = {};
};

/// A list of operators. Each one consumes the rows of the operator before it.
struct Pipeline {
  std::vector<Operator> operators;
  std::uint32_t width = 0;  ///< number of slots in the row that starts the pipeline
  std::map<std::uint32_t, PatternSource> patterns;  ///< by clause number

  Pipeline();
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;
  ~Pipeline();
};

/// One relationship of a pattern, walked from one of its ends to the other.
struct Walk {
  const RelationshipPattern* pattern = nullptr;
  Slot from = 0;
  Slot to = 0;
  std::string from_name;
  std::string to_name;
  bool reversed = false;     ///< from the right end of the pattern to its left end
  bool to_is_bound = false;  ///< whether `to` has a value before the step
  std::vector<Slot> unlike;  ///< relationships of the clause that this one must differ from
  std::optional<double> degree = std::nullopt;  ///< output rows per input row, measured on a sample
};

/// The rows of a scan that a later sort keeps: the first ones by a property, according to LIMIT and
/// SKIP.
struct IndexTopN {
  std::string property;
  bool descending = false;
  bool ties_by_id = false;  ///< of equal values, the sort keeps those of the lowest ids
  const Expression* limit = nullptr;
  const Expression* skip = nullptr;  ///< may be null
};
/// The rows of a scan that a later aggregation needs: one with the least value of a property, and one with
/// the greatest.
struct IndexMinMax {
  std::string property;
  bool least = false;
  bool greatest = false;
};
/// The rows of a scan that a later sort by similarity keeps: ORDER BY vector.similarity.cosine(n.p, $q) DESC
/// LIMIT k.
struct SimilarityTopN {
  std::string property = {};  ///< property of the scanned entity
  std::string index = {};     ///< vector index to search, chosen by the plan; empty: none
  codec::Metric metric = codec::Metric::cosine;
  const Expression* query = nullptr;  ///< reads no variable
  /// The least score of a row that is not dropped. Reads no variable. May be null.
  const Expression* least = nullptr;
  /// The sort, which has a LIMIT. While the statement runs, the sort reports which scores are too
  /// low.
  const ProjectClause* sort = nullptr;
};
/// For each input row, one row for each node that passes the filter. If `first` or `nearest` is set, the scan may
/// omit rows that cannot be among the first of the sort. If `extremes` is set, it may omit all but one row for each
/// extreme.
struct ScanNodes {
  FilterPlan filter;
  std::string name;
  std::optional<IndexTopN> first = std::nullopt;
  std::vector<IndexMinMax> extremes = {};
  std::optional<SimilarityTopN> nearest = std::nullopt;
};
/// Finds relationships by their filter, or takes the relationship that is already bound. Then binds both ends.
struct ScanRelationships {
  FilterPlan filter;
  Walk walk;
  bool from_is_bound = false;
  bool is_bound = false;  ///< whether the relationship has a value before
  std::optional<SimilarityTopN> nearest = std::nullopt;  ///< as in ScanNodes
};
/// One row for each relationship of a bound node.
struct Expand {
  Walk walk;
  /// Later steps to the same node. Nodes that these steps do not reach may be omitted.
  std::vector<Walk> meetings = {};
  /// For each slot, whether a later operator reads it. nullopt: all slots are read.
  std::optional<std::vector<bool>> carried = std::nullopt;
  /// True to return at most one row per input row, with the number of its steps in the slots of the relationship and
  /// of an unbound node.
  bool is_counted = false;
};
/// A condition on each element of a path: all(x IN ... WHERE ...) or none(...). `slot` holds the element.
struct ElementTest {
  const Expression* condition = nullptr;
  Slot slot = 0;
  bool wanted = true;  ///< the required result of the condition
};
/// One row for each path of variable length from a bound node, if all tests of its elements have the wanted result.
struct ExpandVariable {
  Walk walk;
  std::vector<ElementTest> relationships = {};
  std::vector<ElementTest> nodes = {};  ///< tests of nodes, including both ends
  /// True to return each end node once, without its paths, because no later operator reads paths or counts them.
  bool ends_only = false;
  std::optional<std::vector<bool>> carried = std::nullopt;  ///< as in Expand; used if `ends_only`
};
/// One row for the shortest path between two bound nodes or, if `all`, for each shortest path. Only paths on which all
/// conditions are true count.
struct FindShortest {
  Walk walk;
  const PathPattern* path = nullptr;
  bool all = false;
  std::vector<const Expression*> conjuncts = {};
};
/// Gives the path variable its value from the nodes and relationships of the path, which already have values.
struct BindPath {
  const PathPattern* path = nullptr;
};
/// Keeps the rows whose entity is in a bitmap. Indexes compute the bitmap once for all rows.
struct SemiJoinFilter {
  FilterPlan filter;
  std::string name;
};
/// One row for each hit of a search, best first, among the entities that pass the filter.
struct SearchVectors {
  const SearchClause* clause = nullptr;
  FilterPlan filter;
  std::vector<const Expression*> conjuncts;  ///< checked on records, before the search
  std::vector<const Expression*> labels;     ///< the conditions that test only labels
  /// Types of a relationship, any of them. Empty: all.
  const std::vector<std::string>* types = nullptr;
  bool is_bound = false;
};
/// Warns if the rest of a MATCH dropped hits of its search.
struct LateFilterWarning {
  const SearchClause* search = nullptr;
};
/// Keeps the rows on which all conditions are true.
struct Select {
  std::vector<const Expression*> conjuncts;
};
/// Evaluates the items of the clause into a new row. `keep_input` appends the input row, for sorting.
struct Project {
  const ProjectClause* clause = nullptr;
  bool keep_input = false;
};
/// The operators that run on the same threads as the operator after them; see choose_threads.cpp.
struct SharedPart {
  std::uint32_t threads = 1;
  const Operator* first = nullptr;  ///< the first of `count` consecutive operators
  std::size_t count = 0;
  std::size_t rows_at_once = 1;  ///< number of rows that a thread takes at a time
};
/// One row for each combination of keys: first the keys, then the aggregates.
struct Aggregate {
  const ProjectClause* clause = nullptr;
  /// A slot with the number of rows that each input row represents. nullopt: one.
  std::optional<Slot> weight = std::nullopt;
  SharedPart shared = {};
};
/// Removes duplicate rows, compared by their first `columns` columns.
struct Distinct {
  std::size_t columns = 0;
  SharedPart shared = {};
};
/// Sorts all rows in the order of the clause.
struct Sort {
  const ProjectClause* clause = nullptr;
  bool is_limited = false;  ///< keep only as many rows as SKIP and LIMIT of the clause require
  SharedPart shared = {};
};
struct Skip {
  const Expression* count = nullptr;
};
struct Limit {
  const Expression* count = nullptr;
  bool after_writes = false;  ///< the input must run even if the limit is 0
};
/// Drops all but the first `columns` columns.
struct TrimColumns {
  std::size_t columns = 0;
};
/// One row for each element of a list.
struct Unwind {
  const UnwindClause* clause = nullptr;
};
/// For each input row, the rows of the inner pipeline; if there are none, the input row with nulls in
/// `introduced`.
struct Optional {
  Pipeline inner;
  std::vector<Slot> introduced;
};
/// The number of rows that a scan would return, computed from its bitmap.
struct CountRows {
  FilterPlan filter;
  std::string name;
  const ProjectClause* clause = nullptr;
  ExpressionPtr condition = nullptr;  ///< condition of the filter, if not in the statement
};
/// Counts the rows of a scan by the value of a property: one row with the value and its counts. If not grouped, one
/// row of counts over all values.
struct IndexGroupCount {
  enum class Column : std::uint8_t { rows, different_values };
  FilterPlan filter;
  std::string name;
  std::string property;
  std::vector<Column> columns;
  bool is_grouped = true;
};
/// Creates the nodes and relationships of the patterns for each row.
struct CreatePattern {
  const CreateClause* clause = nullptr;
};
/// Changes properties and labels for each row.
struct SetProperties {
  const SetClause* clause = nullptr;
};
/// Matches or creates a pattern for each row. The values of the pattern's properties are evaluated once per row into
/// slots of their own, so that matching and creating use the same values.
struct MergePattern {
  struct Property {
    Slot slot = 0;
    bool is_system = false;  ///< whether it is a system field
    std::string name;
    const Expression* value = nullptr;
  };
  /// Labels or a type whose names are known only at run time. The slot has the names as a list.
  struct Names {
    Slot slot = 0;
    const Expression* value = nullptr;  ///< nullptr: none, and no slot
  };
  const MergeClause* clause = nullptr;
  std::vector<Names> node_names;                               ///< by position in the path
  std::vector<Names> relationship_names;                       ///< by position in the path
  std::vector<std::vector<Property>> node_properties;          ///< by position in the path
  std::vector<std::vector<Property>> relationship_properties;  ///< by position in the path
  std::uint32_t slots = 0;                                     ///< number of slots for values
  Pipeline match;
};
/// Deletes the targets after all input rows are known.
struct DeleteEntities {
  const DeleteClause* clause = nullptr;
};
/// Runs the inner pipeline for each element of a list, for its writes.
struct Foreach {
  const ForeachClause* clause = nullptr;
  Pipeline updates;
};
/// The rows of a subquery for each input row, or the input row once if the subquery has no columns.
struct CallSubquery {
  const CallSubqueryClause* clause = nullptr;
  std::vector<Pipeline> branches;  ///< the parts of a UNION
  bool distinct = false;
  bool is_writing = false;
};
/// The rows of a procedure for each input row.
struct CallProcedure {
  const CallClause* clause = nullptr;
  bool gives_all = false;  ///< return every column in the first slots: a standalone CALL
};

}  // namespace cairn::query

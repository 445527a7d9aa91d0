#pragma once
// What each kind of operator of a plan holds: one struct for each, and the pipeline that they make up.
// Apart from the plan, so that what runs one operator need not know the variant of all of them.

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

/// The patterns that operators with one clause number lay out.
struct PatternSource {
  std::span<const PathPattern> paths;
  const SearchClause* search = nullptr;
  std::map<const PathPattern*, std::vector<const Expression*>> tests = {};  ///< of shortest paths
};

struct Pipeline {
  std::vector<Operator> operators;
  std::uint32_t width = 0;  ///< of the row it starts from
  std::map<std::uint32_t, PatternSource> patterns;

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
  bool reversed = false;  ///< from the right end of the pattern to its left one
  bool to_is_bound = false;
  std::vector<Slot> unlike;  ///< relationships of the clause that this one must differ from
  std::optional<double> degree = std::nullopt;  ///< rows for each row, of a sample
};

/// What a sort behind a scan keeps: the first rows by a property, LIMIT and SKIP of them.
struct IndexTopN {
  std::string property;
  bool descending = false;
  const Expression* limit = nullptr;
  const Expression* skip = nullptr;  ///< may be null
};
/// What an aggregation behind a scan keeps of each property: a row with the least value and one with the
/// greatest.
struct IndexMinMax {
  std::string property;
  bool least = false;
  bool greatest = false;
};
/// What a sort behind a scan keeps by a similarity: ORDER BY vector.similarity.cosine(n.p, $q) DESC LIMIT k.
struct SimilarityTopN {
  std::string property = {};  ///< of what is scanned
  std::string index = {};     ///< that gives the nearest, when the plan was made; empty: none
  codec::Metric metric = codec::Metric::cosine;
  const Expression* query = nullptr;  ///< reads no variable
  const Expression* least =
      nullptr;  ///< a row with a lower score is dropped; reads no variable, or null
  const ProjectClause* sort =
      nullptr;  ///< has a LIMIT; says during the run which scores are too low
};
/// One row for each node that passes the filter, for each row of the input. Where `first` or `nearest` is set,
/// those that cannot be among the first of the sort may be left out; where `extremes` are, all but one of each.
struct ScanNodes {
  FilterPlan filter;
  std::string name;
  std::optional<IndexTopN> first = std::nullopt;
  std::vector<IndexMinMax> extremes = {};
  std::optional<SimilarityTopN> nearest = std::nullopt;
};
/// Find relationships by their own filter (or the one that is bound already), then both ends.
struct ScanRelationships {
  FilterPlan filter;
  Walk walk;
  bool from_is_bound = false;
  bool is_bound = false;
  std::optional<SimilarityTopN> nearest = std::nullopt;  ///< as of ScanNodes
};
/// One row for each relationship of a bound node.
struct Expand {
  Walk walk;
  std::vector<Walk> meetings =
      {};  ///< steps behind to the same node: what they do not lead to may be left out
  std::optional<std::vector<bool>> carried =
      std::nullopt;  ///< by slot, whether it is read behind; nothing: all are
};
/// A condition on one element of a path, which it reads in a slot: all(x IN ... WHERE ...), or none(...).
struct ElementTest {
  const Expression* condition = nullptr;
  Slot slot = 0;
  bool wanted = true;
};
/// One row for each path of a variable number of relationships from a bound node, on which all tests give what is
/// wanted.
struct ExpandVariable {
  Walk walk;
  std::vector<ElementTest> relationships = {};
  std::vector<ElementTest> nodes = {};  ///< both ends included
  /// Each end once, without its paths: nothing behind reads these, or counts how many there are.
  bool ends_only = false;
  std::optional<std::vector<bool>> carried = std::nullopt;  ///< where `ends_only`, as of Expand
};
/// One row for the shortest path, or for each of them, between two bound nodes, among those on which all
/// conditions are true.
struct FindShortest {
  Walk walk;
  const PathPattern* path = nullptr;
  bool all = false;
  std::vector<const Expression*> conjuncts = {};
};
/// Give the path variable its value, from the nodes and relationships that have theirs.
struct BindPath {
  const PathPattern* path = nullptr;
};
/// Keep the rows whose entity is in a bitmap that indexes give once for all rows.
struct SemiJoinFilter {
  FilterPlan filter;
  std::string name;
};
/// One row for each hit of a vector index, best first, among the entities that pass the filter.
struct SearchVectors {
  const SearchClause* clause = nullptr;
  FilterPlan filter;
  std::vector<const Expression*> conjuncts;  ///< checked on records, before the search
  std::vector<const Expression*> labels;  ///< those of all conditions that are about labels alone
  const std::vector<std::string>* types = nullptr;  ///< of a relationship; any of them, empty: all
  bool is_bound = false;
};
/// Warn where the rest of a MATCH dropped hits of its search.
struct LateFilterWarning {
  const SearchClause* search = nullptr;
};
/// Keep the rows on which all conditions are true.
struct Select {
  std::vector<const Expression*> conjuncts;
};
/// Evaluate `expressions` into a new row; `keep_input` appends the old one, for sorting.
struct Project {
  const ProjectClause* clause = nullptr;
  bool keep_input = false;
};
/// One row for each combination of keys: the keys, then the aggregates.
struct Aggregate {
  const ProjectClause* clause = nullptr;
};
/// Each row once, by its first columns.
struct Distinct {
  std::size_t columns = 0;
};
/// All rows in the order of the clause.
struct Sort {
  const ProjectClause* clause = nullptr;
  bool is_limited = false;  ///< keep only as many rows as SKIP and LIMIT of the clause ask for
};
struct Skip {
  const Expression* count = nullptr;
};
struct Limit {
  const Expression* count = nullptr;
  bool after_writes = false;  ///< must pull its input even where it wants no row
};
/// Drop all but the first columns.
struct TrimColumns {
  std::size_t columns = 0;
};
/// One row for each element of a list.
struct Unwind {
  const UnwindClause* clause = nullptr;
};
/// The rows of the inner pipeline for each row, or the row with nulls in `introduced`.
struct Optional {
  Pipeline inner;
  std::vector<Slot> introduced;
};
/// The number of rows that a scan would give, from its bitmap.
struct CountRows {
  FilterPlan filter;
  std::string name;
  const ProjectClause* clause = nullptr;
  ExpressionPtr condition = nullptr;  ///< of the filter, where it is in no statement
};
/// The rows of a scan counted by the value of a property: the value, then the counts; or, not grouped,
/// one row of counts over all values.
struct IndexGroupCount {
  enum class Column : std::uint8_t { rows, different_values };
  FilterPlan filter;
  std::string name;
  std::string property;
  std::vector<Column> columns;
  bool is_grouped = true;
};
/// Make the nodes and relationships of the patterns for each row.
struct CreatePattern {
  const CreateClause* clause = nullptr;
};
/// Change properties and labels for each row.
struct SetProperties {
  const SetClause* clause = nullptr;
};
/// Values of the pattern's properties are evaluated once a row into slots of their own, so that
/// matching and creating see the same ones.
struct MergePattern {
  struct Property {
    Slot slot = 0;
    bool is_system = false;  ///< a system field
    std::string name;
    const Expression* value = nullptr;
  };
  const MergeClause* clause = nullptr;
  std::vector<std::vector<Property>> node_properties;          ///< by position in the path
  std::vector<std::vector<Property>> relationship_properties;  ///< by position in the path
  Pipeline match;
};
/// Erase what the targets name, once all rows are known.
struct DeleteEntities {
  const DeleteClause* clause = nullptr;
};
/// Run the inner pipeline for each element of a list, for what it writes.
struct Foreach {
  const ForeachClause* clause = nullptr;
  Pipeline updates;
};
/// The rows of a query for each row, or the row itself once where the query has no columns.
struct CallSubquery {
  const CallSubqueryClause* clause = nullptr;
  std::vector<Pipeline> branches;  ///< the parts of a UNION
  bool distinct = false;
  bool is_writing = false;
};
/// The rows of a procedure for each row.
struct CallProcedure {
  const CallClause* clause = nullptr;
  bool gives_all = false;  ///< every column, into the first slots: a CALL on its own
};

}  // namespace cairn::query

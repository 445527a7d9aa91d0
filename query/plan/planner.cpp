// Plans clauses in the order of the text, patterns in the order of their elements, and conditions after their MATCH.
// Such a plan is correct but slow. All improvements are rules of the optimizer, each of which can be switched off.
//
//    MATCH ... WHERE       steps of the pattern, BindPath, Select [, LateFilterWarning]
//    OPTIONAL MATCH        Optional { the same }
//    WITH / RETURN         [Aggregate,] Project [, Distinct] [, Sort] [, Skip] [, Limit] [, TrimColumns]
//                          [, Select]
//    CALL { }              CallSubquery { the plan of its query }
//    writing clauses       one operator each, which reads all of its input first
//
// An operator's output row starts as a copy of its input row. So all rows up to the next projection have the length
// that the longest clause there needs, including the slots for MERGE values.
#include "query/plan/planner.hpp"

#include "query/bind/bound_query.hpp"
#include "query/plan/pattern_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <unordered_set>
#include <utility>

namespace cairn::query {
namespace {

Select select_all(const std::vector<ExpressionPtr>& conjuncts) {
  Select select;
  for (const ExpressionPtr& conjunct : conjuncts) select.conjuncts.push_back(conjunct.get());
  return select;
}

/// Returns the slots that only a complete path has: the path variable, and the relationships of a shortest path.
SlotSet path_slots(const PathPattern& path) {
  SlotSet slots;
  if (path.slot) slots.insert(*path.slot);
  if (path.search != PathSearch::every) slots.insert(path.relationships[0].slot);
  return slots;
}

bool reads_any(const SlotSet& read, const SlotSet& slots) {
  return std::ranges::any_of(slots, [&](Slot slot) { return read.contains(slot); });
}

/// True if the condition at this position of the clause is about this shortest path only. A condition about two paths
/// is checked after both paths. Paths with a selector are selected after the conditions in their pattern and before the
/// WHERE of the clause, whether or not a condition is deterministic.
bool is_test_of(std::size_t position, const PathPattern& path, const MatchClause& clause) {
  const Expression& condition = *clause.conjuncts[position];
  if (path.search == PathSearch::every) return false;
  const bool may_be_test =
      path.is_selected ? position < clause.inner_conjuncts : is_deterministic(condition);
  if (!may_be_test) return false;
  const SlotSet read = free_slots(condition);
  return reads_any(read, path_slots(path)) &&
         std::ranges::none_of(clause.paths, [&](const PathPattern& other) {
           return &other != &path && reads_any(read, path_slots(other));
         });
}

// Returns the conditions that decide which path is the shortest.
std::vector<const Expression*> tests_of(const PathPattern& path, const MatchClause& clause) {
  std::vector<const Expression*> tests;
  for (std::size_t i = 0; i < clause.conjuncts.size(); ++i)
    if (is_test_of(i, path, clause)) tests.push_back(clause.conjuncts[i].get());
  return tests;
}

/// True if all keys are among the first `columns` values of the sort row.
bool are_columns(std::span<const SortKey> keys, std::uint32_t columns) {
  return std::ranges::all_of(keys, [&](const SortKey& key) {
    return key.expression->kind == ExpressionKind::variable && key.expression->slot < columns;
  });
}

// True if UNION must remove duplicates.
bool is_distinct(const Query& query) { return query.distinct && query.parts.size() > 1; }

// Plans the clauses of one single query as one pipeline.
class ClausePlanner {
 public:
  explicit ClausePlanner(LogicalPlan& plan) : plan_(plan) {}

  /// Each add_clause() sees the later clauses in rest_: a projection starts a new part, whose width depends on all
  /// clauses of the part.
  Result<Pipeline> plan_clauses(std::span<const Clause> clauses) {
    enter_part(clauses, least_width_);
    pipeline_.width = width_;
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      rest_ = clauses.subspan(i + 1);
      CAIRN_TRY(std::visit([&](const auto& clause) { return add_clause(clause); }, clauses[i]));
    }
    return std::move(pipeline_);
  }

  // Plans a pattern inside an expression. Its rows start as copies of the outer row, with the same slots, so bound
  // nodes need no scan.
  Pipeline plan_pattern(const MatchClause& clause) {
    width_ = pipeline_.width = clause.width;
    lay_out(clause, pipeline_);
    return std::move(pipeline_);
  }

 private:
  // Starts a part with rows as long as its clauses need, but not shorter than `least`.
  void enter_part(std::span<const Clause> clauses, std::uint32_t least = 0) {
    const RowWidth width = row_width(clauses);
    next_merge_slot_ = std::max(least, width.visible);
    width_ = next_merge_slot_ + width.merge_slots;
  }

  void add(OperatorContent content) {
    pipeline_.operators.push_back({std::move(content), width_, 0, 0});
  }

  /// Operators of one MATCH get a common number above 0, by which rules find operators that belong together.
  void lay_out(const MatchClause& clause, Pipeline& pipeline) {
    PatternSource source{clause.paths, clause.search ? &*clause.search : nullptr};
    for (const PathPattern& path : clause.paths)
      if (auto tests = tests_of(path, clause); !tests.empty())
        source.tests.emplace(&path, std::move(tests));
    const PatternGraph graph(source);
    PatternLayout layout(graph, ++clause_count_, width_);
    pipeline.patterns.emplace(clause_count_, std::move(source));
    layout.search();
    layout.finish();
    for (Operator& step : layout.take()) pipeline.operators.push_back(std::move(step));
    add_conditions(clause, pipeline);
    // If the search is the last operator, no later step can drop a hit, so no warning is needed.
    if (clause.search && !std::holds_alternative<SearchVectors>(pipeline.operators.back().content))
      pipeline.operators.push_back({LateFilterWarning{&*clause.search}, width_, 0, 0});
  }

  // Labels of the searched variable define what is searched. They become conditions of the search, before its own
  // conditions, because a check after the search would drop hits.
  void add_conditions(const MatchClause& clause, Pipeline& pipeline) {
    Select select = select_all(clause.conjuncts);
    // FindShortest has already checked the conditions that decide which path is the shortest.
    std::unordered_set<const Expression*> tests;
    for (const PathPattern& path : clause.paths)
      for (const Expression* test : tests_of(path, clause)) tests.insert(test);
    std::erase_if(select.conjuncts, [&](const Expression* one) { return tests.contains(one); });
    if (clause.search) {
      SearchVectors& search = find_search(pipeline);
      search.conjuncts = select_all(clause.search->conjuncts).conjuncts;
      const auto labels =
          std::stable_partition(select.conjuncts.begin(), select.conjuncts.end(),
                                [&](const Expression* one) { return !is_label_of(*one, clause); });
      search.conjuncts.insert(search.conjuncts.begin(), labels, select.conjuncts.end());
      select.conjuncts.erase(labels, select.conjuncts.end());
      std::ranges::copy_if(search.conjuncts, std::back_inserter(search.labels),
                           [&](const Expression* one) { return is_label_of(*one, clause); });
    }
    if (!select.conjuncts.empty())
      pipeline.operators.push_back({std::move(select), width_, clause_count_, 0});
  }

  // True for a label test of the searched variable, or for several such tests combined by logic. Labels by value must
  // be known before the search.
  static bool is_label_of(const Expression& condition, const MatchClause& clause) {
    switch (condition.kind) {
      case ExpressionKind::has_label:
      case ExpressionKind::has_labels:
        return condition.children[0]->kind == ExpressionKind::variable &&
               condition.children[0]->slot == clause.search->slot &&
               (condition.kind == ExpressionKind::has_label ||
                !reads_any(free_slots(*condition.children[1]),
                           SlotSet(clause.introduced.begin(), clause.introduced.end())));
      case ExpressionKind::logical_not:
      case ExpressionKind::logical_and:
      case ExpressionKind::logical_or:
      case ExpressionKind::logical_xor:
        return std::ranges::all_of(condition.children, [&](const ExpressionPtr& child) {
          return is_label_of(*child, clause);
        });
      default:
        return false;
    }
  }

  // Precondition: the pipeline has a search.
  static SearchVectors& find_search(Pipeline& pipeline) {
    const auto found = std::find_if(
        pipeline.operators.rbegin(), pipeline.operators.rend(),
        [](const Operator& one) { return std::holds_alternative<SearchVectors>(one.content); });
    return std::get<SearchVectors>(found->content);
  }

  // An OPTIONAL MATCH is an inner pipeline. If it returns no row, the operator returns the input
  // row with nulls.
  Status add_clause(const MatchClause& clause) {
    if (!clause.optional) {
      lay_out(clause, pipeline_);
      return {};
    }
    Optional optional;
    optional.introduced = clause.introduced;
    optional.inner.width = width_;
    lay_out(clause, optional.inner);
    add(std::move(optional));
    return {};
  }

  Status add_clause(const UnwindClause& clause) {
    add(Unwind{&clause});
    return {};
  }

  /// The sort sees the columns, and the input row only if ORDER BY reads more than columns. After the sort, TrimColumns
  /// restores the width of the part.
  Status add_clause(const ProjectClause& clause) {
    const auto columns = static_cast<std::uint32_t>(clause.items.size());
    const bool sees_input = !clause.order.empty() && !clause.aggregating && !clause.distinct;
    const bool keep_input = sees_input && !are_columns(clause.order, columns);
    if (clause.aggregating) {
      width_ = std::max(clause.width,
                        static_cast<std::uint32_t>(clause.keys.size() + clause.aggregates.size()));
      add(Aggregate{&clause});
    }
    enter_part(rest_, std::max(columns, clause.width));
    const std::uint32_t next_width = width_;
    if (sees_input) width_ = keep_input ? std::max(width_, columns + clause.input_width) : columns;
    add(Project{&clause, keep_input});
    if (clause.distinct) add(Distinct{columns});
    add_order(clause);
    width_ = next_width;
    if (sees_input) add(TrimColumns{columns});
    if (clause.where) add(Select{{clause.where.get()}});
    return {};
  }

  /// A LIMIT after writing clauses reads at least one batch, even LIMIT 0, so that the writes happen.
  void add_order(const ProjectClause& clause) {
    if (!clause.order.empty()) add(Sort{&clause, false});
    if (clause.skip) add(Skip{clause.skip.get()});
    if (clause.limit) add(Limit{clause.limit.get(), has_written_});
  }

  Status add_clause(const CreateClause& clause) { return add_writing(CreatePattern{&clause}); }
  Status add_clause(const SetClause& clause) { return add_writing(SetProperties{&clause}); }
  Status add_clause(const DeleteClause& clause) { return add_writing(DeleteEntities{&clause}); }

  /// Each MERGE has slots of its own, so that two of them in one part do not share values.
  Status add_clause(const MergeClause& clause) {
    CAIRN_ASSIGN(MergePattern merge, plan_merge(clause, {next_merge_slot_, width_, ++clause_count_},
                                                plan_.synthesized));
    next_merge_slot_ += merge.slots;
    return add_writing(std::move(merge));
  }

  Status add_clause(const std::unique_ptr<ForeachClause>& clause) {
    Foreach each;
    each.clause = clause.get();
    ClausePlanner inner(plan_);
    inner.least_width_ = clause->width;
    CAIRN_ASSIGN(each.updates, inner.plan_clauses(clause->updates));
    return add_writing(std::move(each));
  }

  Status add_clause(const CallClause& clause) {
    has_written_ |= is_writing(clause);
    add(CallProcedure{&clause});
    if (!clause.conjuncts.empty()) add(select_all(clause.conjuncts));
    return {};
  }

  /// Rows of the subquery start as copies of the outer row, as for patterns in expressions.
  Status add_clause(const CallSubqueryClause& clause) {
    const Query& query = *clause.subquery->subquery;
    CallSubquery call{
        &clause, {}, is_distinct(query), is_writing(query) || clause.on_error != OnError::fail};
    for (const SingleQuery& part : query.parts) {
      CAIRN_ASSIGN(Pipeline branch, ClausePlanner(plan_).plan_clauses(part.clauses));
      call.branches.push_back(std::move(branch));
    }
    has_written_ |= call.is_writing;
    add(std::move(call));
    return {};
  }

  Status add_writing(OperatorContent content) {
    has_written_ = true;
    add(std::move(content));
    return {};
  }

  LogicalPlan& plan_;
  Pipeline pipeline_;
  std::span<const Clause> rest_;
  std::uint32_t least_width_ = 0;  // least width of the rows of the first part
  std::uint32_t width_ = 0;
  std::uint32_t clause_count_ = 0;  // number of patterns planned so far
  Slot next_merge_slot_ = 0;        // next free slot for a value of MERGE
  bool has_written_ = false;        // whether an earlier clause of this query writes
};

}  // namespace

// Decides by name, because procedures are looked up only when the statement runs.
bool is_writing(const CallClause& call) {
  constexpr std::string_view those[] = {"db.expire",       "db.rules.apply", "db.rules.drop",
                                        "db.rules.put",    "db.rules.undo",  "db.scrub",
                                        "memory.add",      "memory.file",    "memory.forget",
                                        "memory.remember", "memory.restore", "memory.update"};
  const auto starts_with = [&](std::string_view name) { return call.procedure.starts_with(name); };
  return starts_with("db.create.") || starts_with("db.index.vector.create") ||
         starts_with("apoc.merge.") || starts_with("apoc.create.") ||
         std::ranges::find(those, call.procedure) != std::end(those);
}

namespace {

/// True if a call outside of expressions passes the test. Includes the calls in subqueries of CALL { }.
template <class Test>
bool any_call(const Query& query, const Test& test) {
  const auto has_one = [&](const Clause& clause) {
    if (const auto* call = std::get_if<CallClause>(&clause)) return bool{test(*call)};
    const auto* called = std::get_if<CallSubqueryClause>(&clause);
    return called != nullptr && any_call(*called->subquery->subquery, test);
  };
  return std::ranges::any_of(query.parts, [&](const SingleQuery& part) {
    return std::ranges::any_of(part.clauses, has_one);
  });
}

}  // namespace

// A statement that calls a writing procedure is a writing statement.
bool is_writing(const Query& query) {
  return query.is_writing ||
         any_call(query, [](const CallClause& call) { return is_writing(call); });
}

// These procedures are about the database itself, not about one snapshot of it.
bool needs_database(const Query& query) {
  constexpr std::string_view those[] = {"db.backup", "db.segments", "db.warm"};
  return any_call(query, [&](const CallClause& call) {
    return std::ranges::find(those, call.procedure) != std::end(those);
  });
}

bool scrubs(const Query& query) {
  if (query.parts.size() != 1 || query.parts[0].clauses.size() != 1) return false;
  const auto* call = std::get_if<CallClause>(&query.parts[0].clauses[0]);
  return call != nullptr && call->procedure == "db.scrub";
}

// UNION removes duplicates from the rows of all parts. UNION ALL and a single part pass their rows on.
Result<LogicalPlan> plan(const Query& query) {
  LogicalPlan plan;
  plan.distinct = is_distinct(query);
  plan.is_writing = is_writing(query);
  plan.columns = query.parts.front().columns;
  for (const SingleQuery& part : query.parts) {
    CAIRN_ASSIGN(Pipeline pipeline, ClausePlanner(plan).plan_clauses(part.clauses));
    plan.branches.push_back(std::move(pipeline));
  }
  return plan;
}

LogicalPlan plan(const MatchClause& pattern) {
  LogicalPlan plan;
  plan.branches.push_back(ClausePlanner(plan).plan_pattern(pattern));
  return plan;
}

}  // namespace cairn::query

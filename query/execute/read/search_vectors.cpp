// SEARCH: the filter becomes a set of ids first, and the index of vectors or texts is searched among
// those, so that it gives as many hits as there are matches, up to its limit.

#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/operators.hpp"
#include "query/execute/read/search_arguments.hpp"

#include <array>
#include <optional>

namespace cairn::query {
namespace {

class SearchVectorsOperator final : public FanOutOperator {
 public:
  SearchVectorsOperator(const SearchVectors& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        clause_(*content.clause),
        filter_(parts.context.evaluator, content.filter) {}

 protected:
  Status begin(Row row) override {
    hits_.clear();
    next_ = 0;
    CAIRN_ASSIGN(const SearchIndex index, find_search_index(graph().catalog(), clause_));
    kind_ = index.kind;
    CAIRN_ASSIGN(const auto arguments, evaluate_search(evaluator(), clause_, row));
    if (!arguments || arguments->k == 0) return {};
    CAIRN_ASSIGN(const std::optional<codec::IdSet> allowed, allowed_ids(row));
    const codec::IdSet* ids = allowed ? &*allowed : nullptr;
    if (clause_.is_full_text) return search_texts(index.id, *arguments, ids);
    engine::VectorQuery query;
    query.query = arguments->query;
    query.k = arguments->k;
    query.exact = clause_.exact;
    query.ef_search = arguments->ef_search;
    query.allowed = ids;
    return search(index.id, query);
  }

  Result<bool> emit(Row row, RowBatch& out, std::size_t limit) override {
    for (; next_ < hits_.size() && out.size() < limit; ++next_) {
      Row made = out.append(row);
      made[clause_.slot] = entity_value(kind_, hits_[next_].id);
      if (clause_.score) made[*clause_.score] = hits_[next_].score;
    }
    return next_ < hits_.size();
  }

 private:
  Status search(std::uint32_t index, const engine::VectorQuery& query) {
    auto found = graph().view().nearest(index, query);
    if (!found && !found.error().where) found.error().where = clause_.where;
    if (!found) return std::move(found).error();
    hits_ = std::move(found->hits);
    note_hits(found->executor);
    return {};
  }

  Status search_texts(std::uint32_t index, const SearchArguments& arguments,
                      const codec::IdSet* allowed) {
    engine::TextQuery query;
    query.text = arguments.text;
    query.k = arguments.k;
    query.allowed = allowed;
    auto found = graph().view().search_text(index, query);
    if (!found && !found.error().where) found.error().where = clause_.where;
    if (!found) return std::move(found).error();
    for (const engine::TextHit& hit : found->hits) hits_.push_back({hit.id, hit.score});
    if (!found->warning.empty()) context_.warnings.push_back(found->warning);
    note_hits(found->executor);
    return {};
  }

  void note_hits(const std::string& executor) {
    own_meter().remark = executor;
    for (const Neighbor& hit : hits_) context_.hits[clause_.slot].insert(hit.id);
  }

  // Nothing where every entity may be a hit.
  Result<std::optional<codec::IdSet>> allowed_ids(Row row) {
    const bool is_free = content_.filter.conjuncts.empty() && content_.conjuncts.empty();
    if (is_free && !content_.is_bound) {
      CAIRN_ASSIGN(const codec::IdSet* restriction, graph().restriction(kind_));
      return restriction == nullptr ? std::nullopt : std::optional(*restriction);
    }
    CAIRN_ASSIGN(const FilterEvaluator::Found* found, filter_.find(row));
    codec::IdSet ids = content_.is_bound ? only_bound(row, found->ids) : found->ids;
    std::vector<const Expression*> checks = found->recheck;
    checks.insert(checks.end(), content_.conjuncts.begin(), content_.conjuncts.end());
    if (checks.empty()) return std::optional(std::move(ids));
    CAIRN_ASSIGN(codec::IdSet passing, check_records(row, ids, checks));
    return std::optional(std::move(passing));
  }

  codec::IdSet only_bound(Row row, const codec::IdSet& ids) const {
    codec::IdSet one;
    const auto entity = entity_of(row[clause_.slot]);
    if (entity && entity->kind == kind_ && ids.contains(entity->id)) one.add(entity->id);
    return one;
  }

  // Before the search, because a hit that fails afterwards would have taken the place of another.
  Result<codec::IdSet> check_records(Row row, const codec::IdSet& ids,
                                     std::span<const Expression* const> checks) {
    std::vector<std::uint64_t> passing;
    std::array<std::uint64_t, RowBatch::capacity> some;
    RowBatch rows;
    codec::IdCursor cursor(ids);
    while (const std::size_t count = cursor.next(some)) {
      rows.reset(width());
      for (std::size_t i = 0; i < count; ++i)
        rows.append(row)[clause_.slot] = entity_value(kind_, some[i]);
      CAIRN_TRY(keep_passing(context_, checks, rows));
      for (std::size_t i = 0; i < rows.size(); ++i)
        passing.push_back(entity_of(rows[i][clause_.slot])->id);
    }
    return codec::IdSet::from_sorted(passing);
  }

  const SearchVectors& content_;
  const SearchClause& clause_;
  FilterEvaluator filter_;
  codec::EntityKind kind_ = codec::EntityKind::node;
  std::vector<Neighbor> hits_;
  std::size_t next_ = 0;
};

}  // namespace

OperatorPtr make_operator(const SearchVectors& content, Parts parts) {
  return std::make_unique<SearchVectorsOperator>(content, std::move(parts));
}

}  // namespace cairn::query

// Drops rows whose entity is not in a set of ids. Indexes compute the set once, so no records are
// read. The set is computed for the first batch, and again after a write.

#include "codec/bitmap.hpp"
#include "codec/sorted_ids.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/read/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::query {
namespace {

class SemiJoinFilterOperator final : public PhysicalOperator {
 public:
  SemiJoinFilterOperator(const SemiJoinFilter& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        plan_(content.filter),
        filter_(parts.context.evaluator, content.filter) {}

 protected:
  /// Reads batches until one has a row that passes. The order of rows is preserved.
  Result<bool> produce(RowBatch& out) override {
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(out));
      if (!more) return false;
      CAIRN_TRY(keep(out));
      if (!out.empty()) return true;
    }
  }

 private:
  /// The set is the same for all rows, because its conditions read no other variable. Conditions
  /// that the indexes cannot decide are checked on the records of the remaining rows.
  Status keep(RowBatch& out) {
    out.copy_row(0, first_);
    CAIRN_ASSIGN(const FilterEvaluator::Found* found, filter_.find(first_));
    if (out.is_packed() && out.column(plan_.slot).has_entities())
      keep_packed(found->ids, out);
    else
      keep_rows(found->ids, out);
    return keep_passing(context_, found->recheck, out);
  }

  // Tests ids directly in the column, without making rows.
  void keep_packed(const codec::Bitmap& ids, RowBatch& out) {
    const BatchColumn& column = out.column(plan_.slot);
    std::vector<std::uint32_t> rows(out.size());
    std::size_t kept = 0;
    codec::IdMembership members(ids, &spread_);
    const std::span<const std::uint64_t> words = column.words();
    if (column.kind() == plan_.kind)
      for (std::size_t row = 0; row < out.size(); ++row) {
        rows[kept] = static_cast<std::uint32_t>(row);
        kept += members.contains(words[row]) ? 1 : 0;
      }
    out.keep_rows(std::span(rows).first(kept));
  }

  // A row without an entity in the slot is dropped.
  void keep_rows(const codec::Bitmap& ids, RowBatch& out) const {
    std::vector<bool> passing(out.size());
    for (std::size_t row = 0; row < out.size(); ++row) {
      const auto entity = entity_of(out.cell(row, plan_.slot));
      passing[row] = entity && entity->kind == plan_.kind && ids.contains(entity->id);
    }
    out.keep(passing);
  }

  const FilterPlan& plan_;
  FilterEvaluator filter_;
  codec::SpreadArrays spread_;
  std::vector<Value> first_;  // first row of the current batch
};

}  // namespace

OperatorPtr make_operator(const SemiJoinFilter& content, Parts parts) {
  return std::make_unique<SemiJoinFilterOperator>(content, std::move(parts));
}

}  // namespace cairn::query

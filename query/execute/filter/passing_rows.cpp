#include "query/execute/filter/passing_rows.hpp"

#include "query/execute/row_batch.hpp"

#include <vector>

namespace cairn::query {

// Ids come in ascending order, as from_sorted() needs them.
Result<codec::Bitmap> passing_ids(ExecutionContext& context, const RecordCheck& check,
                                  const codec::Bitmap& candidates, Row argument) {
  if (check.conditions.empty()) return candidates;
  std::vector<std::uint64_t> passing;
  const auto take = [&](RowBatch& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      passing.push_back(entity_of(rows[i][check.slot])->id);
  };
  CAIRN_TRY(for_each_passing(context, check, candidates, argument, take));
  return codec::Bitmap::from_sorted(passing);
}

}  // namespace cairn::query

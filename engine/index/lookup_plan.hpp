#pragma once
// Which index keys answer a question: IndexPredicate -> ranges of keys, without touching the store.

#include "engine/store/cursor.hpp"

#include <vector>

namespace cairn::engine {

struct IndexPredicate;

struct LookupPart {
  KeyRange range;
  bool single = false;  ///< the range holds one posting, named by range.first
  bool exact = true;    ///< false: ids found here must still be compared with their records
};

/// Their union is the answer; no part at all means that nothing can match.
using LookupPlan = std::vector<LookupPart>;

[[nodiscard]] LookupPlan plan_lookup(const IndexPredicate& question);

}  // namespace cairn::engine

#pragma once
// By how much 4-bit codes have erred for one query, seen at the vectors that were compared in full; and
// which others may therefore be hits.

#include "engine/vector/beam_query.hpp"
#include "engine/vector/coded_scan.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace cairn::engine {

/// The nth least distance of some; 1 <= nth <= their number.
[[nodiscard]] float nth_distance(std::span<const SlotDistance> some, std::size_t nth);

/// How far a hit lies, whatever the length of the query: a number that is not negative and grows with it, of
/// its own for each metric.
[[nodiscard]] double farness(const DistanceMetric& measure, std::span<const float> query,
                             float distance);

struct CodeErrorInput {
  const DistanceMetric& measure;
  std::span<const float> query;
  const CodedQuery& coded;
  const InternalIds& slots;
  std::span<const QuantizedTopK::Item> items;
  /// Those of the items whose distances are known: mostly all, and in the same order.
  std::span<const SlotDistance> compared;
};
/// Who has no greater score by its code is not among the nearest `k`, as far as errors were seen; below all
/// scores where fewer are known.
[[nodiscard]] double least_hit_score(const CodeErrorInput& input, std::size_t k);
/// The same where only those that are best by their codes were compared, whose errors say less of others.
[[nodiscard]] double least_hit_score_of_best(const CodeErrorInput& input, std::size_t k);

}  // namespace cairn::engine

// What a cost_model says of shares between those that were measured.
#include "engine/vector/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::engine {

PartitionPrice CostModel::partition_price(Accuracy recall, double share) const noexcept {
  const auto at = std::min<std::size_t>(static_cast<std::size_t>(recall), kept.size() - 1);
  // 0 at a share of one in ten or less, 1 without a filter.
  const double towards_all = std::clamp(1 + std::log10(std::max(share, 1e-9)), 0.0, 1.0);
  const PartitionPrice &all = all_partitions[at], &tenth = tenth_partitions[at];
  const auto between = [&](double from, double to) { return from + (to - from) * towards_all; };
  return {between(tenth.reach, all.reach), between(tenth.reach_of_one, all.reach_of_one),
          between(tenth.cost_ns, all.cost_ns)};
}

double CostModel::farthest_hit(double share) const noexcept {
  const double tenths = -std::log10(std::clamp(share, 1e-9, 1.0));
  return farthest_of_all + (farthest_of_tenth - farthest_of_all) * tenths;
}

}  // namespace cairn::engine

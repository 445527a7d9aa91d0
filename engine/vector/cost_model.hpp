#pragma once
// What searching one segment costs and gives here: measured when it is sealed or loaded, so that no
// threshold is tuned to one machine or one kind of vectors.

#include "engine/vector/beam_search.hpp"
#include "engine/vector/ivf_index.hpp"
#include "engine/vector/vector_index.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace cairn::engine {

/// What a search of partitions takes for a class of recall.
struct PartitionPrice {
  double reach = 3;         ///< as of ProbeBounds, where ten hits or more are wanted
  double reach_of_one = 3;  ///< where one is, which no better one makes up for
  double cost_ns = 0;       ///< of ten
};

/// What a walk over the graph takes for a class of recall, without a filter.
struct GraphPrice {
  double ef = 0;       ///< candidates it keeps
  double cost_ns = 0;  ///< 0: not measured
};

struct CostModel {
  double float_ns = 20;  ///< one vector, anywhere in memory, compared in full precision
  double stream_ns = 2;  ///< one code of many in order
  double gather_ns = 4;  ///< one selected vector of a scan that leaves out the others
  /// The fixed cost of a scan of codes: encoding the query, sorting the best, measuring errors.
  double scan_ns = 2'500;
  /// The cost to find the selected ones of 64 ranks, if the filter is a bitmap and a scan skips the others.
  double bit_word_ns = 1.5;
  /// Codes to keep for each wanted hit, so that the hits are among them as often as the class of
  /// recall says: fast, standard, high.
  std::array<double, 3> kept = {2, 3, 5};
  /// By class of recall; without a filter, and with one in ten allowed.
  std::array<PartitionPrice, 3> all_partitions = {};
  std::array<PartitionPrice, 3> tenth_partitions = {};
  std::array<GraphPrice, 3> graph = {};  ///< by class of recall
  /// The cost of hnswlib's search relative to these; 1 if it is the only search.
  double hnswlib_times = 1;

  /// So much too low may 1-bit codes score a hit, weights and factor being 1, by class of recall: of true
  /// neighbours all but half of what the class may miss lie within.
  std::array<double, 3> sign_reach = {1.5, 1.75, 2};

  /// So far, as of farness(), may the tenth hit lie of what is like the stored vectors; without a filter, and
  /// with one in ten allowed.
  double farthest_of_all = 0, farthest_of_tenth = 0;
  static constexpr std::size_t calibrated_hits = 10;
  /// Interpolated by the logarithm of the selected share.
  [[nodiscard]] double farthest_hit(double share) const noexcept;

  /// Interpolates between the two by the logarithm of the selected share.
  [[nodiscard]] PartitionPrice partition_price(Accuracy recall, double share) const noexcept;
  /// The bounds with the prices of a scan and of single vectors.
  [[nodiscard]] ProbeBounds effort_of(double reach, float least) const noexcept {
    return {reach, least, stream_ns, gather_ns};
  }
  [[nodiscard]] double kept_for(Accuracy recall) const noexcept {
    return kept[std::min<std::size_t>(static_cast<std::size_t>(recall), kept.size() - 1)];
  }
};

/// The numbers that a file holds, in its order: visit(double&).
template <class Self, class Visit>
void visit_numbers(Self& costs, Visit&& visit) {
  visit(costs.float_ns);
  visit(costs.stream_ns);
  visit(costs.gather_ns);
  visit(costs.scan_ns);
  visit(costs.bit_word_ns);
  for (auto& reach : costs.sign_reach) visit(reach);
  for (auto& kept : costs.kept) visit(kept);
  for (auto* prices : {&costs.all_partitions, &costs.tenth_partitions})
    for (auto& price : *prices) visit(price.reach), visit(price.reach_of_one), visit(price.cost_ns);
  for (auto& price : costs.graph) visit(price.ef), visit(price.cost_ns);
  visit(costs.farthest_of_all);
  visit(costs.farthest_of_tenth);
  visit(costs.hnswlib_times);
}
/// Whether numbers of a file are such as calibrate() gives.
[[nodiscard]] bool is_plausible(const CostModel& costs) noexcept;

/// What there is to calibrate: all by rank.
struct CostModelInput {
  const DistanceMetric& measure;
  const InternalIds& slots;
  const Sq4Codes& codes;
  const IvfIndex& partitions;  ///< may be empty
  const std::function<const float*(std::uint32_t)>& row_of;
  /// The slots of the `ef` nearest to that of a slot that a walk finds, without itself; null where there is
  /// no graph.
  std::function<std::vector<std::uint32_t>(std::uint32_t slot, std::size_t ef, GraphSearcher)>
      walk = {};
  bool has_own_walk = false;  ///< beside hnswlib's; goes as if that slot were not in the graph
};

/// Cost: about half a second of one core at most.
[[nodiscard]] CostModel calibrate(const CostModelInput& input);

}  // namespace cairn::engine

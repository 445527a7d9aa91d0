#pragma once
// CostModel: the measured costs of searching one segment, and the effort that each accuracy class
// needs there. calibrate() measures both when the segment is sealed, so that no threshold is tuned to
// one machine or one kind of vectors. search_plan.cpp chooses a strategy by them.

#include "engine/vector/beam_search.hpp"
#include "engine/vector/ivf_index.hpp"
#include "engine/vector/vector_index.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace cairn::engine {

/// The effort and cost of a search of partitions for one accuracy class.
struct PartitionPrice {
  double reach = 3;  ///< ProbeBounds::reach if ten hits or more are wanted
  /// The reach if one hit is wanted. It is larger, because no other hit makes up for a missed one.
  double reach_of_one = 3;
  double cost_ns = 0;  ///< cost of a search for ten hits, without rescoring
};

/// The effort and cost of a graph search without a filter, for one accuracy class.
struct GraphPrice {
  double ef = 0;       ///< candidates that the search holds
  double cost_ns = 0;  ///< 0 if not measured
};

/// Measured costs in nanoseconds of thread CPU time, and efforts by accuracy class (fast, standard,
/// high).
struct CostModel {
  double float_ns = 20;  ///< comparing one full vector at a random address
  double stream_ns = 2;  ///< scoring one code when all codes are read in order
  double gather_ns = 4;  ///< scoring the code of one selected vector when the others are skipped
  /// The fixed cost of a scan of codes: encoding the query, sorting the best candidates, measuring
  /// their errors.
  double scan_ns = 2'500;
  /// The cost of finding the selected ranks among 64 bits, if the filter is a bitmap and the scan
  /// skips the other ranks.
  double bit_word_ns = 1.5;
  /// By class: codes to rescore for each wanted hit, so that the true hits are among them often
  /// enough.
  std::array<double, 3> rerank_per_hit = {2, 3, 5};
  /// By class: the effort and cost of searching partitions without a filter, and with a filter that selects one vector
  /// in ten.
  std::array<PartitionPrice, 3> all_partitions = {};
  std::array<PartitionPrice, 3> tenth_partitions = {};
  std::array<GraphPrice, 3> graph = {};  ///< by class
  /// The cost of hnswlib's search relative to `graph`; 1 if the graph has no other search.
  double hnswlib_times = 1;

  /// By class: by how much the score of a 1-bit code may be too low for a true neighbour, in units
  /// of the query's length times the vector's factor (binary_codes.hpp). It is the 95, 98 or 99 %
  /// quantile of the measured errors, times a margin.
  std::array<double, 3> sign_reach = {1.5, 1.75, 2};

  /// The greatest farness() of the tenth hit that is expected for a query like the stored vectors,
  /// without a filter and with one that selects one in ten. A query whose hits are farther is out
  /// of distribution.
  double farthest_of_all = 0, farthest_of_tenth = 0;
  /// Number of hits of a search for which efforts are measured.
  static constexpr std::size_t calibrated_hits = 10;
  /// The greatest expected farness() if a filter selects `share`, interpolated by its logarithm.
  [[nodiscard]] double farthest_hit(double share) const noexcept;

  /// The effort and cost if a filter selects `share`, interpolated by its logarithm. A share below
  /// a tenth counts as a tenth.
  [[nodiscard]] PartitionPrice partition_price(Accuracy recall, double share) const noexcept;
  /// Bounds for a search of partitions, with the two costs that it needs.
  [[nodiscard]] ProbeBounds effort_of(double reach, float least) const noexcept {
    return {reach, least, stream_ns, gather_ns};
  }
  /// Codes to rescore for each wanted hit.
  [[nodiscard]] double rerank_per_hit_of(Accuracy recall) const noexcept {
    return rerank_per_hit[std::min<std::size_t>(static_cast<std::size_t>(recall),
                                                rerank_per_hit.size() - 1)];
  }
};

/// Calls visit(number) for each number that a file stores, in the order of the file.
template <class Self, class Visit>
void visit_numbers(Self& costs, Visit&& visit) {
  visit(costs.float_ns);
  visit(costs.stream_ns);
  visit(costs.gather_ns);
  visit(costs.scan_ns);
  visit(costs.bit_word_ns);
  for (auto& reach : costs.sign_reach) visit(reach);
  for (auto& count : costs.rerank_per_hit) visit(count);
  for (auto* prices : {&costs.all_partitions, &costs.tenth_partitions})
    for (auto& price : *prices) visit(price.reach), visit(price.reach_of_one), visit(price.cost_ns);
  for (auto& price : costs.graph) visit(price.ef), visit(price.cost_ns);
  visit(costs.farthest_of_all);
  visit(costs.farthest_of_tenth);
  visit(costs.hnswlib_times);
}
/// True if all numbers, read from a file, are in the ranges that calibrate() returns.
[[nodiscard]] bool is_plausible(const CostModel& costs) noexcept;

/// The segment to measure. A rank is a vector's position in ascending order of ids.
struct CostModelInput {
  const DistanceMetric& measure;
  const InternalIds& slots;
  const Sq4Codes& codes;
  const IvfIndex& partitions;  ///< may be empty: then partitions are not measured
  /// Returns the full vector of a rank.
  const std::function<const float*(std::uint32_t)>& row_of;
  /// Searches the graph with the vector of `slot` as the query and returns the slots found, without
  /// `slot` itself. Null without a graph.
  std::function<std::vector<std::uint32_t>(std::uint32_t slot, std::size_t ef, GraphSearcher)>
      walk = {};
  /// True if the graph has our own search besides hnswlib's. It treats the query's slot as absent
  /// from the graph.
  bool has_own_walk = false;
};

/// Measures the costs and efforts of a segment. Cost: at most about half a second of one core.
[[nodiscard]] CostModel calibrate(const CostModelInput& input);

}  // namespace cairn::engine

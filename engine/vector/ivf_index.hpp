#pragma once
// IvfIndex: the vectors of a segment in groups that lie together, each with its mean, so that a
// search reads the groups that can still hold a hit and leaves the rest.
//
// A group is read by its residual codes, in one piece; what they let through is looked up in the code
// table, whose scores decide.

#include "engine/vector/coded_scan.hpp"
#include "engine/vector/huge_memory.hpp"
#include "engine/vector/partitioning.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace cairn::engine {

/// How far a search of partitions goes. The last of the hits is the more probable in a partition the
/// fewer deviations it lies above the mean of the scores there; to read all partitions down to one
/// probability finds more hits for the same work than any other rule, on average over queries.
struct ProbeBounds {
  static constexpr double everything = 1e6;

  /// Partitions are left where the best hits that are known would be so many deviations above what
  /// their members have on average. The fewer of their members are selected, the sooner.
  double reach = everything;
  /// The same as in ProbePlan: no lower score is a hit.
  float least = -std::numeric_limits<float>::infinity();
  /// What reading a place in order costs, and a selected vector alone: behind the nearest partitions
  /// the cheaper is done.
  double place_ns = 1, gather_ns = 1e9;
};

class IvfIndex {
 public:
  IvfIndex() = default;
  /// `row_of` is by rank; `partition_of` names a partition below `means` / dimension for each rank.
  IvfIndex(const DistanceMetric& measure, std::span<const float> means,
           std::span<const std::uint32_t> partition_of,
           const std::function<const float*(std::uint32_t)>& row_of);

  [[nodiscard]] bool empty() const noexcept { return sizes_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// What a file holds, in its order: visit(std::vector<T>&), visit(float&).
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.spreads_);
    visit(self.norms_);
    IvfCodes::visit_arrays(self.residuals_, visit);
  }
  template <class Self, class Visit>
  static void visit_numbers(Self& self, Visit&& visit) {
    visit(self.width_);
    for (auto& error : self.errors_) visit(error);
  }
  /// To be called when these were filled from a file: false, and not to be used, if they are invalid
  /// of vectors that are parted so. The rest follows from `means` and `partition_of`.
  [[nodiscard]] bool settle(const DistanceMetric& measure, std::span<const float> means,
                            std::span<const std::uint32_t> partition_of);

  /// What is to be expected of each partition that was not read yet. Scores are dot products, less
  /// half of |x|^2 under the Euclidean metric.
  struct ProbePlan {
    std::vector<float> products;       // by partition: of query and mean
    std::vector<float> means;          // by partition: score of its members
    std::vector<float> deviations;     // by partition: of these scores
    std::vector<std::uint32_t> order;  // of partitions with members, about by promise

    void put_in_order(std::span<const float> promises, std::span<const std::uint32_t> sizes);
  };

  /// Cost: the means, some 10 microseconds for a thousand of 100 components.
  [[nodiscard]] ProbePlan plan_probes(std::span<const float> query) const;
  /// The share of the selected among the vectors of the most promising partitions, about.
  [[nodiscard]] double share_near(const ProbePlan& probe_plan,
                                  const OrdinalSelection& selection) const;

  /// Offer the selected vectors of one partition after the other, the most promising first, and of
  /// all that are as promising as `effort` says. `scan.query` is the coded form of `query`, and
  /// `probe_plan` what plan_probes() says of it. Cost: what is read, a quarter of a nanosecond for each 100
  /// components in the cache, and a microsecond for each 50 partitions.
  void search(std::span<const float> query, const CodedScan& scan, const ProbeBounds& effort,
              const ProbePlan& probe_plan, QuantizedTopK& top) const;

 private:
  class Reading;
  class Promise;

  class Remainder;

  void place(std::span<const std::uint32_t> partition_of);
  void group(std::span<const std::uint32_t> partition_of);
  [[nodiscard]] double share_asked(std::span<const std::uint32_t> partitions,
                                   const OrdinalSelection& selection) const;
  [[nodiscard]] double share_of_list(std::span<const std::uint32_t> partitions,
                                     std::span<const std::uint32_t> ranks) const;
  void set_means(std::span<const float> means);
  void measure_scales();
  [[nodiscard]] float allowance(double reach) const noexcept;
  void learn_spreads(std::span<const float> means,
                     const std::function<const float*(std::uint32_t)>& row_of);
  void learn_width(const std::function<const float*(std::uint32_t)>& row_of);

  DistanceMetric measure_;
  std::vector<float> means_;           // as of dot_blocks()
  std::vector<float> spreads_;         // by partition: mean |x - mean|^2
  std::vector<float> scales_;          // by partition: deviation of scores, for a query of length 1
  std::vector<float> mean_lengths_;    // by partition: |mean|^2
  std::vector<float> norms_;           // by partition: mean |x|^2
  std::vector<std::uint32_t> starts_;  // by partition: first place, a multiple of a block
  std::vector<std::uint32_t> sizes_;   // by partition
  HugeVector<std::uint32_t> ranks_;    // by place
  HugeVector<std::uint8_t> group_bytes_,
      group_bits_;                      // by rank: the partition, as of keep_groups()
  std::vector<std::uint32_t> samples_;  // by partition: ranks of a few members, all over it
  IvfCodes residuals_;                  // by place
  float width_ = 1;                     // how many directions share a spread, as seen by queries
  std::array<float, 2> errors_ = {};    // as of allowance(), at a low reach and at a high one
};

}  // namespace cairn::engine

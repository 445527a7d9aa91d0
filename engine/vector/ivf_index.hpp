#pragma once
// IvfIndex: an inverted-file index. The vectors of a segment are partitioned around centroids
// ("means"), so that a search reads only the partitions that can still contain a hit.
//
// A partition is scanned by its 1-bit residual codes in one piece. Vectors that pass are scored by
// their 4-bit codes, which decide.
//
// Two numberings occur: a rank is the place of a vector in ascending order of ids; a place is its
// position in this index, where the members of a partition are contiguous.

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

/// How far a search of partitions goes. The last of the k best hits known so far is a number of
/// standard deviations above the mean score of a partition. The smaller this number, the more
/// probable are better hits there. Reading all partitions below one common number finds more hits
/// for the same work than any other rule, on average over queries.
struct ProbeBounds {
  /// A reach at which all partitions are read.
  static constexpr double everything = 1e6;

  /// A partition is skipped if the current k-th best is at least this many standard deviations above
  /// the mean score of its members. The limit is lower for a partition of which the filter selects
  /// less than elsewhere, and higher if it selects more.
  double reach = everything;
  /// Scores that are not greater cannot be hits. Units as in ProbePlan.
  float least = -std::numeric_limits<float>::infinity();
  /// Cost of reading one place in order, and of scoring one selected vector alone. After the
  /// nearest partitions, the search uses whichever costs less.
  double place_ns = 1, gather_ns = 1e9;
};

/// Immutable after construction or settle(). Threads: any number at once.
class IvfIndex {
 public:
  IvfIndex() = default;
  /// `row_of` returns the vector of a rank. `partition_of` holds, for each rank, a partition below
  /// `means` / dimension.
  IvfIndex(const DistanceMetric& measure, std::span<const float> means,
           std::span<const std::uint32_t> partition_of,
           const std::function<const float*(std::uint32_t)>& row_of);

  [[nodiscard]] bool empty() const noexcept { return sizes_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Calls visit(std::vector<T>&) for each array that a file stores, in the order of the file;
  /// visit_numbers() likewise calls visit(float&).
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
  /// Completes an index whose arrays and numbers were read from a file; the rest follows from
  /// `means` and `partition_of`. Returns false if they cannot belong to vectors partitioned like
  /// this. Then the index must not be used.
  [[nodiscard]] bool settle(const DistanceMetric& measure, std::span<const float> means,
                            std::span<const std::uint32_t> partition_of);

  /// What to expect of each partition for one query. Scores are dot products, under the Euclidean
  /// metric reduced by half of |x|^2.
  struct ProbePlan {
    std::vector<float> products;       // by partition: dot product of query and mean
    std::vector<float> means;          // by partition: expected score of its members
    std::vector<float> deviations;     // by partition: standard deviation of these scores
    std::vector<std::uint32_t> order;  // partitions with members, roughly by descending promise

    /// Fills `order`. A promise is an optimistic estimate of the best score in a partition.
    void put_in_order(std::span<const float> promises, std::span<const std::uint32_t> sizes);
  };

  /// Cost: scores all means, some 10 microseconds for a thousand means of 100 components.
  [[nodiscard]] ProbePlan plan_probes(std::span<const float> query) const;
  /// Estimates which share of the vectors in the most promising partitions is selected.
  [[nodiscard]] double share_near(const ProbePlan& probe_plan,
                                  const OrdinalSelection& selection) const;

  /// Offers the selected vectors of promising partitions to `top`, the most promising partition
  /// first, as far as `effort` allows. `scan.query` is the coded form of `query`, and `probe_plan`
  /// the result of plan_probes(query).
  ///
  /// Cost: 0.25 ns for each vector read and each 100 components, if cached, and a microsecond for
  /// each 50 partitions.
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
  std::vector<float> means_;    // in the layout of dot_blocks()
  std::vector<float> spreads_;  // by partition: mean of |x - mean|^2
  // By partition: standard deviation of scores, for a query of length 1.
  std::vector<float> scales_;
  std::vector<float> mean_lengths_;  // by partition: |mean|^2
  std::vector<float> norms_;         // by partition: mean |x|^2
  // By partition: its first place, a multiple of the block size.
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> sizes_;  // by partition: number of members
  HugeVector<std::uint32_t> ranks_;   // by place
  // By rank: its partition as the number of a byte and a bit within it, as keep_groups() reads
  // them.
  HugeVector<std::uint8_t> group_bytes_, group_bits_;
  std::vector<std::uint32_t> samples_;  // by partition: ranks of a few members, spread evenly
  IvfCodes residuals_;                  // by place
  // How many directions share the spread of a partition, as observed by sample queries.
  float width_ = 1;
  // The error of residual codes that is allowed for, at a low reach and at a high one. See
  // allowance().
  std::array<float, 2> errors_ = {};
};

}  // namespace cairn::engine

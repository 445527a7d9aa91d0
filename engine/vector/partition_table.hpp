#pragma once
// PartitionTable: the vectors of a segment in groups that lie together, each with its mean, so that a
// search reads the groups that can still hold a hit and leaves the rest.
//
// A group is read by its residual codes, in one piece; what they let through is looked up in the code
// table, whose scores decide.

#include "engine/vector/coded_scan.hpp"
#include "engine/vector/partitioning.hpp"
#include "engine/vector/residual_codes.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace cairn::engine {

/// How far a search of partitions goes.
struct PartitionEffort {
  std::size_t wanted = 10;
  double missed = 1;  ///< hits that may be expected in what is not read
  /// As of Outlook: nothing below is a hit.
  float least = -std::numeric_limits<float>::infinity();
};

class PartitionTable {
 public:
  PartitionTable() = default;
  /// `row_of` is by rank; `partition_of` names a partition below `means` / dimension for each rank.
  PartitionTable(const Measure& measure, std::span<const float> means,
                 std::span<const std::uint32_t> partition_of,
                 const std::function<const float*(std::uint32_t)>& row_of);

  [[nodiscard]] bool empty() const noexcept { return sizes_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// What a file holds, in its order: visit(std::vector<T>&), visit(float&).
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.spreads_);
    visit(self.norms_);
    ResidualCodes::visit_arrays(self.residuals_, visit);
  }
  template <class Self, class Visit>
  static void visit_numbers(Self& self, Visit&& visit) {
    visit(self.width_);
    visit(self.error_);
  }
  /// To be called when these were filled from a file: false, and not to be used, where they are none
  /// of vectors that are parted so. The rest follows from `means` and `partition_of`.
  [[nodiscard]] bool settle(const Measure& measure, std::span<const float> means,
                            std::span<const std::uint32_t> partition_of);

  /// What is to be expected of each partition that was not read yet. Scores are dot products, less
  /// half of |x|^2 under the Euclidean metric.
  struct Outlook {
    std::vector<float> products;            // by partition: of query and mean
    std::vector<float> means;               // by partition: score of its members
    std::vector<float> inverse_deviations;  // by partition
    std::vector<float> weights;        // by partition: selected members, about; 0 once it is read
    std::vector<std::uint32_t> order;  // of partitions with members, about by promise

    void put_in_order(std::span<const float> promises, std::span<const std::uint32_t> sizes);
    /// Members whose score is above `score`.
    [[nodiscard]] double expected(float score) const;
  };

  /// How many of each partition are selected is told by a few of its members. Cost: the means, some
  /// 20 microseconds for a thousand of 100 components.
  [[nodiscard]] Outlook look_out(std::span<const float> query,
                                 const RankSelection& selection) const;
  /// The share of the selected among the vectors of the most promising partitions, about.
  [[nodiscard]] double share_near(const Outlook& outlook, const RankSelection& selection) const;

  /// Offer the selected vectors of one partition after the other, the most promising first, until
  /// fewer hits than `effort.missed` are to be expected in the rest. `scan.query` is the coded form of
  /// `query`, and `outlook` what look_out() says of it. Cost: what is read, half a nanosecond for each
  /// 100 components.
  void search(std::span<const float> query, const CodedScan& scan, const PartitionEffort& effort,
              Outlook outlook, CodedTop& top) const;

 private:
  class Reading;

  void place(std::span<const std::uint32_t> partition_of);
  void measure_means();
  void learn_spreads(const std::function<const float*(std::uint32_t)>& row_of);
  void learn_width(const std::function<const float*(std::uint32_t)>& row_of);
  [[nodiscard]] Outlook look_out(std::span<const float> query) const;
  void weigh(const RankSelection& selection, std::vector<float>& weights) const;

  Measure measure_;
  std::vector<float> means_;
  std::vector<float> spreads_;          // by partition: mean |x - mean|^2
  std::vector<float> mean_lengths_;     // by partition: |mean|^2
  std::vector<float> norms_;            // by partition: mean |x|^2
  std::vector<std::uint32_t> starts_;   // by partition: first place, a multiple of a block
  std::vector<std::uint32_t> sizes_;    // by partition
  std::vector<std::uint32_t> ranks_;    // by place
  std::vector<std::uint32_t> samples_;  // by partition: ranks of a few members, all over it
  ResidualCodes residuals_;             // by place
  float width_ = 1;                     // how many directions share a spread, as seen by queries
  float error_ = 0;  // of the levels' product, for a query of length 1: its deviation
};

}  // namespace cairn::engine

#pragma once
// PartitionTable: the vectors of a segment in groups that lie together, each with its mean, so that a
// search reads the groups that can still hold a hit and leaves the rest.
//
// Codes lie a second time, partition after partition: a partition is read in one piece.

#include "engine/vector/coded_scan.hpp"
#include "engine/vector/partitioning.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn::engine {

/// How far a search of partitions goes.
struct PartitionEffort {
  std::size_t wanted = 10;
  double missed = 1;  ///< hits that may be expected in what is not read
};

class PartitionTable {
 public:
  PartitionTable() = default;
  /// `codes` and `row_of` are by rank; `partition_of` names a partition below `means` / dimension for
  /// each of them.
  PartitionTable(const Measure& measure, const CodeTable& codes, std::span<const float> means,
                 std::span<const std::uint32_t> partition_of,
                 const std::function<const float*(std::uint32_t)>& row_of);

  [[nodiscard]] bool empty() const noexcept { return sizes_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Offer the selected vectors of one partition after the other, the most promising first, until
  /// fewer hits than `effort.missed` are to be expected in the rest. `scan.query` is the coded form of
  /// `query`. Cost: the means, then what is read.
  void search(std::span<const float> query, const CodedScan& scan, const PartitionEffort& effort,
              CodedTop& top) const;

 private:
  /// What is to be expected of one partition. Scores as in CodedQuery: offset + unit * sum.
  struct Outlook {
    float mean = 0;       ///< score of its members
    float deviation = 0;  ///< of them
    std::uint32_t partition = 0;
    [[nodiscard]] float promise() const noexcept { return mean + 3 * deviation; }
  };

  void learn_spreads(const std::function<const float*(std::uint32_t)>& row_of);
  void learn_width(const std::function<const float*(std::uint32_t)>& row_of);
  [[nodiscard]] std::vector<Outlook> outlooks(std::span<const float> query) const;
  [[nodiscard]] double expected(std::span<const Outlook> rest, float score) const;
  /// Returns how many of the partition's members are selected, all of them where it is streamed.
  std::size_t scan_partition(std::size_t partition, const CodedScan& scan, bool is_streamed,
                             BlockOffering& offering) const;

  Measure measure_;
  std::vector<float> means_;
  std::vector<float> spreads_;         // by partition: mean |x - mean|^2
  std::vector<float> mean_lengths_;    // by partition: |mean|^2
  std::vector<float> norms_;           // by partition: mean |x|^2
  std::vector<std::uint32_t> starts_;  // by partition: first place
  std::vector<std::uint32_t> sizes_;   // by partition
  std::vector<std::uint32_t> ranks_;   // by place
  CodeTable codes_;                    // by place
  float width_ = 1;                    // how many directions share a spread, as seen by queries
};

}  // namespace cairn::engine

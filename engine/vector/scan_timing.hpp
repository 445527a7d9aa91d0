#pragma once
// What flat scans of one segment cost: a part of calibrate().

#include "engine/vector/beam_query.hpp"
#include "engine/vector/coded_scan.hpp"
#include "engine/vector/cost_model.hpp"
#include "engine/vector/timed_rounds.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

class ScanTiming {
 public:
  /// Ranks of stored vectors that are asked for.
  using Queries = std::span<const std::uint32_t>;
  /// What is kept of the highest class, and the error allowed for its 1-bit codes.
  struct Effort {
    std::size_t kept = 0;
    float sign_reach = 0;
  };
  /// As many as are about as soon compared by their codes as in full, or fewer, so that they are a list.
  [[nodiscard]] static std::size_t few_of(std::size_t count) noexcept;

  /// All of it outlives this.
  ScanTiming(const CostModelInput& input, Queries queries, Effort effort)
      : input_(input), queries_(queries), effort_(effort) {}
  ScanTiming(const ScanTiming&) = delete;
  ScanTiming& operator=(const ScanTiming&) = delete;

  /// Everything in order, `some` and `few` by themselves. The selections outlive `rounds`.
  void add_to(TimedRounds& rounds, const OrdinalSelection& all, const OrdinalSelection& some,
              const OrdinalSelection& few);
  /// Behind a run of the rounds. `found.float_ns` is there.
  void set(CostModel& found) const;

 private:
  void scan(std::size_t query, const OrdinalSelection& selection, bool is_streamed) const;
  void search(std::size_t query, const OrdinalSelection& selection) const;
  [[nodiscard]] std::vector<SlotDistance> compare(std::span<const QuantizedTopK::Item> items,
                                                  std::span<const float> query) const;
  [[nodiscard]] std::span<const float> row(std::size_t query) const {
    return {input_.row_of(queries_[query]), input_.measure.dimension};
  }

  const CostModelInput& input_;
  Queries queries_;
  Effort effort_;
  std::size_t some_ = 0, few_ = 0;  // selected
  double stream_ = 0, gather_ = 0, search_ = 0, word_ = 0;
  std::size_t seen_ = 0;  // so that what only looks is not left out
};

}  // namespace cairn::engine

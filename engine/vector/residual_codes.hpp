#pragma once
// ResidualCodes: of each vector two bits a component of what it differs by from the mean of its
// partition, in blocks of 64 vectors that are scored at once. They tell cheaply which vectors are
// worth a look at better codes.
//
// x - mean = factor * levels + error, levels of -3, -1, 1, 3: the best quantiser of a normal
// distribution with four steps is nearly that (Max, 1960). The factor makes the product of levels and
// x - mean right, so that scores are right on average (Gao and Long, "RaBitQ", SIGMOD 2024).

#include "codec/lookup_kernels.hpp"
#include "engine/vector/distance.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

/// A query in the terms of the codes: dot(query, levels) = offset + unit * sum of lookups, about.
struct ResidualQuery {
  std::vector<std::uint8_t> tables;
  float unit = 1;
  float offset = 0;
};

class ResidualCodes {
 public:
  static constexpr std::size_t block = codec::kernels::lookup_block;

  ResidualCodes() = default;
  /// All zero. Memory: dimension / 4 and 4 bytes a place, and 4 more under the Euclidean metric.
  ResidualCodes(const Measure& measure, std::size_t blocks);

  void set(std::size_t place, const float* row, const float* mean);
  [[nodiscard]] ResidualQuery prepare(std::span<const float> query) const;

  /// How scores are told: as (score + add) * times, `more` being added to the product of the query
  /// and the levels.
  struct Units {
    float add = 0;
    float times = 1;
    float more = 0;
  };
  /// out[i] = the score of place 64 * first + i under a mean that has the score `base`, for `count`
  /// blocks. A score is the dot product, less half of |x|^2 under the Euclidean metric. Meanwhile as
  /// many blocks from `upcoming` on are fetched, unless it is 0.
  void score(const ResidualQuery& query, std::size_t first, std::size_t count, float base,
             const Units& units, float* out, std::size_t upcoming = 0) const;
  /// What an error of the levels' product counts in the score of a place.
  [[nodiscard]] float factor(std::size_t place) const noexcept { return factors_[place]; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// As those of CodeTable.
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.codes_);
    visit(self.factors_);
    visit(self.losses_);
  }
  [[nodiscard]] bool settle(const Measure& measure, std::size_t blocks);

 private:
  std::size_t dimension_ = 0;
  std::size_t lines_ = 0;
  bool is_euclidean_ = false;
  std::vector<std::uint8_t> codes_;
  std::vector<float> factors_;  // by place
  std::vector<float> losses_;   // by place: |x|^2 / 2, where the metric needs it
};

}  // namespace cairn::engine

#pragma once
// IvfCodes: of each vector one bit a component of what it differs by from the mean of its
// partition, in blocks of 64 vectors that are scored at once. They tell cheaply which vectors are
// worth a look at better codes. Reading them is bound by memory: with two bits a component they told
// more and took twice the time.
//
// x - mean = factor * sign(x - mean) + error, as in binary_codes.hpp.

#include "codec/lookup_kernels.hpp"
#include "engine/vector/binary_tables.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/huge_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

class IvfCodes {
 public:
  static constexpr std::size_t block = codec::kernels::lookup_block;

  IvfCodes() = default;
  /// All zero. Memory: dimension / 8 and 2 bytes a place, and 4 more under the Euclidean metric.
  IvfCodes(const DistanceMetric& measure, std::size_t blocks);

  void set(std::size_t place, const float* row, const float* mean);
  [[nodiscard]] BinaryTables prepare(std::span<const float> query) const { return {query, lines_}; }

  /// How scores are returned: as (score + add) * times, `more` being added to the product of the query
  /// and the bits.
  struct Units {
    float add = 0;
    float times = 1;
    float more = 0;
  };
  /// out[i] = the score of place 64 * first + i under a mean that has the score `base`, for `count`
  /// blocks. A score is the dot product, less half of |x|^2 under the Euclidean metric. Meanwhile as
  /// many blocks from `upcoming` on are fetched, unless it is 0.
  void score(const BinaryTables& query, std::size_t first, std::size_t count, float base,
             const Units& units, float* out, std::size_t upcoming = 0) const;
  /// What an error of the bits' product counts in the score of a place.
  [[nodiscard]] float factor(std::size_t place) const noexcept {
    return from_half(factors_[place]);
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// As those of Sq4Codes.
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.codes_);
    visit(self.factors_);
    visit(self.losses_);
  }
  [[nodiscard]] bool settle(const DistanceMetric& measure, std::size_t blocks);

 private:
  std::size_t dimension_ = 0;
  std::size_t lines_ = 0;
  bool is_euclidean_ = false;
  HugeVector<std::uint8_t> codes_;
  std::vector<std::uint16_t> factors_;  // by place
  std::vector<float> losses_;           // by place: |x|^2 / 2, where the metric needs it
};

}  // namespace cairn::engine

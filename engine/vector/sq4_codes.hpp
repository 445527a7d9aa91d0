#pragma once
// Sq4Codes: scalar quantization of vectors to 4 bits a component, to find candidates for a
// comparison in full precision.
//
// code(x, j) := clamp(floor((x[j] - mean[j]) / step[j] + 8), 0, 15),  step[j] = 0.335 deviation[j]
//
// This is the best uniform quantiser of a normal distribution with 16 steps (Max, 1960). A code is
// decoded as the middle of its step. The query contains the steps and means as integer weights, so
// that a score is an integer sum.

#include "codec/code_kernels.hpp"
#include "engine/vector/binary_codes.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/huge_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn::engine {

/// A query prepared for one set of codes. The greater a score, the nearer the vector.
struct CodedQuery {
  /// One weight for each component, with padding.
  std::vector<std::int8_t> weights;
  float unit = 1;    ///< approximately: dot product = offset + unit * sum
  float offset = 0;  ///< the part of the dot product that is the same for all vectors
  /// Subtracted from a score for each unit of |x|^2; 0 if the metric does not need it.
  float norm_factor = 0;
  /// False if the weights represent little more than the largest component of the query. The
  /// measured errors do not hold for such a query, since it is of another kind than the stored
  /// vectors.
  bool tells = true;
};

/// The codes of the vectors of one segment, by rank. Immutable after construction or settle().
/// Threads: any number at once.
class Sq4Codes {
 public:
  Sq4Codes() = default;
  /// Encodes `count` vectors. `row_of(i)` returns vector i as it is stored. Cost: about two passes
  /// over the vectors.
  Sq4Codes(const DistanceMetric& measure, std::size_t count,
           const std::function<const float*(std::uint32_t)>& row_of);

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// Prepares a query. Cost: proportional to the dimension.
  [[nodiscard]] CodedQuery prepare(std::span<const float> query) const;
  /// Prefetches the code of a row, for a score() that follows soon.
  void fetch(std::size_t row) const noexcept {
    for (std::size_t line = 0; line < lines_; ++line)
      __builtin_prefetch(&codes_[row * lines_ + line]);
  }
  /// Writes out[i] = the score of `rows[i]`.
  void score(const CodedQuery& query, std::span<const std::uint32_t> rows, std::int32_t* out) const;
  /// Writes out[i] = the score of row first + i.
  void score(const CodedQuery& query, std::size_t first, std::size_t count,
             std::int32_t* out) const;
  /// Prepares the query for the 1-bit codes signs(), which take a quarter of the memory. Their
  /// scores approximate those of score(). `reach` is the allowance for their error, as in
  /// BinaryCodes::prepare().
  [[nodiscard]] SignQuery prepare_signs(const CodedQuery& query, float reach) const;
  [[nodiscard]] const BinaryCodes& signs() const noexcept { return signs_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Calls visit(std::vector<T>&) for each array that a file stores, in the order of the file;
  /// visit_signs() does the same for the 1-bit codes.
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.means_);
    visit(self.steps_);
    visit(self.codes_);
    visit(self.norms_);
  }
  template <class Self, class Visit>
  static void visit_signs(Self& self, Visit&& visit) {
    BinaryCodes::visit_arrays(self.signs_, visit);
  }
  /// Completes codes whose arrays were read from a file. Returns false if they cannot belong to
  /// `count` vectors. Then they must not be used.
  [[nodiscard]] bool settle(const DistanceMetric& measure, std::size_t count);

 private:
  struct alignas(codec::kernels::code_line_bytes) Line {
    std::uint8_t bytes[codec::kernels::code_line_bytes];
  };

  // These are explained in the .cpp, except: encode() writes the code of `row` to `record`,
  // learn_bases() sets bases_, and view() returns the codes and the query for the kernels.
  void learn(const std::function<const float*(std::uint32_t)>& row_of);
  void encode(const float* row, Line* record) const;
  void sign();
  void learn_bases();
  void learn_norms();
  void read_rest(std::size_t row, std::span<float> rest) const;
  [[nodiscard]] codec::kernels::CodedRows view(const CodedQuery& query) const noexcept;
  [[nodiscard]] std::int32_t norm_loss(const CodedQuery& query, std::size_t row) const noexcept;

  DistanceMetric measure_;
  std::size_t count_ = 0;
  std::size_t lines_ = 0;
  std::vector<float> means_;  // by component
  std::vector<float> steps_;  // greater than 0
  std::vector<float> bases_;  // the value that a code of 0 represents: mean - 7.5 step
  HugeVector<Line> codes_;
  std::vector<float> norms_;  // |x|^2 by row; only under the Euclidean metric
  // The 99 % quantile of norms_.
  float usual_norm_ = 0;
  BinaryCodes signs_;  // the signs of the codes' differences from their middle
};

}  // namespace cairn::engine

#pragma once
// Sq4Codes: vectors as 4-bit codes a component, to find those worth a look at the vectors.
//
// code(x, j) := clamp(floor((x[j] - mean[j]) / step[j] + 8), 0, 15),  step[j] = 0.335 deviation[j]
//
// which is the best uniform quantiser of a normal distribution with 16 steps (Max, 1960). Read back,
// a code stands for the middle of its step; the query carries steps and means as integer weights.

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

/// A query in the terms of one table. A score is larger for what is nearer.
struct CodedQuery {
  std::vector<std::int8_t> weights;
  float unit = 1;         ///< dot product = offset + unit * sum, about
  float offset = 0;       ///< what all codes have in common
  float norm_factor = 0;  ///< scores lose this much for each unit of |x|^2; 0: they do not
  /// Whether weights tell more of the query than its largest component. What is stored may be of another
  /// kind than a question, so that no cost_model sees it.
  bool tells = true;
};

class Sq4Codes {
 public:
  Sq4Codes() = default;
  /// `row_of(i)` gives vector i as stored. Cost: two passes over them.
  Sq4Codes(const DistanceMetric& measure, std::size_t count,
           const std::function<const float*(std::uint32_t)>& row_of);

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] CodedQuery prepare(std::span<const float> query) const;
  /// Starts to bring a code near, for a score() soon.
  void fetch(std::size_t row) const noexcept {
    for (std::size_t line = 0; line < lines_; ++line)
      __builtin_prefetch(&codes_[row * lines_ + line]);
  }
  /// out[i] = score of `rows[i]`.
  void score(const CodedQuery& query, std::span<const std::uint32_t> rows, std::int32_t* out) const;
  /// out[i] = score of first + i.
  void score(const CodedQuery& query, std::size_t first, std::size_t count,
             std::int32_t* out) const;
  /// For a first pass over a quarter of the memory: its scores approximate those of score(), with `reach`
  /// as the margin for errors, as in BinaryCodes::prepare().
  [[nodiscard]] SignQuery prepare_signs(const CodedQuery& query, float reach) const;
  [[nodiscard]] const BinaryCodes& signs() const noexcept { return signs_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// The arrays that a file holds, in its order: visit(std::vector<T>&).
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
  /// To be called when the arrays were filled from a file: false, and not to be used, where they are
  /// none of `count` vectors.
  [[nodiscard]] bool settle(const DistanceMetric& measure, std::size_t count);

 private:
  struct alignas(codec::kernels::code_line_bytes) Line {
    std::uint8_t bytes[codec::kernels::code_line_bytes];
  };

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
  std::vector<float> bases_;  // what a code of 0 stands for
  HugeVector<Line> codes_;
  std::vector<float> norms_;  // |x|^2 by row, where the metric needs it
  float usual_norm_ = 0;
  BinaryCodes signs_;  // of what codes differ by from their middle
};

}  // namespace cairn::engine

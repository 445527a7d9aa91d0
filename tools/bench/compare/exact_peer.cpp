// Exact scan: compares every allowed row and stores the best k in a heap. This computes the true
// answers, and is the reference for filters that allow few rows.
#include "tools/bench/compare/peer.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace cairn::compare {

// Has 16 independent sums, so that the compiler can vectorise the loop.
float dot_product(const float* a, const float* b, std::size_t dimension) {
  constexpr std::size_t lanes = 16;
  float sums[lanes] = {};
  std::size_t j = 0;
  for (; j + lanes <= dimension; j += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[j + lane] * b[j + lane];
  float sum = 0;
  for (const float part : sums) sum += part;
  for (; j < dimension; ++j) sum += a[j] * b[j];
  return sum;
}

namespace {

class ExactPeer final : public Peer {
 public:
  explicit ExactPeer(const VectorRows& rows) : rows_(rows) {}
  [[nodiscard]] std::string name() const override { return "exact scan"; }
  [[nodiscard]] std::vector<std::size_t> efforts() const override { return {0}; }

  /// Visits the set bits only. Without a filter, which is an empty bitmap, visits all rows.
  void search(const float* query, std::size_t k, std::size_t,
              std::vector<std::uint32_t>& out) override {
    best_.clear();
    if (allowed_.empty()) {
      for (std::size_t row = 0; row < rows_.count(); ++row) offer(query, row, k);
    }
    for (std::size_t w = 0; w < allowed_.size(); ++w)
      for (std::uint64_t word = allowed_[w]; word != 0; word &= word - 1)
        offer(query, w * 64 + static_cast<std::size_t>(std::countr_zero(word)), k);
    out.clear();
    for (const auto& [score, row] : best_) out.push_back(row);
  }

 private:
  using Scored = std::pair<float, std::uint32_t>;

  /// Among rows of equal score, the larger row number wins.
  void offer(const float* query, std::size_t row, std::size_t k) {
    const Scored scored{dot_product(query, rows_.row(row), rows_.dimension),
                        static_cast<std::uint32_t>(row)};
    if (best_.size() == k) {
      if (scored <= best_.front()) return;
      std::ranges::pop_heap(best_, std::greater());
      best_.pop_back();
    }
    best_.push_back(scored);
    std::ranges::push_heap(best_, std::greater());
  }

  VectorRows rows_;
  std::vector<Scored> best_;  // a heap with the worst at the front
};

}  // namespace

std::unique_ptr<Peer> make_exact_peer(const VectorRows& rows) {
  return std::make_unique<ExactPeer>(rows);
}

}  // namespace cairn::compare

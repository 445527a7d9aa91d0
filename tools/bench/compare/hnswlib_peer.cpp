// hnswlib with M 16 and ef_construction 200, and a functor as filter. The graph is saved to a file,
// because building takes longer than measuring.
#include "tools/bench/compare/peer.hpp"

#include <hnswlib/hnswlib.h>

#include <filesystem>

namespace cairn::compare {
namespace {

class BitFilter final : public hnswlib::BaseFilterFunctor {
 public:
  explicit BitFilter(Allowed allowed) : allowed_(allowed) {}
  bool operator()(hnswlib::labeltype row) override {
    return (allowed_[row / 64] >> (row % 64) & 1) != 0;
  }

 private:
  Allowed allowed_;
};

class HnswlibPeer final : public Peer {
 public:
  /// Reads the graph from the file, or builds it with M 16 and 200 candidates and saves it.
  HnswlibPeer(const VectorRows& rows, const std::string& file) : space_(rows.dimension) {
    if (std::filesystem::exists(file)) {
      graph_ = std::make_unique<Graph>(&space_, file);
      return;
    }
    graph_ = std::make_unique<Graph>(&space_, rows.count(), 16, 200);
    for (std::size_t i = 0; i < rows.count(); ++i) graph_->addPoint(rows.row(i), i);
    graph_->saveIndex(file);
  }

  [[nodiscard]] std::string name() const override { return "hnswlib"; }
  [[nodiscard]] std::vector<std::size_t> efforts() const override {
    return {10, 20, 40, 80, 160, 320, 640, 1'280, 2'560};
  }

  /// Returns the worst hit first. The order does not affect recall.
  void search(const float* query, std::size_t k, std::size_t effort,
              std::vector<std::uint32_t>& out) override {
    graph_->setEf(effort);
    BitFilter filter(allowed_);
    auto found = graph_->searchKnn(query, k, allowed_.empty() ? nullptr : &filter);
    for (out.clear(); !found.empty(); found.pop())
      out.push_back(static_cast<std::uint32_t>(found.top().second));
  }

 private:
  using Graph = hnswlib::HierarchicalNSW<float>;

  hnswlib::InnerProductSpace space_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace

std::unique_ptr<Peer> make_hnswlib_peer(const VectorRows& rows, const std::string& file) {
  return std::make_unique<HnswlibPeer>(rows, file);
}

}  // namespace cairn::compare

// FAISS used as its documentation recommends: HNSW with M 16 and efConstruction 200 (as hnswlib
// here), one thread, and a bitmap as filter. The graph is built once and saved to a file. Without
// the library, the FAISS peer is left out.
#include "tools/bench/compare/peer.hpp"

#ifdef CAIRN_WITH_FAISS
#include <faiss/AutoTune.h>
#include <faiss/IndexHNSW.h>
#include <faiss/impl/AuxIndexStructures.h>
#include <faiss/impl/IDSelector.h>
#include <faiss/index_io.h>
#include <omp.h>

#include <filesystem>
#endif

namespace cairn::compare {
#ifdef CAIRN_WITH_FAISS
namespace {

class FaissPeer final : public Peer {
 public:
  /// Reads the graph from the file, or builds and saves it, because building takes longer than all
  /// searches. Uses one thread, as all engines do.
  FaissPeer(const VectorRows& rows, const std::string& file) {
    if (std::filesystem::exists(file)) {
      index_.reset(faiss::read_index(file.c_str()));
    } else {
      auto made = std::make_unique<faiss::IndexHNSWFlat>(static_cast<int>(rows.dimension), 16,
                                                         faiss::METRIC_INNER_PRODUCT);
      made->hnsw.efConstruction = 200;
      made->add(static_cast<faiss::Index::idx_t>(rows.count()), rows.components.data());
      faiss::write_index(made.get(), file.c_str());
      index_ = std::move(made);
    }
    omp_set_num_threads(1);
  }

  [[nodiscard]] std::string name() const override { return "FAISS"; }
  [[nodiscard]] std::vector<std::size_t> efforts() const override {
    return {16, 64, 256, 1'024, 4'096};
  }

  void search(const float* query, std::size_t k, std::size_t effort,
              std::vector<std::uint32_t>& out) override {
    faiss::SearchParametersHNSW parameters;
    parameters.efSearch = static_cast<int>(effort);
    // This version of FAISS ignores the parameter of the call and uses the efSearch of the index.
    faiss::ParameterSpace().set_index_parameter(index_.get(), "efSearch",
                                                static_cast<double>(effort));
    faiss::IDSelectorBitmap selector(allowed_.size() * 8,
                                     reinterpret_cast<const std::uint8_t*>(allowed_.data()));
    if (!allowed_.empty()) parameters.sel = &selector;
    std::vector<float> distances(k);
    std::vector<faiss::Index::idx_t> labels(k);
    index_->search(1, query, static_cast<faiss::Index::idx_t>(k), distances.data(), labels.data(),
                   &parameters);
    out.clear();
    for (const faiss::Index::idx_t label : labels)
      if (label >= 0) out.push_back(static_cast<std::uint32_t>(label));
  }

 private:
  std::unique_ptr<faiss::Index> index_;
};

}  // namespace

std::unique_ptr<Peer> make_faiss_peer(const VectorRows& rows, const std::string& file) {
  return std::make_unique<FaissPeer>(rows, file);
}
#else
std::unique_ptr<Peer> make_faiss_peer(const VectorRows&, const std::string&) { return nullptr; }
#endif

}  // namespace cairn::compare

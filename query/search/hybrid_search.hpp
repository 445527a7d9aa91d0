#pragma once
// Several retrievers over one set of ids, fused to one ranking.

#include "codec/bitmap.hpp"
#include "query/execute/operator_profile.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <vector>

namespace cairn::query {

/// `parts` is what BREAKDOWN AS names: a map for each retriever; null where nobody asks.
struct SearchHit {
  std::uint64_t id = 0;
  double score = 0;
  Value parts;
};

class HybridSearch {
 public:
  /// `allowed` null: everything. Both must outlive it. Hits have their breakdown where `has_parts`.
  HybridSearch(ExecutionContext& context, const SearchRequest& request,
               const codec::Bitmap* allowed, bool has_parts)
      : context_(context), request_(request), allowed_(allowed), has_parts_(has_parts) {}

  /// Best first, ties by id.
  [[nodiscard]] Result<std::vector<SearchHit>> run();
  /// Of the run before, by retriever.
  [[nodiscard]] const std::vector<RetrieverProfile>& meters() const noexcept { return meters_; }

 private:
  [[nodiscard]] const Retriever& retriever(std::size_t place) const {
    return request_.retrievers[place];
  }
  [[nodiscard]] bool is_of_index(std::size_t place) const {
    return retriever(place).kind != RetrieverKind::graph;
  }
  [[nodiscard]] bool is_by_rank() const { return request_.fusion == Fusion::Kind::reciprocal_rank; }
  [[nodiscard]] Status search_indexes();
  [[nodiscard]] Status search_graphs();
  [[nodiscard]] Result<codec::Bitmap> members() const;
  [[nodiscard]] Result<std::vector<RankedId>> seeds() const;
  [[nodiscard]] Result<std::vector<FusedId>> fuse_lists();
  [[nodiscard]] Status complete(std::size_t place, const codec::Bitmap& ids);
  [[nodiscard]] SearchHit make_hit(const FusedId& fused) const;

  ExecutionContext& context_;
  const SearchRequest& request_;
  const codec::Bitmap* allowed_;
  bool has_parts_;
  std::vector<RankedList> lists_;  // by retriever
  std::vector<RetrieverProfile> meters_;
};

/// {retriever, index, rank, score, share}: what a retriever knows of a hit, and what it adds to its score. Rank and
/// score are null where it has not found it.
[[nodiscard]] Value retriever_part(const Retriever& retriever, std::size_t rank, double score,
                                   double share);

}  // namespace cairn::query

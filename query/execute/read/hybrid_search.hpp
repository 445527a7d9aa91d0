#pragma once
// Several retrievers over one set of ids, fused to one ranking.

#include "query/bind/bound_query.hpp"
#include "query/execute/read/index_retriever.hpp"
#include "query/execute/operator_profile.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
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
  /// `indexes` by retriever, nothing for those by the graph. `allowed` null: everything. All must outlive it.
  HybridSearch(ExecutionContext& context, const SearchClause& clause,
               const SearchArguments& arguments,
               const std::vector<std::optional<SearchIndex>>& indexes, const codec::Bitmap* allowed)
      : context_(context),
        clause_(clause),
        arguments_(arguments),
        indexes_(indexes),
        allowed_(allowed) {}

  /// Best first, ties by id.
  [[nodiscard]] Result<std::vector<SearchHit>> run();
  /// Of the run before, by retriever.
  [[nodiscard]] const std::vector<RetrieverProfile>& meters() const noexcept { return meters_; }

 private:
  [[nodiscard]] IndexRetriever index_retriever(std::size_t retriever) const {
    return {clause_.retrievers[retriever], arguments_.retrievers[retriever], *indexes_[retriever]};
  }
  [[nodiscard]] Status search_indexes();
  [[nodiscard]] Status search_graphs();
  [[nodiscard]] Result<codec::Bitmap> members() const;
  [[nodiscard]] Result<std::vector<RankedId>> seeds() const;
  [[nodiscard]] Result<std::vector<FusedId>> fuse_lists();
  [[nodiscard]] Status complete(std::size_t retriever, const codec::Bitmap& ids);
  [[nodiscard]] SearchHit make_hit(const FusedId& fused) const;

  ExecutionContext& context_;
  const SearchClause& clause_;
  const SearchArguments& arguments_;
  const std::vector<std::optional<SearchIndex>>& indexes_;
  const codec::Bitmap* allowed_;
  std::vector<RankedList> lists_;  // by retriever
  std::vector<RetrieverProfile> meters_;
};

/// {retriever, index, rank, score, share}: what a retriever knows of a hit, and what it adds to its score. Rank and
/// score are null where it has not found it.
[[nodiscard]] Value retriever_part(const SearchRetriever& retriever, std::size_t rank, double score,
                                   double share);

}  // namespace cairn::query

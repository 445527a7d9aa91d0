#pragma once
// Several legs over one set of ids, fused to one ranking.

#include "query/bind/bound_query.hpp"
#include "query/execute/read/index_leg.hpp"
#include "query/plan/meter.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::query {

/// `parts` is what PARTS AS names: a map for each leg; null where nobody asks.
struct SearchHit {
  std::uint64_t id = 0;
  double score = 0;
  Value parts;
};

class HybridSearch {
 public:
  /// `indexes` by leg, nothing for those by the graph. `allowed` null: everything. All must outlive it.
  HybridSearch(ExecutionContext& context, const SearchClause& clause,
               const SearchArguments& arguments,
               const std::vector<std::optional<SearchIndex>>& indexes, const codec::IdSet* allowed)
      : context_(context),
        clause_(clause),
        arguments_(arguments),
        indexes_(indexes),
        allowed_(allowed) {}

  /// Best first, ties by id.
  [[nodiscard]] Result<std::vector<SearchHit>> run();
  /// Of the run before, by leg.
  [[nodiscard]] const std::vector<LegMeter>& meters() const noexcept { return meters_; }

 private:
  [[nodiscard]] IndexLeg index_leg(std::size_t leg) const {
    return {clause_.legs[leg], arguments_.legs[leg], *indexes_[leg]};
  }
  [[nodiscard]] Status search_indexes();
  [[nodiscard]] Status search_graphs();
  [[nodiscard]] Result<codec::IdSet> members() const;
  [[nodiscard]] Result<std::vector<RankedId>> seeds() const;
  [[nodiscard]] Result<std::vector<FusedId>> fuse_lists();
  [[nodiscard]] Status complete(std::size_t leg, const codec::IdSet& ids);
  [[nodiscard]] SearchHit make_hit(const FusedId& fused) const;

  ExecutionContext& context_;
  const SearchClause& clause_;
  const SearchArguments& arguments_;
  const std::vector<std::optional<SearchIndex>>& indexes_;
  const codec::IdSet* allowed_;
  std::vector<RankedList> lists_;  // by leg
  std::vector<LegMeter> meters_;
};

/// {leg, index, rank, score, share}: what a leg knows of a hit, and what it adds to its score. Rank and
/// score are null where it has not found it.
[[nodiscard]] Value leg_part(const SearchLeg& leg, std::size_t rank, double score, double share);

}  // namespace cairn::query

#pragma once
// NearestFirst: returns the ids of a scan in the order of the similarity by which a later sort
// orders them.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::query {

struct ExecutionContext;
struct SimilarityTopN;

/// Returns first the ids that are not in the vector index, and then all others, nearest first,
/// until the sort needs no more. All searches are exact. Each search returns several times as many
/// hits as the previous search.
class NearestFirst {
 public:
  NearestFirst(ExecutionContext& context, const SimilarityTopN& wanted, codec::EntityKind kind)
      : context_(context), wanted_(wanted), kind_(kind) {}

  /// Starts with the ids of a scan. Returns false if all ids should be scanned: the scan or the
  /// index has few of them, no index that is built has this property, metric and dimension, or the
  /// index cannot search for the query with the needed precision. Also if an expression fails: the
  /// scan then reports the error.
  [[nodiscard]] Result<bool> begin(const codec::Bitmap& ids);
  /// Returns the next ids, or 0 at the end.
  [[nodiscard]] Result<std::size_t> next(std::span<std::uint64_t> ids);

 private:
  struct Hit {
    std::uint64_t id = 0;
    double score = 0;
  };

  [[nodiscard]] Result<bool> read_query();
  [[nodiscard]] std::optional<std::uint32_t> find_index() const;
  [[nodiscard]] Status search_more();
  [[nodiscard]] bool is_too_low(double score) const;

  ExecutionContext& context_;
  const SimilarityTopN& wanted_;
  codec::EntityKind kind_;
  std::vector<float> query_;
  std::optional<double> least_;
  std::uint32_t index_ = 0;
  codec::Bitmap others_;  // ids that are not in the index
  std::optional<codec::IdCursor> other_cursor_;
  codec::Bitmap left_;  // ids in the index that were not found yet
  std::vector<Hit> hits_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace cairn::query

#pragma once
// NearestFirst: the ids of a scan in the order of a similarity that a sort behind it asks for.

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

/// First the ids that are not in the vector index, then the others, nearest first, as far as the sort wants
/// them. A search is exact, and each finds some times as many as the one before.
class NearestFirst {
 public:
  NearestFirst(ExecutionContext& context, const SimilarityTopN& wanted, codec::EntityKind kind)
      : context_(context), wanted_(wanted), kind_(kind) {}

  /// Begin with the ids of a scan. False where no index helps and all of them are to be scanned: there is none
  /// of this property, metric and dimension, or the ids are few. Errors: those of the expressions' evaluation.
  [[nodiscard]] Result<bool> begin(const codec::Bitmap& ids);
  /// The next ids; 0 at the end.
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
  codec::Bitmap others_;  // not in the index
  std::optional<codec::IdCursor> other_cursor_;
  codec::Bitmap left_;  // in the index, and not found yet
  std::vector<Hit> hits_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace cairn::query

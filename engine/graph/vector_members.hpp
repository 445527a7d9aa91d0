#pragma once
// VectorMembers: which entities a vector index holds, and with which vectors: those of its labels or
// types that have a vector in its embedding space which its metric can take. Others are refused where
// they would enter; a database of earlier times may still have one, and it is no member.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/vector/vector_index.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

class VectorMembers {
 public:
  /// As `records` and `postings` see it; `records` must outlive the members.
  [[nodiscard]] static Result<VectorMembers> of(const codec::IndexEntry& index,
                                                const RecordReader& records,
                                                const PostingReader& postings);

  /// For few entities whose records are at hand: each is asked for its labels or type.
  [[nodiscard]] static VectorMembers by_record(const codec::IndexEntry& index,
                                               const RecordReader& records);

  /// Entities with the labels or types, with or without a vector. Not by_record().
  [[nodiscard]] const codec::Bitmap& grouped() const noexcept { return *grouped_; }
  /// Whether the metric is defined for this vector.
  [[nodiscard]] bool takes(std::span<const float> components) const;
  /// The entity's vector, or nullopt where it is no member.
  [[nodiscard]] Result<std::optional<std::vector<float>>> find(std::uint64_t id) const;

 private:
  VectorMembers(const codec::IndexEntry& index, const RecordReader& records,
                std::optional<codec::Bitmap> grouped)
      : space_(index.space),
        groups_(index.labels_or_types),
        kind_(index.entity),
        dimension_(index.dimension),
        metric_(index.metric),
        records_(&records),
        grouped_(std::move(grouped)) {}

  [[nodiscard]] Result<bool> is_grouped(std::uint64_t id) const;

  std::uint32_t space_;
  std::vector<std::uint32_t> groups_;
  codec::EntityKind kind_;
  std::uint32_t dimension_;
  codec::Metric metric_;
  const RecordReader* records_;
  std::optional<codec::Bitmap> grouped_;
};

[[nodiscard]] VectorIndexOptions vector_options(const codec::IndexEntry& index,
                                                std::uint32_t background_threads);

}  // namespace cairn::engine

#pragma once
// IndexSnapshot: the VectorState of one sealed segment and a delta over it.

#include "engine/vector/distance.hpp"
#include "engine/vector/internal_id_selection.hpp"
#include "engine/vector/segment.hpp"
#include "engine/vector/vector_delta.hpp"
#include "engine/vector/vector_index.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// Threads: any number at once.
class IndexSnapshot final : public VectorState {
 public:
  /// What the writer fills in. All versions and sequences rise from state to state.
  struct Parts {
    DistanceMetric measure;
    std::uint32_t m = 16;
    std::shared_ptr<const Segment> segment;          // owners: states and builds
    std::shared_ptr<const IdTombstones> tombstones;  // owners: states and the index
    std::size_t hidden = 0;                          ///< slots of the segment that are hidden
    DeltaView delta;
    std::uint64_t version = 0;           ///< of delta and tombstones
    std::uint64_t sequence = 0;          ///< newest change applied
    std::uint64_t segment_sequence = 0;  ///< newest change in the segment
    std::uint64_t epoch = 0;             ///< how many segments the index had before
    std::size_t changes = 0;             ///< applied in this epoch
  };

  explicit IndexSnapshot(Parts parts);

  [[nodiscard]] Result<std::vector<Neighbors>> search_all(
      std::span<const VectorSearch> searches) const override;
  [[nodiscard]] std::uint64_t size() const noexcept override;
  [[nodiscard]] codec::Bitmap entities() const override;
  [[nodiscard]] std::uint64_t sequence() const noexcept override { return parts_.sequence; }
  [[nodiscard]] VectorMemory memory() const noexcept override;
  [[nodiscard]] std::optional<std::vector<float>> find(std::uint64_t entity) const override;

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  [[nodiscard]] const LiveIds& live_ids() const noexcept { return live_ids_; }

 private:
  /// Those of `all` that `which` names; each puts its hits to its place in `found`.
  void run(std::span<const VectorSearch> all, std::span<const std::size_t> which,
           std::vector<Neighbors>& found) const;

  Parts parts_;
  LiveIds live_ids_;
};

}  // namespace cairn::engine

// Validation between a file and hnswlib. After check_parts() no graph search over these parts
// leaves them:
//
// links       at most m (2 m on level 0), to slots that exist and reach the level of the link
// entry       a slot of the top level
// labels      each slot's own number
// vectors     finite and within the bounds of stored vectors: no distance is NaN or infinite
// partitions  each slot's partition exists; each mean is bounded like vectors
//
// hnswlib's own loading checks none of these, and a link out of range crashes the first search.
// Checksums do not suffice: they detect damage to a file, but not a file that was crafted.
//
// The second part of this file makes and completes the tables of a segment.
#include "engine/vector/serialized_segment.hpp"

#include "codec/byte_io.hpp"
#include "codec/float_kernels.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/huge_memory.hpp"
#include "engine/vector/segment_rows.hpp"
#include "engine/vector/sq8_codes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace cairn::engine {
namespace {

// A corruption error that names the slot.
Error damaged(std::uint32_t slot, std::string_view fault) {
  return codec::corruption("vector segment: slot " + std::to_string(slot) + ": " +
                           std::string(fault));
}

template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// Greater than |x|^2 of any stored vector or mean.
constexpr double longest_square = 2e37;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// Checks all parts in one pass, at about the speed of memory.
class Checker {
 public:
  explicit Checker(const SegmentParts& parts)
      : parts_(parts), shape_(parts.shape), components_(parts.shape.dimension) {
    if (shape_.is_coded) codes_.emplace(make_metric(shape_.metric, shape_.dimension), parts.centre);
  }

  Status check() {
    CAIRN_TRY(check_levels());
    CAIRN_TRY(check_partitions());
    CAIRN_TRY(check_centre());
    const char* upper = parts_.upper.data();
    for (std::uint32_t slot = 0; slot < shape_.count; ++slot) {
      CAIRN_TRY(check_record(slot));
      for (std::uint32_t level = 1; level <= parts_.levels[slot]; ++level) {
        CAIRN_TRY(check_links(slot, level, upper, shape_.m));
        upper += shape_.link_bytes();
      }
    }
    return {};
  }

 private:
  // Checks sizes first, because all later checks rely on them.
  Status check_levels() const {
    const auto& levels = parts_.levels;
    if (levels.size() != shape_.count || parts_.entities.size() != shape_.count)
      return codec::corruption(
          "vector segment: the numbers of levels and entities differ from the number of slots");
    if (!parts_.dead.empty() && parts_.dead.size() != (std::size_t{shape_.count} + 63) / 64)
      return codec::corruption("vector segment: the bitmap of dead slots has the wrong size");
    if (const std::uint32_t last = shape_.count & 63;
        !parts_.dead.empty() && last != 0 && parts_.dead.back() >> last != 0)
      return codec::corruption(
          "vector segment: the bitmap of dead slots marks a slot that does not exist");
    const std::size_t lists = std::accumulate(levels.begin(), levels.end(), std::size_t{0});
    if (parts_.upper.size() != lists * shape_.link_bytes())
      return codec::corruption(
          "vector segment: the size of the upper links does not match the levels");
    if (shape_.count == 0) return {};
    if (levels[shape_.entry_slot] != shape_.top_level ||
        *std::ranges::max_element(levels) != shape_.top_level)
      return codec::corruption("vector segment: the entry slot is not on the top level");
    return {};
  }

  Status check_partitions() const {
    const auto& [means, partition_of] = parts_.partitioning;
    if (means.empty() && partition_of.empty()) return {};
    const std::size_t count = means.size() / shape_.dimension;
    if (count == 0 || means.size() % shape_.dimension != 0 || partition_of.size() != shape_.count)
      return codec::corruption(
          "vector segment: the sizes of the partitions do not match the slots");
    // Bounded like vectors, so that no distance from a mean is infinite or NaN.
    for (std::size_t i = 0; i < count; ++i) {
      const auto mean = std::span(means).subspan(i * shape_.dimension, shape_.dimension);
      if (!is_storable(mean, codec::Metric::euclidean))
        return codec::corruption("vector segment: the centroid of partition " + std::to_string(i) +
                                 " is longer than 3e18 or not finite");
    }
    for (std::uint32_t slot = 0; slot < shape_.count; ++slot)
      if (partition_of[slot] >= count)
        return damaged(slot,
                       "its partition " + std::to_string(partition_of[slot]) + " does not exist");
    return {};
  }

  // Only a segment with codes has a centre, and its vectors apart from the graph.
  Status check_centre() const {
    const auto& centre = parts_.centre;
    if (centre.size() != (shape_.is_coded ? shape_.dimension : 0) ||
        (parts_.rows != nullptr) != shape_.is_coded ||
        (parts_.rows && parts_.rows->bytes() != row_bytes() * shape_.count))
      return codec::corruption("vector segment: the size of the vectors or of the centre is wrong");
    double square = 0;
    for (const float x : centre) square += double{x} * double{x};
    if (!(square <= longest_square))
      return codec::corruption("vector segment: the centre is longer than 4e18 or not finite");
    return {};
  }

  // In a coded segment the vectors are in `rows`; the codes must not lead to infinite distances.
  // Mapped rows were checked when they were read.
  Status check_vector(std::uint32_t slot, const char* vector) {
    if (codes_ && !codes_->is_sound(vector)) return damaged(slot, "its 8-bit code is invalid");
    if (codes_ && parts_.rows->is_mapped()) return {};
    std::memcpy(components_.data(), codes_ ? parts_.rows->data() + slot * row_bytes() : vector,
                row_bytes());
    return check_row(components_, shape_.metric, slot);
  }

  [[nodiscard]] std::size_t row_bytes() const { return components_.size() * sizeof(float); }

  // Checks a record of level 0: links, label, vector, entity.
  Status check_record(std::uint32_t slot) {
    const char* record = parts_.level0.get() + slot * shape_.record_bytes();
    CAIRN_TRY(check_links(slot, 0, record, 2 * shape_.m));
    if (load<std::uint64_t>(record + shape_.label_offset()) != slot)
      return damaged(slot, "its label is not the number of the slot");
    CAIRN_TRY(check_vector(slot, record + shape_.vector_offset()));
    if (parts_.entities[slot] == std::numeric_limits<std::uint64_t>::max())
      return damaged(slot, "its entity has no valid id");
    return {};
  }

  // The upper half of the count is where hnswlib marks deletions, which we never use. A link to a
  // slot of a lower level would make a search read links that the slot does not have.
  Status check_links(std::uint32_t slot, std::uint32_t level, const char* list,
                     std::uint32_t most) const {
    const auto links = load<std::uint32_t>(list);
    if (links > most)
      return damaged(slot, "it has " + std::to_string(links) + " links, more than the " +
                               std::to_string(most) + " that fit");
    for (std::uint32_t i = 1; i <= links; ++i) {
      const auto target = load<std::uint32_t>(list + 4 * std::size_t{i});
      if (target >= shape_.count)
        return damaged(
            slot, "it has a link to slot " + std::to_string(target) + ", which does not exist");
      if (parts_.levels[target] < level)
        return damaged(slot, "it has a link on level " + std::to_string(level) + " to slot " +
                                 std::to_string(target) + ", which does not have this level");
    }
    return {};
  }

  const SegmentParts& parts_;
  const SegmentShape& shape_;
  std::vector<float> components_;  // a vector of the file, copied to aligned memory
  std::optional<Sq8Codes> codes_;
};

}  // namespace

// Links, vector or code, zeros for alignment, label.
std::size_t SegmentShape::record_bytes() const noexcept {
  constexpr std::size_t label = 8;
  if (is_coded)
    return round_up(vector_offset() + Sq8Codes::element_bytes(dimension) + label, cache_line_bytes);
  return round_up(vector_offset() + 4 * std::size_t{dimension}, label) + label;
}

Status check_row(std::span<const float> row, codec::Metric metric, std::uint32_t slot) {
  if (!is_storable(row, metric)) return damaged(slot, "its vector is not normalised or not finite");
  return {};
}

Status check_shape(const SegmentShape& shape) {
  const auto metric = static_cast<std::uint8_t>(shape.metric);
  const bool in_range = metric >= 1 && metric <= 3 && shape.dimension >= 1 &&
                        shape.dimension <= max_dimension && shape.m >= min_m && shape.m <= max_m &&
                        shape.top_level <= max_level && shape.count <= max_slots &&
                        (shape.entry_slot < shape.count || shape.count == 0);
  if (!in_range)
    return codec::corruption("vector segment: a parameter of its shape is out of range");
  return {};
}

Status check_parts(const SegmentParts& parts) { return Checker(parts).check(); }

// The tables of a segment, made or completed as a whole: all or nothing, so that a plan never
// relies on costs of tables that do not exist.

namespace {

// Minimum number of vectors for tables. Comparing fewer vectors in full is as cheap as scanning codes.
constexpr std::size_t least_coded = 512;

// Reorders the assignment from slots to ranks and leaves out dead slots.
std::vector<std::uint32_t> partitions_by_rank(const InternalIds& slots,
                                              const Partitioning& partitioning) {
  std::vector<std::uint32_t> partition_of(slots.live());
  for (std::size_t rank = 0; rank < partition_of.size(); ++rank)
    partition_of[rank] = partitioning.partition_of[slots.slot_at(rank)];
  return partition_of;
}

}  // namespace

bool wants_tables(std::uint32_t dimension, std::size_t vectors) noexcept {
  return dimension >= least_coded_dimension && vectors >= least_coded;
}

SegmentTables make_tables(const TableInput& input) {
  SegmentTables made;
  made.codes = Sq4Codes(input.measure, input.slots.live(), input.row_of);
  if (!input.partitioning.empty())
    made.partitions = IvfIndex(input.measure, input.partitioning.means,
                               partitions_by_rank(input.slots, input.partitioning), input.row_of);
  made.cost_model = calibrate({input.measure, input.slots, made.codes, made.partitions,
                               input.row_of, input.walk, input.has_own_walk});
  return made;
}

bool settle(SegmentTables& tables, const DistanceMetric& measure, const InternalIds& slots,
            const Partitioning& partitioning) {
  if (!tables.codes.settle(measure, slots.live()) || !is_plausible(tables.cost_model)) return false;
  if (!partitioning.empty())
    return tables.partitions.settle(measure, partitioning.means,
                                    partitions_by_rank(slots, partitioning));
  tables.partitions = IvfIndex();
  return true;
}

std::uint64_t this_machine() noexcept { return codec::kernels::instruction_sets(); }

}  // namespace cairn::engine

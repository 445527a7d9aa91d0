#pragma once
// The parts of the integrity check: one check for each kind of index, scans that continue past damage, and sums of hashes.

#include "codec/checksum.hpp"
#include "codec/container.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/store/cursor.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

// Property indexes: read as a whole, and compared entry by entry for entities whose sums differ.

/// Called with each finding.
using Report = std::function<void(std::string place, std::string problem)>;
/// Called with the name of a posting and one chunk of its ids. `ids` are the low 16 bits; `chunk` has the bits above.
using PostingVisit =
    std::function<void(std::string_view name, std::uint64_t chunk, const codec::Container& ids)>;

/// Visits every chunk of the property index. Damaged keys and values are reported and skipped. Errors: those of reading.
[[nodiscard]] Status for_each_posting(const RocksStore& store, const StoreSnapshot& snapshot,
                                      const Report& report, const PostingVisit& visit);

/// Reports the index entries that each of the entities lacks or should not have. Cost: reads the whole property index.
[[nodiscard]] Status compare_postings(const GraphView& view, const RocksStore& store,
                                      codec::EntityKind kind, const std::vector<std::uint64_t>& ids,
                                      const Report& report);

// Full-text indexes.

/// Reports entities whose postings differ from their texts, damaged chunks, chunks that belong to no index, and wrong
/// statistics. Cost: analyses every text.
[[nodiscard]] Status check_texts(
    const GraphView& view, const RocksStore& store, std::size_t limit,
    const std::function<void(std::string place, std::string problem)>& report);

// Segments.

/// Reports each segment that differs from the records or lists of the published state, or whose file is damaged. Cost: reads
/// the records, or builds the lists, once for each segment.
[[nodiscard]] Status check_segments(const RocksStore& store, const StatePtr& state,
                                    const Report& report);

// Vector indexes: those of the published state are compared with the vectors in the store.

/// Reports every index that is not loaded, lacks a member, or has vectors of entities that are not members.
[[nodiscard]] Status check_vectors(
    const GraphView& view,
    const std::function<void(std::string place, std::string problem)>& report);

// Reading past damage: a scan that meets an unreadable block notes a gap of ids, and continues after it.

/// The ids from `first` to `end` - 1, whose records could not be read. Some of them may not exist.
struct IdGap {
  std::uint64_t first = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] bool contains(std::uint64_t id) const noexcept { return first <= id && id < end; }
};

using IdGaps = std::vector<IdGap>;

/// True if one of the gaps contains the id.
[[nodiscard]] bool lies_in(const IdGaps& gaps, std::uint64_t id);

/// Moves a cursor past damage. Its keys ascend by id, and its status is an error because of an unreadable block. Afterwards
/// the cursor is at the first readable id after the damage. Its status is still an error if no readable id follows.
///
/// `from` is one more than the last id that was read. `scan_from` returns a cursor that begins at an id. Returns the gap. It
/// may include readable ids: those between two damaged blocks, and those in the key range of a file that cannot be opened.
/// Cost: some forty seeks.
[[nodiscard]] IdGap skip_damage(Cursor& cursor, std::uint64_t from,
                                const std::function<Cursor(std::uint64_t)>& scan_from);

// EntityHashes: a sum of hashes for each entity (modulo 2^64), to compare two large multisets of pairs (entity, fact). One
// side adds its facts, the other subtracts them. An entity whose sum is not zero has different facts on both sides.

class EntityHashes {
 public:
  void add(std::uint64_t id, std::string_view fact) { slot(id) += codec::checksum(fact); }
  void subtract(std::uint64_t id, std::string_view fact) { slot(id) -= codec::checksum(fact); }
  void subtract_hash(std::uint64_t id, std::uint64_t hash) { slot(id) -= hash; }

  /// Sets the sums of the ids in [first, end) to zero, so that these ids do not count as different.
  void forget(std::uint64_t first, std::uint64_t end) {
    for (auto chunk = chunks_.lower_bound(first >> chunk_bits); chunk != chunks_.end(); ++chunk) {
      const std::uint64_t base = chunk->first << chunk_bits;
      if (base >= end) return;
      for (std::size_t low = 0; low < chunk->second.size(); ++low)
        if (base + low >= first && base + low < end) chunk->second[low] = 0;
    }
  }

  /// Returns up to `limit` ids whose sum is not zero, ascending.
  [[nodiscard]] std::vector<std::uint64_t> differing(std::size_t limit) const {
    std::vector<std::uint64_t> ids;
    for (const auto& [chunk, sums] : chunks_) {
      for (std::size_t low = 0; low < sums.size() && ids.size() < limit; ++low) {
        if (sums[low] != 0) ids.push_back(chunk << chunk_bits | low);
      }
    }
    return ids;
  }

 private:
  // Sums are stored in blocks of 4,096 ids, as ids are mostly dense.
  static constexpr unsigned chunk_bits = 12;

  std::uint64_t& slot(std::uint64_t id) {
    auto& sums = chunks_[id >> chunk_bits];
    if (sums.empty()) sums.resize(std::size_t{1} << chunk_bits);
    return sums[id & ((std::uint64_t{1} << chunk_bits) - 1)];
  }

  std::map<std::uint64_t, std::vector<std::uint64_t>> chunks_;  // by the upper bits of the id
};

}  // namespace cairn::engine

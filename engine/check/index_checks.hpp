#pragma once
// What the integrity check finds out about indexes, part by part, and what it leaves out because of
// damage.

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

// The parts of an integrity check, each of one kind of index.

// The property index read whole, and compared entry by entry where sums differ.

using Report = std::function<void(std::string place, std::string problem)>;
/// A posting by its name, one chunk of its ids.
using PostingVisit =
    std::function<void(std::string_view name, std::uint64_t chunk, const codec::Container& ids)>;

/// Keys and values that are damaged are reported and passed over. Errors: those of reading.
[[nodiscard]] Status for_each_posting(const RocksStore& store, const StoreSnapshot& snapshot,
                                      const Report& report, const PostingVisit& visit);

/// Report what each of the entities lacks in the index and has too much. Cost: reads the index.
[[nodiscard]] Status compare_postings(const GraphView& view, const RocksStore& store,
                                      codec::EntityKind kind, const std::vector<std::uint64_t>& ids,
                                      const Report& report);

// The check of one full-text index against its records, both ways.

/// Report every entity whose postings are not those of its texts, damaged chunks, chunks of no index,
/// and statistics that are wrong. Cost: analyses every text.
[[nodiscard]] Status check_texts(
    const GraphView& view, const RocksStore& store, std::size_t limit,
    const std::function<void(std::string place, std::string problem)>& report);

// Checks the vector indexes of snapshots against the vectors in the store.

/// Report every index that is not loaded, lacks a member, or has more than its members.
[[nodiscard]] Status check_vectors(
    const GraphView& view,
    const std::function<void(std::string place, std::string problem)>& report);

// Reading past damage: what a scan cannot read is reported as a gap of ids, and the scan goes on after it.

/// Ids from `first` to before `end`: any of them may have existed.
struct IdGap {
  std::uint64_t first = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] bool contains(std::uint64_t id) const noexcept { return first <= id && id < end; }
};

using IdGaps = std::vector<IdGap>;

[[nodiscard]] bool lies_in(const IdGaps& gaps, std::uint64_t id);

/// For a cursor over keys in the order of their ids that ended in damage: it follows the damage then, or
/// its status is still an error where nothing behind it can be read. `from` is the first id that it has not
/// met; `scan_from` gives a cursor from an id on. What is sound between two damaged blocks, and what a
/// file that cannot be opened lies over, may be counted to the gap. Cost: some forty seeks.
[[nodiscard]] IdGap skip_damage(Cursor& cursor, std::uint64_t from,
                                const std::function<Cursor(std::uint64_t)>& scan_from);

// EntityHashes: one wrapping sum of hashes for each entity, for comparing two large multisets of
// (entity, fact): what one side adds the other subtracts, and a sum that is not zero tells where
// they differ.

class EntityHashes {
 public:
  void add(std::uint64_t id, std::string_view fact) { slot(id) += codec::checksum(fact); }
  void subtract(std::uint64_t id, std::string_view fact) { slot(id) -= codec::checksum(fact); }
  void subtract_hash(std::uint64_t id, std::uint64_t hash) { slot(id) -= hash; }

  /// What is known of [first, end) is let go: these agree.
  void forget(std::uint64_t first, std::uint64_t end) {
    for (auto chunk = chunks_.lower_bound(first >> chunk_bits); chunk != chunks_.end(); ++chunk) {
      const std::uint64_t base = chunk->first << chunk_bits;
      if (base >= end) return;
      for (std::size_t low = 0; low < chunk->second.size(); ++low)
        if (base + low >= first && base + low < end) chunk->second[low] = 0;
    }
  }

  /// At most `limit` ids whose sum is not zero, ascending.
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
  // Ids are dense within blocks of 4,096.
  static constexpr unsigned chunk_bits = 12;

  std::uint64_t& slot(std::uint64_t id) {
    auto& sums = chunks_[id >> chunk_bits];
    if (sums.empty()) sums.resize(std::size_t{1} << chunk_bits);
    return sums[id & ((std::uint64_t{1} << chunk_bits) - 1)];
  }

  std::map<std::uint64_t, std::vector<std::uint64_t>> chunks_;
};

}  // namespace cairn::engine

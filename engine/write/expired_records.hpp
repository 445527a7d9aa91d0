#pragma once
// Erasing expired records. The postings of expiries are sorted by time, so the earliest expiries are found first.

#include "codec/entity_kind.hpp"
#include "engine/write/erased_records.hpp"

#include <cairn/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace cairn::engine {

class GraphEditor;
class GraphView;
class RocksStore;

/// The progress of a cleanup in several steps: for each kind of record, everything that expires before `from` is
/// erased. So a step need not scan the emptied postings of the previous steps. Times are in microseconds; index 0 is
/// for nodes, 1 for relationships.
struct ExpiryPlace {
  std::array<std::int64_t, 2> from{std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::min()};
};

/// The state in which expiries are looked up.
struct ExpirySource {
  const RocksStore& store;
  const GraphView& view;
  bool has_changes = false;  ///< true if the view has uncommitted changes, which the store lacks
};

/// Returns the ids of at most `limit` entities that expire from `from` to `now`, in ascending order of expiry. Cost:
/// reads one key per posting, also of emptied ones; with uncommitted changes, all expired postings.
[[nodiscard]] Result<std::vector<std::uint64_t>> expired_between(const ExpirySource& source,
                                                                 codec::EntityKind kind,
                                                                 std::int64_t from,
                                                                 std::int64_t now,
                                                                 std::size_t limit);

/// Erases at most `limit` records that have expired by `now`, advances `place`, and returns how many were erased.
/// A node is erased with its relationships, which count too. If a node has more relationships than are left of
/// `limit`, only some of them are erased. The node remains, hidden, for the next step.
/// The node of a session goes with the last record (left_sessions.hpp); it does not count.
[[nodiscard]] Result<ErasedRecords> erase_expired_records(const ExpirySource& source,
                                                          GraphEditor& editor, std::int64_t now,
                                                          std::size_t limit, ExpiryPlace& place);

}  // namespace cairn::engine

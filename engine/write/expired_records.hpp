#pragma once
// Erasing records that have expired, by the postings of expiries, which are in the order of time.

#include "codec/entity_kind.hpp"

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

/// How far a run of several steps has come, by kind of record: what expires before is erased. So a step need
/// not walk over the emptied postings of those before it.
struct ExpiryPlace {
  std::array<std::int64_t, 2> from{std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::min()};
};

/// Where expiries are read.
struct ExpirySource {
  const RocksStore& store;
  const GraphView& view;
  bool has_changes = false;  ///< of a transaction, which are not in the store
};

/// Which entities expire from `from` to `now`, the earliest first, `limit` at most.
/// Cost: a key each, emptied ones too; with changes, all expired ones.
[[nodiscard]] Result<std::vector<std::uint64_t>> expired_between(const ExpirySource& source,
                                                                 codec::EntityKind kind,
                                                                 std::int64_t from,
                                                                 std::int64_t now,
                                                                 std::size_t limit);

/// Erase what has expired by `now` behind `place`, `limit` records at most, and say how many; moves `place`.
/// Nodes go with their relationships, which count. One with more of them than are left of `limit` loses
/// some and stays, hidden as it is, for the next step.
[[nodiscard]] Result<std::size_t> erase_expired_records(const ExpirySource& source,
                                                        GraphEditor& editor, std::int64_t now,
                                                        std::size_t limit, ExpiryPlace& place);

}  // namespace cairn::engine

#pragma once
// IdAllocator: assigns ids to new entities, in blocks of 4,096 per namespace, so that namespaces share few chunks of
// the index. An id that a commit contained is never assigned again. The ids of a rolled-back transaction remain unused, but
// after the next opening they may be assigned if no commit has followed.

#include "codec/keys.hpp"
#include "codec/meta.hpp"
#include "engine/store/meta.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace cairn::engine {

/// Threads: only the holder of the writer lock.
class IdAllocator {
 public:
  explicit IdAllocator(const RocksStore& store) : store_(&store) {}

  /// Returns a new id. Errors: read errors at the first use of a namespace.
  [[nodiscard]] Result<std::uint64_t> next(codec::EntityKind kind, std::uint32_t name_space);
  /// Puts the changes since the last settle() into the batch of a commit.
  void put_changes(StoreBatch& batch) const;
  /// Call this after the batch of put_changes() was written.
  void settle();

 private:
  using Place = std::pair<codec::EntityKind, std::uint32_t>;
  /// Returns the block of a namespace. Loads it at its first use.
  [[nodiscard]] Result<codec::IdBlock*> block(const Place& place);
  /// Replaces a used-up block by a new one.
  [[nodiscard]] Status refill(codec::EntityKind kind, codec::IdBlock& block);

  const RocksStore* store_;
  std::map<Place, codec::IdBlock> blocks_;
  std::map<codec::EntityKind, std::uint64_t> next_block_;  // where the next block begins
  std::set<Place> changed_;                                // blocks to write with the next commit
  // Kinds whose next_block_ must be written with the next commit.
  std::set<codec::EntityKind> refilled_;
};

}  // namespace cairn::engine

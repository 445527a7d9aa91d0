#pragma once
// IdAllocator: new ids, in blocks of 4,096 a namespace, so that tenants share few index chunks.
// Never gives an id twice: what a transaction that was rolled back had is lost.

#include "codec/keys.hpp"
#include "codec/meta.hpp"
#include "engine/store/meta.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace cairn::engine {

/// Threads: the holder of the writer lock only.
class IdAllocator {
 public:
  explicit IdAllocator(const RocksStore& store) : store_(&store) {}

  /// Errors: those of reading what is left of the namespace's block, at its first use.
  [[nodiscard]] Result<std::uint64_t> next(codec::EntityKind kind, std::uint32_t name_space);
  /// Put what was given out since the last commit.
  void put_changes(StoreBatch& batch) const;
  /// What put_changes() has put is written.
  void settle();

 private:
  using Place = std::pair<codec::EntityKind, std::uint32_t>;
  /// The block in memory, loaded at its first use.
  [[nodiscard]] Result<codec::IdBlock*> block(const Place& place);
  /// A new block; what is left of the old one is nothing.
  [[nodiscard]] Status refill(codec::EntityKind kind, codec::IdBlock& block);

  const RocksStore* store_;
  std::map<Place, codec::IdBlock> blocks_;
  std::map<codec::EntityKind, std::uint64_t> next_block_;
  std::set<Place> changed_;
  std::set<codec::EntityKind> refilled_;  // of which blocks were taken since put_changes()
};

}  // namespace cairn::engine

// Ids are assigned from blocks of 4,096 per namespace. Postings are stored in chunks of 65,536 ids. Blocks gather the
// ids of one tenant in few chunks, so a filter by namespace has long runs of ids instead of scattered ids.
//
// next/      the first id that belongs to no block     meta, one key per kind
// block/     the unused ids [next, end) of a block     meta, one key per kind and namespace
//
// Both keys are written with the commit that used the ids. Ids of a rolled-back transaction remain unused while the
// database is open, and for ever if a commit follows. Otherwise they may be assigned again after the next opening,
// which is harmless because no commit contained them. Ids of a refused commit are written with the next one.
#include "engine/write/id_allocator.hpp"

#include "engine/store/store_batch.hpp"

namespace cairn::engine {

// Blocks are loaded once and then stay in memory.
Result<codec::IdBlock*> IdAllocator::block(const Place& place) {
  const auto known = blocks_.find(place);
  if (known != blocks_.end()) return &known->second;
  CAIRN_ASSIGN(const auto stored, MetaReader(*store_).id_block(place.first, place.second));
  return &blocks_.emplace(place, stored).first->second;
}

// The first block begins at 1, because the id 0 is never assigned. Blocks of 4,096 ids do not exhaust 64 bits.
Status IdAllocator::refill(codec::EntityKind kind, codec::IdBlock& block) {
  if (!next_block_.contains(kind)) {
    CAIRN_ASSIGN(next_block_[kind], MetaReader(*store_).next_id(kind));
  }
  std::uint64_t& next = next_block_[kind];
  block = {next == 0 ? 1 : next, next + codec::ids_per_block};  // 0 is not an id
  next = block.end;
  refilled_.insert(kind);
  return {};
}

Result<std::uint64_t> IdAllocator::next(codec::EntityKind kind, std::uint32_t name_space) {
  const Place place{kind, name_space};
  CAIRN_ASSIGN(codec::IdBlock* const from, block(place));
  if (from->next >= from->end) CAIRN_TRY(refill(kind, *from));
  changed_.insert(place);
  return from->next++;
}

void IdAllocator::put_changes(StoreBatch& batch) const {
  MetaWriter meta(batch);
  for (const Place& place : changed_) {
    meta.put_id_block(place.first, place.second, blocks_.at(place));
  }
  for (const codec::EntityKind kind : refilled_) meta.put_next_id(kind, next_block_.at(kind));
}

// Until settle(), a refused commit leaves its changes in changed_ and refilled_, for the next commit.
void IdAllocator::settle() {
  changed_.clear();
  refilled_.clear();
}

}  // namespace cairn::engine

// Ids from blocks of 4,096 a namespace. Postings are chunks of 65,536 ids: blocks keep the ids of
// one tenant in few chunks, so that a filter by namespace meets whole runs of ids and not every
// sixteenth.
//
// next/      first id of no block yet           meta, one a kind
// block/     [next, end) of a namespace         meta, one a kind and namespace
//
// Both are written with the commit that used them. Ids of a rolled-back transaction stay spent
// while the process lives; after a crash they may be given again, which nobody can tell, as no
// commit held them. Those of a commit that was refused are written with the next one.
#include "engine/write/id_allocator.hpp"

#include "engine/store/store_batch.hpp"

namespace cairn::engine {

Result<codec::IdBlock*> IdAllocator::block(const Place& place) {
  const auto known = blocks_.find(place);
  if (known != blocks_.end()) return &known->second;
  CAIRN_ASSIGN(const auto stored, MetaReader(*store_).id_block(place.first, place.second));
  return &blocks_.emplace(place, stored).first->second;
}

// The first block of all begins at 1 and has one id less. 64 bits of ids in blocks of 4,096 do not
// run out.
Status IdAllocator::refill(codec::EntityKind kind, codec::IdBlock& block) {
  if (!next_block_.contains(kind)) {
    CAIRN_ASSIGN(next_block_[kind], MetaReader(*store_).next_id(kind));
  }
  std::uint64_t& next = next_block_[kind];
  block = {next == 0 ? 1 : next, next + codec::ids_per_block};  // 0 names nothing
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

void IdAllocator::settle() {
  changed_.clear();
  refilled_.clear();
}

}  // namespace cairn::engine

#include "engine/write/id_allocator.hpp"

namespace cairn::engine {

Result<codec::IdBlock*> IdAllocator::block(const Place& place) {
  const auto known = blocks_.find(place);
  if (known != blocks_.end()) return &known->second;
  CAIRN_ASSIGN(const auto stored, MetaReader(*store_).id_block(place.first, place.second));
  return &blocks_.emplace(place, stored).first->second;
}

Status IdAllocator::refill(codec::EntityKind kind, codec::IdBlock& block) {
  if (!next_block_.contains(kind)) {
    CAIRN_ASSIGN(next_block_[kind], MetaReader(*store_).next_id(kind));
  }
  std::uint64_t& next = next_block_[kind];
  block = {next == 0 ? 1 : next, next + codec::ids_per_block};  // 0 names nothing
  next = block.end;
  return {};
}

Result<std::uint64_t> IdAllocator::next(codec::EntityKind kind, std::uint32_t name_space) {
  const Place place{kind, name_space};
  CAIRN_ASSIGN(codec::IdBlock* const from, block(place));
  if (from->next >= from->end) CAIRN_TRY(refill(kind, *from));
  changed_.insert(place);
  return from->next++;
}

void IdAllocator::put_changes(StoreBatch& batch) {
  MetaWriter meta(batch);
  for (const Place& place : changed_) {
    meta.put_id_block(place.first, place.second, blocks_[place]);
    const auto next = next_block_.find(place.first);
    if (next != next_block_.end()) meta.put_next_id(next->first, next->second);
  }
  changed_.clear();
}

}  // namespace cairn::engine

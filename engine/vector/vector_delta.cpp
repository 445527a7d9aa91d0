// Append-only chunks of positions, shared with every view. Readers need no lock:
//
// - A view is published under a mutex after its positions were written, so everything below positions() is complete.
// - Only `ended` changes later. It is atomic and relaxed: a reader only tests whether `ended` is greater than the
//   version of its view, and every version that is stored later is.
// - The table leads to the newest position of an entity, which may be beyond the view. `previous` leads back.
//   set() is a release after the chunk was written and find() an acquire, so a position that is found can be read.
//
// A chunk holds 64 KiB of components, so a small index takes little memory and a large one few
// chunks. Growing copies pointers and the table, never vectors.
#include "engine/vector/vector_delta.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace cairn::engine {
namespace {

// log2 of the positions of a chunk: 64 KiB of components, but from 16 to 1,024 positions.
std::uint32_t chunk_shift(std::size_t dimension) {
  const std::size_t positions = 16'384 / std::max<std::size_t>(dimension, 1);
  return static_cast<std::uint32_t>(std::bit_width(std::clamp<std::size_t>(positions, 16, 1'024)) -
                                    1);
}

}  // namespace

DeltaChunk::DeltaChunk(std::size_t positions, std::size_t dimension)
    : entities(std::make_unique<std::uint64_t[]>(positions)),
      previous(std::make_unique<std::uint32_t[]>(positions)),
      ended(std::make_unique<std::atomic<std::uint64_t>[]>(positions)),
      components(std::make_unique_for_overwrite<float[]>(positions * dimension)) {}

// Positions that were appended after this view are skipped: `previous` leads to ever older ones.
// Cost: one probe, and one step for each later version of the same entity.
const float* DeltaView::find(std::uint64_t entity) const noexcept {
  if (positions_ == 0) return nullptr;
  std::uint32_t position = storage_->newest.find(entity);
  while (position != no_position && position >= positions_)
    position = chunk_of(position).previous[position & mask_];
  if (position == no_position) return nullptr;
  const DeltaChunk& chunk = chunk_of(position);
  const std::size_t at = position & mask_;
  // If the newest position in this view is ended, the entity was erased: an update would have
  // appended another position.
  if (chunk.ended[at].load(std::memory_order_relaxed) <= version_) return nullptr;
  return chunk.components.get() + at * dimension_;
}

std::size_t DeltaView::memory_bytes() const noexcept {
  if (!storage_) return 0;
  const std::size_t chunks = (std::size_t{positions_} + mask_) >> shift_;
  const std::size_t position_bytes = dimension_ * sizeof(float) + 2 * sizeof(std::uint64_t) + 4;
  return chunks * (std::size_t{mask_} + 1) * position_bytes + storage_->newest.memory_bytes();
}

VectorDelta::VectorDelta(std::size_t dimension)
    : dimension_(dimension), shift_(chunk_shift(dimension)) {}

// Doubles the number of chunks and shares the old ones. Existing views still use their storage,
// whose table contains no position beyond its chunks.
void VectorDelta::grow() {
  const std::size_t old_chunks = storage_ ? storage_->chunks.size() : 0;
  const std::size_t chunks = std::max<std::size_t>(2 * old_chunks, 1);
  auto larger = std::make_shared<DeltaStorage>(chunks << shift_, chunks);
  if (storage_) {
    std::ranges::copy(storage_->chunks, larger->chunks.begin());
    larger->newest.copy_from(storage_->newest);
  }
  storage_ = std::move(larger);
}

std::uint32_t VectorDelta::end(std::uint64_t entity, std::uint64_t version) {
  const std::uint32_t newest = storage_ ? storage_->newest.find(entity) : no_position;
  if (newest == no_position) return newest;
  auto& ended = chunk_of(newest).ended[newest & ((1u << shift_) - 1)];
  if (ended.load(std::memory_order_relaxed) == never) {
    ended.store(version, std::memory_order_relaxed);
    --live_;
  }
  return newest;
}

void VectorDelta::put(std::uint64_t entity, std::span<const float> stored, std::uint64_t version) {
  assert(positions_ < no_position);
  const std::uint32_t previous = end(entity, version);
  const std::uint32_t position = positions_;
  if (!storage_ || position >> shift_ == storage_->chunks.size()) grow();
  auto& chunk = storage_->chunks[position >> shift_];
  if (!chunk) chunk = std::make_shared<DeltaChunk>(std::size_t{1} << shift_, dimension_);
  const std::size_t at = position & ((1u << shift_) - 1);
  chunk->entities[at] = entity;
  chunk->previous[at] = previous;
  chunk->ended[at].store(never, std::memory_order_relaxed);
  std::ranges::copy(stored, chunk->components.get() + at * dimension_);
  // Last, because it makes the position reachable for readers.
  storage_->newest.set(entity, position);
  ++positions_;
  ++live_;
}

void VectorDelta::erase(std::uint64_t entity, std::uint64_t version) { end(entity, version); }

DeltaView VectorDelta::view(std::uint64_t version) const {
  DeltaView view;
  view.storage_ = storage_;
  view.version_ = version;
  view.dimension_ = dimension_;
  view.positions_ = positions_;
  view.live_ = live_;
  view.shift_ = shift_;
  view.mask_ = (1u << shift_) - 1;
  return view;
}

}  // namespace cairn::engine

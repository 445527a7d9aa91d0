// A union of many small postings, as a range over distinct values gives them: thousands of values
// with a handful of ids each, chunk by chunk in the order of values and not of ids. Pairwise unions
// would copy the growing result each time. Here ids of small containers are collected and sorted
// once (radix, linear), containers of more are kept as they are and united by key.
//
// Cost: linear in the ids of small containers and the bytes of large ones. Memory until build(): 8
// bytes an id, 24 a chunk, and what the containers hold.
#include "codec/bitmap_builder.hpp"

#include "codec/sort_ids.hpp"

#include <algorithm>
#include <utility>

namespace cairn::codec {
namespace {

// A container of fewer ids is cheaper to sort id by id than to keep.
// 64 ids are 512 bytes of list against 8 KiB of bitmap in a union.
constexpr std::uint32_t few_ids = 64;

// The union of chunks of one key.
// A single chunk is passed on and not copied: a posting that is alone in its chunk stays shared
// with the cache.
std::shared_ptr<const Container> merged(std::span<const Bitmap::Chunk> chunks) {
  if (chunks.size() == 1) return chunks.front().container;
  std::vector<const Container*> containers;
  containers.reserve(chunks.size());
  for (const Bitmap::Chunk& chunk : chunks) containers.push_back(chunk.container.get());
  return std::make_shared<const Container>(unite_all(containers));
}

}  // namespace

void BitmapBuilder::add(const Bitmap& set) {
  for (const Bitmap::Chunk& chunk : set.chunks()) add_chunk(chunk.key, chunk.container);
}

void BitmapBuilder::add_chunk(std::uint64_t key, std::shared_ptr<const Container> container) {
  if (container->cardinality() < few_ids)
    container->for_each([&](std::uint16_t low) { ids_.push_back(key << 16 | low); });
  else
    chunks_.push_back({key, std::move(container)});
}

std::size_t BitmapBuilder::memory_bytes() const noexcept {
  std::size_t bytes = ids_.capacity() * sizeof(ids_[0]) + chunks_.capacity() * sizeof(chunks_[0]);
  for (const Bitmap::Chunk& chunk : chunks_) bytes += chunk.container->memory_bytes();
  return bytes;
}

Bitmap BitmapBuilder::build() {
  // First the single ids as a set of their own, whose chunks then join those that were kept.
  std::vector<std::uint64_t> ids = std::exchange(ids_, {});
  sort_ids(ids);
  Bitmap result = Bitmap::from_sorted(ids);
  if (chunks_.empty()) return result;

  std::vector<Bitmap::Chunk> chunks = std::exchange(chunks_, {});
  chunks.insert(chunks.end(), result.chunks().begin(), result.chunks().end());
  std::ranges::sort(chunks, {}, &Bitmap::Chunk::key);
  result = {};
  for (auto begin = chunks.begin(); begin != chunks.end();) {
    const auto end =
        std::ranges::upper_bound(begin, chunks.end(), begin->key, {}, &Bitmap::Chunk::key);
    result.append_chunk(begin->key, merged({begin, end}));
    begin = end;
  }
  return result;
}

Bitmap unite_all(std::span<const Bitmap> sets) {
  BitmapBuilder builder;
  for (const Bitmap& set : sets) builder.add(set);
  return builder.build();
}

}  // namespace cairn::codec

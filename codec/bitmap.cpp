// Sets of 64-bit ids: a sorted vector of (upper 48 bits, container). Ids are assigned in blocks of
// 4,096 per namespace, so chunks are dense and few: 17 million ids are about 260 chunks. A tree
// would make single changes cheaper, but sets are built once, cached and combined many times. The
// vector is scanned in step with others and copied by pointers.
//
// Sharing: a container owned by a shared_ptr<const> never changes, so no locks are needed. A set
// may be read on any thread while other sets share its containers. An intersection with a full
// chunk (of the set of all visible ids) costs a pointer.
#include "codec/bitmap.hpp"

#include "codec/sorted_ids.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace cairn::codec {
namespace {

using Chunks = std::span<const Bitmap::Chunk>;

std::uint64_t key_of(std::uint64_t id) { return id >> 16; }
std::uint16_t low_of(std::uint64_t id) { return static_cast<std::uint16_t>(id); }

// Makes a container shared. Nobody holds a non-const reference to it afterwards.
std::shared_ptr<const Container> shared(Container container) {
  return std::make_shared<const Container>(std::move(container));
}

// Drops the chunks below `key`. Steps double, so the cost is logarithmic in the number of dropped
// chunks.
Chunks from_key(Chunks chunks, std::uint64_t key) {
  std::size_t step = 1;
  while (step < chunks.size() && chunks[step].key < key) step *= 2;
  const auto window = chunks.first(std::min(step, chunks.size()));
  const auto found = std::ranges::lower_bound(window, key, {}, &Bitmap::Chunk::key);
  return chunks.subspan(static_cast<std::size_t>(found - window.begin()));
}

// Calls `visit(a's chunk, b's chunk)` for each key that both have. Cost: the smaller number of
// chunks times a logarithm; three ids against a set of thousands of chunks look at three chunks.
template <class Visit>
void for_each_common(Chunks a, Chunks b, Visit&& visit) {
  while (!a.empty() && !b.empty()) {
    if (a.front().key == b.front().key) {
      visit(a.front(), b.front());
      a = a.subspan(1);
      b = b.subspan(1);
    } else if (a.front().key < b.front().key) {
      a = from_key(a, b.front().key);
    } else {
      b = from_key(b, a.front().key);
    }
  }
}

// The set operations on two containers of one chunk. If the result equals an operand, that operand
// is shared. Full containers come from of_range(), for example in the set of all ids.
using Shared = std::shared_ptr<const Container>;

// Pointers are compared before contents: two filters built from one cached posting share its
// containers.
Shared intersect(const Shared& a, const Shared& b) {
  if (a == b || b->full()) return a;
  if (a->full()) return b;
  return shared(intersect(*a, *b));
}

Shared unite(const Shared& a, const Shared& b) {
  if (a == b || a->full()) return a;
  if (b->full()) return b;
  return shared(unite(*a, *b));
}

Shared subtract(const Shared& a, const Shared& b) {
  if (a == b || b->full()) return shared({});
  return shared(subtract(*a, *b));
}

}  // namespace

Bitmap Bitmap::from_sorted(std::span<const std::uint64_t> ids) {
  Bitmap result;
  std::vector<std::uint16_t> lows;
  for (std::size_t i = 0; i < ids.size();) {
    const std::uint64_t key = key_of(ids[i]);
    lows.clear();
    for (; i < ids.size() && key_of(ids[i]) == key; ++i) lows.push_back(low_of(ids[i]));
    result.append_chunk(key, shared(Container::from_sorted(lows)));
  }
  return result;
}

Bitmap Bitmap::from_unsorted(std::vector<std::uint64_t> ids) {
  sort_ids(ids);
  return from_sorted(ids);
}

// All full chunks share one container with a single run.
Bitmap Bitmap::of_range(std::uint64_t first, std::uint64_t last) {
  Bitmap result;
  if (first >= last) return result;
  const auto run = [](std::uint16_t begin, std::uint16_t end) {
    const Container::Run one = {begin, end};
    return shared(Container::from_runs({&one, 1}));
  };
  const Shared full = run(0, 0xffff);
  const std::uint64_t first_key = key_of(first);
  const std::uint64_t last_key = key_of(last - 1);
  // Keys have 48 bits, so ++key cannot wrap, not even if `last` is the greatest possible id.
  for (std::uint64_t key = first_key; key <= last_key; ++key) {
    const std::uint16_t begin = key == first_key ? low_of(first) : std::uint16_t{0};
    const std::uint16_t end = key == last_key ? low_of(last - 1) : std::uint16_t{0xffff};
    result.append_chunk(key, begin == 0 && end == 0xffff ? full : run(begin, end));
  }
  return result;
}

void Bitmap::append_chunk(std::uint64_t key, std::shared_ptr<const Container> container) {
  assert(chunks_.empty() || chunks_.back().key < key);
  if (!container->empty()) chunks_.push_back({key, std::move(container)});
}

void Bitmap::add(std::uint64_t id) {
  const std::uint16_t low = low_of(id);
  apply(id, {&low, 1}, {});
}

void Bitmap::remove(std::uint64_t id) {
  const std::uint16_t low = low_of(id);
  apply(id, {}, {&low, 1});
}

// Changes a copy, because other sets may share the container.
void Bitmap::apply(std::uint64_t id, std::span<const std::uint16_t> added,
                   std::span<const std::uint16_t> removed) {
  const auto chunk = std::ranges::lower_bound(chunks_, key_of(id), {}, &Chunk::key);
  const bool present = chunk != chunks_.end() && chunk->key == key_of(id);
  Container container = present ? *chunk->container : Container{};
  container.apply(added, removed);
  if (!present) {
    if (!container.empty()) chunks_.insert(chunk, {key_of(id), shared(std::move(container))});
  } else if (container.empty()) {
    chunks_.erase(chunk);
  } else {
    chunk->container = shared(std::move(container));
  }
}

bool Bitmap::contains(std::uint64_t id) const noexcept {
  // Two binary searches, no allocation.
  const auto chunk = std::ranges::lower_bound(chunks_, key_of(id), {}, &Chunk::key);
  return chunk != chunks_.end() && chunk->key == key_of(id) &&
         chunk->container->contains(low_of(id));
}

std::uint64_t Bitmap::cardinality() const noexcept {
  std::uint64_t total = 0;
  for (const Chunk& chunk : chunks_) total += chunk.container->cardinality();
  return total;
}

std::optional<std::uint64_t> Bitmap::first() const noexcept {
  if (chunks_.empty()) return std::nullopt;
  return chunks_.front().key << 16 | chunks_.front().container->first();
}

std::optional<std::uint64_t> Bitmap::last() const noexcept {
  if (chunks_.empty()) return std::nullopt;
  return chunks_.back().key << 16 | chunks_.back().container->last();
}

std::vector<std::uint64_t> Bitmap::to_vector() const {
  std::vector<std::uint64_t> ids;
  ids.reserve(cardinality());
  for_each([&](std::uint64_t id) { ids.push_back(id); });
  return ids;
}

std::size_t Bitmap::memory_bytes() const noexcept {
  std::size_t total = sizeof(*this) + chunks_.capacity() * sizeof(Chunk);
  for (const Chunk& chunk : chunks_) total += chunk.container->memory_bytes();
  return total;
}

bool operator==(const Bitmap& a, const Bitmap& b) noexcept {
  return std::ranges::equal(a.chunks_, b.chunks_, [](const auto& one, const auto& other) {
    return one.key == other.key &&
           (one.container == other.container || *one.container == *other.container);
  });
}

Bitmap intersect(const Bitmap& a, const Bitmap& b) {
  Bitmap result;
  for_each_common(a.chunks(), b.chunks(), [&](const auto& one, const auto& other) {
    result.append_chunk(one.key, intersect(one.container, other.container));
  });
  return result;
}

// Used by facets and by estimates of the planner. Makes no containers; a full container costs only
// a read of the other one's cardinality.
std::uint64_t intersection_cardinality(const Bitmap& a, const Bitmap& b) {
  std::uint64_t total = 0;
  for_each_common(a.chunks(), b.chunks(), [&](const auto& one, const auto& other) {
    total += intersection_cardinality(*one.container, *other.container);
  });
  return total;
}

// Chunks that only one operand has are shared with the result.
Bitmap unite(const Bitmap& a, const Bitmap& b) {
  Bitmap result;
  auto other = b.chunks().begin();
  for (const Bitmap::Chunk& chunk : a.chunks()) {
    for (; other != b.chunks().end() && other->key < chunk.key; ++other)
      result.append_chunk(other->key, other->container);
    const bool both = other != b.chunks().end() && other->key == chunk.key;
    result.append_chunk(chunk.key,
                        both ? unite(chunk.container, (other++)->container) : chunk.container);
  }
  for (; other != b.chunks().end(); ++other) result.append_chunk(other->key, other->container);
  return result;
}

// append_chunk() drops empty containers, so no chunk of a set is ever empty. empty() and first()
// rely on that.
Bitmap subtract(const Bitmap& a, const Bitmap& b) {
  Bitmap result;
  Chunks others = b.chunks();
  for (const Bitmap::Chunk& chunk : a.chunks()) {
    others = from_key(others, chunk.key);
    const bool both = !others.empty() && others.front().key == chunk.key;
    result.append_chunk(
        chunk.key, both ? subtract(chunk.container, others.front().container) : chunk.container);
  }
  return result;
}

// Between two calls the cursor is at (chunk, next lower 16 bits); position 65,536 means that the
// chunk is finished. Each call finds its place again by binary search, so no iterator into a
// container outlives a call.
std::size_t IdCursor::next(std::span<std::uint64_t> out) {
  const auto chunks = set_->chunks();
  std::size_t written = 0;
  while (chunk_ < chunks.size() && written < out.size()) {
    const auto& [key, container] = chunks[chunk_];
    written += container->copy_values(position_, key << 16, out.subspan(written));
    if (written == out.size()) {
      // If the chunk has no more ids, the next call notices that.
      position_ = static_cast<std::uint32_t>(low_of(out.back())) + 1;
    } else {
      ++chunk_;
      position_ = 0;
    }
  }
  return written;
}

// A union of many small postings, as a range over distinct values reads them: thousands of values
// with a handful of ids each, ordered by value and not by id. Pairwise unions would copy the
// growing result each time. Instead, ids of small containers are collected and sorted once (radix
// sort, linear), and larger containers are grouped by key and united.
//
// Cost: linear in the ids of small containers and the bytes of large ones. Memory until build(): 8
// bytes per id, 24 bytes per chunk, and the containers themselves.

namespace {

// Containers of fewer ids are collected id by id, which is cheaper than keeping the container: 64
// ids are 512 bytes in a list, against 8 KiB for a bitmap in a union.
constexpr std::uint32_t few_ids = 64;

// Returns the union of chunks of one key. A single chunk is passed on without a copy, so a posting
// that is alone in its chunk stays shared with the cache.
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
  // Builds a set of the single ids first, then merges its chunks with the collected containers.
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

// Two sets are merged directly; collecting first only pays for more sets.
Bitmap unite_all(std::span<const Bitmap> sets) {
  if (sets.size() == 2) return unite(sets.front(), sets.back());
  BitmapBuilder builder;
  for (const Bitmap& set : sets) builder.add(set);
  return builder.build();
}

}  // namespace cairn::codec

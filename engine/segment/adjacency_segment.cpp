// Builds and reads adjacency segments. The store delivers adjacency keys in ascending order of node, so lists are
// only appended to. A dense chunk stores an offset for each of its nodes and needs no search; a sparse chunk finds a
// list by its SlotIndex.
#include "engine/segment/adjacency_segment.hpp"

#include "codec/keys.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace cairn::engine {
/// Takes relationships in the order of the store: by node, type, neighbour and relationship.
class AdjacencySegment::Builder {
 public:
  explicit Builder(AdjacencySegment& segment) : segment_(segment) {}

  /// Appends a relationship to the list of its node and type. Begins a new list if the node has none yet.
  void add(const codec::AdjacencyKey& key) {
    auto& [chunk, slots] = lists_of(key.type, key.node >> 16);
    const auto slot = static_cast<std::uint16_t>(key.node);
    if (slots.empty() || slots.back() != slot) {
      slots.push_back(slot);
      chunk.offsets.push_back(static_cast<std::uint32_t>(chunk.neighbours.size()));
      bytes_ += Chunk::node_bytes;
    }
    chunk.neighbours.push_back(static_cast<std::uint32_t>(key.other));
    chunk.relationships.push_back(static_cast<std::uint32_t>(key.relationship));
    bytes_ += Chunk::relationship_bytes;
    if (last_node_ != key.node) ++segment_.nodes_;
    last_node_ = key.node;
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  /// Packs all chunks into the segment.
  void finish() {
    for (auto& lists : lists_) {
      std::vector<Chunk>& chunks = segment_.chunks_.emplace_back();
      for (Lists& one : lists) chunks.push_back(pack(std::move(one)));
      lists.clear();
    }
  }

 private:
  /// A chunk under construction, and the slots of its nodes with a list.
  struct Lists {
    Chunk chunk;
    std::vector<std::uint16_t> slots;
  };

  /// The chunk `number` of a type. A linear insertion suffices, because there are few types.
  Lists& lists_of(std::uint32_t type, std::uint64_t number) {
    const auto at = std::ranges::lower_bound(segment_.types_, type);
    const auto place = at - segment_.types_.begin();
    if (at == segment_.types_.end() || *at != type) {
      segment_.types_.insert(at, type);
      lists_.insert(lists_.begin() + place, std::vector<Lists>());
    }
    std::vector<Lists>& chunks = lists_[static_cast<std::size_t>(place)];
    if (chunks.size() <= number) {
      bytes_ += (number + 1 - chunks.size()) * sizeof(Chunk);
      chunks.resize(number + 1);
    }
    return chunks[number];
  }

  /// Chooses the dense or the sparse form, and releases spare capacity.
  static Chunk pack(Lists lists) {
    auto& [chunk, slots] = lists;
    if (slots.empty()) return {};
    chunk.offsets.push_back(static_cast<std::uint32_t>(chunk.neighbours.size()));
    if (slots.size() >= chunk_ids / dense_share)
      make_dense(lists);
    else
      chunk.slots = SlotIndex(std::move(slots));
    chunk.offsets.shrink_to_fit();
    chunk.neighbours.shrink_to_fit();
    chunk.relationships.shrink_to_fit();
    return std::move(chunk);
  }

  /// Gives each of the 65,536 nodes an offset. A node without a list gets the offset of the next list.
  static void make_dense(Lists& lists) {
    auto& [chunk, slots] = lists;
    std::vector<std::uint32_t> offsets(chunk_ids + 1);
    std::size_t list = 0;
    for (std::size_t slot = 0; slot < chunk_ids; ++slot) {
      offsets[slot] = chunk.offsets[list];
      if (list < slots.size() && slots[list] == slot) ++list;
    }
    offsets[chunk_ids] = chunk.offsets[list];
    chunk.offsets = std::move(offsets);
  }

  AdjacencySegment& segment_;
  std::vector<std::vector<Lists>> lists_;  // by type as in the segment, then by chunk number
  std::optional<std::uint64_t> last_node_;
  std::size_t bytes_ = 0;
};

Result<AdjacencySegment::Ptr> AdjacencySegment::build(const RocksStore& store,
                                                      const StoreSnapshot& snapshot, bool outgoing,
                                                      const SegmentBounds& bounds) {
  std::shared_ptr<AdjacencySegment> segment(new AdjacencySegment());
  Builder builder(*segment);
  const Family family = outgoing ? Family::adj_out : Family::adj_in;
  Cursor stored = store.scan(family, {}, &snapshot);
  std::size_t records = 0;
  for (; stored.valid(); stored.next()) {
    CAIRN_ASSIGN(const codec::AdjacencyKey key, codec::decode_adjacency_key(stored.key()));
    if (key.other > most_id || key.relationship > most_id || key.node > most_id) return Ptr();
    builder.add(key);
    if (!bounds.allow(++records, builder.bytes())) return Ptr();
  }
  CAIRN_TRY(stored.status());
  builder.finish();
  return Ptr(std::move(segment));
}

// The lists of the other nodes of a changed chunk are those of this segment. Types that have no lists any more remain.
Result<AdjacencySegment::Ptr> AdjacencySegment::updated(const RocksStore& store,
                                                        const StoreSnapshot& snapshot,
                                                        bool outgoing, const codec::Bitmap& changed,
                                                        const SegmentBounds& bounds) const {
  std::shared_ptr<AdjacencySegment> segment(new AdjacencySegment(*this));
  Cursor stored = store.seek_prefixes(outgoing ? Family::adj_out : Family::adj_in, &snapshot);
  std::size_t records = 0;
  for (const codec::Bitmap::Chunk& part : changed.chunks()) {
    const std::vector<TypeLists> known = lists_in(part.key);
    AdjacencySegment lists;
    Builder builder(lists);
    for (std::size_t slot = 0; slot < chunk_ids; ++slot) {
      const auto place = static_cast<std::uint16_t>(slot);
      const std::uint64_t node = part.key << 16 | slot;
      const bool is_changed = part.container->contains(place);
      bool has_list = false;
      for (const auto& [type, chunk] : known) {
        const List list = chunk->list(place);
        has_list = has_list || list.size() != 0;
        for (std::size_t i = 0; i < list.size() && !is_changed; ++i)
          builder.add({node, type, list.neighbours[i], list.relationships[i]});
      }
      if (has_list) --segment->nodes_;
      if (!is_changed) continue;
      for (stored.seek(codec::adjacency_prefix(node)); stored.valid(); stored.next()) {
        CAIRN_ASSIGN(const codec::AdjacencyKey key, codec::decode_adjacency_key(stored.key()));
        if (key.node != node) break;
        if (key.other > most_id || key.relationship > most_id || node > most_id) return Ptr();
        builder.add(key);
        if (!bounds.allow(++records, builder.bytes())) return Ptr();
      }
      CAIRN_TRY(stored.status());
    }
    builder.finish();
    segment->nodes_ += lists.nodes_;
    segment->replace(part.key, lists);
    if (!bounds.allow(0, segment->memory_bytes())) return Ptr();
  }
  return Ptr(std::move(segment));
}

std::vector<AdjacencySegment::TypeLists> AdjacencySegment::lists_in(std::uint64_t chunk) const {
  std::vector<TypeLists> found;
  for (std::size_t i = 0; i < types_.size(); ++i)
    if (chunk < chunks_[i].size() && !chunks_[i][chunk].offsets.empty())
      found.emplace_back(types_[i], &chunks_[i][chunk]);
  return found;
}

void AdjacencySegment::replace(std::uint64_t chunk, AdjacencySegment& lists) {
  for (std::vector<Chunk>& chunks : chunks_)
    if (chunk < chunks.size()) chunks[chunk] = {};
  for (std::size_t i = 0; i < lists.types_.size(); ++i) {
    const auto at = std::ranges::lower_bound(types_, lists.types_[i]);
    const auto place = at - types_.begin();
    if (at == types_.end() || *at != lists.types_[i]) {
      types_.insert(at, lists.types_[i]);
      chunks_.insert(chunks_.begin() + place, std::vector<Chunk>());
    }
    std::vector<Chunk>& chunks = chunks_[static_cast<std::size_t>(place)];
    if (chunks.size() <= chunk) chunks.resize(chunk + 1);
    chunks[chunk] = std::move(lists.chunks_[i][chunk]);
  }
}

AdjacencySegment::List AdjacencySegment::List::between(std::uint64_t neighbour) const noexcept {
  const auto found = std::ranges::equal_range(neighbours, neighbour);
  const auto first = static_cast<std::size_t>(found.begin() - neighbours.begin());
  return {neighbours.subspan(first, found.size()), relationships.subspan(first, found.size())};
}

// The slot itself is the index of the list in a dense chunk; in a sparse one, its position.
AdjacencySegment::List AdjacencySegment::Chunk::list(std::uint16_t slot) const noexcept {
  std::size_t at = slot;
  if (!slots.empty()) {
    const auto place = slots.find(slot);
    if (!place) return {};
    at = *place;
  } else if (offsets.empty()) {
    return {};
  }
  const std::uint32_t first = offsets[at];
  const std::size_t count = offsets[at + 1] - first;
  return {std::span(neighbours).subspan(first, count),
          std::span(relationships).subspan(first, count)};
}

// A linear search, because there are few types.
AdjacencySegment::List AdjacencySegment::list(std::uint64_t node,
                                              std::uint32_t type) const noexcept {
  const auto at = std::ranges::find(types_, type);
  if (at == types_.end()) return {};
  const std::vector<Chunk>& chunks = chunks_[static_cast<std::size_t>(at - types_.begin())];
  if (node >> 16 >= chunks.size()) return {};
  return chunks[node >> 16].list(static_cast<std::uint16_t>(node));
}

// A binary search, because an integrity check looks up every type.
const std::vector<AdjacencySegment::Chunk>* AdjacencySegment::chunks_of(
    std::uint32_t type) const noexcept {
  const auto at = std::ranges::lower_bound(types_, type);
  if (at == types_.end() || *at != type) return nullptr;
  return &chunks_[static_cast<std::size_t>(at - types_.begin())];
}

std::size_t AdjacencySegment::chunks(std::uint32_t type) const noexcept {
  const std::vector<Chunk>* const found = chunks_of(type);
  return found == nullptr ? 0 : found->size();
}

std::vector<std::uint64_t> AdjacencySegment::nodes(std::uint32_t type, std::size_t chunk) const {
  const std::vector<Chunk>* const found = chunks_of(type);
  if (found == nullptr || chunk >= found->size() || (*found)[chunk].offsets.empty()) return {};
  const SlotIndex& slots = (*found)[chunk].slots;
  std::vector<std::uint64_t> nodes;
  if (slots.empty()) {
    nodes.resize(chunk_ids);
    std::iota(nodes.begin(), nodes.end(), chunk * chunk_ids);
  }
  for (const std::uint16_t slot : slots.to_vector()) nodes.push_back(chunk * chunk_ids + slot);
  return nodes;
}

// The same lists have the same form.
bool AdjacencySegment::has_same_lists(const AdjacencySegment& other, std::uint32_t type,
                                      std::size_t chunk) const noexcept {
  const auto find = [&](const AdjacencySegment& segment) -> const Chunk* {
    const std::vector<Chunk>* const found = segment.chunks_of(type);
    const bool is_there =
        found != nullptr && chunk < found->size() && !(*found)[chunk].offsets.empty();
    return is_there ? &(*found)[chunk] : nullptr;
  };
  const Chunk* const a = find(*this);
  const Chunk* const b = find(other);
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

std::size_t AdjacencySegment::Chunk::memory_bytes() const noexcept {
  return sizeof(Chunk) + slots.memory_bytes() +
         (offsets.capacity() + neighbours.capacity() + relationships.capacity()) *
             sizeof(std::uint32_t);
}

std::size_t AdjacencySegment::memory_bytes() const noexcept {
  std::size_t bytes = sizeof(*this);
  for (const auto& chunks : chunks_)
    for (const Chunk& chunk : chunks) bytes += chunk.memory_bytes();
  return bytes;
}

}  // namespace cairn::engine

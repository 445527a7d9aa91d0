// Adjacency segments in files. What is read is checked as far as memory and the order of lists depend on it: a checksum
// proves damage, and not who wrote the file.
//
// adjacency := nodes:u64 types:u32 (type:u32 chunks:u32 chunk{chunks}){types}
// chunk     := 00                                             no lists
//            | 01 slots offsets neighbours relationships      lists of the slots
//            | 02 offsets neighbours relationships            lists of all slots
// offsets, neighbours, relationships := array of u32
#include "codec/byte_io.hpp"
#include "codec/number_array.hpp"
#include "engine/segment/adjacency_segment.hpp"

#include <algorithm>
#include <utility>

namespace cairn::engine {
namespace {

enum class ListsForm : std::uint8_t { empty = 0, sparse = 1, dense = 2 };

}  // namespace

void AdjacencySegment::Chunk::append_to(std::string& out) const {
  const ListsForm form = offsets.empty() ? ListsForm::empty
                         : slots.empty() ? ListsForm::dense
                                         : ListsForm::sparse;
  codec::append_little(out, static_cast<std::uint8_t>(form));
  if (form == ListsForm::empty) return;
  if (form == ListsForm::sparse) slots.append_to(out);
  codec::append_array(out, offsets);
  codec::append_array(out, neighbours);
  codec::append_array(out, relationships);
}

AdjacencySegment::Chunk AdjacencySegment::Chunk::read(codec::ByteCursor& cursor) {
  Chunk chunk;
  const auto form = static_cast<ListsForm>(cursor.read_byte());
  if (form == ListsForm::empty) return chunk;
  if (form != ListsForm::sparse && form != ListsForm::dense) cursor.fail();
  if (form == ListsForm::sparse) chunk.slots = SlotIndex::read(cursor);
  const std::size_t lists = form == ListsForm::sparse ? chunk.slots.size() : chunk_ids;
  chunk.offsets = codec::read_array<std::uint32_t>(cursor);
  chunk.neighbours = codec::read_array<std::uint32_t>(cursor);
  chunk.relationships = codec::read_array<std::uint32_t>(cursor);
  if (lists == 0 || chunk.offsets.size() != lists + 1 || !chunk.is_sound()) cursor.fail();
  return chunk;
}

bool AdjacencySegment::Chunk::is_sound() const noexcept {
  if (offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
      offsets.back() != neighbours.size() || neighbours.size() != relationships.size())
    return false;
  for (std::size_t list = 0; list + 1 < offsets.size(); ++list)
    for (std::size_t i = std::size_t{offsets[list]} + 1; i < offsets[list + 1]; ++i)
      if (std::pair(neighbours[i - 1], relationships[i - 1]) >=
          std::pair(neighbours[i], relationships[i]))
        return false;
  return true;
}

void AdjacencySegment::append_to(std::string& out) const {
  codec::append_little(out, std::uint64_t{nodes_});
  codec::append_little(out, static_cast<std::uint32_t>(types_.size()));
  for (std::size_t i = 0; i < types_.size(); ++i) {
    codec::append_little(out, types_[i]);
    codec::append_little(out, static_cast<std::uint32_t>(chunks_[i].size()));
    for (const Chunk& chunk : chunks_[i]) chunk.append_to(out);
  }
}

// An empty chunk takes one byte of the file and more in memory, so memory is counted besides the bytes that are there.
Result<AdjacencySegment::Ptr> AdjacencySegment::read(std::string_view bytes,
                                                     std::size_t most_bytes) {
  codec::ByteCursor cursor(bytes);
  std::shared_ptr<AdjacencySegment> segment(new AdjacencySegment());
  segment->nodes_ = cursor.read_little<std::uint64_t>();
  const auto types = cursor.read_little<std::uint32_t>();
  std::size_t all_chunks = 0;
  for (std::uint32_t i = 0; i < types && !cursor.failed(); ++i) {
    const auto type = cursor.read_little<std::uint32_t>();
    const auto chunks = cursor.read_little<std::uint32_t>();
    all_chunks += chunks;
    if ((i > 0 && type <= segment->types_.back()) || chunks > cursor.rest().size()) cursor.fail();
    if (all_chunks > most_bytes / sizeof(Chunk)) return Ptr();
    segment->types_.push_back(type);
    std::vector<Chunk>& lists = segment->chunks_.emplace_back();
    lists.reserve(cursor.failed() ? 0 : chunks);
    for (std::uint32_t at = 0; at < chunks && !cursor.failed(); ++at)
      lists.push_back(Chunk::read(cursor));
  }
  if (!cursor.finished()) return codec::corruption("lists of relationships are damaged");
  if (segment->memory_bytes() > most_bytes) return Ptr();
  return Ptr(std::move(segment));
}

}  // namespace cairn::engine

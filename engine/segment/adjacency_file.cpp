// Adjacency segments in files. Reading checks everything on which memory safety and the order of lists depend: a
// checksum detects damage, but not a crafted file.
//
// adjacency := nodes:u64 types:u32 (type:u32 chunks:u32 chunk{chunks}){types}
// chunk     := 00 | 01 slots lists | 02 lists      no lists; of the slots; of all slots
// lists     := lengths neighbours relationships    each packed; what follows the lengths has their sum of numbers
#include "codec/byte_io.hpp"
#include "codec/packed_numbers.hpp"
#include "engine/segment/adjacency_segment.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

enum class ListsForm : std::uint8_t { empty = 0, sparse = 1, dense = 2 };

std::vector<std::uint32_t> lengths_of(std::span<const std::uint32_t> offsets) {
  std::vector<std::uint32_t> lengths(offsets.size() - 1);
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = offsets[i + 1] - offsets[i];
  return lengths;
}

/// Turns lengths into offsets, one more than there are lists. Returns nullopt if there are too many relationships.
std::optional<std::vector<std::uint32_t>> offsets_of(std::span<const std::uint32_t> lengths) {
  std::vector<std::uint32_t> offsets{0};
  offsets.reserve(lengths.size() + 1);
  for (const std::uint32_t length : lengths) {
    if (length > std::numeric_limits<std::uint32_t>::max() - offsets.back()) return std::nullopt;
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

}  // namespace

void AdjacencySegment::Chunk::append_to(std::string& out) const {
  const ListsForm form = offsets.empty() ? ListsForm::empty
                         : slots.empty() ? ListsForm::dense
                                         : ListsForm::sparse;
  codec::append_little(out, static_cast<std::uint8_t>(form));
  if (form == ListsForm::empty) return;
  if (form == ListsForm::sparse) slots.append_to(out);
  codec::append_packed<std::uint32_t>(out, lengths_of(offsets));
  codec::append_packed<std::uint32_t>(out, neighbours);
  codec::append_packed<std::uint32_t>(out, relationships);
}

// Bounds the numbers of a chunk, because a few packed bytes can stand for any number of equal numbers. A relationship
// is in only one list, so all relationships but those of one block take at least a byte each. A dense chunk has at
// least one relationship for each dense_share nodes.
AdjacencySegment::Chunk AdjacencySegment::Chunk::read(codec::ByteCursor& cursor) {
  Chunk chunk;
  const auto form = static_cast<ListsForm>(cursor.read_byte());
  if (form == ListsForm::empty) return chunk;
  if (form != ListsForm::sparse && form != ListsForm::dense) cursor.fail();
  if (form == ListsForm::sparse) chunk.slots = SlotIndex::read(cursor);
  const std::size_t lists = form == ListsForm::sparse ? chunk.slots.size() : chunk_ids;
  auto offsets = offsets_of(codec::read_packed<std::uint32_t>(cursor, lists));
  const std::size_t count = offsets ? offsets->back() : 0;
  const bool is_possible =
      offsets && lists != 0 && count <= cursor.rest().size() + codec::packed_block_numbers;
  if (form == ListsForm::dense && count < chunk_ids / dense_share) cursor.fail();
  if (cursor.failed() || !is_possible) {
    cursor.fail();
    return {};
  }
  chunk.offsets = *std::move(offsets);
  chunk.neighbours = codec::read_packed<std::uint32_t>(cursor, count);
  chunk.relationships = codec::read_packed<std::uint32_t>(cursor, count);
  if (cursor.failed() || !chunk.is_sound()) cursor.fail();
  return chunk;
}

bool AdjacencySegment::Chunk::is_sound() const noexcept {
  if (offsets.back() != neighbours.size() || neighbours.size() != relationships.size())
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

// A chunk takes more space in memory than in the file, where an empty chunk takes one byte. So memory is counted chunk
// by chunk.
Result<AdjacencySegment::Ptr> AdjacencySegment::read(std::string_view bytes,
                                                     std::size_t most_bytes) {
  codec::ByteCursor cursor(bytes);
  std::shared_ptr<AdjacencySegment> segment(new AdjacencySegment());
  segment->nodes_ = cursor.read_little<std::uint64_t>();
  const auto types = cursor.read_little<std::uint32_t>();
  std::size_t all_chunks = 0;
  std::size_t taken = 0;
  for (std::uint32_t i = 0; i < types && !cursor.failed(); ++i) {
    const auto type = cursor.read_little<std::uint32_t>();
    const auto chunks = cursor.read_little<std::uint32_t>();
    all_chunks += chunks;
    if ((i > 0 && type <= segment->types_.back()) || chunks > cursor.rest().size()) cursor.fail();
    if (all_chunks > most_bytes / sizeof(Chunk)) return Ptr();
    segment->types_.push_back(type);
    std::vector<Chunk>& lists = segment->chunks_.emplace_back();
    lists.reserve(cursor.failed() ? 0 : chunks);
    for (std::uint32_t at = 0; at < chunks && !cursor.failed(); ++at) {
      lists.push_back(Chunk::read(cursor));
      taken += lists.back().memory_bytes();
      if (!cursor.failed() && taken > most_bytes) return Ptr();
    }
  }
  if (!cursor.finished()) return codec::corruption("lists of relationships are damaged");
  if (segment->memory_bytes() > most_bytes) return Ptr();
  return Ptr(std::move(segment));
}

}  // namespace cairn::engine

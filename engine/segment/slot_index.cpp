// Rank queries over the slots of a chunk. In a bitmap, the position of a slot is the count stored for its word plus
// the number of lower bits that are set in the word.
#include "engine/segment/slot_index.hpp"

#include "codec/number_array.hpp"
#include "engine/segment/segment.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace cairn::engine {
namespace {

// A list of 512 slots takes 1 KiB, a bitmap with counts takes 10 KiB.
constexpr std::size_t few = 512;

}  // namespace

SlotIndex::SlotIndex(std::vector<std::uint16_t> slots) {
  if (slots.size() < few) {
    slots.shrink_to_fit();
    slots_ = std::move(slots);
    return;
  }
  bits_.resize(chunk_ids / 64);
  for (const std::uint16_t slot : slots) bits_[slot / 64] |= std::uint64_t{1} << (slot % 64);
  count_bits();
}

void SlotIndex::count_bits() {
  before_.resize(bits_.size());
  std::size_t before = 0;
  for (std::size_t word = 0; word < bits_.size(); ++word) {
    before_[word] = static_cast<std::uint16_t>(before);
    before += static_cast<std::size_t>(std::popcount(bits_[word]));
  }
}

std::optional<std::size_t> SlotIndex::find_in_list(std::uint16_t slot) const noexcept {
  const auto found = std::ranges::lower_bound(slots_, slot);
  if (found == slots_.end() || *found != slot) return std::nullopt;
  return static_cast<std::size_t>(found - slots_.begin());
}

std::vector<std::uint16_t> SlotIndex::to_vector() const {
  std::vector<std::uint16_t> slots = slots_;
  for (std::size_t at = 0; at < bits_.size(); ++at)
    for (std::uint64_t word = bits_[at]; word != 0; word &= word - 1)
      slots.push_back(
          static_cast<std::uint16_t>(at * 64 + static_cast<std::size_t>(std::countr_zero(word))));
  return slots;
}

// All slots of a run are present if the positions of its two ends differ by `count - 1`.
std::optional<std::size_t> SlotIndex::find_run(std::uint16_t first,
                                               std::size_t count) const noexcept {
  if (bits_.empty() || count == 0 || first + count > chunk_ids) return std::nullopt;
  const auto begin = find(first);
  const auto last = find(static_cast<std::uint16_t>(first + count - 1));
  return begin && last && *last - *begin == count - 1 ? begin : std::nullopt;
}

// As find(), but absent slots need no branch of their own.
bool SlotIndex::find_all(std::span<const std::uint64_t> ids,
                         std::span<std::uint32_t> positions) const noexcept {
  if (bits_.empty()) return false;
  std::uint64_t are_present = 1;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto slot = static_cast<std::uint16_t>(ids[i]);
    const std::uint64_t word = bits_[slot / 64];
    const std::uint32_t place = slot % 64;
    const std::uint64_t lower = word & ((std::uint64_t{1} << place) - 1);
    are_present &= word >> place;
    positions[i] =
        before_[slot / 64] +
        (word == ~std::uint64_t{0} ? place : static_cast<std::uint32_t>(std::popcount(lower)));
  }
  return (are_present & 1) != 0;
}

std::size_t SlotIndex::memory_bytes() const noexcept {
  return (slots_.capacity() + before_.capacity()) * sizeof(std::uint16_t) +
         bits_.capacity() * sizeof(std::uint64_t);
}

std::size_t SlotIndex::size() const noexcept {
  if (bits_.empty()) return slots_.size();
  return std::size_t{before_.back()} + static_cast<std::size_t>(std::popcount(bits_.back()));
}

void SlotIndex::append_to(std::string& out) const {
  codec::append_little(out, static_cast<std::uint8_t>(bits_.empty() ? 0 : 1));
  if (bits_.empty())
    codec::append_array(out, slots_);
  else
    codec::append_numbers(out, bits_);
}

// Each set of slots has one form, the one that the constructor chooses.
SlotIndex SlotIndex::read(codec::ByteCursor& cursor) {
  SlotIndex index;
  const std::uint8_t form = cursor.read_byte();
  if (form == 0) {
    index.slots_ = codec::read_array<std::uint16_t>(cursor);
    const bool ascends = std::ranges::adjacent_find(index.slots_, std::ranges::greater_equal()) ==
                         index.slots_.end();
    if (!ascends || index.slots_.size() >= few) cursor.fail();
    return index;
  }
  index.bits_ = codec::read_numbers<std::uint64_t>(cursor, chunk_ids / 64);
  if (form != 1 || index.bits_.empty()) {
    cursor.fail();
    return {};
  }
  index.count_bits();
  if (index.size() < few) cursor.fail();
  return index;
}

}  // namespace cairn::engine

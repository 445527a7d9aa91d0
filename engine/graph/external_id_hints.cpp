// A hash table of fixed size without locks, whose slots are atomic integers:
//
// slot := tag:16 node:48      the tag is the upper part of the hash of the external id; a slot of 0 is empty
//
// Each external id may be in two adjacent slots. A new one takes the empty slot of the two, or replaces the one that its
// hash selects, as the order of use is not recorded. When half full, the table finds about nine of ten ids.
#include "engine/graph/external_id_hints.hpp"

#include "codec/checksum.hpp"

#include <algorithm>
#include <bit>

namespace cairn::engine {
namespace {

constexpr unsigned node_bits = 48;
constexpr std::uint64_t node_mask = (std::uint64_t{1} << node_bits) - 1;
// 8 MiB, enough for half a million nodes.
constexpr std::size_t most_slots = std::size_t{1} << 20;

// The namespace is mixed in afterwards, and is not the seed of the hash: hashes of short texts with adjacent seeds collide.
std::uint64_t hash_of(std::uint32_t name_space, std::string_view text) noexcept {
  return codec::checksum(text) ^ name_space * std::uint64_t{0x9E3779B97F4A7C15};
}

std::uint64_t tagged(std::uint64_t hash, std::uint64_t node) noexcept {
  return (hash & ~node_mask) | node;
}

}  // namespace

ExternalIdHints::ExternalIdHints(std::size_t budget_bytes)
    : slots_(std::clamp<std::size_t>(std::bit_floor(budget_bytes / sizeof(Slot)), 2, most_slots)) {}

std::uint64_t ExternalIdHints::find(std::uint32_t name_space,
                                    std::string_view text) const noexcept {
  const Slot* table = table_.load(std::memory_order_acquire);
  if (table == nullptr) return 0;
  const std::uint64_t hash = hash_of(name_space, text);
  const std::size_t at = hash & (slots_ - 1);
  for (const std::size_t place : {at, at ^ 1}) {
    const std::uint64_t slot = table[place].load(std::memory_order_relaxed);
    if (slot != 0 && (slot & ~node_mask) == (hash & ~node_mask)) return slot & node_mask;
  }
  return 0;
}

void ExternalIdHints::note(std::uint32_t name_space, std::string_view text, std::uint64_t node) {
  if (node == 0 || node > node_mask) return;
  std::call_once(made_, [this] {
    storage_ = std::make_unique<Slot[]>(slots_);
    table_.store(storage_.get(), std::memory_order_release);
  });
  const std::uint64_t hash = hash_of(name_space, text);
  const std::size_t at = hash & (slots_ - 1);
  const std::uint64_t first = storage_[at].load(std::memory_order_relaxed);
  // A slot with the same tag is replaced: of two such slots, find() would only ever return the first.
  const bool takes_first = first == 0 || (first & ~node_mask) == (hash & ~node_mask);
  const bool is_free = storage_[at ^ 1].load(std::memory_order_relaxed) == 0;
  const std::size_t place = takes_first || !is_free ? at : at ^ 1;
  storage_[place].store(tagged(hash, node), std::memory_order_relaxed);
}

std::size_t ExternalIdHints::memory_bytes() const noexcept {
  return table_.load(std::memory_order_acquire) == nullptr ? 0 : slots_ * sizeof(Slot);
}

}  // namespace cairn::engine

// Open addressing with linear probing over slots of 16 bytes, four to a line of memory: the first
// eight bytes of a text are in its slot, so that shorter words, which are most, are compared
// without leaving it. Letters lie one after the other in one string; numbers count up, so arrays by
// number are dense. Used for words of a text and terms of a commit: millions of look-ups, of which
// most find.
#include "engine/fulltext/term_interner.hpp"

#include "codec/checksum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cairn::engine {
namespace {

constexpr std::size_t least_slots = 64;

}  // namespace

// Zeros behind a shorter text: no text has one, so equal numbers of short texts mean equal texts.
std::uint64_t first_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  if (text.size() >= sizeof bytes) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&bytes, text.data(), sizeof bytes);
    return __builtin_bswap64(bytes);
  }
  for (std::size_t i = 0; i < sizeof bytes; ++i)
    bytes = bytes << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return bytes;
}

// A slot's hash is the lower half of the text's: enough to find its place in a larger table.
std::uint32_t TermInterner::number_of(std::string_view text) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const auto hash = static_cast<std::uint32_t>(codec::checksum(text));
  const std::uint64_t first = first_bytes(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].number != 0; at = (at + 1) & mask)
    if (slots_[at].hash == hash && holds(slots_[at], first, text)) return slots_[at].number - 1;
  // What may fail for want of memory comes first, and leaves the table as it was.
  if (ends_.size() == ends_.capacity()) ends_.reserve(2 * ends_.size() + least_slots);
  letters_ += text;
  ends_.push_back(letters_.size());
  slots_[at] = {first, hash, static_cast<std::uint32_t>(size())};
  return slots_[at].number - 1;
}

void TermInterner::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot());
  letters_.clear();
  ends_.clear();
}

void TermInterner::grow() {
  std::vector<Slot> slots(std::max(least_slots, 2 * slots_.size()));
  const std::size_t mask = slots.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots[at].number != 0) at = (at + 1) & mask;
    slots[at] = slot;
  }
  slots_ = std::move(slots);
}

}  // namespace cairn::engine

#include "engine/fulltext/word_interner.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace cairn::engine {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
std::uint64_t load(const char* bytes) {
  Number number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

/// Both halves of the product: every bit of the number reaches the lower ones of the result.
std::uint64_t mix(std::uint64_t number, std::uint64_t factor) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{number} * factor;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

// Two loads that overlap where there are fewer bytes than both hold; with the size they still tell all.
ShortWord::ShortWord(std::string_view word) : size(static_cast<std::uint32_t>(word.size())) {
  assert(!word.empty() && word.size() <= most_bytes);
  const char* bytes = word.data();
  const char* end = bytes + word.size();
  if (size >= 8) {
    front = load<std::uint64_t>(bytes);
    back = load<std::uint64_t>(end - 8);
  } else if (size >= 4) {
    front = load<std::uint32_t>(bytes);
    back = load<std::uint32_t>(end - 4);
  } else {
    front = load<std::uint8_t>(bytes) | load<std::uint8_t>(bytes + size / 2) << 8;
    back = load<std::uint8_t>(end - 1);
  }
}

std::string ShortWord::letters() const {
  std::string letters(size, '\0');
  const std::size_t half = size >= 8 ? 8 : size >= 4 ? 4 : 1;
  if (half == 1) letters[size / 2] = static_cast<char>(front >> 8);
  std::memcpy(letters.data(), &front, half);
  std::memcpy(letters.data() + size - half, &back, half);
  return letters;
}

std::uint64_t WordInterner::hash_of(const ShortWord& word) {
  return mix(mix(word.front ^ word.size, 0x9E37'79B9'7F4A'7C15U) + word.back,
             0xC2B2'AE3D'27D4'EB4FU);
}

const std::uint32_t* WordInterner::find(const ShortWord& word, std::uint64_t hash) const {
  if (slots_.empty()) return nullptr;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].word.size != 0; at = (at + 1) & mask)
    if (slots_[at].word == word) return &slots_[at].number;
  return nullptr;
}

void WordInterner::insert(const ShortWord& word, std::uint64_t hash, std::uint32_t number) {
  if (2 * (size_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].word.size != 0) at = (at + 1) & mask;
  slots_[at] = {word, number};
  ++size_;
}

void WordInterner::grow() {
  constexpr std::size_t least = 64;
  std::vector<Slot> old(std::max(least, 2 * slots_.size()));
  old.swap(slots_);
  size_ = 0;
  for (const Slot& slot : old)
    if (slot.word.size != 0) insert(slot.word, hash_of(slot.word), slot.number);
}

}  // namespace cairn::engine

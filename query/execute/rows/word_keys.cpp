#include "query/execute/rows/word_keys.hpp"

#include <algorithm>
#include <bit>

namespace cairn::query {
namespace {

// A multiplication by an odd number spreads what differs in the low bits; the high ones choose the place.
std::uint64_t hash_of(std::span<const std::uint64_t> key) noexcept {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key) {
    hash = (hash ^ word) * 0x9e37'79b9'7f4a'7c15ULL;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

// Word by word: keys are short.
bool WordKeys::is_at(std::size_t number, std::span<const std::uint64_t> key) const noexcept {
  const std::uint64_t* const known = keys_.data() + number * words_;
  for (std::size_t i = 0; i < words_; ++i)
    if (known[i] != key[i]) return false;
  return true;
}

std::size_t WordKeys::place_of(std::span<const std::uint64_t> key) const noexcept {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash_of(key) & mask;
  while (table_[place] != 0 && !is_at(table_[place] - 1, key)) place = (place + 1) & mask;
  return place;
}

Status WordKeys::reserve(std::size_t more) {
  const std::size_t wanted = size() + more;
  if (wanted > most)
    return Error{ErrorCode::resource_limit, "a statement can tell 4 billion different rows apart",
                 std::nullopt};
  const std::size_t words = wanted * words_;
  if (words > keys_.capacity()) {
    const std::size_t grown = std::max(words, 2 * keys_.capacity());
    CAIRN_TRY(held_.grow(keys_.capacity() * sizeof(std::uint64_t), grown * sizeof(std::uint64_t)));
    keys_.reserve(grown);
  }
  if (2 * wanted <= table_.size()) return {};
  const std::size_t places = std::bit_ceil(2 * wanted);
  CAIRN_TRY(held_.grow(table_.size() * sizeof(std::uint32_t), places * sizeof(std::uint32_t)));
  table_.assign(places, 0);
  for (std::size_t i = 0; i < size(); ++i)
    table_[place_of(key(i))] = static_cast<std::uint32_t>(i + 1);
  return {};
}

std::uint32_t WordKeys::number(std::span<const std::uint64_t> key) {
  std::uint32_t& known = table_[place_of(key)];
  if (known == 0) {
    keys_.insert(keys_.end(), key.begin(), key.end());
    known = static_cast<std::uint32_t>(size());
  }
  return known - 1;
}

void WordKeys::clear() noexcept {
  keys_ = {};
  table_ = {};
  held_.clear();
}

}  // namespace cairn::query

// Steps of a seeker: to the chunk by binary search, within it by galloping, or to the next set bit. What it
// passed is never looked at again.
#include "codec/id_seeker.hpp"

#include "codec/bitmap_words.hpp"

#include <algorithm>

namespace cairn::codec {
namespace {

/// The place of the first item from `begin` on for which `is_below` does not hold; all before it are below.
template <class Items, class IsBelow>
std::size_t gallop(const Items& items, std::size_t begin, const IsBelow& is_below) {
  std::size_t step = 1;
  while (begin + step <= items.size() && is_below(items[begin + step - 1])) {
    begin += step;
    step *= 2;
  }
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last =
      items.begin() + static_cast<std::ptrdiff_t>(std::min(begin + step - 1, items.size()));
  return static_cast<std::size_t>(std::partition_point(first, last, is_below) - items.begin());
}

}  // namespace

std::uint32_t IdSeeker::find_low(std::uint32_t low) {
  const Container& container = *chunks_[chunk_].container;
  if (container.form() == Container::Form::bitmap) return find_set(container.words().data(), low);
  if (container.form() == Container::Form::array) {
    const auto values = container.array();
    place_ = gallop(values, place_, [&](std::uint16_t value) { return value < low; });
    return place_ < values.size() ? values[place_] : Container::capacity;
  }
  const auto runs = container.runs();
  place_ = gallop(runs, place_, [&](Container::Run run) { return run.last < low; });
  if (place_ == runs.size()) return Container::capacity;
  return std::max<std::uint32_t>(low, runs[place_].first);
}

void IdSeeker::find(std::uint64_t id) {
  has_begun_ = true;
  const std::uint64_t key = id >> 16;
  auto low = static_cast<std::uint32_t>(id & 0xffff);
  if (chunk_ < chunks_.size() && chunks_[chunk_].key < key) {
    chunk_ = gallop(chunks_, chunk_, [&](const Bitmap::Chunk& chunk) { return chunk.key < key; });
    place_ = 0;
  }
  for (; chunk_ < chunks_.size(); ++chunk_, place_ = 0) {
    if (chunks_[chunk_].key > key) low = 0;
    const std::uint32_t value = find_low(low);
    if (value == Container::capacity) continue;
    found_ = chunks_[chunk_].key << 16 | value;
    return;
  }
  found_ = end;
}

}  // namespace cairn::codec

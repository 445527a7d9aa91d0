// (id, instant) pairs sorted by id, 16 bytes each, in one vector: a filter by date over few ids
// (the hits of a search, the members of a small set) looks its ids up here and reads no record.
// Sorted by id and not by instant, since ranges over all ids are the index's own strength. A change
// copies the whole: readers hold the old one.
#include "engine/index/instant_column.hpp"

#include <iterator>
#include <utility>

namespace cairn::engine {
namespace {

// Shares of a half percent are distinguished, and sorting these costs nothing beside the column.
constexpr std::size_t sample_size = 1'024;

}  // namespace

InstantColumn::InstantColumn(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::ranges::sort(entries_);
  take_sample();
}

InstantColumn::InstantColumn(InOrder, std::vector<Entry> entries) : entries_(std::move(entries)) {
  take_sample();
}

void InstantColumn::take_sample() {
  // Every step-th by id: a fair sample, unless dates go round with ids in the same step.
  const std::size_t step = entries_.size() / sample_size + 1;
  for (std::size_t i = 0; i < entries_.size(); i += step) sample_.push_back(entries_[i].instant);
  std::ranges::sort(sample_);
}

codec::Bitmap InstantColumn::among(const codec::Bitmap& ids, std::int64_t first,
                                   std::int64_t last) const {
  std::vector<std::uint64_t> found;
  visit(ids, [&](std::uint64_t id, std::span<const Entry> entries) {
    const auto lies_within = [&](const Entry& entry) {
      return first <= entry.instant && entry.instant <= last;
    };
    if (std::ranges::any_of(entries, lies_within)) found.push_back(id);
  });
  return codec::Bitmap::from_sorted(found);
}

codec::Bitmap InstantColumn::among(const codec::Bitmap& ids) const {
  std::vector<std::uint64_t> found;
  visit(ids, [&](std::uint64_t id, std::span<const Entry>) { found.push_back(id); });
  return codec::Bitmap::from_sorted(found);
}

double InstantColumn::estimate(std::int64_t first, std::int64_t last) const {
  if (sample_.empty() || first > last) return 0;
  const auto begin = std::ranges::lower_bound(sample_, first);
  const auto end = std::ranges::upper_bound(sample_, last);
  const double share = static_cast<double>(end - begin) / static_cast<double>(sample_.size());
  return share * static_cast<double>(entries_.size());
}

// By instant and not by id: the index says which instants changed, and for each of them all its ids
// come again.
InstantColumn::Ptr InstantColumn::changed(std::span<const std::int64_t> without,
                                          std::vector<Entry> with) const {
  std::vector<Entry> kept;
  kept.reserve(entries_.size() + with.size());
  std::ranges::copy_if(entries_, std::back_inserter(kept), [&](const Entry& entry) {
    return !std::ranges::binary_search(without, entry.instant);
  });
  std::ranges::sort(with);
  // What is kept is in order already: merging is linear, sorting all would not be.
  const auto middle = static_cast<std::ptrdiff_t>(kept.size());
  kept.insert(kept.end(), with.begin(), with.end());
  std::inplace_merge(kept.begin(), kept.begin() + middle, kept.end());
  return Ptr(new InstantColumn(InOrder{}, std::move(kept)));
}

}  // namespace cairn::engine

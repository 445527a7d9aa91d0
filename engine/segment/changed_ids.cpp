#include "engine/segment/changed_ids.hpp"

#include <algorithm>
#include <utility>

namespace cairn::engine {

void ChangedIds::add(std::uint64_t commit, std::span<const std::uint64_t> ids) {
  if (ids.empty()) return;
  changes_.push_back({commit, {ids.begin(), ids.end()}});
  count_ += ids.size();
}

codec::Bitmap ChangedIds::united(std::span<const Change> changes) {
  std::vector<std::uint64_t> ids;
  for (const Change& change : changes) ids.insert(ids.end(), change.ids.begin(), change.ids.end());
  return codec::Bitmap::from_unsorted(std::move(ids));
}

// A reader of an older commit than the last one that asked is rare, and gets a set of its own.
ChangedIds::Set ChangedIds::as_of(std::uint64_t commit) {
  const auto end = std::ranges::upper_bound(changes_, commit, {}, &Change::commit);
  const auto count = static_cast<std::size_t>(end - changes_.begin());
  if (count == 0) return nullptr;
  if (count < joined_)
    return std::make_shared<const codec::Bitmap>(united(std::span(changes_).first(count)));
  if (count > joined_) {
    codec::Bitmap more = united(std::span(changes_).subspan(joined_, count - joined_));
    newest_ = std::make_shared<const codec::Bitmap>(
        newest_ == nullptr ? std::move(more) : codec::unite(*newest_, more));
    joined_ = count;
  }
  return newest_;
}

std::size_t ChangedIds::memory_bytes() const noexcept {
  return changes_.capacity() * sizeof(Change) + count_ * sizeof(std::uint64_t) +
         (newest_ == nullptr ? 0 : newest_->memory_bytes());
}

void ChangedIds::clear() { *this = ChangedIds(); }

}  // namespace cairn::engine

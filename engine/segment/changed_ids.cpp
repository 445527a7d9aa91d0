// Notes and unites the ids that commits change.
#include "engine/segment/changed_ids.hpp"

#include "codec/keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::engine {
namespace {

Family family_of(codec::SegmentSource source) {
  constexpr std::array families = {Family::nodes, Family::relationships, Family::adj_out,
                                   Family::adj_in};
  return families[codec::position(source)];
}

}  // namespace

std::vector<std::uint64_t> changed_ids(const WriteSet& write_set, codec::SegmentSource source) {
  std::vector<std::uint64_t> ids;
  for (const auto& [key, value] : write_set.changes(family_of(source))) {
    const std::uint64_t id = codec::leading_id(key);
    if (ids.empty() || ids.back() != id) ids.push_back(id);
  }
  return ids;
}

void ChangedIds::add(std::uint64_t commit, std::span<const std::uint64_t> ids) {
  if (ids.empty()) return;
  changes_.push_back({commit, {ids.begin(), ids.end()}});
  count_ += ids.size();
}

void ChangedIds::add_first(std::uint64_t commit, std::span<const std::uint64_t> ids) {
  if (ids.empty()) return;
  changes_.insert(changes_.begin(), {commit, {ids.begin(), ids.end()}});
  count_ += ids.size();
  newest_ = nullptr;
  joined_ = 0;
}

codec::Bitmap ChangedIds::united(std::span<const Change> changes) {
  std::vector<std::uint64_t> ids;
  for (const Change& change : changes) ids.insert(ids.end(), change.ids.begin(), change.ids.end());
  return codec::Bitmap::from_unsorted(std::move(ids));
}

// Readers of an older commit than the last reader are rare. Such a reader gets a separate set.
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

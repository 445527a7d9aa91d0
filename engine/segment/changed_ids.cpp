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

void ChangedIds::begin(std::uint64_t commit) {
  changes_.clear();
  ids_.clear();
  begin_ = commit;
}

void ChangedIds::add(std::uint64_t commit, std::span<const std::uint64_t> ids) {
  if (ids.empty()) return;
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  changes_.push_back({commit, noted_});
  noted_ += ids.size();
}

void ChangedIds::drop_first() {
  begin_ = changes_.front().commit;
  const std::uint64_t first = changes_.front().before;
  changes_.pop_front();
  const std::uint64_t next = changes_.empty() ? noted_ : changes_.front().before;
  ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(next - first));
}

void ChangedIds::trim(std::size_t most, std::size_t most_bytes) {
  while (!changes_.empty() && (ids_.size() > most || memory_bytes() > most_bytes)) drop_first();
}

void ChangedIds::drop_until(std::uint64_t commit) {
  while (!changes_.empty() && changes_.front().commit <= commit) drop_first();
  begin_ = std::max(begin_, commit);
}

std::uint64_t ChangedIds::noted_until(std::uint64_t commit) const {
  const auto next = std::ranges::upper_bound(changes_, commit, {}, &Change::commit);
  return next == changes_.end() ? noted_ : next->before;
}

std::size_t ChangedIds::count(std::uint64_t one, std::uint64_t other) const {
  return noted_until(std::max(one, other)) - noted_until(std::min(one, other));
}

codec::Bitmap ChangedIds::between(std::uint64_t first, std::uint64_t last) const {
  const std::uint64_t dropped = noted_ - ids_.size();
  const auto place = [&](std::uint64_t commit) {
    return ids_.begin() + static_cast<std::ptrdiff_t>(noted_until(commit) - dropped);
  };
  return codec::Bitmap::from_unsorted(std::vector<std::uint64_t>(place(first), place(last)));
}

std::size_t ChangedIds::memory_bytes() const noexcept {
  return changes_.size() * sizeof(Change) + ids_.size() * sizeof(std::uint64_t);
}

namespace {

ChangedIds::Set united(const ChangedIds::Set& known, codec::Bitmap more) {
  if (more.empty()) return known;
  return std::make_shared<const codec::Bitmap>(known == nullptr ? std::move(more)
                                                                : codec::unite(*known, more));
}

}  // namespace

// A reader of an older commit than the last reader gets a separate set.
ChangedIds::Set UnknownIds::as_of(const ChangedIds& log, std::uint64_t segment,
                                  std::uint64_t reader) {
  if (reader < segment || reader < newest_commit_) return other(log, segment, reader);
  newest_ = newest_commit_ == 0 ? united(ids_, log.between(segment, reader))
                                : united(newest_, log.between(newest_commit_, reader));
  newest_commit_ = reader;
  return newest_;
}

ChangedIds::Set UnknownIds::other(const ChangedIds& log, std::uint64_t segment,
                                  std::uint64_t reader) {
  if (other_commit_ != reader)
    other_ = united(ids_, log.between(std::min(segment, reader), std::max(segment, reader)));
  other_commit_ = reader;
  return other_;
}

std::size_t UnknownIds::memory_bytes() const noexcept {
  return (ids_ == nullptr ? 0 : ids_->memory_bytes()) +
         (newest_ == nullptr || newest_ == ids_ ? 0 : newest_->memory_bytes()) +
         (other_ == nullptr || other_ == ids_ ? 0 : other_->memory_bytes());
}

}  // namespace cairn::engine

// A write buffer as lists in place of a tree or a skip list. A commit brings its keys in ascending order: they
// are appended to a list, which costs no search and no wait for memory. A key below the one before ends the
// list; lists of like size are merged, each reading and writing memory in order:
//
// 64,000 | 14,000 | 3,000 | 1,000 ...      a commit of 1,000 merges the last three
//
// Readers hold the set of lists that they began with; the writer makes a new one and exchanges it.
#include "engine/store/memtable_runs.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::size_t trailer_bytes = 8;  // sequence and type, behind the user's key
constexpr std::size_t least_capacity = 16;
constexpr std::size_t most_expected = 1'024;  // items of a list that begins
constexpr std::size_t least_ratio = 4;        // of one list to the next

std::uint64_t big_number(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return __builtin_bswap64(number);
}

// Pads a shorter key with zeros, which sort like its end; the comparator decides between equal items.
RunItem item_of(const rocksdb::Slice& internal_key, const char* entry) {
  char bytes[16] = {};
  assert(internal_key.size() >= trailer_bytes);
  std::memcpy(bytes, internal_key.data(),
              std::min(sizeof bytes, internal_key.size() - trailer_bytes));
  return {big_number(bytes), big_number(bytes + 8), entry};
}

/// Compares the first bytes; if they are equal, `rest` decides.
template <class Rest>
bool is_before(const RunItem& a, const RunItem& b, const Rest& rest) {
  if (a.first != b.first) return a.first < b.first;
  if (a.second != b.second) return a.second < b.second;
  return rest();
}

bool is_before(const RunItem& a, const RunItem& b, const EntryComparator& compare) {
  return is_before(a, b, [&] { return compare(a.entry, b.entry) < 0; });
}

/// The first item of a list that is not below a key, or, with `is_above`, the first above it.
const RunItem* find(const RunItem* begin, const RunItem* end, const rocksdb::Slice& key,
                    const EntryComparator& compare, bool is_above) {
  const RunItem wanted = item_of(key, nullptr);
  return std::partition_point(begin, end, [&](const RunItem& item) {
    return is_before(item, wanted, [&] { return compare(item.entry, key) < (is_above ? 1 : 0); });
  });
}

}  // namespace

MemtableRuns::MemtableRuns(const EntryComparator& compare) : compare_(compare) {
  publish({std::make_shared<Run>(least_capacity)});
}

void MemtableRuns::insert(const char* entry) {
  const RunItem item = item_of(compare_.decode_key(entry), entry);
  const std::size_t size = last_->size();
  if (size > 0 && is_before(item, last_->begin()[size - 1], compare_))
    begin_run();
  else if (size == last_->capacity())
    grow();
  last_->append(item);
}

MemtableRuns::RunsPtr MemtableRuns::read() const {
  const std::lock_guard lock(mutex_);
  return runs_;
}

// Nobody but the writer exchanges runs_, so that it reads it without the lock.
void MemtableRuns::begin_run() {
  Runs runs = *runs_;
  const std::size_t usual = std::clamp(runs.back()->size(), least_capacity, most_expected);
  while (runs.size() > 1 && runs[runs.size() - 2]->size() < least_ratio * runs.back()->size()) {
    auto merged = merge(*runs[runs.size() - 2], *runs.back());
    runs.pop_back();
    runs.back() = std::move(merged);
  }
  runs.push_back(std::make_shared<Run>(usual));  // batches are mostly as long as the one before
  publish(std::move(runs));
}

void MemtableRuns::grow() {
  Runs runs = *runs_;
  auto larger = std::make_shared<Run>(2 * runs.back()->capacity());
  const std::size_t size = runs.back()->size();
  for (std::size_t i = 0; i < size; ++i) larger->append(runs.back()->begin()[i]);
  runs.back() = std::move(larger);
  publish(std::move(runs));
}

void MemtableRuns::publish(Runs runs) {
  Run* const last = runs.back().get();
  std::size_t bytes = 0;
  for (const auto& run : runs) bytes += run->capacity() * sizeof(RunItem);
  RunsPtr next = std::make_shared<const Runs>(std::move(runs));
  last_ = last;  // nothing fails from here on
  memory_bytes_.store(bytes, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  runs_.swap(next);  // what nobody reads any more goes behind the lock
}

std::shared_ptr<Run> MemtableRuns::merge(const Run& older, const Run& newer) const {
  auto merged = std::make_shared<Run>(older.size() + newer.size());
  const RunItem* a = older.begin();
  const RunItem* b = newer.begin();
  const RunItem* const a_end = a + older.size();
  const RunItem* const b_end = b + newer.size();
  while (a != a_end && b != b_end) merged->append(is_before(*b, *a, compare_) ? *b++ : *a++);
  while (a != a_end) merged->append(*a++);
  while (b != b_end) merged->append(*b++);
  return merged;
}

RunCursor::RunCursor(const MemtableRuns& runs) : compare_(runs.comparator()), runs_(runs.read()) {
  assert(runs_->size() <= most_runs);
  for (const auto& run : *runs_)
    places_[count_++] = {run->begin(), run->begin() + run->size(), run->begin()};
  current_ = count_;
}

// The places are right for the other direction too: all that is below lies before them, the current entry in
// its own list aside.
void RunCursor::next() {
  if (is_forward_) ++places_[current_].at;
  find_least();
}

void RunCursor::previous() {
  if (!is_forward_) --places_[current_].at;
  find_greatest();
}

void RunCursor::seek(const rocksdb::Slice& key) {
  for (std::size_t i = 0; i < count_; ++i)
    places_[i].at = find(places_[i].begin, places_[i].end, key, compare_, false);
  find_least();
}

void RunCursor::seek_back(const rocksdb::Slice& key) {
  for (std::size_t i = 0; i < count_; ++i)
    places_[i].at = find(places_[i].begin, places_[i].end, key, compare_, true);
  find_greatest();
}

void RunCursor::seek_first() {
  for (std::size_t i = 0; i < count_; ++i) places_[i].at = places_[i].begin;
  find_least();
}

void RunCursor::seek_last() {
  for (std::size_t i = 0; i < count_; ++i) places_[i].at = places_[i].end;
  find_greatest();
}

std::uint64_t RunCursor::count_below(const rocksdb::Slice& key) const {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const RunItem* const begin = places_[i].begin;
    count += static_cast<std::uint64_t>(find(begin, places_[i].end, key, compare_, false) - begin);
  }
  return count;
}

void RunCursor::find_least() {
  is_forward_ = true;
  current_ = count_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (places_[i].at == places_[i].end) continue;
    if (current_ == count_ || is_before(*places_[i].at, *places_[current_].at, compare_))
      current_ = i;
  }
}

void RunCursor::find_greatest() {
  is_forward_ = false;
  current_ = count_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (places_[i].at == places_[i].begin) continue;
    if (current_ == count_ || is_before(places_[current_].at[-1], places_[i].at[-1], compare_))
      current_ = i;
  }
}

}  // namespace cairn::engine

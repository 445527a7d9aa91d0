// A write buffer of sorted lists instead of a tree or a skip list. A commit brings its keys in ascending order. They
// are appended to a list, without a search and without cache misses. A key below the previous one begins a new list.
// Lists of similar size are merged, which reads and writes memory sequentially:
//
// 80,000 | 14,000 | 3,000 | 1,000          the next commit merges the last three
//
// Readers hold the set of lists with which they began. The writer creates a new set and replaces the old one.
#include "engine/store/memtable.hpp"

#include <rocksdb/memtablerep.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace cairn::engine {

namespace {

constexpr std::size_t trailer_bytes = 8;  // sequence number and type, after the user key
constexpr std::size_t least_capacity = 16;
constexpr std::size_t most_expected = 1'024;  // initial capacity of a new list, at most
constexpr std::size_t least_ratio = 4;        // size of a list relative to the next one, at least

/// Reads eight bytes as a big-endian number, which sorts like the bytes.
std::uint64_t big_number(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return __builtin_bswap64(number);
}

// Takes the first 16 bytes of a key. A shorter key is padded with zeros; if two items are equal, the comparator
// decides.
RunItem item_of(const rocksdb::Slice& internal_key, const char* entry) {
  char bytes[16] = {};
  assert(internal_key.size() >= trailer_bytes);
  std::memcpy(bytes, internal_key.data(),
              std::min(sizeof bytes, internal_key.size() - trailer_bytes));
  return {big_number(bytes), big_number(bytes + 8), entry};
}

/// Compares the first bytes of two keys. If they are equal, `rest` decides.
template <class Rest>
bool is_before(const RunItem& a, const RunItem& b, const Rest& rest) {
  if (a.first != b.first) return a.first < b.first;
  if (a.second != b.second) return a.second < b.second;
  return rest();
}

bool is_before(const RunItem& a, const RunItem& b, const EntryComparator& compare) {
  return is_before(a, b, [&] { return compare(a.entry, b.entry) < 0; });
}

/// Returns the first item that is not below the key or, with `is_above`, the first item above it.
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

// Only the writer replaces runs_, so the writer may read it without the lock.
void MemtableRuns::begin_run() {
  Runs runs = *runs_;
  const std::size_t usual = std::clamp(runs.back()->size(), least_capacity, most_expected);
  while (runs.size() > 1 && runs[runs.size() - 2]->size() < least_ratio * runs.back()->size()) {
    auto merged = merge(*runs[runs.size() - 2], *runs.back());
    runs.pop_back();
    runs.back() = std::move(merged);
  }
  runs.push_back(std::make_shared<Run>(usual));  // most batches have the size of the previous one
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
  last_ = last;  // no exception from here on
  memory_bytes_.store(bytes, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  runs_.swap(next);  // the old set is destroyed after the lock is released
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

// The positions are also valid for the other direction: in each list, everything below the current entry precedes the
// position. Only the list of the current entry needs a step.
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

// For steps backward, each place is the end of the part of its run that is still to be visited.
void RunCursor::find_greatest() {
  is_forward_ = false;
  current_ = count_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (places_[i].at == places_[i].begin) continue;
    if (current_ == count_ || is_before(places_[current_].at[-1], places_[i].at[-1], compare_))
      current_ = i;
  }
}

// Adapts MemtableRuns to RocksDB's interface for write buffers. RocksDB's installed headers do not define two types of
// this interface. Their content is obtained indirectly:
//
// Arena        provides the memory for an iterator; used through the only call that takes memory from an allocator
// LookupKey    contains the key of a lookup; passed to a probe, an iterator that stores the key that is sought
//
// RocksDB passes a new memtable to writers through atomics. ThreadSanitizer does not see them, because RocksDB is not
// compiled with it. So an atomic variable of this file also publishes the finished memtable.

namespace {

using rocksdb::MemTableRep;
using rocksdb::Slice;

/// Adapts RunCursor to RocksDB's interface.
class RunIterator final : public MemTableRep::Iterator {
 public:
  explicit RunIterator(const MemtableRuns& runs) : cursor_(runs) {}

  bool Valid() const override { return cursor_.valid(); }
  const char* key() const override { return cursor_.entry(); }
  void Next() override { cursor_.next(); }
  void Prev() override { cursor_.previous(); }
  void Seek(const Slice& internal_key, const char*) override { cursor_.seek(internal_key); }
  void SeekForPrev(const Slice& internal_key, const char*) override {
    cursor_.seek_back(internal_key);
  }
  void SeekToFirst() override { cursor_.seek_first(); }
  void SeekToLast() override { cursor_.seek_last(); }

 private:
  RunCursor cursor_;
};

/// Stores the internal key that is sought. The probe owns nothing, and its user provides its memory. So a caller may
/// delete the probe or leave it.
class Probe final : public MemTableRep::Iterator {
 public:
  explicit Probe(Slice& sought) : sought_(sought) {}
  static void operator delete(void*) {}

  bool Valid() const override { return false; }
  const char* key() const override { return nullptr; }
  void Next() override {}
  void Prev() override {}
  void Seek(const Slice& internal_key, const char*) override { sought_ = internal_key; }
  void SeekForPrev(const Slice&, const char*) override {}
  void SeekToFirst() override {}
  void SeekToLast() override {}

 private:
  Slice& sought_;
};

/// The probe of the current Get() of this thread.
thread_local Probe* probe_of_thread = nullptr;

std::atomic<std::uint64_t> tables_made = 0;  // see ThreadSanitizer above

/// The write buffer.
class Memtable final : public MemTableRep {
 public:
  Memtable(const KeyComparator& compare, rocksdb::Allocator* allocator)
      : MemTableRep(allocator), runs_(compare) {
    tables_made.fetch_add(1, std::memory_order_release);
  }

  // If memory is exhausted, the process ends (noexcept): an exception would leave a writer in the queue of RocksDB.
  // The log contains the entries that were not inserted.
  void Insert(rocksdb::KeyHandle handle) noexcept override {
    (void)tables_made.load(std::memory_order_acquire);
    runs_.insert(static_cast<const char*>(handle));
  }

  // Overridden, because the inherited function reads the table before Insert() has synchronised with its creation.
  bool InsertKey(rocksdb::KeyHandle handle) noexcept override {
    Insert(handle);
    return true;
  }

  bool Contains(const char* key) const override {
    RunCursor cursor(runs_);
    cursor.seek(runs_.comparator().decode_key(key));
    return cursor.valid() && runs_.comparator()(cursor.entry(), key) == 0;
  }

  void Get(const rocksdb::LookupKey& wanted, void* argument,
           bool (*visit)(void* argument, const char* entry)) override {
    RunCursor cursor(runs_);
    for (cursor.seek(internal_key_of(wanted)); cursor.valid() && visit(argument, cursor.entry());)
      cursor.next();
  }

  std::uint64_t ApproximateNumEntries(const Slice& first, const Slice& last) override {
    const RunCursor cursor(runs_);
    const std::uint64_t below = cursor.count_below(last);
    const std::uint64_t before = cursor.count_below(first);
    return below > before ? below - before : 0;
  }

  std::size_t ApproximateMemoryUsage() override { return runs_.memory_bytes(); }

  Iterator* GetIterator(rocksdb::Arena* arena) override {
    return arena == nullptr ? new RunIterator(runs_) : new (memory_of(arena)) RunIterator(runs_);
  }

  Iterator* GetDynamicPrefixIterator(rocksdb::Arena* arena) override {
    return arena == nullptr && probe_of_thread != nullptr ? probe_of_thread : GetIterator(arena);
  }

 private:
  // The default Get() obtains an iterator from GetDynamicPrefixIterator() and calls Seek() with the internal key. The
  // probe stores the key, and is never valid.
  Slice internal_key_of(const rocksdb::LookupKey& wanted) {
    Slice sought;
    alignas(Probe) unsigned char place[sizeof(Probe)];
    probe_of_thread = new (place) Probe(sought);
    MemTableRep::Get(wanted, nullptr, nullptr);
    probe_of_thread = nullptr;
    return sought;
  }

  /// Allocates from an arena. The class Arena derives from Allocator, which is its first base.
  static void* memory_of(rocksdb::Arena* arena) {
    class Taker final : public MemTableRep {
     public:
      using MemTableRep::MemTableRep;
      void Insert(rocksdb::KeyHandle) override {}
      bool Contains(const char*) const override { return false; }
      std::size_t ApproximateMemoryUsage() override { return 0; }
      Iterator* GetIterator(rocksdb::Arena*) override { return nullptr; }
    };
    std::size_t bytes = sizeof(RunIterator) + alignof(RunIterator);
    char* memory = nullptr;
    Taker(reinterpret_cast<rocksdb::Allocator*>(arena)).Allocate(bytes, &memory);
    void* place = memory;
    return std::align(alignof(RunIterator), sizeof(RunIterator), place, bytes);
  }

  MemtableRuns runs_;
};

}  // namespace

MemTableRep* MemtableFactory::CreateMemTableRep(const MemTableRep::KeyComparator& compare,
                                                rocksdb::Allocator* allocator,
                                                const rocksdb::SliceTransform*, rocksdb::Logger*) {
  return new Memtable(compare, allocator);
}

}  // namespace cairn::engine

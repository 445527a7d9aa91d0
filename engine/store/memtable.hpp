#pragma once
// Memtable: a write buffer of RocksDB (a MemTableRep) for keys that come in ascending batches.

#include <rocksdb/memtablerep.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace cairn::engine {

// MemtableRuns: entries of a write buffer in a few ascending lists; RunCursor walks them as one.

using EntryComparator = rocksdb::MemTableRep::KeyComparator;

/// An entry with the first bytes of its key as numbers, which decide most comparisons without a look at it.
/// Without initializers: lists of them are made to be overwritten.
struct RunItem {
  std::uint64_t first;
  std::uint64_t second;
  const char* entry;  // as RocksDB laid it out; lives as long as its buffer
};

/// An ascending list that is only appended to. What a reader has found the size of does not change.
class Run {
 public:
  explicit Run(std::size_t capacity)
      : items_(std::make_unique_for_overwrite<RunItem[]>(capacity)), capacity_(capacity) {}

  [[nodiscard]] const RunItem* begin() const noexcept { return items_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  /// Threads: the writer only. Precondition: there is room.
  void append(const RunItem& item) noexcept {
    const std::size_t size = size_.load(std::memory_order_relaxed);
    items_[size] = item;
    size_.store(size + 1, std::memory_order_release);
  }

 private:
  std::unique_ptr<RunItem[]> items_;
  std::size_t capacity_;
  std::atomic<std::size_t> size_ = 0;
};

/// Each list but the last is at least four times as long as the next one, so that there are few. Threads: one
/// writer, any number of readers.
class MemtableRuns {
 public:
  using Runs = std::vector<std::shared_ptr<Run>>;  // never empty; the last one grows
  using RunsPtr = std::shared_ptr<const Runs>;     // owners: the table, and readers while they look

  explicit MemtableRuns(const EntryComparator& compare);

  [[nodiscard]] const EntryComparator& comparator() const noexcept { return compare_; }
  void insert(const char* entry);
  /// All entries inserted before, and perhaps some of a running insertion.
  [[nodiscard]] RunsPtr read() const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return memory_bytes_.load(std::memory_order_relaxed);
  }

 private:
  /// Begins a new last list, and merges earlier ones of similar size.
  void begin_run();
  /// Gives the last list more room.
  void grow();
  void publish(Runs runs);
  [[nodiscard]] std::shared_ptr<Run> merge(const Run& older, const Run& newer) const;

  const EntryComparator& compare_;
  mutable std::mutex mutex_;  // guards runs_ against readers; the writer alone exchanges it
  RunsPtr runs_;
  Run* last_ = nullptr;
  std::atomic<std::size_t> memory_bytes_ = 0;
};

/// Walks all lists in both directions, as of when it was made.
class RunCursor {
 public:
  explicit RunCursor(const MemtableRuns& runs);

  [[nodiscard]] bool valid() const noexcept { return current_ < count_; }
  [[nodiscard]] const char* entry() const noexcept { return item().entry; }
  void next();
  void previous();
  /// Moves to the first entry not below an internal key.
  void seek(const rocksdb::Slice& key);
  /// Moves to the last entry not above it.
  void seek_back(const rocksdb::Slice& key);
  void seek_first();
  void seek_last();
  /// How many entries are below an internal key.
  [[nodiscard]] std::uint64_t count_below(const rocksdb::Slice& key) const;

 private:
  /// Going forward, `at` is the next entry of its list; going back, the one behind the next.
  struct Place {
    const RunItem* begin = nullptr;
    const RunItem* end = nullptr;
    const RunItem* at = nullptr;
  };
  static constexpr std::size_t most_runs = 32;  // each four times the next

  [[nodiscard]] const RunItem& item() const noexcept {
    return is_forward_ ? *places_[current_].at : places_[current_].at[-1];
  }
  void find_least();
  void find_greatest();

  const EntryComparator& compare_;
  MemtableRuns::RunsPtr runs_;
  std::array<Place, most_runs> places_;
  std::size_t count_ = 0;
  std::size_t current_ = 0;  // count_: none
  bool is_forward_ = true;
};

/// Its buffers take one writer at a time, so that the database must not insert concurrently; readers never
/// wait for it. Cost: an append for a key that is above the one before; a batch that begins lower is merged
/// with those before it, some ten steps a key in all. A read searches a few sorted lists.
class MemtableFactory final : public rocksdb::MemTableRepFactory {
 public:
  const char* Name() const override { return "cairn.Memtable"; }
  using MemTableRepFactory::CreateMemTableRep;
  rocksdb::MemTableRep* CreateMemTableRep(const rocksdb::MemTableRep::KeyComparator& compare,
                                          rocksdb::Allocator* allocator,
                                          const rocksdb::SliceTransform* prefix,
                                          rocksdb::Logger* logger) override;
};

}  // namespace cairn::engine

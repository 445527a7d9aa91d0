#pragma once
// Memtable: a write buffer for RocksDB (a MemTableRep) that is optimised for keys in ascending batches.

#include <rocksdb/memtablerep.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace cairn::engine {

// MemtableRuns: the entries of a write buffer in a few sorted lists (runs). RunCursor iterates over them as one.

using EntryComparator = rocksdb::MemTableRep::KeyComparator;

/// An entry, and the first 16 bytes of its key as two numbers. Most comparisons need only the numbers. No default
/// initializers: arrays of items are allocated uninitialised.
struct RunItem {
  std::uint64_t first;
  std::uint64_t second;
  const char* entry;  // in the layout of RocksDB; lives as long as its buffer
};

/// A sorted list. Entries are only appended, so the part that a reader has seen never changes.
class Run {
 public:
  explicit Run(std::size_t capacity)
      : items_(std::make_unique_for_overwrite<RunItem[]>(capacity)), capacity_(capacity) {}

  [[nodiscard]] const RunItem* begin() const noexcept { return items_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  /// Appends an item. Threads: only the writer. Precondition: size() < capacity().
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

/// Sorted lists. Apart from the last list, which grows, each is at least four times as long as the next one. So their
/// number is logarithmic. Threads: one writer, any number of readers.
class MemtableRuns {
 public:
  using Runs = std::vector<std::shared_ptr<Run>>;  // never empty; only the last one grows
  using RunsPtr = std::shared_ptr<const Runs>;     // owners: the table, and readers while they read

  explicit MemtableRuns(const EntryComparator& compare);

  [[nodiscard]] const EntryComparator& comparator() const noexcept { return compare_; }
  /// Inserts an entry. Threads: only the writer.
  void insert(const char* entry);
  /// Returns all entries that were inserted before the call, and perhaps some of a running insertion.
  [[nodiscard]] RunsPtr read() const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return memory_bytes_.load(std::memory_order_relaxed);
  }

 private:
  /// Begins a new last list, after merging earlier ones of similar size.
  void begin_run();
  /// Replaces the last list by one with a larger capacity.
  void grow();
  /// Makes a new set of lists visible to readers.
  void publish(Runs runs);
  [[nodiscard]] std::shared_ptr<Run> merge(const Run& older, const Run& newer) const;

  const EntryComparator& compare_;
  mutable std::mutex mutex_;  // protects readers of runs_; only the writer replaces it
  RunsPtr runs_;
  // The last list of runs_. Only the writer uses it.
  Run* last_ = nullptr;
  std::atomic<std::size_t> memory_bytes_ = 0;
};

/// Iterates over all lists in key order, in both directions, as of its construction.
class RunCursor {
 public:
  explicit RunCursor(const MemtableRuns& runs);

  [[nodiscard]] bool valid() const noexcept { return current_ < count_; }
  [[nodiscard]] const char* entry() const noexcept { return item().entry; }
  void next();
  void previous();
  /// Moves to the first entry that is not below an internal key.
  void seek(const rocksdb::Slice& key);
  /// Moves to the last entry that is not above an internal key.
  void seek_back(const rocksdb::Slice& key);
  void seek_first();
  void seek_last();
  /// Returns the number of entries below an internal key.
  [[nodiscard]] std::uint64_t count_below(const rocksdb::Slice& key) const;

 private:
  /// The position in one list. The next entry is at `at` forward, and at `at` - 1 backward.
  struct Place {
    const RunItem* begin = nullptr;
    const RunItem* end = nullptr;
    const RunItem* at = nullptr;
  };
  // Enough, as each list is at least four times as long as the next.
  static constexpr std::size_t most_runs = 32;

  [[nodiscard]] const RunItem& item() const noexcept {
    return is_forward_ ? *places_[current_].at : places_[current_].at[-1];
  }
  /// Selects the list with the least (greatest) next entry.
  void find_least();
  void find_greatest();

  const EntryComparator& compare_;
  MemtableRuns::RunsPtr runs_;
  std::array<Place, most_runs> places_;
  std::size_t count_ = 0;
  std::size_t current_ = 0;  // the list with the current entry; count_ at the end
  bool is_forward_ = true;
};

/// Creates memtables. A memtable permits one writer at a time, so the database must not insert concurrently. Readers
/// never wait for the writer.
/// Cost: an append for a key above the previous one. A batch that begins with a lower key is merged with earlier
/// batches: some ten steps per key in total. A read searches a few sorted lists.
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

// MemtableRuns as RocksDB wants a write buffer. Two things of its interface are met in roundabout ways, as the
// headers that it installs leave out the types:
//
// Arena        an iterator's memory comes from it, by the one call that takes memory from an allocator
// LookupKey    what is looked up is given to a probe, an iterator that notes what is sought and ends
//
// RocksDB hands a new table to its writers through atomics. ThreadSanitizer does not see those, as RocksDB is
// not compiled with it. So a table says once more, by an atomic of ours, that it is complete.
#include "engine/store/memtable.hpp"

#include "engine/store/memtable_runs.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>

namespace cairn::engine {
namespace {

using rocksdb::MemTableRep;
using rocksdb::Slice;

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

/// Notes the internal key that is sought. A caller may delete it or not: it owns nothing, and lies
/// where its user put it.
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

/// The probe of this thread's current Get().
thread_local Probe* probe_of_thread = nullptr;

std::atomic<std::uint64_t> tables_made = 0;

class Memtable final : public MemTableRep {
 public:
  Memtable(const KeyComparator& compare, rocksdb::Allocator* allocator)
      : MemTableRep(allocator), runs_(compare) {
    tables_made.fetch_add(1, std::memory_order_release);
  }

  // Where memory ends the process does: RocksDB's queue of writers would keep one that an exception has
  // taken away, and what is not inserted is in the log.
  void Insert(rocksdb::KeyHandle handle) noexcept override {
    (void)tables_made.load(std::memory_order_acquire);
    runs_.insert(static_cast<const char*>(handle));
  }

  // Not the inherited one, which reads the table before Insert() has seen that it is complete.
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
  // The default Get() seeks with an iterator of ours and goes on while that is valid.
  Slice internal_key_of(const rocksdb::LookupKey& wanted) {
    Slice sought;
    alignas(Probe) unsigned char place[sizeof(Probe)];
    probe_of_thread = new (place) Probe(sought);
    MemTableRep::Get(wanted, nullptr, nullptr);
    probe_of_thread = nullptr;
    return sought;
  }

  /// An arena is an allocator before anything else.
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

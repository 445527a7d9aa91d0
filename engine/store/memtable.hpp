#pragma once
// Memtable: a write buffer of RocksDB (a MemTableRep) for keys that come in ascending batches.

#include <rocksdb/memtablerep.h>

namespace cairn::engine {

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

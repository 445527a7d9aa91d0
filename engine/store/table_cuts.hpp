#pragma once
// TableCuts: where the tables that a compaction writes end. Private to this folder.

#include <rocksdb/sst_partitioner.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::engine {

/// First and last key of a table.
struct TableRange {
  std::string first;
  std::string last;
};

/// The compactions of one family. While ranges are set, no table that is written reaches into two of them, or from one
/// into a gap: then a table overlaps at most one of the tables below, whose ranges they are. Otherwise it does nothing.
/// Threads: any.
class TableCuts final : public rocksdb::SstPartitionerFactory {
 public:
  const char* Name() const override { return "cairn.TableCuts"; }
  std::unique_ptr<rocksdb::SstPartitioner> CreatePartitioner(
      const rocksdb::SstPartitioner::Context& context) const override;

  /// For the compactions that begin from now on: ranges that ascend and do not overlap.
  void set(std::vector<TableRange> ranges);
  void clear() { set({}); }

 private:
  using RangesPtr = std::shared_ptr<const std::vector<TableRange>>;  // owners: this, compactions
  mutable std::mutex mutex_;                                         // guards ranges_
  RangesPtr ranges_;
};

}  // namespace cairn::engine

#pragma once
// TableCuts: decides where the tables that a compaction writes end. Private to this folder.

#include <rocksdb/sst_partitioner.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::engine {

/// The first and last key of a table.
struct TableRange {
  std::string first;
  std::string last;
};

/// The partitioner of one family. While ranges are set, no written table overlaps two of the ranges, or a range and a
/// gap between ranges. The caller sets the ranges of the tables on a lower level, so each written table overlaps at
/// most one of these tables. Without ranges it does nothing. Threads: any.
class TableCuts final : public rocksdb::SstPartitionerFactory {
 public:
  const char* Name() const override { return "cairn.TableCuts"; }
  std::unique_ptr<rocksdb::SstPartitioner> CreatePartitioner(
      const rocksdb::SstPartitioner::Context& context) const override;

  /// Sets the ranges for compactions that begin from now on. The ranges must ascend and must not overlap.
  void set(std::vector<TableRange> ranges);
  void clear() { set({}); }

 private:
  // Owners: this, running compactions.
  using RangesPtr = std::shared_ptr<const std::vector<TableRange>>;
  mutable std::mutex mutex_;  // guards ranges_
  RangesPtr ranges_;
};

}  // namespace cairn::engine

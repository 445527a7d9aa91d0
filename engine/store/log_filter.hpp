#pragma once
// Filters that decide which records of the logs RocksDB replays. Private to this folder.

#include "codec/byte_io.hpp"

#include <rocksdb/wal_filter.h>
#include <rocksdb/write_batch.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace cairn::engine {

/// The end of a replay: after the first `records` records of the log number `log`.
struct LogEnd {
  std::uint64_t log = 0;
  std::size_t records = 0;
};

/// Accepts only records whose sequence numbers are greater than the sequence numbers of all previous records. RocksDB
/// asserts that it replays no change twice, which would happen if a log has two names.
class LogOrder : public rocksdb::WalFilter {
 public:
  /// `otherwise` is the action for any other record. Without paranoid_checks, RocksDB accepts a record even if it is
  /// reported as corrupted.
  explicit LogOrder(WalProcessingOption otherwise) : otherwise_(otherwise) {}

  WalProcessingOption LogRecordFound(unsigned long long /*log*/, const std::string& /*name*/,
                                     const rocksdb::WriteBatch& batch,
                                     rocksdb::WriteBatch* /*changed*/,
                                     bool* /*is_changed*/) override {
    codec::ByteCursor record(batch.Data());
    const auto first = record.read_little<std::uint64_t>();
    const auto count = record.read_little<std::uint32_t>();
    if (record.failed() || first < next_) return otherwise_;
    next_ = first + count;
    return WalProcessingOption::kContinueProcessing;
  }
  const char* Name() const override { return "cairn.LogOrder"; }

 private:
  const WalProcessingOption otherwise_;
  std::uint64_t next_ = 0;  // the smallest sequence number that may follow
};

/// Accepts the records before the end, and stops the replay there.
class StopAt final : public LogOrder {
 public:
  explicit StopAt(const LogEnd& end)
      : LogOrder(WalProcessingOption::kStopReplay), log_(end.log), records_(end.records) {}

  WalProcessingOption LogRecordFound(unsigned long long log, const std::string& name,
                                     const rocksdb::WriteBatch& batch, rocksdb::WriteBatch* changed,
                                     bool* is_changed) override {
    const bool is_before = log < log_ || (log == log_ && taken_ < records_);
    if (log == log_) ++taken_;
    return is_before ? LogOrder::LogRecordFound(log, name, batch, changed, is_changed)
                     : WalProcessingOption::kStopReplay;
  }
  const char* Name() const override { return "cairn.StopAt"; }

 private:
  const std::uint64_t log_;
  const std::size_t records_;
  std::size_t taken_ = 0;  // records of the log log_ seen so far
};

}  // namespace cairn::engine

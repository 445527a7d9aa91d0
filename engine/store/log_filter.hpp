#pragma once
// Which records of the logs RocksDB takes. Private to this folder.

#include "codec/byte_io.hpp"

#include <rocksdb/wal_filter.h>
#include <rocksdb/write_batch.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace cairn::engine {

/// Where the replay of the logs ends: behind so many records of this log.
struct LogEnd {
  std::uint64_t log = 0;
  std::size_t records = 0;
};

/// Accepts only records whose change numbers follow those of the record before. RocksDB asserts that it reads no change
/// twice, which happens if a log has two names.
class LogOrder : public rocksdb::WalFilter {
 public:
  /// What to do with any other record. With paranoid_checks off RocksDB accepts one reported as corrupted.
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
  std::uint64_t next_ = 0;  // the smallest number that may come
};

/// Takes the records before the end and none behind it.
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
  std::size_t taken_ = 0;
};

}  // namespace cairn::engine

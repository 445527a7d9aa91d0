// RocksDB alone, with options like those of Cairn's store and a record as JSON under its number.
// The comparison shows what the layers of Cairn above RocksDB cost. Writes are synced, as Cairn's
// are by default.
#include "codec/keys.hpp"
#include "tools/bench/compare/metadata_cairn.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <filesystem>

namespace cairn::compare {
namespace {

Error failure(const rocksdb::Status& status) {
  return {ErrorCode::io_error, "RocksDB: " + status.ToString(), std::nullopt};
}

/// Writes the number big-endian, so that keys sort as their numbers do.
std::string key_of(char kind, std::uint64_t number) {
  std::string key(1, kind);
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(number >> shift);
  return key;
}

rocksdb::Options options() {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(std::size_t{512} << 20);
  table.block_size = 16 * 1024;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.block_restart_interval = 1;
  table.format_version = 5;
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kLZ4Compression;
  options.level_compaction_dynamic_level_bytes = true;
  options.optimize_filters_for_hits = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

class RocksStorePeer final : public StorePeer {
 public:
  std::string name() const override { return "RocksDB"; }

  Status open(const std::string& directory, const Records& records) {
    const bool is_new = !std::filesystem::exists(directory);
    rocksdb::DB* database = nullptr;
    const auto status = rocksdb::DB::Open(options(), directory, &database);
    if (!status.ok()) return failure(status);
    database_.reset(database);
    sync_.sync = true;
    return is_new ? fill(records) : Status();
  }

  std::uint64_t id_of(std::uint64_t number) const override { return number; }

  /// Pins the value in the block cache instead of copying it.
  Result<std::size_t> read(std::uint64_t id) override {
    value_.Reset();
    const auto status = database_->Get(rocksdb::ReadOptions(), database_->DefaultColumnFamily(),
                                       key_of('n', id), &value_);
    if (!status.ok()) return failure(status);
    return value_.size();
  }

  /// Searches the text backwards, because the property is near the end. The search costs less than
  /// any JSON parser.
  Result<std::size_t> read_property(std::uint64_t id) override {
    CAIRN_TRY(read(id));
    constexpr std::string_view name = "\"created\":\"";
    const std::string_view json(value_.data(), value_.size());
    const std::size_t at = json.rfind(name);
    if (at == json.npos) return 0;
    const std::string_view rest = json.substr(at + name.size());
    const std::string created(rest.substr(0, rest.find('"')));
    return created.size();
  }

  /// Writes the record and its vector in one batch, without any index.
  Status insert(const MetadataRecord& record, std::span<const float> vector) override {
    rocksdb::WriteBatch batch;
    inserted_.push_back(json_text(record));
    const std::uint64_t number = first_written + inserted_.size();
    batch.Put(key_of('n', number), inserted_.back());
    batch.Put(key_of('v', number),
              {reinterpret_cast<const char*>(vector.data()), vector.size_bytes()});
    return write(batch);
  }

  /// Changes only the last byte of the JSON, because the cost of a write does not depend on its
  /// contents.
  Status update(std::size_t inserted, std::int64_t importance) override {
    rocksdb::WriteBatch batch;
    std::string& value = inserted_[inserted];
    value.back() = static_cast<char>('0' + importance % 10);
    batch.Put(key_of('n', first_written + inserted + 1), value);
    return write(batch);
  }

 private:
  static constexpr std::uint64_t first_written = std::uint64_t{1} << 40;

  Status write(rocksdb::WriteBatch& batch) {
    const auto status = database_->Write(sync_, &batch);
    return status.ok() ? Status() : failure(status);
  }

  /// Loads all records without a write-ahead log and flushes them at the end. Measured writes are
  /// synced.
  Status fill(const Records& records) {
    rocksdb::WriteOptions unlogged;
    unlogged.disableWAL = true;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto status = database_->Put(unlogged, key_of('n', i + 1), json_text(records[i]));
      if (!status.ok()) return failure(status);
    }
    const auto status = database_->Flush(rocksdb::FlushOptions());
    return status.ok() ? Status() : failure(status);
  }

  std::unique_ptr<rocksdb::DB> database_;
  rocksdb::WriteOptions sync_;
  rocksdb::PinnableSlice value_;
  std::vector<std::string> inserted_;
};

class RocksReader final : public RecordPeer {
 public:
  explicit RocksReader(const StorePeer& cairn) : cairn_(cairn) {}
  ~RocksReader() override {
    for (rocksdb::ColumnFamilyHandle* family : families_)
      database_->DestroyColumnFamilyHandle(family);
  }
  std::string name() const override { return "RocksDB, the same records"; }
  std::uint64_t id_of(std::uint64_t number) const override { return cairn_.id_of(number); }

  Status open(const std::string& directory) {
    rocksdb::DB* database = nullptr;
    const auto status = rocksdb::DB::OpenForReadOnly(
        options(), directory,
        {{rocksdb::kDefaultColumnFamilyName, options()}, {"nodes", options()}}, &families_,
        &database);
    if (!status.ok()) return failure(status);
    database_.reset(database);
    return {};
  }

  Result<std::size_t> read(std::uint64_t id) override {
    value_.Reset();
    const auto status =
        database_->Get(rocksdb::ReadOptions(), families_.back(), codec::record_key(id), &value_);
    if (!status.ok()) return failure(status);
    return value_.size();
  }

 private:
  const StorePeer& cairn_;
  std::unique_ptr<rocksdb::DB> database_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  rocksdb::PinnableSlice value_;
};

}  // namespace

Result<std::unique_ptr<RecordPeer>> make_rocksdb_reader(const std::string& directory,
                                                        const StorePeer& cairn) {
  auto peer = std::make_unique<RocksReader>(cairn);
  CAIRN_TRY(peer->open(directory));
  return std::unique_ptr<RecordPeer>(std::move(peer));
}

Result<std::unique_ptr<StorePeer>> make_rocksdb_store(const std::string& directory,
                                                      const Records& records) {
  auto peer = std::make_unique<RocksStorePeer>();
  CAIRN_TRY(peer->open(directory, records));
  return std::unique_ptr<StorePeer>(std::move(peer));
}

}  // namespace cairn::compare

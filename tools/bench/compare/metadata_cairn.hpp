#pragma once
// Cairn as one of the engines, and the comparison with bare RocksDB: reads by internal id and
// durable writes.

#include "tools/bench/compare/metadata_peer.hpp"

#include <cairn/database.hpp>

#include <span>

namespace cairn::compare {

inline constexpr std::size_t write_dimension = 100;

/// A store that reads records by internal ids of its own.
class RecordPeer {
 public:
  virtual ~RecordPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// The internal id of the record with this number.
  [[nodiscard]] virtual std::uint64_t id_of(std::uint64_t number) const = 0;
  /// Reads the record with this id in the form that the store returns, and returns its size in
  /// bytes.
  [[nodiscard]] virtual Result<std::size_t> read(std::uint64_t id) = 0;
};

/// Reads and writes that both Cairn and bare RocksDB can do.
class StorePeer : public RecordPeer {
 public:
  /// Reads the record and extracts its property `created` as a text. Returns the size of the text
  /// in bytes.
  [[nodiscard]] virtual Result<std::size_t> read_property(std::uint64_t id) = 0;
  /// Inserts a record with a vector; it is on disk when the call returns.
  [[nodiscard]] virtual Status insert(const MetadataRecord& record,
                                      std::span<const float> vector) = 0;
  /// Changes one number of an inserted record; the change is on disk when the call returns.
  [[nodiscard]] virtual Status update(std::size_t inserted, std::int64_t importance) = 0;
};

/// Opens the database at `directory`, or creates it from `records` if it does not exist.
[[nodiscard]] Result<Database> open_cairn(const std::string& directory, const Records& records);
[[nodiscard]] PeerResult make_cairn_peer(Database& database);
[[nodiscard]] Result<std::unique_ptr<StorePeer>> make_cairn_store(Database& database);
/// RocksDB with the options that Cairn uses for a column family. A record is stored as JSON; an
/// insert is one batch with one put for the record and one for the vector.
[[nodiscard]] Result<std::unique_ptr<StorePeer>> make_rocksdb_store(const std::string& directory,
                                                                    const Records& records);
/// RocksDB on the files of Cairn's own store at `directory`. Returns the bytes of Cairn's records
/// without decoding them. Does not see later writes. `cairn` supplies the ids and must outlive the
/// result.
[[nodiscard]] Result<std::unique_ptr<RecordPeer>> make_rocksdb_reader(const std::string& directory,
                                                                      const StorePeer& cairn);

}  // namespace cairn::compare

#pragma once
// Cairn as a peer, and what is measured against bare RocksDB: gets by internal id and durable writes.

#include "tools/bench/compare/metadata_peer.hpp"

#include <cairn/database.hpp>

#include <span>

namespace cairn::compare {

inline constexpr std::size_t write_dimension = 100;

/// A store whose records are read by its own numbers.
class RecordPeer {
 public:
  virtual ~RecordPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// What the store calls the record of this number.
  [[nodiscard]] virtual std::uint64_t id_of(std::uint64_t number) const = 0;
  /// Read the record of this id as the store hands it out; gives its bytes.
  [[nodiscard]] virtual Result<std::size_t> read(std::uint64_t id) = 0;
};

/// The same work for Cairn and for RocksDB alone.
class StorePeer : public RecordPeer {
 public:
  /// Read it and make a text of its property `created`; gives the bytes of that.
  [[nodiscard]] virtual Result<std::size_t> read_property(std::uint64_t id) = 0;
  /// Make a record with a vector, on disk when this returns.
  [[nodiscard]] virtual Status insert(const MetadataRecord& record,
                                      std::span<const float> vector) = 0;
  /// Change one number of a record that was inserted, on disk when this returns.
  [[nodiscard]] virtual Status update(std::size_t inserted, std::int64_t importance) = 0;
};

/// The database at `directory`, made from `records` where it is not there yet.
[[nodiscard]] Result<Database> open_cairn(const std::string& directory, const Records& records);
[[nodiscard]] PeerResult make_cairn_peer(Database& database);
[[nodiscard]] Result<std::unique_ptr<StorePeer>> make_cairn_store(Database& database);
/// RocksDB with Cairn's settings of a family, a record as JSON, and one batch of a put a record and a put
/// a vector for a write.
[[nodiscard]] Result<std::unique_ptr<StorePeer>> make_rocksdb_store(const std::string& directory,
                                                                    const Records& records);
/// RocksDB over Cairn's own files, at `directory`, which hands out the bytes of Cairn's records and looks at
/// none. What is written after the call is not seen. `cairn` names the records and must outlive it.
[[nodiscard]] Result<std::unique_ptr<RecordPeer>> make_rocksdb_reader(const std::string& directory,
                                                                      const StorePeer& cairn);

}  // namespace cairn::compare

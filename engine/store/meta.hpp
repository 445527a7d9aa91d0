#pragma once
// Meta: typed access to the metadata in family `meta`. The codec defines the keys and values (codec/meta.hpp), except
// one: the key "paths_refused" with an empty value exists if a path was not indexed because of the limit.

#include "codec/format_version.hpp"
#include "codec/meta.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::engine {

/// Reads the newest state of the store. A missing value is not an error; a damaged value is corruption.
class MetaReader {
 public:
  explicit MetaReader(const RocksStore& store) : store_(&store) {}
  /// The format record; absent in a store that was never initialised.
  [[nodiscard]] Result<std::optional<codec::FormatRecord>> format() const;
  [[nodiscard]] Result<std::string> database_id() const;  ///< empty in a new store
  /// The newest commit; 0 before the first one.
  [[nodiscard]] Result<std::uint64_t> commit() const;
  /// The layout of a family; 0 if it was never written.
  [[nodiscard]] Result<std::uint32_t> layout(std::string_view name) const;
  /// The first id after all assigned blocks.
  [[nodiscard]] Result<std::uint64_t> next_id(codec::EntityKind kind) const;
  /// The unused ids of the current block of a namespace. Empty if it has no block.
  [[nodiscard]] Result<codec::IdBlock> id_block(codec::EntityKind kind,
                                                std::uint32_t name_space) const;
  /// True if a path was not indexed because of the limit.
  [[nodiscard]] Result<bool> paths_refused() const;

 private:
  [[nodiscard]] Result<RocksStore::Value> get(std::string_view key) const;
  [[nodiscard]] Result<std::uint64_t> number(std::string_view key) const;
  const RocksStore* store_;
};

/// Puts metadata into a batch, so that it is written together with the data that it describes.
class MetaWriter {
 public:
  explicit MetaWriter(StoreBatch& batch) : batch_(&batch) {}
  void put_format(const codec::FormatRecord& format);
  void put_database_id(std::string_view id);
  void put_commit(std::uint64_t commit);
  void put_layout(std::string_view name, std::uint32_t version);
  void put_next_id(codec::EntityKind kind, std::uint64_t next);
  void put_id_block(codec::EntityKind kind, std::uint32_t name_space, const codec::IdBlock& block);
  void put_paths_refused();

 private:
  StoreBatch* batch_;
};

}  // namespace cairn::engine

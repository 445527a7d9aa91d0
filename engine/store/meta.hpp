#pragma once
// Meta: what the store says about itself, typed. Keys and values are codec's (codec/meta.hpp); one
// key is added here: "paths_refused" -> nothing, there once a path was left unindexed for the limit.

#include "codec/format_version.hpp"
#include "codec/meta.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::engine {

/// Reads the newest state of the store. Absent is not an error; a damaged value is corruption.
class MetaReader {
 public:
  explicit MetaReader(const RocksStore& store) : store_(&store) {}
  /// Absent in a store that was never initialised.
  [[nodiscard]] Result<std::optional<codec::FormatRecord>> format() const;
  [[nodiscard]] Result<std::string> database_id() const;  ///< empty in a new store
  /// The newest commit, 0 before the first.
  [[nodiscard]] Result<std::uint64_t> commit() const;
  [[nodiscard]] Result<std::uint32_t> layout(std::string_view name) const;  ///< 0 if never written
  /// The first id of the first block that was not given out.
  [[nodiscard]] Result<std::uint64_t> next_id(codec::EntityKind kind) const;
  /// What a namespace may still give out of its block; empty if it has none.
  [[nodiscard]] Result<codec::IdBlock> id_block(codec::EntityKind kind,
                                                std::uint32_t name_space) const;
  [[nodiscard]] Result<bool> paths_refused() const;

 private:
  [[nodiscard]] Result<RocksStore::Value> get(std::string_view key) const;
  [[nodiscard]] Result<std::uint64_t> number(std::string_view key) const;
  const RocksStore* store_;
};

/// Puts into family meta.
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

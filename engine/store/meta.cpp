// Typed access to family `meta`. Readers see the newest value, not that of a snapshot: they are used only during the
// opening and by the holder of the writer lock. Writers put values into the batch of the data that they describe: the
// commit number with its commit, ids with the records that use them.
#include "engine/store/meta.hpp"

namespace cairn::engine {
namespace {

// This key is stored on disk; FORMAT.md lists it with the other keys of `meta`.
constexpr std::string_view paths_refused_key = "paths_refused";

}  // namespace

Result<RocksStore::Value> MetaReader::get(std::string_view key) const {
  return store_->get(Family::meta, key, nullptr);
}

Result<std::uint64_t> MetaReader::number(std::string_view key) const {
  CAIRN_ASSIGN(const auto bytes, get(key));
  return bytes ? codec::decode_number(*bytes) : Result<std::uint64_t>(0);
}

Result<std::optional<codec::FormatRecord>> MetaReader::format() const {
  CAIRN_ASSIGN(const auto bytes, get(codec::meta_key::format));
  if (!bytes) return std::optional<codec::FormatRecord>();
  CAIRN_ASSIGN(const auto record, codec::decode_format_record(*bytes));
  return std::optional(record);
}

Result<std::string> MetaReader::database_id() const {
  CAIRN_ASSIGN(auto bytes, get(codec::meta_key::database_id));
  return std::move(bytes).value_or("");
}

Result<std::uint64_t> MetaReader::commit() const { return number(codec::meta_key::commit); }

Result<std::uint32_t> MetaReader::layout(std::string_view name) const {
  CAIRN_ASSIGN(const auto bytes, get(codec::meta_key::layout(name)));
  return bytes ? codec::decode_layout(*bytes) : Result<std::uint32_t>(0);
}

Result<std::uint64_t> MetaReader::next_id(codec::EntityKind kind) const {
  return number(codec::meta_key::next_id(kind));
}

Result<codec::IdBlock> MetaReader::id_block(codec::EntityKind kind,
                                            std::uint32_t name_space) const {
  CAIRN_ASSIGN(const auto bytes, get(codec::meta_key::id_block(kind, name_space)));
  return bytes ? codec::decode_id_block(*bytes) : Result<codec::IdBlock>(codec::IdBlock{});
}

Result<bool> MetaReader::paths_refused() const {
  CAIRN_ASSIGN(const auto bytes, get(paths_refused_key));
  return bytes.has_value();
}

void MetaWriter::put_format(const codec::FormatRecord& format) {
  batch_->put(Family::meta, codec::meta_key::format, codec::encode(format));
}

void MetaWriter::put_database_id(std::string_view id) {
  batch_->put(Family::meta, codec::meta_key::database_id, id);
}

void MetaWriter::put_commit(std::uint64_t commit) {
  batch_->put(Family::meta, codec::meta_key::commit, codec::encode_number(commit));
}

void MetaWriter::put_layout(std::string_view name, std::uint32_t version) {
  batch_->put(Family::meta, codec::meta_key::layout(name), codec::encode_layout(version));
}

void MetaWriter::put_next_id(codec::EntityKind kind, std::uint64_t next) {
  batch_->put(Family::meta, codec::meta_key::next_id(kind), codec::encode_number(next));
}

void MetaWriter::put_id_block(codec::EntityKind kind, std::uint32_t name_space,
                              const codec::IdBlock& block) {
  batch_->put(Family::meta, codec::meta_key::id_block(kind, name_space), codec::encode(block));
}

void MetaWriter::put_paths_refused() { batch_->put(Family::meta, paths_refused_key, ""); }

}  // namespace cairn::engine

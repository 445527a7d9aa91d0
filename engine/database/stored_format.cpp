#include "engine/database/stored_format.hpp"

#include "codec/format_version.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"

#include <system_error>

namespace cairn::engine {

Status check_stored_format(const std::filesystem::path& directory, StoreOptions settings) {
  CAIRN_ASSIGN(const auto bytes, read_file(directory / metadata_file::format));
  if (bytes && codec::decode_format_record(*bytes)) return {};
  std::error_code error;
  if (!std::filesystem::exists(directory / metadata_file::store_directory / "CURRENT", error))
    return {};
  settings.read_only = true;
  settings.repair = false;
  const auto store = RocksStore::open(directory / metadata_file::store_directory, settings);
  if (!store) return {};  // opening it for writing finds the same damage, or repairs it
  const auto format = MetaReader(**store).format();
  return format && *format ? codec::check_supported(**format) : Status();
}

Status keep_format_file(const std::filesystem::path& directory, const RocksStore& store) {
  CAIRN_ASSIGN(const auto bytes, read_file(directory / metadata_file::format));
  if (bytes && codec::decode_format_record(*bytes)) return {};
  CAIRN_ASSIGN(const auto format, MetaReader(store).format());
  return format ? write_file(directory / metadata_file::format, codec::encode(*format)) : Status();
}

}  // namespace cairn::engine

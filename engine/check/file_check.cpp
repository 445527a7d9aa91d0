// Describes damaged table files from what RocksDB's manifest records about a file: its family, and its first and last key.
// Only a scan can show which records in that range are still readable (index_checks.hpp).
#include "codec/keys.hpp"
#include "engine/check/integrity_check.hpp"
#include "engine/store/lock_file.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/check_files.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace cairn {
namespace engine {
namespace {

/// True if `cairn export` needs the family of the file: to open the database, or to find its records.
bool is_needed_to_export(const DamagedFile& file) {
  switch (file.family) {
    case Family::meta:
    case Family::catalog:
    case Family::stats:
    case Family::text:
    case Family::index:
    case Family::adj_out:
      return true;
    default:
      return false;
  }
}

/// What the user can do if records are damaged, which no repair can rebuild.
std::string way_out(const std::vector<DamagedFile>& all) {
  return std::ranges::any_of(all, is_needed_to_export)
             ? "restore a backup"
             : "restore a backup, or save what can be read by `cairn export --skip-damaged`";
}

/// What the user can do about one damaged file.
std::string repair_of(const DamagedFile& file, const std::vector<DamagedFile>& all) {
  if (!is_derived(file.family)) return way_out(all);
  const bool repairs =
      std::ranges::all_of(all, [](const DamagedFile& other) { return is_derived(other.family); });
  return repairs ? "`cairn check --repair` rebuilds them from the records"
                 : "they are derived from the records, which must be intact before a repair";
}

/// Returns "node 7", or "nodes 7 to 9".
std::string between(std::string_view kind, std::uint64_t first, std::uint64_t last) {
  std::string text(kind);
  text += first == last ? " " : "s ";
  text += std::to_string(first);
  return first == last ? text : text + " to " + std::to_string(last);
}

/// Describes the content of a file as precisely as its first and last key allow.
std::string content_of(const DamagedFile& file) {
  if (file.family == Family::nodes || file.family == Family::relationships) {
    const auto first = codec::decode_record_key(file.first_key);
    const auto last = codec::decode_record_key(file.last_key);
    const std::string_view kind = file.family == Family::nodes ? "node" : "relationship";
    if (first && last) return "records from among " + between(kind, *first, *last);
  }
  if (file.family == Family::vectors) {
    const auto first = codec::decode_vector_key(file.first_key);
    const auto last = codec::decode_vector_key(file.last_key);
    if (first && last && first->space == last->space && first->kind == last->kind)
      return "vectors from among those of " +
             between(first->kind == codec::EntityKind::node ? "node" : "relationship",
                     first->entity, last->entity);
  }
  return "part of the family " + std::string(to_string(file.family));
}

std::string place_of(const DamagedFile& file) {
  return std::string(metadata_file::store_directory) + "/" + file.name;
}

}  // namespace

Finding finding_of(const DamagedFile& file, const std::vector<DamagedFile>& all) {
  return {place_of(file), "it contains " + content_of(file) + " and cannot be read completely (" +
                              file.problem + "); " + repair_of(file, all)};
}

Status check_repairable(const std::vector<DamagedFile>& files) {
  constexpr std::size_t most_named = 5;
  std::string named;
  std::size_t lost = 0;
  for (const DamagedFile& file : files) {
    if (is_derived(file.family)) continue;
    if (++lost > most_named) continue;
    named += (lost == 1 ? "" : ", ") + place_of(file) + " (" + content_of(file) + ")";
  }
  if (lost == 0) return {};
  if (lost > most_named) named += " and " + std::to_string(lost - most_named) + " more";
  return Error{ErrorCode::corruption,
               "nothing was repaired, as these damaged files cannot be rebuilt: " + named + "; " +
                   way_out(files),
               {}};
}

}  // namespace engine

// Opens the store read-only, and checks each file in its manifest. The catalog, the indexes and the records are not loaded.
Result<std::vector<Finding>> check_files(const std::filesystem::path& directory,
                                         std::size_t limit) {
  std::error_code problem;
  if (!std::filesystem::exists(directory / engine::metadata_file::store_directory, problem))
    return Error{ErrorCode::not_found,
                 "there is no database in " + directory.string() + "; check the path",
                 {}};
  CAIRN_TRY(engine::check_directories(directory));
  CAIRN_ASSIGN(const engine::LockFile lock,
               engine::LockFile::take(directory / engine::metadata_file::lock,
                                      engine::LockFile::Sharing::shared));
  engine::StoreOptions options;
  options.read_only = true;
  CAIRN_ASSIGN(const auto store, engine::RocksStore::open(
                                     directory / engine::metadata_file::store_directory, options));
  CAIRN_ASSIGN(const auto files, store->damaged_files());
  std::vector<Finding> findings;
  for (const engine::DamagedFile& file : files)
    if (findings.size() < limit) findings.push_back(engine::finding_of(file, files));
  return findings;
}

}  // namespace cairn

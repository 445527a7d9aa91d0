// RocksDB's list of all versions of all keys, of a store that is opened for reading only.
#include "tests/engine/scrub/file_scan.hpp"

#include "engine/store/column_family.hpp"
#include "engine/store/merge_operators.hpp"

#include <rocksdb/db.h>
#include <rocksdb/utilities/debug.h>

#include <algorithm>
#include <cstdarg>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>

namespace cairn::test {
namespace {

using Places = std::map<std::string, std::set<std::string>>;

void require(const rocksdb::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

/// So that the directory stays as it is.
class NoMessages final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

class OpenStore {
 public:
  explicit OpenStore(const std::string& path) {
    rocksdb::DBOptions options;
    options.info_log = std::make_shared<NoMessages>();
    // Otherwise RocksDB ends the process if the manifest lists logs, as that of a killed process does.
    options.track_and_verify_wals_in_manifest = true;
    std::vector<rocksdb::ColumnFamilyDescriptor> families = {
        {rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions()}};
    for (const engine::Family family : engine::all_families) {
      families.emplace_back(std::string(to_string(family)), rocksdb::ColumnFamilyOptions());
      auto& settings = families.back().options;
      if (family == engine::Family::index)
        settings.merge_operator = std::make_shared<engine::PostingMerge>();
      if (family == engine::Family::text)
        settings.merge_operator = std::make_shared<engine::TextMerge>();
    }
    rocksdb::DB* opened = nullptr;
    require(rocksdb::DB::OpenForReadOnly(options, path, families, &handles_, &opened));
    database_.reset(opened);
  }
  ~OpenStore() {
    for (auto* handle : handles_)
      database_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  OpenStore(const OpenStore&) = delete;
  OpenStore& operator=(const OpenStore&) = delete;

  [[nodiscard]] rocksdb::DB& database() { return *database_; }
  [[nodiscard]] const std::vector<rocksdb::ColumnFamilyHandle*>& families() const {
    return handles_;
  }

 private:
  std::unique_ptr<rocksdb::DB> database_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
};

void search(const std::string& text, const std::string& place,
            const std::vector<std::string>& wanted, Places& found) {
  for (const std::string& one : wanted)
    if (text.find(one) != std::string::npos) found[one].insert(place);
}

void search_store(const std::string& path, const std::vector<std::string>& wanted, Places& found) {
  OpenStore store(path);
  for (auto* family : store.families()) {
    std::vector<rocksdb::KeyVersion> versions;
    require(rocksdb::GetAllKeyVersions(&store.database(), family, {}, {},
                                       std::numeric_limits<std::size_t>::max(), &versions));
    for (const rocksdb::KeyVersion& version : versions) {
      const std::string place = "family " + family->GetName();
      search(version.user_key, place + ", key", wanted, found);
      search(version.value, place + ", value", wanted, found);
    }
  }
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::map<std::string, std::vector<std::string>> find_in_files(
    const std::filesystem::path& database, const std::vector<std::string>& wanted) {
  Places found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(database)) {
    const std::string name = entry.path().lexically_relative(database).string();
    search(name, "name of " + name, wanted, found);
    if (entry.is_regular_file()) search(content_of(entry.path()), name, wanted, found);
  }
  search_store((database / "store").string(), wanted, found);
  std::map<std::string, std::vector<std::string>> places;
  for (const auto& [text, where] : found) places[text].assign(where.begin(), where.end());
  return places;
}

std::map<std::string, std::uintmax_t> tables_of(const std::filesystem::path& database) {
  std::map<std::string, std::uintmax_t> tables;
  for (const auto& entry : std::filesystem::directory_iterator(database / "store"))
    if (entry.path().extension() == ".sst")
      tables.emplace(entry.path().filename().string(), entry.file_size());
  return tables;
}

std::optional<std::size_t> tables_on_level_zero(const std::filesystem::path& database) {
  try {
    OpenStore store((database / "store").string());
    std::vector<rocksdb::LiveFileMetaData> files;
    store.database().GetLiveFilesMetaData(&files);
    return static_cast<std::size_t>(
        std::ranges::count(files, 0, &rocksdb::LiveFileMetaData::level));
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

}  // namespace cairn::test

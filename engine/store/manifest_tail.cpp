// Cuts a torn manifest in memory: reads it completely, and gives RocksDB the part before the first record that was
// not completely written.
#include "engine/store/manifest_tail.hpp"

#include "engine/store/log_reader.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace cairn::engine {
namespace {

/// A file whose content is in memory: the sound part of a manifest.
class ManifestInMemory final : public rocksdb::FSSequentialFile {
 public:
  explicit ManifestInMemory(std::string bytes) : bytes_(std::move(bytes)) {}

  rocksdb::IOStatus Read(std::size_t wanted, const rocksdb::IOOptions& /*options*/,
                         rocksdb::Slice* result, char* scratch,
                         rocksdb::IODebugContext* /*debug*/) override {
    const std::size_t size = std::min(wanted, bytes_.size() - offset_);
    std::memcpy(scratch, bytes_.data() + offset_, size);
    *result = rocksdb::Slice(scratch, size);
    offset_ += size;
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Skip(std::uint64_t bytes) override {
    offset_ += static_cast<std::size_t>(std::min<std::uint64_t>(bytes, bytes_.size() - offset_));
    return rocksdb::IOStatus::OK();
  }

 private:
  const std::string bytes_;
  std::size_t offset_ = 0;
};

/// True if the manifest is damaged by a part that was never written.
bool ends_torn(const LogReport& report) { return report.damaged && report.torn; }

}  // namespace

rocksdb::IOStatus end_before_torn_record(rocksdb::FileSystem& files, const std::string& name,
                                         std::unique_ptr<rocksdb::FSSequentialFile>* file) {
  std::string bytes;
  const rocksdb::IOStatus status = rocksdb::ReadFileToString(&files, name, &bytes);
  if (!status.ok()) return status;
  const LogReport report = inspect_log(bytes);
  if (!ends_torn(report)) return rocksdb::IOStatus::OK();
  bytes.resize(report.valid_bytes);
  *file = std::make_unique<ManifestInMemory>(std::move(bytes));
  return rocksdb::IOStatus::OK();
}

std::string torn_manifest(rocksdb::FileSystem& files, const std::string& directory) {
  std::string name, bytes;
  if (!rocksdb::ReadFileToString(&files, directory + "/CURRENT", &name).ok()) return "";
  while (name.ends_with('\n')) name.pop_back();
  if (!rocksdb::ReadFileToString(&files, directory + "/" + name, &bytes).ok()) return "";
  const LogReport report = inspect_log(bytes);
  if (!ends_torn(report)) return "";
  return "store/" + name + " ended at byte " + std::to_string(report.valid_bytes) +
         " in an unfinished record, which was dropped";
}

}  // namespace cairn::engine

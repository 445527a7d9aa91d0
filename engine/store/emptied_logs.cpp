// Simulates the logs of a store: lists them, with any size, and opens each as an empty file. RocksDB refuses to open a store
// if a log is missing that its manifest lists, and aborts if that check is turned off.
#include "engine/store/log_check.hpp"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

constexpr std::string_view log_suffix = ".log";

/// The maximum number of simulated logs. A directory with larger gaps between the numbers contains foreign files, and
/// this class cannot help.
constexpr std::uint64_t most_shown = 100'000;

/// A file without content.
class NoBytes final : public rocksdb::FSSequentialFile {
 public:
  rocksdb::IOStatus Read(std::size_t /*wanted*/, const rocksdb::IOOptions& /*options*/,
                         rocksdb::Slice* result, char* /*scratch*/,
                         rocksdb::IODebugContext* /*debug*/) override {
    *result = rocksdb::Slice();
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Skip(std::uint64_t /*bytes*/) override { return rocksdb::IOStatus::OK(); }
};

/// Returns the number in names like `000123.sst`, `000124.log` and `MANIFEST-000045`. The numbers come from one
/// counter. Returns 0 for other names.
std::uint64_t number_of(std::string_view name) {
  constexpr std::string_view manifest = "MANIFEST-";
  const bool is_manifest = name.starts_with(manifest);
  if (!is_manifest && !name.ends_with(".sst") && !name.ends_with(log_suffix)) return 0;
  if (is_manifest) name.remove_prefix(manifest.size());
  std::uint64_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

std::string log_name(std::uint64_t number) {
  std::string digits = std::to_string(number);
  constexpr std::size_t least_digits = 6;
  if (digits.size() < least_digits) digits.insert(0, least_digits - digits.size(), '0');
  return digits.append(log_suffix);
}

/// A read-only file system in which each log that RocksDB may look for exists and is empty. Its size is large enough for any
/// check.
class EmptiedLogs final : public rocksdb::FileSystemWrapper {
 public:
  explicit EmptiedLogs(std::shared_ptr<rocksdb::FileSystem> base)
      : FileSystemWrapper(std::move(base)) {}
  const char* Name() const override { return "cairn.EmptiedLogs"; }

  /// Adds logs to the list: one for each number that no file has, from the first existing log to the largest number.
  /// So lost logs in between appear too.
  rocksdb::IOStatus GetChildren(const std::string& directory, const rocksdb::IOOptions& options,
                                std::vector<std::string>* names,
                                rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileSize(const std::string& name, const rocksdb::IOOptions& options,
                                std::uint64_t* bytes, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewSequentialFile(const std::string& name, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
};

rocksdb::IOStatus EmptiedLogs::GetChildren(const std::string& directory,
                                           const rocksdb::IOOptions& options,
                                           std::vector<std::string>* names,
                                           rocksdb::IODebugContext* debug) {
  const auto status = target()->GetChildren(directory, options, names, debug);
  if (!status.ok()) return status;
  std::set<std::uint64_t> numbers;
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (const std::string& name : *names) {
    numbers.insert(number_of(name));
    if (name.ends_with(log_suffix)) first = std::min(first, number_of(name));
  }
  const std::uint64_t largest = numbers.empty() ? 0 : *numbers.rbegin();
  const std::uint64_t last = largest - std::min(largest, first) > most_shown ? 0 : largest;
  for (std::uint64_t number = first; number < last; ++number)
    if (!numbers.contains(number)) names->push_back(log_name(number));
  return status;
}

rocksdb::IOStatus EmptiedLogs::GetFileSize(const std::string& name,
                                           const rocksdb::IOOptions& options, std::uint64_t* bytes,
                                           rocksdb::IODebugContext* debug) {
  if (!name.ends_with(log_suffix)) return target()->GetFileSize(name, options, bytes, debug);
  *bytes = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return rocksdb::IOStatus::OK();
}

rocksdb::IOStatus EmptiedLogs::NewSequentialFile(const std::string& name,
                                                 const rocksdb::FileOptions& options,
                                                 std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                                 rocksdb::IODebugContext* debug) {
  if (!name.ends_with(log_suffix)) return target()->NewSequentialFile(name, options, file, debug);
  *file = std::make_unique<NoBytes>();
  return rocksdb::IOStatus::OK();
}

}  // namespace

std::unique_ptr<rocksdb::Env> with_emptied_logs(rocksdb::Env& env) {
  return rocksdb::NewCompositeEnv(std::make_shared<EmptiedLogs>(env.GetFileSystem()));
}

}  // namespace cairn::engine

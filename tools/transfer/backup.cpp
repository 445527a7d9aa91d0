// Runs backups with progress. The library reports nothing before a call ends, so progress is the
// growing size of the directory that the call fills.
#include "tools/transfer/backup.hpp"

#include "tools/text/progress.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/backup.hpp>

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <ostream>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

/// Returns the size of the files of a directory; files that disappear meanwhile are ignored.
std::uint64_t bytes_in(const fs::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code problem;
  fs::recursive_directory_iterator file(directory, problem), end;
  for (; !problem && file != end; file.increment(problem)) {
    std::error_code gone;
    const auto size = file->is_regular_file(gone) ? file->file_size(gone) : 0;
    if (!gone) bytes += size;
  }
  return bytes;
}

/// Shows the MiB in a directory while it exists; silent if standard error is not a terminal.
class GrowthShown {
 public:
  GrowthShown(fs::path directory, std::uint64_t total) {
    if (isatty(STDERR_FILENO) == 0) return;
    thread_ =
        std::jthread([this, total, place = std::move(directory)](const std::stop_token& stop) {
          constexpr auto interval = std::chrono::milliseconds(500);
          constexpr int mebibyte_bits = 20;
          Progress progress("MiB", total >> mebibyte_bits, true);
          std::unique_lock lock(mutex_);
          while (!ended_.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); }))
            progress.update(bytes_in(place) >> mebibyte_bits);
        });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;  // last member, because it uses the others
};

std::string content_text(const BackupReport& report) {
  return "commit " + std::to_string(report.commit) + " of database " + report.database_id + ", " +
         counted(report.files, "file", "files") + " of " + size_text(report.bytes);
}

}  // namespace

Status print_backup(Database& database, const fs::path& directory, std::ostream& out,
                    const std::stop_token& cancel) {
  Result<BackupReport> report = [&] {
    const auto statistics = database.statistics();
    const GrowthShown shown(directory, statistics ? statistics->disk_bytes : 0);
    return database.backup(directory, cancel);
  }();
  if (!report) return report.error();
  out << content_text(*report) << ", backed up to " << directory.string() << ": "
      << size_text(report->copied_bytes) << " copied, "
      << counted(report->linked_files, "file", "files") << " linked\n";
  return {};
}

Status print_verification(const fs::path& directory, std::ostream& out) {
  CAIRN_ASSIGN(const BackupReport report, verify_backup(directory));
  out << content_text(report) << ", whole in " << directory.string() << "\n";
  return {};
}

Status print_restoration(const fs::path& directory, const fs::path& database, std::ostream& out) {
  Result<BackupReport> report = [&] {
    const GrowthShown shown(database.string() + ".restoring", bytes_in(directory));
    return restore_backup(directory, database);
  }();
  if (!report) return report.error();
  out << content_text(*report) << ", restored to " << database.string() << "\n";
  return {};
}

}  // namespace cairn::tools

// Exports to a file, with the statements of the indexes in a second file. Both are written under
// temporary names and renamed at the end.
#include "tools/transfer/export_files.hpp"

#include "tools/text/quantity.hpp"
#include "tools/transfer/index_file.hpp"
#include "tools/transfer/transfer_report.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

/// Writes the file of indexes; returns null if the database has none.
Result<std::unique_ptr<WholeFile>> write_indexes(Database& database, const fs::path& file) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  CAIRN_ASSIGN(const std::string statements, index_statements(snapshot));
  if (statements.empty()) return std::unique_ptr<WholeFile>();
  CAIRN_ASSIGN(auto indexes, WholeFile::create(file));
  indexes->stream() << statements;
  CAIRN_TRY(indexes->sync());
  return indexes;
}

/// Removes the file of an earlier export, which would seem to belong to this one.
Status remove_indexes(const fs::path& file) {
  std::error_code problem;
  fs::remove(file, problem);
  if (!problem) return {};
  return Error{ErrorCode::io_error, "cannot remove " + file.string() + ": " + problem.message(),
               std::nullopt};
}

// Errors come from the file, because the stream does not report why a write failed.
Result<ExportedFiles> write_both(Database& database, const fs::path& file, WholeFile& lines,
                                 const ExportOptions& options, bool is_shown) {
  auto report = export_shown(database, lines.stream(), options, is_shown);
  CAIRN_TRY(lines.flush());
  if (!report) return std::move(report).error();
  CAIRN_TRY(lines.sync());
  CAIRN_ASSIGN(const auto indexes, write_indexes(database, index_file(file)));
  CAIRN_TRY(indexes ? indexes->appear() : remove_indexes(index_file(file)));
  return ExportedFiles{*std::move(report), indexes != nullptr};
}

}  // namespace

Result<ExportedFiles> export_to_files(Database& database, const fs::path& file,
                                      const ExportOptions& options, bool is_shown) {
  CAIRN_ASSIGN(const auto lines, WholeFile::create(file));
  auto written = write_both(database, file, *lines, options, is_shown);
  if (written) {
    CAIRN_TRY(lines->appear());
    return written;
  }
  Error error = written.error();
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) error.message += "; " + file.string() + " is as it was";
  if (!fs::exists(file, ignored)) error.message += "; " + file.string() + " was not made";
  return error;
}

std::string to_text(const ExportedFiles& files, const fs::path& file) {
  std::string text = counted(files.report.nodes, "node", "nodes") + " and " +
                     counted(files.report.relationships, "relationship", "relationships") +
                     " written to " + file.string() + "\n";
  if (files.has_indexes)
    text += "the statements of its indexes to " + index_file(file).string() + "\n";
  return text;
}

// Writes a file as the store writes its metadata files: writes under another name, syncs, renames,
// and syncs the directory. If a crash leaves a `.new` file, the next write truncates it.

namespace {

namespace fs = std::filesystem;

Error file_error(const char* what, const fs::path& file, int number) {
  return {ErrorCode::io_error,
          std::string("cannot ") + what + " " + file.string() + ": " + std::strerror(number),
          std::nullopt};
}

/// Resolves symbolic links, so that the file is replaced and not the link to it.
fs::path target_of(const fs::path& file) {
  std::error_code problem;
  const fs::path target = fs::weakly_canonical(file, problem);
  return problem ? file : target;
}

Status sync_directory(const fs::path& file) {
  const fs::path parent = file.parent_path();
  const fs::path directory = parent.empty() ? fs::path(".") : parent;
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int failure = errno;
  if (descriptor >= 0) ::close(descriptor);
  return is_synced ? Status() : file_error("sync", directory, failure);
}

}  // namespace

// The new file gets the permissions of the earlier one.
Result<std::unique_ptr<WholeFile>> WholeFile::create(const fs::path& file) {
  const auto opened = [&](const fs::path& name, int flags) {
    return ::open(name.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | flags, 0666);
  };
  struct stat before = {};
  const bool is_there = ::stat(file.c_str(), &before) == 0;
  if (is_there && !S_ISREG(before.st_mode)) {
    const int descriptor = opened(file, 0);
    if (descriptor < 0) return file_error("write", file, errno);
    return std::unique_ptr<WholeFile>(new WholeFile(descriptor, file, std::nullopt));
  }
  if (is_there && ::access(file.c_str(), W_OK) != 0) return file_error("write", file, errno);
  const fs::path target = target_of(file);
  const fs::path unfinished = fs::path(target) += ".new";
  const int descriptor = opened(unfinished, O_CREAT | O_NOFOLLOW);
  if (descriptor < 0) return file_error("make", unfinished, errno);
  std::unique_ptr<WholeFile> made(new WholeFile(descriptor, target, unfinished));
  if (is_there && ::fchmod(descriptor, before.st_mode & 07777) != 0)
    return file_error("set the mode of", unfinished, errno);
  return made;
}

WholeFile::WholeFile(int descriptor, fs::path file, std::optional<fs::path> unfinished)
    : descriptor_(descriptor),
      file_(std::move(file)),
      unfinished_(std::move(unfinished)),
      buffer_(descriptor),
      stream_(&buffer_) {}

WholeFile::~WholeFile() {
  ::close(descriptor_);
  if (unfinished_) ::unlink(unfinished_->c_str());
}

Status WholeFile::flush() {
  const int failure = buffer_.finish();
  return failure == 0 ? Status() : file_error("write", unfinished_.value_or(file_), failure);
}

Status WholeFile::sync() {
  CAIRN_TRY(flush());
  if (!unfinished_ || ::fsync(descriptor_) == 0) return {};
  return file_error("sync", *unfinished_, errno);
}

Status WholeFile::appear() {
  if (!unfinished_) return {};
  if (::rename(unfinished_->c_str(), file_.c_str()) != 0)
    return file_error("rename", *unfinished_, errno);
  unfinished_.reset();
  return sync_directory(file_);
}

}  // namespace cairn::tools

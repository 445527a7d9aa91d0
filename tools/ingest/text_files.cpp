// Which files below a directory are taken, in the order of their paths: regular ones that are not
// hidden, no symbolic link (a link may lead out of the directory, or in a circle), not named in
// `exclude`, not within a database.
#include "tools/ingest/text_files.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

/// Leaving out what was not named is counted, so that nobody has to wonder where a file is.
bool is_left_out(const fs::directory_entry& entry, const std::vector<std::string>& exclude,
                 FileList& list) {
  const std::string name = entry.path().filename().string();
  if (std::find(exclude.begin(), exclude.end(), name) != exclude.end()) return true;
  std::error_code ignored;
  if (name.starts_with('.'))
    ++list.hidden;
  else if (entry.is_symlink(ignored))
    ++list.links;
  else
    return false;
  return true;
}

Error unsupported(std::string reason) {
  return {ErrorCode::unsupported, std::move(reason), std::nullopt};
}

/// Strict: overlong forms and surrogates are invalid. An empty file is text.
bool is_utf8(const std::string& text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = 0;
    const auto left = static_cast<utf8proc_ssize_t>(text.size() - at);
    const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, left, &code);
    if (length <= 0) return false;
    at += static_cast<std::size_t>(length);
  }
  return true;
}

/// By the files beside its store, whether it is open or not.
bool is_database(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_regular_file(directory / "FORMAT", ignored) &&
         (fs::is_directory(directory / "store", ignored) ||
          fs::is_regular_file(directory / "LOCK", ignored));
}

/// Takes a file, and gives a directory that is to be entered to `pending`.
void take(const fs::directory_entry& entry, const std::vector<std::string>& exclude, FileList& list,
          std::vector<fs::path>& pending) {
  if (is_left_out(entry, exclude, list)) return;
  std::error_code problem;
  const fs::file_status status = entry.symlink_status(problem);
  if (problem && status.type() != fs::file_type::not_found) {
    list.unreadable.push_back(entry.path());
  } else if (fs::is_regular_file(status)) {
    list.files.push_back(entry.path());
  } else if (fs::is_directory(status)) {
    (is_database(entry.path()) ? list.databases : pending).push_back(entry.path());
  }
}

/// A directory that may not be read is noted; the root itself must be readable.
Status list_directory(const fs::path& directory, bool is_root,
                      const std::vector<std::string>& exclude, FileList& list,
                      std::vector<fs::path>& pending) {
  std::error_code problem;
  fs::directory_iterator walk(directory, problem);
  if (problem == std::errc::permission_denied && !is_root) {
    list.unreadable.push_back(directory);
    return {};
  }
  for (; !problem && walk != fs::directory_iterator(); walk.increment(problem))
    take(*walk, exclude, list, pending);
  if (!problem) return {};
  return Error{ErrorCode::io_error, "cannot list " + directory.string() + ": " + problem.message(),
               std::nullopt};
}

}  // namespace

// Sorted, so that two runs work in the same order. Directories that may not be read are noted, as what
// is below them is not gone; any other failure is an error. No recursion: trees may be deep.
Result<FileList> list_files(const fs::path& root, const std::vector<std::string>& exclude) {
  std::error_code problem;
  if (!fs::is_directory(root, problem))
    return Error{ErrorCode::not_found, "there is no directory " + root.string(), std::nullopt};
  if (is_database(root))
    return Error{ErrorCode::invalid_argument,
                 root.string() + " is a Cairn database, not a directory of text files",
                 std::nullopt};
  FileList list;
  std::vector<fs::path> pending{root};
  for (bool is_root = true; !pending.empty(); is_root = false) {
    const fs::path directory = std::move(pending.back());
    pending.pop_back();
    CAIRN_TRY(list_directory(directory, is_root, exclude, list, pending));
  }
  std::sort(list.files.begin(), list.files.end());
  std::sort(list.databases.begin(), list.databases.end());
  std::sort(list.unreadable.begin(), list.unreadable.end());
  return list;
}

Result<std::string> read_file(const std::filesystem::path& file, std::uint64_t largest_bytes) {
  std::error_code problem;
  const std::uint64_t size = std::filesystem::file_size(file, problem);
  if (problem) return Error{ErrorCode::io_error, problem.message(), std::nullopt};
  if (size > largest_bytes)
    return unsupported("larger than " + std::to_string(largest_bytes) + " bytes");
  std::ifstream input(file, std::ios::binary);
  std::ostringstream content;
  content << input.rdbuf();
  if (!input) return Error{ErrorCode::io_error, "cannot be read", std::nullopt};
  return std::move(content).str();
}

// A NUL byte or anything that is not UTF-8 makes it binary: texts are stored as they are.
Status check_text(const std::string& bytes) {
  if (bytes.find('\0') != std::string::npos) return unsupported("binary");
  if (!is_utf8(bytes)) return unsupported("no UTF-8 text");
  return {};
}

}  // namespace cairn::tools

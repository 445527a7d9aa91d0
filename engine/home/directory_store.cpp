// An object store in a directory. Each object is a file.
//
// create     write a temporary file, sync it, and link it to the object's name; link() fails if the name exists
// replace    write a temporary file and sync it; take the lock, compare the tag, rename the file to the object's name
// both       sync the directory of the name, so that the name survives a power cut; until then the outcome is unknown
//
// A refused create syncs the directory too. The process that created the object may not have synced it yet, and the
// caller relies on what it reads there.
#include "codec/checksum.hpp"
#include "codec/hex.hpp"
#include "engine/home/object_store.hpp"
#include "engine/system/regular_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace cairn::engine {
namespace {

namespace fs = std::filesystem;

// The store's own files in the root begin with a dot, which no object's name does: temporary files, and the lock of
// replace().
constexpr std::string_view new_folder = ".new";
constexpr std::string_view lock_name = ".lock";

/// An error with the text of errno.
Error errno_error(const std::string& what, const fs::path& file) {
  return Error{ErrorCode::io_error, what + " " + file.string() + ": " + std::strerror(errno), {}};
}

/// Any failure of the file system leaves the outcome unknown.
WriteAnswer unknown(Error why) { return {WriteOutcome::unknown, {}, std::move(why)}; }

/// The tag of an object: a hash of its bytes in hexadecimal digits.
std::string tag_of(std::string_view bytes) {
  const codec::Hash128 hash = codec::hash128(bytes);
  return codec::hex_text(hash.high) + codec::hex_text(hash.low);
}

Status sync_folder(const fs::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open() || ::fsync(opened.value()) != 0)
    return errno_error("cannot sync the directory", folder);
  return {};
}

/// Creates a directory and the missing ones above it, and syncs each new entry. Another process may create the same
/// directories at the same time.
Status make_folders(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0) return sync_folder(folder / "..");
  if (errno == EEXIST) return {};
  if (errno != ENOENT || !folder.has_parent_path() || folder.parent_path() == folder)
    return errno_error("cannot make the directory", folder);
  CAIRN_TRY(make_folders(folder.parent_path()));
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return errno_error("cannot make the directory", folder);
  return sync_folder(folder / "..");
}

/// A temporary file. Its destructor unlinks the temporary name, which does not affect an object linked from it.
class NewFile {
 public:
  explicit NewFile(fs::path path) : path_(std::move(path)) {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() { ::unlink(path_.c_str()); }
  [[nodiscard]] Status write(std::string_view bytes) const {
    CAIRN_ASSIGN(const FileDescriptor file, create_regular(path_));
    CAIRN_TRY(write_bytes(file.value(), bytes, path_));
    return ::fsync(file.value()) == 0 ? Status() : Status(errno_error("cannot sync", path_));
  }
  [[nodiscard]] const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

Result<std::string> read_whole(const FileDescriptor& file, const fs::path& path) {
  std::string bytes;
  std::string buffer(std::size_t{1} << 16, '\0');
  for (;;) {
    CAIRN_ASSIGN(const std::size_t size, read_bytes(file.value(), buffer, path));
    if (size == 0) return bytes;
    bytes.append(buffer, 0, size);
  }
}

/// Serialises replacements among all processes that use the directory.
class ReplaceLock {
 public:
  explicit ReplaceLock(const fs::path& file)
      : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    while (file_.is_open() && !holds_) {
      holds_ = ::flock(file_.value(), LOCK_EX) == 0;
      if (!holds_ && errno != EINTR) return;
    }
  }
  [[nodiscard]] bool is_held() const noexcept { return holds_; }

 private:
  FileDescriptor file_;  // closing the file releases the lock
  bool holds_ = false;
};

class DirectoryStore final : public ObjectStore {
 public:
  explicit DirectoryStore(fs::path root)
      : root_(std::move(root)), place_("dir:" + root_.string()) {}

  WriteAnswer create(const std::string& name, std::string_view bytes) override;
  WriteAnswer replace(const std::string& name, std::string_view bytes,
                      const std::string& tag) override;
  WriteAnswer erase(const std::string& name) override;
  Result<std::optional<StoredObject>> get(const std::string& name) override;
  Result<std::optional<std::string>> get_range(const std::string& name, std::uint64_t first,
                                               std::uint64_t count) override;
  Result<std::optional<StoredObject>> get_if_changed(const std::string& name,
                                                     const std::string& tag) override;
  Result<std::vector<std::string>> list(const std::string& prefix) override;
  const std::string& place() const noexcept override { return place_; }

 private:
  /// Returns an unused path for a temporary file. Makes the directory of the store, if it is missing.
  [[nodiscard]] Result<fs::path> new_path();
  /// Makes the directory of temporary files and those above it, once.
  [[nodiscard]] Status make_root();
  /// Makes a directory beneath the root and those above it, unless they exist, and syncs their entries. A directory that
  /// exists is synced too, once: the process that made it may not have done so.
  [[nodiscard]] Status make_durable(const fs::path& folder);
  /// Appends the names under `folder` that begin with `prefix`, recursively.
  [[nodiscard]] Status add_names(const fs::path& folder, const std::string& prefix,
                                 std::vector<std::string>& names) const;

  fs::path root_;
  std::string place_;
  std::mutex mutex_;               // guards what follows
  bool has_root_ = false;          // make_root() was successful
  std::set<std::string> durable_;  // directories whose entries are on disk
};

Status DirectoryStore::make_durable(const fs::path& folder) {
  {
    const std::lock_guard lock(mutex_);
    if (durable_.contains(folder.string())) return {};
  }
  if (folder == root_)
    return {};  // made and synced by make_root(); the directory above may not be readable
  CAIRN_TRY(make_durable(folder.parent_path()));
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return errno_error("cannot make the directory", folder);
  CAIRN_TRY(sync_folder(folder / ".."));
  const std::lock_guard lock(mutex_);
  durable_.insert(folder.string());
  return {};
}

/// The outcome of a refused create. Syncs the name first, because the process that created the object may not have
/// done so yet.
WriteAnswer refuse(const fs::path& target) {
  if (const Status synced = sync_folder(target.parent_path()); !synced)
    return unknown(synced.error());
  return {WriteOutcome::refused, {}, {}};
}

/// The outcome of a successful create or replace, after a sync of the name.
WriteAnswer finish(const fs::path& target, std::string_view bytes) {
  if (const Status synced = sync_folder(target.parent_path()); !synced)
    return unknown(synced.error());
  return {WriteOutcome::done, tag_of(bytes), {}};
}

// Reads must not make the directory: a mistyped address would leave an empty store.
Status DirectoryStore::make_root() {
  const std::lock_guard lock(mutex_);
  if (!has_root_) CAIRN_TRY(make_folders(root_ / new_folder));
  has_root_ = true;
  return {};
}

Result<fs::path> DirectoryStore::new_path() {
  CAIRN_TRY(make_root());
  CAIRN_ASSIGN(const std::string name, random_object_name(std::string(new_folder) + "/"));
  return root_ / name;
}

WriteAnswer DirectoryStore::create(const std::string& name, std::string_view bytes) {
  const fs::path target = root_ / name;
  // Without this check, a large object that exists already would be written to a temporary file for nothing.
  if (::access(target.c_str(), F_OK) == 0) return refuse(target);
  const auto path = new_path();
  if (!path) return unknown(path.error());
  if (const Status made = make_durable(target.parent_path()); !made) return unknown(made.error());
  const NewFile file(*path);
  if (const Status written = file.write(bytes); !written) return unknown(written.error());
  if (::link(file.path().c_str(), target.c_str()) == 0) return finish(target, bytes);
  if (errno == EEXIST) return refuse(target);
  return unknown(errno_error("cannot link to", target));
}

// The lock makes the comparison of the tag and the rename atomic.
WriteAnswer DirectoryStore::replace(const std::string& name, std::string_view bytes,
                                    const std::string& tag) {
  const fs::path target = root_ / name;
  const auto path = new_path();
  if (!path) return unknown(path.error());
  const NewFile file(*path);
  if (const Status written = file.write(bytes); !written) return unknown(written.error());
  const ReplaceLock lock(root_ / lock_name);
  if (!lock.is_held()) return unknown(errno_error("cannot lock", root_ / lock_name));
  const auto present = get(name);
  if (!present) return unknown(present.error());
  if (!*present || (*present)->tag != tag) return {WriteOutcome::refused, {}, {}};
  if (::rename(file.path().c_str(), target.c_str()) != 0)
    return unknown(errno_error("cannot rename to", target));
  return finish(target, bytes);
}

// The erasure is not synced. If a power cut brings the object back, nobody reads it, because its owner needs it no
// longer.
WriteAnswer DirectoryStore::erase(const std::string& name) {
  const fs::path target = root_ / name;
  if (::unlink(target.c_str()) == 0 || errno == ENOENT || errno == ENOTDIR)
    return {WriteOutcome::done, {}, {}};
  return unknown(errno_error("cannot erase", target));
}

Result<std::optional<StoredObject>> DirectoryStore::get(const std::string& name) {
  const fs::path path = root_ / name;
  const auto file = open_regular(path, O_RDONLY);
  if (!file && file.error().code == ErrorCode::not_found) return std::optional<StoredObject>();
  if (!file) return file.error();
  CAIRN_ASSIGN(std::string bytes, read_whole(*file, path));
  std::string tag = tag_of(bytes);
  return std::optional(StoredObject{std::move(bytes), std::move(tag)});
}

// The result is shorter if the file ends earlier.
Result<std::optional<std::string>> DirectoryStore::get_range(const std::string& name,
                                                             std::uint64_t first,
                                                             std::uint64_t count) {
  const fs::path path = root_ / name;
  const auto file = open_regular(path, O_RDONLY);
  if (!file && file.error().code == ErrorCode::not_found) return std::optional<std::string>();
  if (!file) return file.error();
  if (::lseek(file->value(), static_cast<off_t>(first), SEEK_SET) < 0)
    return errno_error("cannot read", path);
  std::string bytes(count, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    CAIRN_ASSIGN(const std::size_t more,
                 read_bytes(file->value(), std::span(bytes).subspan(size), path));
    if (more == 0) break;
    size += more;
  }
  bytes.resize(size);
  return std::optional(std::move(bytes));
}

Result<std::optional<StoredObject>> DirectoryStore::get_if_changed(const std::string& name,
                                                                   const std::string& tag) {
  CAIRN_ASSIGN(auto object, get(name));
  if (!object) return Error{ErrorCode::not_found, place_ + " has no object " + name, {}};
  if (object->tag == tag) return std::optional<StoredObject>();
  return object;
}

Result<std::vector<std::string>> DirectoryStore::list(const std::string& prefix) {
  std::vector<std::string> names;
  // The deepest directory that contains all names with this prefix.
  const std::string folder = prefix.substr(0, prefix.rfind('/') + 1);
  CAIRN_TRY(add_names(root_ / folder, prefix, names));
  std::ranges::sort(names);
  return names;
}

// Names that begin with a dot are the store's own files, not objects.
Status DirectoryStore::add_names(const fs::path& folder, const std::string& prefix,
                                 std::vector<std::string>& names) const {
  std::error_code problem;
  fs::directory_iterator entry(folder, problem);
  for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
    if (entry->path().filename().string().starts_with('.')) continue;
    if (entry->is_directory(problem)) {
      CAIRN_TRY(add_names(entry->path(), prefix, names));
      continue;
    }
    std::string name = entry->path().lexically_relative(root_).generic_string();
    if (name.starts_with(prefix)) names.push_back(std::move(name));
  }
  if (!problem || problem == std::errc::no_such_file_or_directory) return {};
  return Error{ErrorCode::io_error,
               "cannot read the directory " + folder.string() + ": " + problem.message(),
               {}};
}

}  // namespace

/// The path is made absolute, so that a later change of the working directory has no effect.
Result<std::unique_ptr<ObjectStore>> open_directory_store(const fs::path& root) {
  if (root.empty())
    return Error{ErrorCode::invalid_argument,
                 "the home `dir:` has no path; name a directory after the colon",
                 {}};
  std::error_code problem;
  fs::path whole = fs::absolute(root, problem).lexically_normal();
  if (problem)
    return Error{
        ErrorCode::io_error, "cannot find " + root.string() + ": " + problem.message(), {}};
  if (!whole.has_filename()) whole = whole.parent_path();
  return std::unique_ptr<ObjectStore>(std::make_unique<DirectoryStore>(std::move(whole)));
}

}  // namespace cairn::engine

// Writes one generation of a backup. The order of the steps makes a crash at any of them harmless:
//
//   generation-N      files are copied and synced, or linked (the database has synced those); then its directories are
//                     synced
//   BACKUP            the new list replaces the old one by a rename, which is synced. From here on the new backup is valid
//   older files       files that the new list does not name are erased
//
// No backup writes into the generation of an earlier one: the remains of an unfinished generation are erased before the next
// backup begins.
#include "engine/backup/backup_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace cairn::engine {
namespace {

// Depth of directories in a generation: itself, and those inside.
constexpr int generation_levels = 2;

Error bad_place(const std::filesystem::path& path, std::string_view problem) {
  return Error{ErrorCode::invalid_argument,
               path.string() + " " + std::string(problem) +
                   "; name a new or empty directory, or that of an earlier backup of this database",
               {}};
}

/// Returns the time of modification in nanoseconds since 1970. In the list 0 marks a file that no later backup may reuse.
std::int64_t modified_at(const struct stat& status) {
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

/// Checks that a directory is not inside the database. `shown` is its path in messages.
Status check_outside(const Directory& directory, const std::filesystem::path& database,
                     const std::filesystem::path& shown) {
  CAIRN_ASSIGN(const Directory own, Directory::open(database));
  CAIRN_ASSIGN(const bool is_inside, directory.is_within(own));
  return is_inside ? Status(bad_place(shown, "lies in the database itself")) : Status();
}

/// Returns the list in the directory; nullopt if the directory is new, or no backup into it was ever finished.
/// Errors: also invalid_argument, if the directory has files that do not belong to a backup.
Result<std::optional<codec::BackupManifest>> earlier_list(const Directory& root) {
  const auto bytes = root.read_file(backup_list, most_backup_list_bytes);
  if (bytes) {
    auto manifest = codec::decode_backup_manifest(*bytes);
    if (manifest) return std::optional(*std::move(manifest));
    if (manifest.error().code != ErrorCode::corruption) return manifest.error();
    return changed_file(root.path() / backup_list, "is damaged");
  }
  if (bytes.error().code != ErrorCode::not_found) return bytes.error();
  CAIRN_ASSIGN(const auto names, root.names());
  for (const std::string& name : names)
    if (!name.starts_with(generation_prefix) && name != std::string(backup_list) + ".new")
      return bad_place(root.path(), "has files that do not belong to a backup");
  return std::optional<codec::BackupManifest>();
}

/// Erases an entry of a directory, except for files in `wanted` and directories above such files. `wanted` has paths from the
/// root, and `path` is the path of the entry. `levels` is the depth of directories that the entry may have.
Status keep_only(const Directory& directory, const std::string& name, const std::string& path,
                 const std::set<std::string>& wanted, int levels) {
  if (wanted.contains(path)) return {};
  const auto next = wanted.lower_bound(path + "/");
  const bool is_above = next != wanted.end() && next->starts_with(path + "/");
  if (!is_above) return directory.erase_all(name, levels);
  CAIRN_ASSIGN(const Directory inside, directory.open_directory(name));
  CAIRN_ASSIGN(const auto names, inside.names());
  for (const std::string& each : names)
    CAIRN_TRY(keep_only(inside, each, path + "/" + each, wanted, levels - 1));
  return {};
}

/// True if an error of link() means that this file cannot be linked, so that it must be copied.
bool cannot_link(int number) {
  return number == EXDEV || number == EPERM || number == EMLINK || number == ENOTSUP ||
         number == EOPNOTSUPP || number == ENOSYS || number == EACCES;
}

}  // namespace

BackupWriter::BackupWriter(Directory root, const std::string& database_id,
                           std::optional<codec::BackupManifest> earlier, std::stop_token cancel)
    : cancel_(std::move(cancel)), root_(std::move(root)), earlier_(std::move(earlier)) {
  manifest_.database_id = database_id;
  manifest_.generation = earlier_ ? earlier_->generation + 1 : 1;
}

// The path is checked before the directory is made, and the directory itself once it is open: the path may have led
// elsewhere meanwhile. The lock belongs to the open directory, and is released when that is closed.
Result<BackupWriter> BackupWriter::begin(const FilePlace& place,
                                         const std::filesystem::path& database,
                                         const std::string& database_id, std::stop_token cancel) {
  CAIRN_TRY(check_outside(place.directory, database, place.path()));
  auto entered = place.directory.enter(place.name);
  if (!entered && entered.error().code == ErrorCode::corruption)
    return bad_place(place.path(), "is not a directory, or a link to one");
  CAIRN_ASSIGN(Directory root, std::move(entered));
  CAIRN_TRY(check_outside(root, database, place.path()));
  if (::flock(root.descriptor(), LOCK_EX | LOCK_NB) != 0)
    return Error{ErrorCode::busy,
                 "another process writes or reads a backup in " + root.path().string() +
                     "; try again when it has ended",
                 {}};
  CAIRN_ASSIGN(auto earlier, earlier_list(root));
  if (earlier && earlier->database_id != database_id)
    return bad_place(root.path(), "has a backup of another database");
  BackupWriter writer(std::move(root), database_id, std::move(earlier), std::move(cancel));
  CAIRN_TRY(writer.sweep(writer.earlier_ ? &*writer.earlier_ : nullptr));
  return writer;
}

// An unfinished backup is erased at once: the disk may be full, and its remains would take space until the next backup.
BackupWriter::~BackupWriter() {
  const bool is_moved_from = root_.descriptor() < 0;
  if (is_finished_ || is_moved_from) return;
  static_cast<void>(sweep(earlier_ ? &*earlier_ : nullptr));
}

std::optional<codec::BackupFile> BackupWriter::earlier_file(const File& wanted) const {
  if (!earlier_) return std::nullopt;
  const auto found = std::ranges::lower_bound(earlier_->files, wanted.name, {}, &File::name);
  if (found == earlier_->files.end() || found->name != wanted.name) return std::nullopt;
  if (found->modified == 0 || found->modified != wanted.modified || found->bytes != wanted.bytes)
    return std::nullopt;
  const std::string path = generation_name(found->generation) + "/" + found->name;
  struct stat status = {};
  const bool is_there =
      ::fstatat(root_.descriptor(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  const bool is_whole = is_there && S_ISREG(status.st_mode) &&
                        static_cast<std::uint64_t>(status.st_size) == wanted.bytes;
  return is_whole ? std::optional(*found) : std::nullopt;
}

Result<const Directory*> BackupWriter::directory_of(const std::string& name) {
  const std::string inside = split_name(name).first;
  if (directories_.empty()) {
    CAIRN_ASSIGN(Directory own, root_.enter(generation_name(manifest_.generation)));
    directories_.emplace("", std::move(own));
  }
  if (!directories_.contains(inside)) {
    CAIRN_ASSIGN(Directory made, directories_.at("").enter(inside));
    directories_.emplace(inside, std::move(made));
  }
  return &directories_.at(inside);
}

void BackupWriter::add(File file, const FileContent& content) {
  file.generation = manifest_.generation;
  file.bytes = content.bytes;
  file.hash = content.hash;
  files_.insert_or_assign(file.name, std::move(file));
}

Result<bool> BackupWriter::link(const std::string& name, const std::filesystem::path& source) {
  CAIRN_ASSIGN(const Directory* directory, directory_of(name));
  const std::string last = split_name(name).second;
  if (::linkat(AT_FDCWD, source.c_str(), directory->descriptor(), last.c_str(), 0) == 0)
    return true;
  if (cannot_link(errno)) return false;
  return file_error("cannot link", source);
}

Status BackupWriter::check_stop() const {
  return cancel_.stop_requested() ? Status(stopped()) : Status();
}

Error BackupWriter::stopped() const {
  const std::string place = root_.path().string();
  return {ErrorCode::cancelled,
          "the backup was stopped: " + (earlier_ ? place + " still has the backup of commit " +
                                                       std::to_string(earlier_->commit)
                                                 : "nothing of it is stored in " + place),
          {}};
}

// The size and time of the file are read again through the link: another file may have got the name since the first look.
Status BackupWriter::add_unchanging(const std::string& name, const std::filesystem::path& source) {
  CAIRN_TRY(check_stop());
  struct stat status = {};
  if (::lstat(source.c_str(), &status) != 0)
    return file_error("cannot read the attributes of", source);
  File file{name, 0, static_cast<std::uint64_t>(status.st_size), {}, modified_at(status)};
  if (const auto known = earlier_file(file)) {
    files_.insert_or_assign(name, *known);
    return {};
  }
  CAIRN_ASSIGN(const bool is_linked, link(name, source));
  if (!is_linked) {
    CAIRN_ASSIGN(const FileDescriptor from, open_regular(source, O_RDONLY));
    return add_copied(std::move(file), from, source, any_size);
  }
  CAIRN_ASSIGN(const Directory* directory, directory_of(name));
  CAIRN_ASSIGN(const FileDescriptor linked, directory->open_file(split_name(name).second));
  if (::fstat(linked.value(), &status) != 0)
    return file_error("cannot read the attributes of", source);
  file.modified = modified_at(status);
  CAIRN_ASSIGN(const FileContent content, hash_content(linked, source, any_size, cancel_));
  ++linked_files_;
  add(std::move(file), content);
  return {};
}

Status BackupWriter::add_copied(File file, const FileDescriptor& from,
                                const std::filesystem::path& source, std::uint64_t most) {
  struct stat status = {};
  if (::fstat(from.value(), &status) != 0)
    return file_error("cannot read the attributes of", source);
  if (file.modified != 0) file.modified = modified_at(status);
  CAIRN_ASSIGN(const Directory* directory, directory_of(file.name));
  const std::string last = split_name(file.name).second;
  CAIRN_ASSIGN(const FileDescriptor to, directory->create_file(last));
  CAIRN_ASSIGN(const FileContent content,
               copy_content(from, source, to, directory->path() / last, most, cancel_));
  copied_bytes_ += content.bytes;
  add(std::move(file), content);
  return {};
}

Status BackupWriter::add_copy(const std::string& name, const std::filesystem::path& source,
                              std::uint64_t bytes) {
  CAIRN_ASSIGN(const FileDescriptor from, open_regular(source, O_RDONLY));
  CAIRN_TRY(add_copied({name}, from, source, bytes));
  if (files_.at(name).bytes == bytes) return {};
  return Error{ErrorCode::corruption,
               source.string() + " has " + std::to_string(files_.at(name).bytes) +
                   " bytes, and the store says " + std::to_string(bytes),
               {}};
}

Status BackupWriter::add_content(const std::string& name, std::string_view content) {
  CAIRN_ASSIGN(const Directory* directory, directory_of(name));
  const std::string last = split_name(name).second;
  CAIRN_ASSIGN(const FileDescriptor to, directory->create_file(last));
  CAIRN_TRY(write_bytes(to.value(), content, directory->path() / last));
  if (::fsync(to.value()) != 0) return file_error("cannot sync", directory->path() / last);
  copied_bytes_ += content.size();
  add({name}, {content.size(), codec::hash128(content)});
  return {};
}

Status BackupWriter::sync_directories() const {
  for (const auto& [name, directory] : directories_) CAIRN_TRY(directory.sync());
  return root_.sync();
}

Status BackupWriter::sweep(const codec::BackupManifest* list) const {
  std::set<std::string> wanted{backup_list};
  if (list != nullptr)
    for (const File& file : list->files)
      wanted.insert(generation_name(file.generation) + "/" + file.name);
  CAIRN_ASSIGN(const auto names, root_.names());
  for (const std::string& name : names)
    if (name.starts_with(generation_prefix))
      CAIRN_TRY(keep_only(root_, name, name, wanted, generation_levels));
  return {};
}

// Older files are erased only after the rename of the list is synced: after a power cut the old list could be back, and it
// needs them. Failing to erase them is not an error, as the next backup tries again.
Result<BackupReport> BackupWriter::finish(std::uint64_t commit, std::int64_t made_at) {
  CAIRN_TRY(check_stop());
  // A restored copy has the same id. Its newer backup must not give way to an older state of the original.
  if (earlier_ && earlier_->commit > commit)
    return Error{ErrorCode::conflict,
                 root_.path().string() + " has a backup of commit " +
                     std::to_string(earlier_->commit) +
                     ", which is newer than this database at commit " + std::to_string(commit) +
                     "; name another directory",
                 {}};
  manifest_.commit = commit;
  manifest_.made_at = made_at;
  for (auto& [name, file] : files_) manifest_.files.push_back(std::move(file));
  CAIRN_TRY(sync_directories());
  CAIRN_TRY(root_.prepare_file(backup_list, codec::encode(manifest_)));
  is_finished_ = true;
  if (const Status renamed = root_.take_prepared(backup_list); !renamed) {
    is_finished_ = false;
    return renamed.error();
  }
  CAIRN_TRY(root_.sync());
  static_cast<void>(sweep(&manifest_));
  BackupReport report = report_of(manifest_);
  report.linked_files = linked_files_;
  report.copied_bytes = copied_bytes_;
  return report;
}

}  // namespace cairn::engine

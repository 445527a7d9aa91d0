#pragma once
// Whether the locks of this process still lie where they were taken. A lock belongs to an open file, but a store opens,
// renames and deletes its files by path: once the directory is deleted or replaced, the paths lead nowhere, or into the
// database of somebody else.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <utility>

namespace cairn::engine {

/// The path at which this process took the lock of a database. Threads: any.
class LockPlace {
 public:
  /// Returns the place of the exclusive lock that this process took at this path; nullopt if it holds none.
  [[nodiscard]] static std::optional<LockPlace> of(const std::filesystem::path& lock_file);

  /// True if this process holds the exclusive lock of the file at this path, which may be written in another way. A
  /// process id in the file proves nothing: the first process of each container has the id 1.
  [[nodiscard]] static bool is_held_here(const std::filesystem::path& lock_file);

  /// False once the path leads to no file, or to another one. Cost: one call of stat().
  [[nodiscard]] bool is_in_place() const noexcept;
  [[nodiscard]] std::filesystem::path directory() const { return lock_file_.parent_path(); }

 private:
  LockPlace(std::filesystem::path lock_file, dev_t device, ino_t inode)
      : lock_file_(std::move(lock_file)), device_(device), inode_(inode) {}

  std::filesystem::path lock_file_;
  dev_t device_;
  ino_t inode_;  // of the open lock file, so that no other file can have it
};

}  // namespace cairn::engine

#pragma once
// Copies a directory as a program that copies files does: without the socket of a running host.

#include <filesystem>
#include <set>
#include <system_error>

namespace cairn::test {

/// Copies into a directory that may exist; existing files are an error. Throws std::filesystem::filesystem_error.
inline void copy_tree(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (!std::filesystem::exists(to)) std::filesystem::create_directory(to, from);  // with its mode
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    const std::filesystem::path target = to / entry.path().filename();
    if (entry.is_directory())
      copy_tree(entry.path(), target);
    else if (!entry.is_socket())
      std::filesystem::copy(entry.path(), target);
  }
}

/// Copies an open database as a kill would leave it. RocksDB deletes tables while it merges them, so the copy is
/// repeated until no file appeared or disappeared meanwhile.
inline void copy_running_tree(const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto names = [&] {
    std::set<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(from))
      found.insert(entry.path());
    return found;
  };
  while (true) {
    const auto before = names();
    try {
      copy_tree(from, to);
      if (names() == before) return;
    } catch (const std::filesystem::filesystem_error& error) {
      if (error.code() != std::errc::no_such_file_or_directory) throw;
    }
    std::filesystem::remove_all(to);
  }
}

}  // namespace cairn::test

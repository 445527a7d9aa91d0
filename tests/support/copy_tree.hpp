#pragma once
// A copy of a directory as a program makes it that copies files: a socket of a host that is there is left out.

#include <filesystem>
#include <set>
#include <system_error>

namespace cairn::test {

/// Into a directory that may be there; files that are there are an error. Throws std::filesystem::filesystem_error.
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

/// The same of a database that is open: what a kill leaves of it. RocksDB deletes tables while it merges them, so that the
/// copy begins again until no file came or went meanwhile.
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

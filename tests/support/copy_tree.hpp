#pragma once
// A copy of a directory as a program makes it that copies files: a socket of a host that is there is left out.

#include <filesystem>

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

}  // namespace cairn::test

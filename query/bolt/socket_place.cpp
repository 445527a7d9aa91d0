#include "query/bolt/socket_place.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace cairn::query::bolt {
namespace {

/// XDG_RUNTIME_DIR; nullopt if it is not set, or if other users may use the directory: they could put a socket there.
std::optional<std::filesystem::path> runtime_directory() {
  const char* const name = std::getenv("XDG_RUNTIME_DIR");
  if (name == nullptr || *name != '/') return std::nullopt;
  struct stat status{};
  const bool is_own = ::stat(name, &status) == 0 && S_ISDIR(status.st_mode) &&
                      status.st_uid == ::geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  return is_own ? std::optional<std::filesystem::path>(name) : std::nullopt;
}

}  // namespace

SocketPlace place_in(const std::filesystem::path& database) { return {database, "attach.sock"}; }

// The host has the lock file open, so no other file can have its inode.
std::optional<SocketPlace> runtime_place(const std::filesystem::path& database) {
  auto directory = runtime_directory();
  struct stat lock{};
  if (!directory || ::stat((database / "LOCK").c_str(), &lock) != 0) return std::nullopt;
  return SocketPlace{*directory / "cairn",
                     std::to_string(lock.st_dev) + "-" + std::to_string(lock.st_ino) + ".sock"};
}

}  // namespace cairn::query::bolt

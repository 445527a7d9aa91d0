#pragma once
// SocketPlace: where the Unix socket of a database lies. It lies in the directory of the database, or, if the file system
// of that directory has no sockets, below XDG_RUNTIME_DIR.

#include <filesystem>
#include <optional>
#include <string>

namespace cairn::query::bolt {

/// A socket file.
struct SocketPlace {
  std::filesystem::path directory;
  std::string name;
  [[nodiscard]] std::filesystem::path path() const { return directory / name; }
};

/// The place in the directory of a database: `attach.sock`.
[[nodiscard]] SocketPlace place_in(const std::filesystem::path& database);
/// The place below XDG_RUNTIME_DIR, which all processes of a user find. Its name is made of the device and the inode of
/// the lock file: a copy of a database has the same database id, but a lock file of its own.
/// Returns nullopt if the database has no lock file, or if XDG_RUNTIME_DIR does not name a directory that this user alone
/// may use.
[[nodiscard]] std::optional<SocketPlace> runtime_place(const std::filesystem::path& database);

}  // namespace cairn::query::bolt

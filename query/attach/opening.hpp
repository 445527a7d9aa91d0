#pragma once
// Opening a database that processes share: this process becomes the host, or attaches to the process that is the host.
// With OpenMode::read_only it attaches too, and opens the database by itself if there is no host.
//
//   the lock is free  -> open the store, listen, write HOST: this process is the host
//   the lock is held  -> connect and send HELLO: this process is attached;
//                        if no process listens, the holder is opening or closing the database: try again

#include "engine/database/handles.hpp"
#include "query/attach/host_link.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace cairn::query::attach {

/// The result of opening. Exactly one member is set: `local` for the host or a process that only reads, `link` for an
/// attached process.
struct Opened {
  std::optional<Database> local;
  std::shared_ptr<HostLink> link;
};

/// The process that has the lock of a database, as the lock file names it. This is only a hint: a new holder writes its
/// line shortly after it takes the lock, and a dead one leaves its line behind.
struct LockHolder {
  std::int64_t process = 0;  ///< 0 if the file names none, or must not be read
  bool is_changing = false;  ///< opens or closes the database
};

[[nodiscard]] LockHolder lock_holder(const std::filesystem::path& directory);

/// True if the options allow other processes to use the database at the same time.
[[nodiscard]] bool shares(const Options& options) noexcept;

/// Opens the database with options that do not share it.
/// Errors: those of Database::open(); busy names the host and all attached processes.
[[nodiscard]] Result<Database> open_alone(const std::filesystem::path& path,
                                          const Options& options);

/// Opens a directory, given as an absolute path, within Options::attach_timeout. `before` is the link to the previous
/// host, if this process was attached: then only the same database is accepted.
/// Errors: those of Database::open() and of share_group_of(); busy names the process that holds the lock and what it
/// does.
[[nodiscard]] Result<Opened> open_or_attach(const std::filesystem::path& directory,
                                            const Options& options,
                                            const std::shared_ptr<HostLink>& before = nullptr);

/// Listens for other processes until the result is closed or destroyed, and describes this process in the file HOST of
/// the directory. Precondition: this process holds the lock of the database.
/// Errors: io_error, resource_limit.
[[nodiscard]] Result<std::unique_ptr<engine::Hosting>> open_host(
    const Database& database, const std::filesystem::path& directory, const Options& options);

}  // namespace cairn::query::attach

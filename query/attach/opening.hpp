#pragma once
// Opening: a process becomes the host of a database, or attaches to the one that is.
//
//   the lock is free  -> open the store, listen, write HOST: the host
//   it is held        -> connect and say HELLO: attached; where nobody listens, the holder is on its way in or out: again

#include "query/attach/host_link.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace cairn::query::attach {

/// Exactly one member is set.
struct Opened {
  std::optional<Database> local;
  std::shared_ptr<HostLink> link;
};

/// Whether these options share a database at all.
[[nodiscard]] bool shares(const Options& options) noexcept;

/// Open it in this process by options that share nothing.
/// Errors: as of Database::open(); busy also with the processes that are attached to the one that has it.
[[nodiscard]] Result<Database> open_alone(const std::filesystem::path& path,
                                          const Options& options);

/// Open a directory, by an absolute path, within Options::attach_timeout. `before` is the link whose host ended, where there
/// was one: only its database will do.
/// Errors: as of Database::open(), busy with the process that holds it and what it does; as of share_group_of().
[[nodiscard]] Result<Opened> open_or_attach(const std::filesystem::path& directory,
                                            const Options& options,
                                            const std::shared_ptr<HostLink>& before = nullptr);

}  // namespace cairn::query::attach

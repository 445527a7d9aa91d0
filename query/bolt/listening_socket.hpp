#pragma once
// The socket on which a listener accepts clients: a TCP port, or the Unix socket of a database.
//
// The socket of a database lies in its directory, or, if the file system of that directory has no sockets, below
// XDG_RUNTIME_DIR.

#include "engine/system/regular_file.hpp"
#include "query/bolt/tls.hpp"

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace cairn::query::bolt {

struct ListeningSocket {
  engine::FileDescriptor descriptor;
  BoltAddress address;  ///< with the port that the system chose if port 0 was requested
  std::optional<gid_t> group =
      {};  ///< the group that may connect to a Unix socket, besides this process's user
  std::filesystem::path path = {};  ///< the file of a Unix socket
};

/// Listens at an address of the loopback interface, or with TLS at any address of this machine. "localhost" is 127.0.0.1;
/// no other name is resolved.
/// Errors: invalid_argument for another host; busy if the address is in use; io_error.
[[nodiscard]] Result<ListeningSocket> listen_at(const BoltAddress& address, bool has_tls = false);

/// Listens at the socket of a database, for processes of this user and of `group`. The socket is in the directory of the
/// database, or, if the file system has no sockets and no group is given, below XDG_RUNTIME_DIR. Replaces an existing
/// socket file. Makes the directory searchable for the group. Precondition: this process holds the lock of the database.
/// Errors: io_error, also if neither directory can have the socket.
[[nodiscard]] Result<ListeningSocket> listen_in(const std::filesystem::path& directory,
                                                std::optional<gid_t> group = {});

/// Whose processes are trusted as the host of a directory: only this user's, or also those of the owner of the
/// directory.
enum class TrustedHost : bool { of_this_user, of_owner };

/// A connection to the socket of a database. Errors of connect_in(): not_found if no process listens (yet, or any more);
/// unsupported if the listening process belongs to another user; io_error.
struct ConnectedSocket {
  engine::FileDescriptor descriptor;
  std::int64_t process = 0;  ///< the process that listens; 0 if it is hidden, see process_name()
};
/// "process 12". The id 0 belongs to a process that the system hides here, because it runs in another container.
[[nodiscard]] std::string process_name(std::int64_t process);
[[nodiscard]] Result<ConnectedSocket> connect_in(const std::filesystem::path& directory,
                                                 TrustedHost trusted = TrustedHost::of_this_user);
/// True if the database has a socket file, even if the process that created it has ended.
[[nodiscard]] bool has_socket(const std::filesystem::path& directory);

/// A client that was accepted.
struct AcceptedSocket {
  std::unique_ptr<TlsTunnel>
      tunnel;  ///< must outlive `descriptor`, which is its plain end; nullptr without TLS
  engine::FileDescriptor descriptor;
  std::string peer;  ///< the client's address without its port; on a Unix socket its process id
  bool is_guest = false;  ///< the client belongs to another user and was admitted by the group
};

/// Accepts the next client without blocking; nullopt if no client is waiting.
/// Errors: resource_limit if the process or the machine has no descriptors or memory left.
[[nodiscard]] Result<std::optional<AcceptedSocket>> accept_client(const ListeningSocket& listening);

}  // namespace cairn::query::bolt

#pragma once
// The socket on which a listener waits for clients.

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
  BoltAddress address;              ///< with the port that the system chose, where 0 was asked for
  std::optional<gid_t> group = {};  ///< whose users may connect by a file, beside this process's
};

/// Listen at an address of the loopback interface, or with TLS at any of this machine. "localhost" is 127.0.0.1; no
/// name is looked up.
/// Errors: invalid_argument for another host; busy where the address is in use; io_error.
[[nodiscard]] Result<ListeningSocket> listen_at(const BoltAddress& address, bool has_tls = false);

/// Listen at `attach.sock` in the directory of a database, in place of what has the name, for processes of this user
/// and of `group`, to which the directory is opened. Precondition: this process holds the database's lock.
/// Errors: io_error, also where the file system has no sockets.
[[nodiscard]] Result<ListeningSocket> listen_in(const std::filesystem::path& directory,
                                                std::optional<gid_t> group = {});

/// Who may listen in a directory: a process of this user, or also one of the user whose directory it is.
enum class TrustedHost : bool { of_this_user, of_owner };

/// A socket connected to the one in the directory. Errors: not_found where nobody listens there (yet, or any more);
/// unsupported where that is a process of another user; io_error.
struct ConnectedSocket {
  engine::FileDescriptor descriptor;
  std::int64_t process = 0;  ///< who listens
};
[[nodiscard]] Result<ConnectedSocket> connect_in(const std::filesystem::path& directory,
                                                 TrustedHost trusted = TrustedHost::of_this_user);
/// Whether a socket is in the directory, be it of a process that has ended.
[[nodiscard]] bool has_socket(const std::filesystem::path& directory) noexcept;

/// The name of the socket in the directory of a database.
inline constexpr const char* socket_name = "attach.sock";

struct AcceptedSocket {
  std::unique_ptr<TlsTunnel>
      tunnel;  ///< outlives the descriptor, which is its plain end; null without TLS
  engine::FileDescriptor descriptor;
  std::string
      peer;  ///< the client's address, without its port; the process id, where it is on this machine by a file
  bool is_guest = false;  ///< of another user, by the group of the listening socket
};

/// The next client that waits, without waiting for one; nothing where there is none.
/// Errors: resource_limit, where the process or the machine has no more descriptors or memory.
[[nodiscard]] Result<std::optional<AcceptedSocket>> accept_client(const ListeningSocket& listening);

}  // namespace cairn::query::bolt

// Opens, connects and accepts sockets, and decides by the credentials of the peer process who may use a Unix socket.
#include "query/bolt/listening_socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::bolt {
namespace {

/// The file of a Unix socket of a database: in the directory of the database, or, if its file system has no sockets, below
/// XDG_RUNTIME_DIR.
struct SocketPlace {
  std::filesystem::path directory;
  std::string name;
  [[nodiscard]] std::filesystem::path path() const { return directory / name; }
};

SocketPlace place_in(const std::filesystem::path& database) { return {database, "attach.sock"}; }

/// Returns XDG_RUNTIME_DIR; nullopt if the variable is not set, or if other users may use the directory, because they
/// could put a socket there.
std::optional<std::filesystem::path> runtime_directory() {
  const char* const name = std::getenv("XDG_RUNTIME_DIR");
  if (name == nullptr || *name != '/') return std::nullopt;
  struct stat status{};
  const bool is_own = ::stat(name, &status) == 0 && S_ISDIR(status.st_mode) &&
                      status.st_uid == ::geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  return is_own ? std::optional<std::filesystem::path>(name) : std::nullopt;
}

/// Returns the socket file below XDG_RUNTIME_DIR, which all processes of a user find. Its name has the device and the inode
/// of the lock file, and not the database id, which a copy of the database shares. The host has the lock file open, so no
/// other file can get this inode. Returns nullopt if the database has no lock file, or without runtime_directory().
std::optional<SocketPlace> runtime_place(const std::filesystem::path& database) {
  auto directory = runtime_directory();
  struct stat lock{};
  if (!directory || ::stat((database / "LOCK").c_str(), &lock) != 0) return std::nullopt;
  return SocketPlace{*directory / "cairn",
                     std::to_string(lock.st_dev) + "-" + std::to_string(lock.st_ino) + ".sock"};
}

/// A socket address of any family.
union SocketAddress {
  sockaddr any;
  sockaddr_un file;
  sockaddr_in four;
  sockaddr_in6 six;
};

socklen_t size_of(const SocketAddress& address) {
  if (address.any.sa_family == AF_UNIX) return sizeof(sockaddr_un);
  return address.any.sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

bool is_loopback(const SocketAddress& address) {
  if (address.any.sa_family == AF_INET6) return IN6_IS_ADDR_LOOPBACK(&address.six.sin6_addr);
  return ntohl(address.four.sin_addr.s_addr) >> 24U == 127;
}

/// Parses a numeric address or "localhost". Returns false for any other host.
bool parse_host(const std::string& host, std::uint16_t port, SocketAddress& address) {
  std::memset(&address, 0, sizeof address);
  if (::inet_pton(AF_INET6, host.c_str(), &address.six.sin6_addr) == 1) {
    address.six.sin6_family = AF_INET6;
    address.six.sin6_port = htons(port);
    return true;
  }
  std::memset(&address, 0, sizeof address);
  address.four.sin_family = AF_INET;
  address.four.sin_port = htons(port);
  const std::string number = host == "localhost" ? "127.0.0.1" : host;
  return ::inet_pton(AF_INET, number.c_str(), &address.four.sin_addr) == 1;
}

/// Parses the address and checks that listening there is allowed. Errors: invalid_argument.
Result<SocketAddress> socket_address(const BoltAddress& address, bool has_tls) {
  SocketAddress parsed{};
  const std::string cannot = "cannot listen at " + address.text();
  if (!parse_host(address.host, address.port, parsed))
    return Error{ErrorCode::invalid_argument,
                 cannot + ": expected a numeric address such as 127.0.0.1 or [::1], or localhost",
                 {}};
  // Without TLS, tokens would cross the network in clear text.
  if (has_tls || is_loopback(parsed)) return parsed;
  return Error{ErrorCode::invalid_argument,
               cannot +
                   ": listening beyond this machine needs TLS; give a certificate and its key "
                   "(--tls-cert and --tls-key), or use 127.0.0.1, [::1] or localhost",
               {}};
}

/// The error of a failed call, from errno. Must be called before another call can change errno.
Error listening_error(const BoltAddress& address) {
  if (errno == EADDRINUSE)
    return Error{
        ErrorCode::busy,
        "cannot listen at " + address.text() +
            ": the address is in use; end the program that listens there, or give another port "
            "(port 0 takes a free one)",
        {}};
  return Error{
      ErrorCode::io_error, "cannot listen at " + address.text() + ": " + std::strerror(errno), {}};
}

std::uint16_t port_of(const SocketAddress& address) {
  return ntohs(address.any.sa_family == AF_INET6 ? address.six.sin6_port : address.four.sin_port);
}

std::string host_of(const SocketAddress& address) {
  char text[INET6_ADDRSTRLEN] = {};
  const void* const host = address.any.sa_family == AF_INET6
                               ? static_cast<const void*>(&address.six.sin6_addr)
                               : static_cast<const void*>(&address.four.sin_addr);
  return ::inet_ntop(address.any.sa_family, host, text, sizeof text) == nullptr ? "" : text;
}

engine::FileDescriptor open_directory(const std::filesystem::path& directory) {
  return engine::FileDescriptor(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

// The address of a socket file, through the descriptor of its directory.
SocketAddress address_in(const engine::FileDescriptor& directory, const std::string& name) {
  SocketAddress address;
  std::memset(&address, 0, sizeof address);
  address.file.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(directory.value()) + "/" + name;
  path.copy(address.file.sun_path, sizeof address.file.sun_path - 1);
  return address;
}

/// The credentials of the process at the other end, from the time when it connected or began to listen.
ucred credentials_of(int socket) {
  ucred credentials{0, static_cast<uid_t>(-1), static_cast<gid_t>(-1)};
  socklen_t size = sizeof credentials;
  static_cast<void>(::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size));
  return credentials;
}

bool is_owner(const std::filesystem::path& directory, uid_t user) {
  struct stat status{};
  return ::stat(directory.c_str(), &status) == 0 && status.st_uid == user;
}

/// True if the process has the group as its main group or as one of its other groups.
bool is_member(int socket, const ucred& process, gid_t group) {
  if (process.gid == group) return true;
  std::vector<gid_t> groups(64);
  socklen_t size = 0;
  const auto ask = [&] {
    size = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) == 0;
  };
  if (!ask() && errno == ERANGE) {  // the call has set `size` to the required size
    groups.resize(size / sizeof(gid_t));
    if (!ask()) return false;
  }
  groups.resize(std::min(groups.size(), size / sizeof(gid_t)));
  return std::ranges::find(groups, group) != groups.end();
}

/// Sets the permissions of the socket. With a group, the directory becomes searchable for the group as well; members of
/// the group still cannot open its files.
bool open_to(std::optional<gid_t> group, const SocketPlace& place, int directory) {
  constexpr uid_t same = static_cast<uid_t>(-1);
  const char* const name = place.name.c_str();
  if (!group) return ::fchmodat(directory, name, S_IRUSR | S_IWUSR, 0) == 0;
  return ::fchownat(directory, name, same, *group, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fchmodat(directory, name, S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP, 0) == 0 &&
         ::chown(place.directory.c_str(), same, *group) == 0 &&
         ::chmod(place.directory.c_str(), S_IRWXU | S_IRGRP | S_IXGRP) == 0;
}

/// True for the errors of file systems that have no sockets, or no permissions for sockets.
bool has_no_sockets(int error) {
  return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EINVAL;
}

/// Listens at a place. If it fails, the descriptor is not open and errno has the reason.
// The path in a socket address has at most 107 bytes. The path through the directory's descriptor is short, however deep
// the directory is.
engine::FileDescriptor listen_at_place(const SocketPlace& place, std::optional<gid_t> group) {
  const engine::FileDescriptor directory = open_directory(place.directory);
  if (!directory.is_open()) return {};
  const SocketAddress address = address_in(directory, place.name);
  engine::FileDescriptor descriptor(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!descriptor.is_open()) return {};
  static_cast<void>(::unlinkat(directory.value(), place.name.c_str(), 0));
  // The permissions are set between bind() and listen(), when no client can connect yet.
  const bool is_bound = ::bind(descriptor.value(), &address.any, size_of(address)) == 0;
  if (is_bound && open_to(group, place, directory.value()) &&
      ::listen(descriptor.value(), SOMAXCONN) == 0)
    return descriptor;
  const int reason = errno;
  if (is_bound) static_cast<void>(::unlinkat(directory.value(), place.name.c_str(), 0));
  descriptor = {};
  errno = reason;
  return {};
}

/// Listens at the runtime place of a database, whose directory is made if it is missing.
engine::FileDescriptor listen_at_runtime_place(const SocketPlace& place) {
  if (::mkdir(place.directory.c_str(), S_IRWXU) != 0 && errno != EEXIST) return {};
  return listen_at_place(place, std::nullopt);
}

Error no_socket_at(const SocketPlace& place, int reason, std::string_view more = {}) {
  return {ErrorCode::io_error,
          "cannot listen at " + place.path().string() + ": " + std::strerror(reason) +
              std::string(more),
          {}};
}

/// Errors as connect_in(). `database` is the directory of the database.
Result<ConnectedSocket> connect_to(const SocketPlace& place, const std::filesystem::path& database,
                                   TrustedHost trusted) {
  const engine::FileDescriptor directory = open_directory(place.directory);
  engine::FileDescriptor descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (directory.is_open() && descriptor.is_open()) {
    const SocketAddress address = address_in(directory, place.name);
    if (::connect(descriptor.value(), &address.any, size_of(address)) == 0) {
      const ucred peer = credentials_of(descriptor.value());
      const bool is_trusted = peer.uid == ::geteuid() ||
                              (trusted == TrustedHost::of_owner && is_owner(database, peer.uid));
      if (is_trusted) return ConnectedSocket{std::move(descriptor), peer.pid};
      return Error{ErrorCode::unsupported,
                   "database " + database.string() + " is open in " + process_name(peer.pid) +
                       " of user " + std::to_string(peer.uid) +
                       ", and only processes of one user can share a database, unless both set the "
                       "same Options::share_group; run as that user, or end that process",
                   {}};
    }
  }
  const bool is_absent = errno == ENOENT || errno == ECONNREFUSED || errno == EAGAIN ||
                         errno == ENOTDIR || errno == ECONNRESET || errno == EINTR;
  return Error{is_absent ? ErrorCode::not_found : ErrorCode::io_error,
               "cannot connect to " + place.path().string() + ": " + std::strerror(errno),
               {}};
}

bool is_not_found(const Result<ConnectedSocket>& connected) {
  return !connected && connected.error().code == ErrorCode::not_found;
}

bool is_socket(const SocketPlace& place) {
  struct stat status{};
  return ::lstat(place.path().c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

/// True for errors that concern a single client which has gone already; the next client can be accepted.
bool is_of_client(int error) {
  return error == EINTR || error == ECONNABORTED || error == EPROTO || error == EPERM;
}

}  // namespace

// SO_REUSEADDR allows listening at an address that old connections in TIME_WAIT still occupy. On Linux it never lets two
// listeners share an address.
Result<ListeningSocket> listen_at(const BoltAddress& address, bool has_tls) {
  CAIRN_ASSIGN(SocketAddress wanted, socket_address(address, has_tls));
  engine::FileDescriptor descriptor(
      ::socket(wanted.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!descriptor.is_open()) return listening_error(address);
  const int on = 1;
  socklen_t size = size_of(wanted);
  if (::setsockopt(descriptor.value(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(descriptor.value(), &wanted.any, size) != 0 ||
      ::listen(descriptor.value(), SOMAXCONN) != 0 ||
      ::getsockname(descriptor.value(), &wanted.any, &size) != 0)
    return listening_error(address);
  return ListeningSocket{std::move(descriptor), {address.host, port_of(wanted)}, {}};
}

// Members of a group have no access to the runtime directory of another user.
Result<ListeningSocket> listen_in(const std::filesystem::path& directory,
                                  std::optional<gid_t> group) {
  const SocketPlace place = place_in(directory);
  engine::FileDescriptor descriptor = listen_at_place(place, group);
  if (descriptor.is_open())
    return ListeningSocket{std::move(descriptor), {"", 0}, group, place.path()};
  const int reason = errno;
  if (!has_no_sockets(reason) || group) return no_socket_at(place, reason);
  const auto other = runtime_place(directory);
  if (!other)
    return no_socket_at(place, reason,
                        "; if its file system has no sockets, set XDG_RUNTIME_DIR to a directory "
                        "of mode 0700 in all processes");
  descriptor = listen_at_runtime_place(*other);
  if (!descriptor.is_open()) return no_socket_at(*other, errno);
  return ListeningSocket{std::move(descriptor), {"", 0}, group, other->path()};
}

std::string process_name(std::int64_t process) {
  if (process != 0) return "process " + std::to_string(process);
  return "a process that is hidden here (of another container)";
}

bool has_socket(const std::filesystem::path& directory) {
  if (is_socket(place_in(directory))) return true;
  const auto other = runtime_place(directory);
  return other && is_socket(*other);
}

// A host of another user is refused after connecting, by its credentials. If nobody listens at either place, the error
// names the place in the directory.
Result<ConnectedSocket> connect_in(const std::filesystem::path& directory, TrustedHost trusted) {
  auto connected = connect_to(place_in(directory), directory, trusted);
  if (!is_not_found(connected)) return connected;
  const auto other = runtime_place(directory);
  if (!other) return connected;
  auto there = connect_to(*other, directory, trusted);
  return is_not_found(there) ? std::move(connected) : std::move(there);
}

// On a Unix socket, the client must run as this user or as a member of the group. Other connections are closed
// without an answer.
Result<std::optional<AcceptedSocket>> accept_client(const ListeningSocket& listening) {
  while (true) {
    SocketAddress peer{};
    socklen_t size = sizeof peer;
    engine::FileDescriptor client(
        ::accept4(listening.descriptor.value(), &peer.any, &size, SOCK_CLOEXEC));
    if (client.is_open() && peer.any.sa_family == AF_UNIX) {
      const ucred process = credentials_of(client.value());
      const bool is_guest = process.uid != ::geteuid();
      if (is_guest && !(listening.group && is_member(client.value(), process, *listening.group)))
        continue;
      return std::optional(
          AcceptedSocket{nullptr, std::move(client), std::to_string(process.pid), is_guest});
    }
    if (client.is_open()) {
      const int on = 1;  // answers are complete messages, so they need not wait for more bytes
      static_cast<void>(::setsockopt(client.value(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
      return std::optional(AcceptedSocket{nullptr, std::move(client), host_of(peer), false});
    }
    if (errno == EAGAIN) return std::optional<AcceptedSocket>();
    if (!is_of_client(errno))
      return Error{ErrorCode::resource_limit,
                   std::string("cannot accept a client: ") + std::strerror(errno),
                   {}};
  }
}

}  // namespace cairn::query::bolt

#pragma once
// TLS (OpenSSL): the certificate of a listener, and a tunnel for each connection of either side. A connection reads and writes plain
// bytes at one end of a pair of sockets, as it would without TLS; a thread carries them to the client and back.

#include "engine/system/regular_file.hpp"

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <thread>

struct ssl_ctx_st;
struct ssl_st;

namespace cairn::query::bolt {

/// A session of OpenSSL, as the server or as a client.
using SecureSession = std::unique_ptr<ssl_st, void (*)(ssl_st*)>;

/// The thread of one client, and its socket. It ends when both sides have said that nothing more comes, or a second
/// after the plain end was closed or shut down. Cost: a copy of each byte, and a thread.
class TlsTunnel {
 public:
  TlsTunnel(SecureSession secure, engine::FileDescriptor client, engine::FileDescriptor plain);
  TlsTunnel(const TlsTunnel&) = delete;
  TlsTunnel& operator=(const TlsTunnel&) = delete;
  /// To be called once the plain end is closed. Waits for the thread.
  ~TlsTunnel();
  /// Say nothing more, and hear nothing. Threads: any.
  void end() noexcept;
  /// Whether the thread is done, so that it can be destroyed without a wait. Threads: any.
  [[nodiscard]] bool has_ended() const noexcept;
  /// Why TLS failed, as "certificate verify failed (self-signed certificate)"; empty where it did not. Threads: any.
  [[nodiscard]] std::string failure() const;

 private:
  class Pump;

  std::unique_ptr<Pump> pump_;
  std::thread thread_;  // last: it uses the others
};

/// A tunnel, and the end of it for plain bytes.
struct TlsEnds {
  std::unique_ptr<TlsTunnel> tunnel;
  engine::FileDescriptor plain;
};
/// Put a socket behind a tunnel. Errors: resource_limit where there is no descriptor or thread for it.
[[nodiscard]] Result<TlsEnds> make_tunnel(SecureSession secure, engine::FileDescriptor socket);

/// What OpenSSL said of the last call of this thread.
[[nodiscard]] std::string tls_reason();

/// Threads: any.
class TlsServer {
 public:
  /// TLS 1.2 and 1.3, with the chain and the key of PEM files.
  /// Errors: io_error where a file cannot be read; invalid_argument where it has none, or the key is another's.
  [[nodiscard]] static Result<TlsServer> load(const BoltTls& files);

  /// Put a client behind a tunnel. Errors: resource_limit where there is no memory, descriptor or thread for it.
  [[nodiscard]] Result<TlsEnds> wrap(engine::FileDescriptor client) const;

 private:
  explicit TlsServer(std::shared_ptr<ssl_ctx_st> context) : context_(std::move(context)) {}

  std::shared_ptr<ssl_ctx_st> context_;  // owners: this, and OpenSSL for each session
};

}  // namespace cairn::query::bolt

#pragma once
// TLS with OpenSSL: the certificate of a listener, and a tunnel for each connection on either side.
//
// A connection reads and writes plain bytes at one end of a socket pair, as it would without TLS. The tunnel's thread
// encrypts and decrypts between the other end of the pair and the network socket.

#include "engine/system/regular_file.hpp"

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <thread>

struct ssl_ctx_st;
struct ssl_st;

namespace cairn::query::bolt {

/// A TLS session of OpenSSL, as server or client.
using SecureSession = std::unique_ptr<ssl_st, void (*)(ssl_st*)>;

/// The thread and the network socket of one connection. The thread ends when both sides have closed, or one second after
/// the plain end was closed or shut down. Cost: a copy of each byte, and a thread.
class TlsTunnel {
 public:
  TlsTunnel(SecureSession secure, engine::FileDescriptor client, engine::FileDescriptor plain);
  TlsTunnel(const TlsTunnel&) = delete;
  TlsTunnel& operator=(const TlsTunnel&) = delete;
  /// Precondition: the plain end is closed. Waits for the thread.
  ~TlsTunnel();
  /// Stops sending and receiving at once. Threads: any.
  void end() noexcept;
  /// True if the thread is done, so that destroying the object does not block. Threads: any.
  [[nodiscard]] bool has_ended() const noexcept;
  /// Why TLS failed, for example "certificate verify failed (self-signed certificate)"; empty if TLS did not fail.
  /// Threads: any.
  [[nodiscard]] std::string failure() const;

 private:
  class Pump;

  std::unique_ptr<Pump> pump_;
  std::thread thread_;  // last, because it uses the other members
};

/// A tunnel, and its end for plain bytes.
struct TlsEnds {
  std::unique_ptr<TlsTunnel> tunnel;
  engine::FileDescriptor plain;
};
/// Wraps a socket in a tunnel. Errors: resource_limit if the system has no descriptor or thread for it.
[[nodiscard]] Result<TlsEnds> make_tunnel(SecureSession secure, engine::FileDescriptor socket);

/// The reason for the failure of the last OpenSSL call in this thread.
[[nodiscard]] std::string tls_reason();

/// The certificate and key of a listener. Threads: any.
class TlsServer {
 public:
  /// Loads the certificate chain and the key from PEM files, for TLS 1.2 and 1.3.
  /// Errors: io_error if a file cannot be read; invalid_argument if a file is invalid or the key belongs to another
  /// certificate.
  [[nodiscard]] static Result<TlsServer> load(const BoltTls& files);

  /// Wraps an accepted client in a tunnel. Errors: resource_limit if memory, descriptors or threads run out.
  [[nodiscard]] Result<TlsEnds> wrap(engine::FileDescriptor client) const;

 private:
  explicit TlsServer(std::shared_ptr<ssl_ctx_st> context) : context_(std::move(context)) {}

  std::shared_ptr<ssl_ctx_st> context_;  // owners: this object, and OpenSSL for each session
};

}  // namespace cairn::query::bolt

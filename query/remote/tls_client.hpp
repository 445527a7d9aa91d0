#pragma once
// TLS of a client (OpenSSL): what it trusts, and the tunnel of one connection.

#include "engine/system/regular_file.hpp"
#include "query/bolt/tls.hpp"

#include <cairn/result.hpp>

#include <filesystem>
#include <string>

namespace cairn::query::remote {

/// Whom a client believes.
struct Trust {
  bool is_verified = true;            ///< else any certificate will do
  std::filesystem::path authorities;  ///< PEM; empty for those of this machine
  std::string host;                   ///< whose name or address the certificate must have
};

/// Put a connected socket behind a tunnel, whose plain end blocks. The handshake is done by its first bytes.
/// Errors: io_error for authorities that cannot be read; resource_limit.
[[nodiscard]] Result<bolt::TlsEnds> make_client_tunnel(engine::FileDescriptor socket,
                                                       const Trust& trust);

}  // namespace cairn::query::remote

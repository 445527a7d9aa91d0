#include "query/remote/tls_client.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>
#include <system_error>
#include <utility>

namespace cairn::query::remote {
namespace {

using Context = std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)>;

Error no_tls(const std::string& why) {
  return {ErrorCode::resource_limit, "TLS cannot be set up: " + why, {}};
}

Status trust_authorities(SSL_CTX& context, const std::filesystem::path& authorities) {
  std::error_code problem;
  if (!authorities.empty() && !std::filesystem::is_regular_file(authorities, problem))
    return Error{ErrorCode::io_error,
                 "there is no file " + authorities.string() +
                     "; name the PEM file of who signed the server's certificate",
                 {}};
  ERR_clear_error();
  const int done = authorities.empty()
                       ? SSL_CTX_set_default_verify_paths(&context)
                       : SSL_CTX_load_verify_locations(&context, authorities.c_str(), nullptr);
  if (done == 1) return {};
  return Error{ErrorCode::io_error,
               "cannot use the certificates of " +
                   (authorities.empty() ? "this machine" : authorities.string()) + ": " +
                   bolt::tls_reason(),
               {}};
}

bool is_number(const std::string& host) {
  std::array<unsigned char, 16> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

// A name is sent as well, by which a server chooses among its certificates.
bool expect_host(SSL& secure, const std::string& host) {
  X509_VERIFY_PARAM* const wanted = SSL_get0_param(&secure);
  if (is_number(host)) return X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1;
  return SSL_set1_host(&secure, host.c_str()) == 1 &&
         SSL_set_tlsext_host_name(&secure, host.c_str()) == 1;
}

}  // namespace

Result<bolt::TlsEnds> make_client_tunnel(engine::FileDescriptor socket, const Trust& trust) {
  const Context context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
  if (context == nullptr) return no_tls(bolt::tls_reason());
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  if (trust.is_verified) {
    CAIRN_TRY(trust_authorities(*context, trust.authorities));
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  }
  bolt::SecureSession secure(SSL_new(context.get()), &SSL_free);
  if (secure == nullptr || !expect_host(*secure, trust.host)) return no_tls(bolt::tls_reason());
  SSL_set_connect_state(secure.get());
  return bolt::make_tunnel(std::move(secure), std::move(socket));
}

}  // namespace cairn::query::remote

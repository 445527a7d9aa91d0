// Connects to a server on the network: DNS lookup, TCP, optionally TLS, then HELLO and LOGON by attach::Connection.
#include "query/remote/remote_link.hpp"

#include "engine/system/regular_file.hpp"
#include "query/bolt/tls.hpp"
#include "query/remote/tcp_connection.hpp"

#include <cairn/result.hpp>

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace cairn::query::remote {

// TLS of a client (OpenSSL): the trusted certificates and the tunnel of one connection.

namespace {

/// What a client accepts as the server's certificate.
struct Trust {
  bool is_verified = true;            ///< false: any certificate is accepted
  std::filesystem::path authorities;  ///< PEM file; empty: the certificates of this machine
  std::string host;                   ///< the name or IP address that the certificate must contain
};

using Context = std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)>;

Error no_tls(const std::string& why) {
  return {ErrorCode::resource_limit, "TLS cannot be set up: " + why, {}};
}

/// Loads the certificates of the authorities. Errors: io_error.
Status trust_authorities(SSL_CTX& context, const std::filesystem::path& authorities) {
  std::error_code problem;
  if (!authorities.empty() && !std::filesystem::is_regular_file(authorities, problem))
    return Error{ErrorCode::io_error,
                 authorities.string() +
                     " is not a file; give the PEM file of the authority that signed the server's "
                     "certificate (RemoteOptions::authorities, or --tls-ca of the program cairn)",
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

/// True if the host is an IP address and not a name.
bool is_number(const std::string& host) {
  std::array<unsigned char, 16> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

// Sets the host that the certificate must match. A name is also sent in the handshake (SNI), so that a server can choose
// among its certificates.
bool expect_host(SSL& secure, const std::string& host) {
  X509_VERIFY_PARAM* const wanted = SSL_get0_param(&secure);
  if (is_number(host)) return X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1;
  return SSL_set1_host(&secure, host.c_str()) == 1 &&
         SSL_set_tlsext_host_name(&secure, host.c_str()) == 1;
}

/// Wraps a connected socket in a TLS tunnel, whose plain end blocks. The handshake happens with the first bytes, so its
/// errors appear on the first exchange.
/// Errors: io_error if the authorities cannot be read; resource_limit.
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

}  // namespace

namespace {

Map credentials_of(const std::string& token) {
  return {{"scheme", "bearer"}, {"credentials", token}};
}

/// Adds what may be wrong with the address to the error of a connection that ended before the logon.
Error with_advice(Error error, Security security) {
  const bool is_of_certificate = error.message.find("certificate") != std::string::npos;
  // A listener of the other kind closes the connection without an answer.
  constexpr std::string_view no_reason = " ended: the other end closed it";
  if (const std::size_t at = error.message.find(no_reason); at != std::string::npos)
    error.message.replace(at, no_reason.size(), " ended without an answer");
  if (security == Security::none)
    error.message += "; if that server uses TLS, its address begins with bolt+s://";
  else if (!is_of_certificate)
    error.message += "; if that server uses no TLS, its address begins with bolt://";
  else if (security == Security::verified)
    error.message +=
        "; give the authority of that certificate (RemoteOptions::authorities, or --tls-ca of the "
        "program cairn)";
  return error;
}

/// Adds the namespace if the statement names one. Otherwise the server uses the home namespace of the token.
void add_place(Map& extra, const StatementOptions& options) {
  if (!options.name_space.empty()) extra.emplace("db", options.name_space);
}

}  // namespace

// With TLS, the connection uses the plain end of the tunnel.
Result<std::unique_ptr<attach::Connection>> RemoteLink::connect() {
  if (options_.token.empty())
    return Error{ErrorCode::invalid_argument,
                 address_.text() +
                     " requires a token; create one with `cairn token create DB NAME` on the "
                     "machine of the database, and set CAIRN_TOKEN or RemoteOptions::token",
                 {}};
  CAIRN_ASSIGN(engine::FileDescriptor socket, connect_to(address_.place, options_.connect_time));
  bolt::TlsEnds ends{nullptr, std::move(socket)};
  if (address_.security != Security::none) {
    const Trust trust{address_.security == Security::verified, options_.authorities,
                      address_.place.host};
    CAIRN_ASSIGN(ends, make_client_tunnel(std::move(ends.plain), trust));
    limit_sending(ends.plain.value());
  }
  auto made =
      attach::Connection::log_on(std::move(ends.plain), std::move(ends.tunnel), address_.text(),
                                 credentials_of(options_.token), options_.connect_time);
  if (!made && made.error().code == ErrorCode::io_error)
    return with_advice(made.error(), address_.security);
  return made;
}

// The memory calls recognise by the end of this text that they can be repeated (is_of_ended_host()).
Error RemoteLink::lost(const attach::Connection& /*connection*/, std::string_view what) const {
  return {ErrorCode::conflict,
          "the connection to " + address_.text() + " was lost, and " + std::string(what) +
              " with it; nothing of this was written: run it again",
          {}};
}

Error RemoteLink::lost_commit(const attach::Connection& /*connection*/) const {
  return {ErrorCode::io_error,
          "the connection to " + address_.text() +
              " was lost before COMMIT was answered: the transaction may or may not have been "
              "committed; check before you repeat it",
          {}};
}

// The server reads only the limits (timeout, memory, rows) from the map; check_statement() refuses the options that it
// would ignore.
Map RemoteLink::extra_of_run(const StatementOptions& options, const bolt::CommitNote* /*note*/,
                             bool /*sees_deleted*/) const {
  Map extra;
  if (Map said = bolt::statement_map_of(options); !said.empty())
    extra.emplace(bolt::attached_entry, std::move(said));
  add_place(extra, options);
  return extra;
}

// "r" is the access mode of Bolt for reading.
Map RemoteLink::extra_of_begin(attach::WorkKind kind, const bolt::CommitNote* /*note*/,
                               const StatementOptions& options) const {
  Map extra;
  if (kind == attach::WorkKind::snapshot || kind == attach::WorkKind::reading)
    extra.emplace("mode", "r");
  add_place(extra, options);
  return extra;
}

// Each option that would be silently ignored is an error.
Status RemoteLink::check_statement(const engine::ForwardedStatement& statement) const {
  const StatementOptions& options = statement.options;
  const char* const wish = options.now                  ? "StatementOptions::now"
                           : options.listed_name_spaces ? "StatementOptions::listed_name_spaces"
                           : !options.also_read.empty() ? "StatementOptions::also_read"
                           : !options.author.empty()    ? "StatementOptions::author"
                           : !options.disabled_rules.empty() ? "StatementOptions::disabled_rules"
                           : statement.sees_deleted          ? "Snapshot::with_deleted()"
                                                             : nullptr;
  if (wish == nullptr) return {};
  // A token has its own author and namespaces.
  const std::string_view what = wish;
  const char* const instead =
      what == "StatementOptions::author"
          ? ", where the name of the token is the author; leave it out"
      : what == "StatementOptions::also_read"
          ? ", where the token decides what is also read (`cairn token create --also-read`); leave "
            "it out"
          : "; leave it out";
  return Error{ErrorCode::unsupported,
               std::string(wish) + " has no effect at " + address_.text() + instead +
                   ", or open the directory on the machine that has it",
               {}};
}

Status RemoteLink::check_calls(std::string_view name) const {
  return Error{ErrorCode::unsupported,
               address_.text() + " runs only statements, not the call `" + std::string(name) +
                   "`; use a statement instead, or open the directory on the machine that has it",
               {}};
}

}  // namespace cairn::query::remote

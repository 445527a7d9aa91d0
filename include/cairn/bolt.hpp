#pragma once
// BoltListener: serves a database to the official Neo4j drivers of all languages, by the Bolt
// protocol.
//
//     CAIRN_ASSIGN(const BoltAddress address, BoltAddress::parse("127.0.0.1:7687"));
//     CAIRN_ASSIGN(BoltListener listener, BoltListener::open(database, address));
//     listener.close();  // before the database
//
// Supports Bolt 5.0 to 5.8 and 6.0. Every connection logs in with a token (tokens.hpp): by scheme
// `bearer`, or by `basic` with the token as the password. A driver's database is a namespace of
// this database. "neo4j" and "system" mean the default namespace, or the token's home namespace if
// the token may not use the default one.

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {

/// The address on which a listener accepts connections.
struct BoltAddress {
  std::string host =
      "127.0.0.1";  ///< a number of an address; beyond the loopback interface TLS is needed
  std::uint16_t port = 7687;  ///< 0: any free port, see BoltListener::address()

  /// Parses "host:port", "host", ":port" or "[::1]:port". Errors: invalid_argument, saying what was
  /// expected.
  [[nodiscard]] CAIRN_EXPORT static Result<BoltAddress> parse(std::string_view text);
  [[nodiscard]] CAIRN_EXPORT std::string text() const;
};

/// Limits on what clients may use of this process.
struct BoltLimits {
  std::size_t connections = 256;
  std::size_t results = 64;                           ///< open results of one connection
  std::size_t message_bytes = std::size_t{17} << 20;  ///< of one message, after logon
  std::size_t memory_bytes = std::size_t{64} << 20;   ///< parameters of one statement
  std::size_t nesting_levels = 128;
  std::chrono::milliseconds logon_time{
      5'000};  ///< from connecting; 64 KiB and 16 levels until then
  std::chrono::milliseconds send_time{30'000};  ///< closes a client that reads nothing this long
  /// A transaction that has only read is closed if its client sends nothing for this long. The next
  /// call in the transaction fails with conflict.
  std::chrono::milliseconds reading_idle_limit{600'000};
  std::uint32_t wrong_tokens_a_minute = 10;  ///< per address, which is then refused for a minute
};

/// The files of a listener with TLS 1.2 or 1.3, both PEM. Drivers then connect by `bolt+s`, or by
/// `bolt+ssc` if the certificate is self-signed.
struct BoltTls {
  std::filesystem::path certificate;  ///< of the server, followed by its signers
  std::filesystem::path key;
};

/// A statement that a client sent.
struct BoltStatement {
  std::string_view client;      ///< the client's address
  std::string_view agent;       ///< how the client names itself, such as "neo4j-javascript/6.0.0"
  std::string_view name_space;  ///< empty: the default one, or that of the transaction
  std::string_view text;
  const Parameters& parameters;
};

/// Options of a listener.
struct BoltOptions {
  BoltLimits limits = {};
  std::optional<BoltTls> tls = {};
  /// Called with each statement before it is parsed, on the thread of its connection, so several
  /// calls may run at once. It must not throw. The statement is only valid during the call.
  std::function<void(const BoltStatement&)> on_statement = {};
};

/// Serves one database until it is closed. Threads: one that waits for all sockets, and one per
/// connection, or two with TLS. Lifetime: keeps the database's store alive; close the listener
/// before the database.
class CAIRN_EXPORT BoltListener {
 public:
  /// Starts listening and serving. Errors: invalid_argument for an address beyond the loopback
  /// interface without TLS, and for a certificate or key that cannot be used; busy for an address
  /// in use; io_error.
  [[nodiscard]] static Result<BoltListener> open(Database& database, const BoltAddress& address,
                                                 const BoltOptions& options = {});
  BoltListener(BoltListener&&) noexcept;
  BoltListener& operator=(BoltListener&&) noexcept;
  ~BoltListener();  ///< closes

  /// Returns the address, with the port that was chosen.
  [[nodiscard]] const BoltAddress& address() const noexcept;
  [[nodiscard]] std::size_t connections() const;
  /// Cancels running statements, rolls back open transactions and closes all connections. Cost: at
  /// most about 200 ms.
  void close();

  class Impl;

 private:
  explicit BoltListener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn

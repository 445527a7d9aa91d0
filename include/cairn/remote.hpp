#pragma once
// Access to a database that another machine or another user serves: statements and transactions
// over Bolt.
//
//     CAIRN_ASSIGN(Database database, open_remote("bolt://127.0.0.1:7687", {.token = "cairn_secret"}));
//     CAIRN_ASSIGN(Rows rows, execute(database, "MATCH (n) RETURN count(*)"));
//
// The server is `cairn serve DB --bolt` or a BoltListener (bolt.hpp). Processes of one user on one
// machine can open the directory instead.
#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace cairn {

/// Options of a connection.
struct RemoteOptions {
  std::string token = {};  ///< a secret from create_token() or `cairn token create`
  /// For `bolt+s`: a PEM file with the signers of the server's certificate; empty: the signers that
  /// this machine trusts.
  std::filesystem::path authorities = {};
  std::chrono::milliseconds connect_time{10'000};  ///< for each of: connecting, logging on
};

/// True if a text is an address (begins with a scheme such as `bolt://`) and not a path.
/// open_remote() refuses addresses of other schemes.
[[nodiscard]] CAIRN_EXPORT bool is_remote_address(std::string_view text);

/// Connects to `bolt://host:port`, or by TLS to `bolt+s://host:port`. With `bolt+ssc://host:port`
/// the certificate is not verified. The default port is 7687.
///
/// Statements, transactions and snapshots work as on a local database, with its limits of time,
/// rows and memory, within the token's role and namespaces. All other calls, such as typed
/// searches, are `unsupported`; the error says what to do instead. Differences:
/// - A transaction or snapshot begins with its first statement, in the namespace of that statement.
///   Others may commit before.
/// - If a transaction has read and others have committed since, its first write is a `conflict`:
///   begin the transaction again.
/// - Snapshot::commit_number() is known after the first statement.
/// - In text that is not valid UTF-8, invalid bytes are sent as U+FFFD.
/// - After a lost connection, calls of a transaction or snapshot are a `conflict`: run the transaction again. If COMMIT or a
///   writing statement was sent without an answer, the error is io_error and says that the commit or statement may have
///   been executed.
///
/// Errors: invalid_argument for an address; not_found if nothing listens there; unsupported for a
/// refused token and for a server that is not Cairn; io_error if the server does not answer in
/// time, or its certificate is not trusted. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Database> open_remote(std::string_view address,
                                                        const RemoteOptions& options = {});

}  // namespace cairn

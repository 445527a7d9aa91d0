#pragma once
// A database that another machine serves, or another user: statements and transactions over Bolt.
//
//     CAIRN_ASSIGN(Database database, open_remote("bolt://127.0.0.1:7687", {.token = "cairn_secret"}));
//     CAIRN_ASSIGN(Rows rows, execute(database, "MATCH (n) RETURN count(*)"));
//
// The other end is `cairn serve DB --bolt` or a BoltListener (bolt.hpp). Processes of one user on one machine need none of
// this: they open the directory.
#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace cairn {

/// How to connect.
struct RemoteOptions {
  std::string token = {};  ///< a secret of create_token() or `cairn token create`
  /// With `bolt+s`: a PEM file of who signed the server's certificate; empty for those that this machine trusts.
  std::filesystem::path authorities = {};
  std::chrono::milliseconds connect_time{10'000};  ///< of each step: to connect, to log on
};

/// Whether a text is an address of this kind and no path: it begins with a scheme of Bolt.
[[nodiscard]] CAIRN_EXPORT bool is_remote_address(std::string_view text);

/// Connect to `bolt://host:port`, or by TLS to `bolt+s://host:port`. With `bolt+ssc://host:port` the certificate is not
/// verified. Without a port it is 7687.
///
/// Statements, transactions and snapshots work as on a local database, with its limits of time, rows and memory, as far
/// as the token's role and namespaces allow. All else, as searches by typed calls, is `unsupported` with what to do. What
/// differs:
/// - A transaction or snapshot begins with its first statement, and is of the namespace of that. Others may commit before.
/// - A transaction that has read is a `conflict` at its first write, if others have committed meanwhile: begin it again.
/// - Snapshot::commit_number() is known after the first statement.
/// - Text that is not UTF-8 is sent with U+FFFD in place of what is wrong.
/// - Where the connection is lost, a transaction or snapshot is a `conflict`: run it again. Where COMMIT or a writing
///   statement was sent and not answered it is an io_error that says so, as it may have been done.
///
/// Errors: invalid_argument for an address; not_found where nobody listens; unsupported for a token that is refused, and
/// for a server that is no Cairn; io_error, where nobody answers in time or a certificate is not trusted. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Database> open_remote(std::string_view address,
                                                        const RemoteOptions& options = {});

}  // namespace cairn

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
  std::chrono::milliseconds connect_time{10'000};  ///< to connect and log on
};

/// Whether a text is an address of this kind and no path: it begins with a scheme of Bolt.
[[nodiscard]] CAIRN_EXPORT bool is_remote_address(std::string_view text);

/// Connect to `bolt://host:port`, by TLS to `bolt+s://host:port`, or to `bolt+ssc://host:port`, where nobody signed the
/// certificate but its owner and it is not looked at. Without a port it is 7687.
///
/// Statements, transactions and snapshots work as on a local database, with its limits of time, rows and memory, as far
/// as the token's role and namespaces allow. A transaction is of the namespace of its first statement. All else, as
/// searches by typed calls, is `unsupported` with what to do. Where the connection is lost, a transaction or snapshot is
/// `conflict`; a COMMIT or a writing statement that was not answered is io_error that says so: it may have been done.
///
/// Errors: invalid_argument for an address; not_found where nobody listens; unsupported for a token that is refused, and
/// for a server that is no Cairn; busy where nobody answers in time; io_error, also for a certificate. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Database> open_remote(std::string_view address,
                                                        const RemoteOptions& options = {});

}  // namespace cairn

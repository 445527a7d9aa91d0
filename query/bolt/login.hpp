#pragma once
// Login: the token with which a client is logged on, and what the token permits. Revocations: which tokens were
// revoked.

#include "query/bolt/failure.hpp"
#include "query/bolt/shared.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>
#include <cairn/tokens.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::bolt {

/// Threads: is_logged_on() and principal() from any thread, all others from the session's thread.
class Login {
 public:
  using Clock = std::chrono::steady_clock;

  /// Logs on with the metadata of HELLO or LOGON. Counts a wrong token against the address `peer`. A failure ends the
  /// connection.
  [[nodiscard]] std::optional<Failure> log_on(const Map& credentials, Shared& shared,
                                              const std::string& peer);
  /// Logs on without a token and with all permissions, for a client of the socket in the directory.
  void log_on_as_owner();
  void log_off();
  /// Checks at most once a second that the token still exists. A failure ends the connection, because the token was
  /// revoked.
  [[nodiscard]] std::optional<Failure> check(const Database& database,
                                             Clock::time_point now = Clock::now());

  /// Converts the database name of a client to a namespace. An empty name means the home namespace of the token.
  /// "neo4j" and "system" mean the default namespace, or the home if the token may not use the default namespace.
  [[nodiscard]] std::string name_space_of(std::string_view database) const;
  /// The namespaces that the token may use or read; nullopt if it may use all.
  [[nodiscard]] std::optional<std::vector<std::string>> listed_name_spaces() const;
  /// The namespaces that a statement in `name_space` reads in addition.
  [[nodiscard]] std::vector<std::string> also_read(std::string_view name_space) const;
  /// Returns why the token may not use a namespace; nullopt if it may.
  [[nodiscard]] std::optional<Failure> refusal_of(std::string_view name_space) const;
  /// True if the token may make the database of a namespace's tenant: it names a namespace of that tenant and may write there,
  /// or it has the role admin.
  [[nodiscard]] bool may_make_tenant(std::string_view name_space) const;
  /// Returns why the token may not run a statement; nullopt if it may.
  [[nodiscard]] std::optional<Failure> refusal_of(const Statement& statement) const;

  [[nodiscard]] bool is_logged_on() const;
  /// The name of the token; empty for an owner and before the logon.
  [[nodiscard]] std::string principal() const;

 private:
  mutable std::mutex
      mutex_;  // guards changes of token_; the session's thread reads it without the mutex
  std::optional<Token> token_;   // nullopt before the logon
  Clock::time_point checked_{};  // the time of the last check of the token
  /// logged on without a token
  bool is_owner_ = false;
};

/// The tokens that exist. The listener uses them to close connections whose token was revoked, because idle sessions do
/// not check their tokens. Threads: one only.
class Revocations {
 public:
  using Clock = std::chrono::steady_clock;

  /// Reads the list of tokens at most once a second. Returns false if a second has not passed, or if reading fails.
  [[nodiscard]] bool look(const Database& database, Clock::time_point now);
  /// True if no token has the name, or if a token of this name was created between the last two
  /// reads in place of an earlier one.
  [[nodiscard]] bool is_revoked(const std::string& name) const;

 private:
  using Tokens = std::map<std::string, std::int64_t>;  // creation time by name

  /// from the read before the last one
  Tokens before_;
  Tokens tokens_;
  Clock::time_point next_look_;
};

}  // namespace cairn::query::bolt

#pragma once
// Login: as whom a client is logged on, and what it may do. Revocations: whose token was revoked since.

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

/// Threads: is_logged_on() and principal() from any, the rest from the session's own.
class Login {
 public:
  using Clock = std::chrono::steady_clock;

  /// Log on with what HELLO or LOGON carries; a failure ends the connection. A wrong token is noted.
  [[nodiscard]] std::optional<Failure> log_on(const Map& credentials, Shared& shared,
                                              const std::string& peer);
  /// Without a token, as one who may do all: of the socket in the directory.
  void log_on_as_owner();
  void log_off();
  /// Look the token up again, at most once a second. A failure ends the connection: it was taken back.
  [[nodiscard]] std::optional<Failure> check(const Database& database,
                                             Clock::time_point now = Clock::now());

  /// The namespace behind the name of a database, which is empty where a client names none: the token's home then.
  /// "neo4j" and "system" are the default namespace, and the home of a token that may not use that.
  [[nodiscard]] std::string name_space_of(std::string_view database) const;
  /// The namespaces that the token may use; nothing where it may use all.
  [[nodiscard]] std::optional<std::vector<std::string>> listed_name_spaces() const;
  /// What a statement in `name_space` reads besides.
  [[nodiscard]] std::vector<std::string> also_read(std::string_view name_space) const;
  /// Why the token may not use a namespace.
  [[nodiscard]] std::optional<Failure> refusal_of(std::string_view name_space) const;
  /// Why it may not run a statement.
  [[nodiscard]] std::optional<Failure> refusal_of(const Statement& statement) const;

  [[nodiscard]] bool is_logged_on() const;
  [[nodiscard]] std::string principal() const;

 private:
  mutable std::mutex mutex_;     // guards changes of token_ against other threads
  std::optional<Token> token_;   // absent before logging on
  Clock::time_point checked_{};  // when it was looked up last
  bool is_owner_ = false;
};

/// Which connections have lost their token since they logged on. Threads: one only.
class Revocations {
 public:
  using Clock = std::chrono::steady_clock;

  /// Read the tokens, at most once a second. False where that is not due, or they cannot be read.
  [[nodiscard]] bool look(const Database& database, Clock::time_point now);
  /// Whether the token of this name is there no more, or was made again since the look before.
  [[nodiscard]] bool is_revoked(const std::string& name) const;

 private:
  using Tokens = std::map<std::string, std::int64_t>;  // when each was made

  Tokens before_;
  Tokens tokens_;
  Clock::time_point next_look_;
};

}  // namespace cairn::query::bolt

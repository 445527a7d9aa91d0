#pragma once
// The stored outcome of a commit, for clients that lost the answer: the fact that the commit was made, and its rows if they
// are small.
//
// An attached process asks for the outcome after it lost its connection. A driver sends a request id (`tx_metadata:
// {cairn_request_id: ...}`) and repeats the request: the second run commits nothing, and gets the stored outcome.

#include "query/bolt/attached.hpp"
#include "query/execute/pipeline/batch_commits.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// The stored result of a commit, in the form of outcome_of(); nullopt if the commit was not made. Works on a local
/// database only. Errors: corruption, io_error; resource_limit if the outcome is nested deeper than a client may
/// send.
[[nodiscard]] Result<std::optional<Value>> find_outcome(const Database& database,
                                                        const CommitNote& note);
/// Returns the note of a request with this id, sent with this token in this namespace.
[[nodiscard]] CommitNote note_of_request(std::string_view token, std::string_view name_space,
                                         std::string_view id);
/// A hash of a statement and its parameters. A repeated request must have the same hash as the
/// first one.
[[nodiscard]] std::string digest_of(std::string_view statement, const Parameters& parameters);
/// In the outcome of a request: the digest of its statement.
inline constexpr const char* digest_entry = "digest";
/// The result of the committed statement with this digest. Errors: invalid_argument if the digest differs; conflict if
/// the rows were too large to be stored, or if a statement in batches had not reached its end.
[[nodiscard]] Result<Rows> stored_rows(const Value& outcome, const std::string& digest);
/// The outcome of a statement that commits in batches, after any of its commits but the last.
[[nodiscard]] Map partial_outcome(const BatchProgress& progress);
/// What such an outcome says, as a part of a message; nullopt for the outcome of a statement that committed all.
[[nodiscard]] std::optional<std::string> partial_text(const Value& outcome);
/// Errors: conflict if the outcome is not that of a request with this progress, but of another run of the same request, or was
/// erased.
[[nodiscard]] Status check_progress(const std::optional<Value>& outcome,
                                    const BatchProgress& progress);
/// The error of a transaction whose request was committed before.
[[nodiscard]] Error is_committed();

/// Erases the outcomes of requests that are older than engine::request_time at `now`, and those of unfinished requests that are
/// older than engine::unfinished_request_time. Does nothing if this process cannot write to the
/// database. Errors: those of the store. Cost: reads all stored outcomes of requests.
Status forget_old_requests(const Database& database, std::chrono::system_clock::time_point now =
                                                         std::chrono::system_clock::now());

/// Erases the outcomes of old requests from time to time, as new requests arrive. Threads: any.
class OldRequests {
 public:
  using Clock = std::chrono::system_clock;

  /// Calls forget_old_requests(), at most once a minute for each database. Errors are ignored, because a later call tries
  /// again.
  void forget(const Database& database, Clock::time_point now = Clock::now());

 private:
  std::mutex mutex_;                              // guards due_
  std::map<std::string, Clock::time_point> due_;  // by id of the database
};

}  // namespace cairn::query::bolt

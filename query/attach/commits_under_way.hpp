#pragma once
// CommitsUnderWay: the commits of attached processes that a host is about to make.
//
// A client whose connection broke asks on another one what became of its commit. By then the request may still be unread,
// or run. So the client cancels the commit first: what has not begun never will, and what has begun is waited for.

#include "query/bolt/attached.hpp"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>

namespace cairn::query::attach {

/// Threads: any.
class CommitsUnderWay {
 public:
  /// Errors: conflict, where it was given up.
  [[nodiscard]] Status begin(const bolt::CommitNote& note);
  void end(const bolt::CommitNote& note) noexcept;
  /// Returns when the commit was made or never will be. Errors: cancelled.
  [[nodiscard]] Status give_up(const bolt::CommitNote& note, const std::stop_token& cancel);

 private:
  struct Client {
    std::int64_t under_way = 0;  ///< the count of the commit; 0: none
    std::int64_t given_up = 0;   ///< this count and those before it
  };

  std::mutex mutex_;  // guards clients_
  std::condition_variable_any ended_;
  std::map<std::string, Client> clients_;
};

}  // namespace cairn::query::attach

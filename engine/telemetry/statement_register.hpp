#pragma once
// StatementRegister: the statements that run now, so that others can list and stop them.

#include <cairn/options.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A running statement, as a caller sees it.
struct ListedStatement {
  std::uint64_t number = 0;  ///< unique since the database was opened
  std::string text;
  std::string caller;  ///< who runs it, or its author; empty if unknown
  std::string name_space;
  std::int64_t started_at = 0;  ///< microseconds since 1970 UTC
  std::chrono::steady_clock::duration elapsed{};
  bool is_stopping = false;
};

/// Threads: any.
class StatementRegister {
 public:
  class Place;
  /// The namespaces that a caller may use; nullopt: all. A caller who may not use all of them sees
  /// only statements of callers who may use none but these.
  using NameSpaces = std::optional<std::vector<std::string>>;

  /// Returns the running statements that a caller may see, oldest first.
  [[nodiscard]] std::vector<ListedStatement> list(const NameSpaces& caller) const;
  /// Requests the end of a running statement. Returns it, or nullopt if the caller sees none with
  /// this number.
  [[nodiscard]] std::optional<ListedStatement> stop(std::uint64_t number, const NameSpaces& caller);

 private:
  mutable std::mutex mutex_;     // guards all that follows, and the links of places
  std::vector<Place*> running_;  // oldest first
  std::uint64_t last_number_ = 0;
};

/// Lists a statement until it leaves or is destroyed.
class StatementRegister::Place {
 public:
  /// Replaces the token in `options` by one that the register can stop too. Text and options must
  /// live as long as the place. Does nothing if `all` is nullptr.
  Place(StatementRegister* all, std::string_view text, StatementOptions& options);
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  /// To be called when the statement has ended, even if its caller keeps it. Returns true if a stop
  /// was requested through the register; from now on none can be.
  bool leave() noexcept;

 private:
  friend class StatementRegister;
  struct Forward {
    std::stop_source* stop;
    void operator()() const { stop->request_stop(); }
  };

  [[nodiscard]] bool is_seen_by(const NameSpaces& caller) const;
  [[nodiscard]] ListedStatement listed() const;

  StatementRegister* all_;  // nullptr if not listed
  bool was_ended_ = false;  // by the register, whose mutex guards it
  std::string_view text_;
  const StatementOptions& options_;
  std::uint64_t number_ = 0;
  std::chrono::steady_clock::time_point started_;
  std::int64_t started_at_ = 0;
  std::stop_source stop_;
  std::stop_callback<Forward> asked_;  // passes a stop request of the caller on to stop_
};

}  // namespace cairn::engine

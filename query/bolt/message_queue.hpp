#pragma once
// MessageQueue: whole messages between the thread that reads all sockets and the thread of one connection.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace cairn::query::bolt {

/// Bounded by who adds: where it is full, its socket is to be read no further. Threads: one adds, another takes.
class MessageQueue {
 public:
  /// Messages that come after finish() or end() are dropped.
  void add(std::string message);
  /// Nothing more is added; what is there can still be taken.
  void finish();
  /// The client is gone; nothing more is taken.
  void end();
  /// The one who takes will take no more, and is idle.
  void drop();
  [[nodiscard]] bool is_full() const;
  /// Whether nothing waits and the one who takes has done all that it took.
  [[nodiscard]] bool is_idle() const;
  /// True once that is so; else false, and the take() that makes it so says it.
  [[nodiscard]] bool ask_for_idle();

  /// Whether take() would wait now.
  [[nodiscard]] bool would_wait() const;
  /// The next message; waits for it. Nothing after the last one. Before it waits it calls `on_idle`, where ask_for_idle()
  /// was called meanwhile.
  template <class OnIdle>
  [[nodiscard]] std::optional<std::string> take(const OnIdle& on_idle) {
    if (become_idle()) on_idle();
    return wait_for_message();
  }
  /// Until end(), and no longer than `time`.
  void wait_for_end(std::chrono::milliseconds time);

 private:
  [[nodiscard]] bool become_idle();
  [[nodiscard]] std::optional<std::string> wait_for_message();

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::string> messages_;
  std::size_t bytes_ = 0;
  bool takes_ = true;  // what is added
  bool is_ended_ = false;
  bool is_idle_ = true;
  bool is_idle_wanted_ = false;
};

}  // namespace cairn::query::bolt

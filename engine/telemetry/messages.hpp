#pragma once
// Messages: passes a database's log messages to the sink of Options::log.

#include <cairn/log.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace cairn::engine {

/// The rules for a sink:
///
/// - It runs on the thread that sends the message, one call at a time, while no lock is held that a reader or
///   another part of a commit wants. A slow one slows this thread (an opening, a checkpoint, the
///   background, a commit that makes an index or fails) and other threads with messages.
/// - An exception is caught; its message is lost, the next one is delivered.
/// - A message that comes from within a call of the sink on the same thread is dropped: it would wait for itself.
///
/// Threads: any.
class Messages {
 public:
  explicit Messages(LogSink sink) : sink_(std::move(sink)) {}

  [[nodiscard]] bool are_heard() const noexcept { return static_cast<bool>(sink_); }
  void tell(LogLevel level, std::string_view area, std::string text) noexcept;

 private:
  const LogSink sink_;
  std::mutex mutex_;  // one call at a time; taken alone, and last
};

/// "0.4 ms", "12.3 ms", "2.03 s".
[[nodiscard]] std::string duration_text(std::chrono::steady_clock::duration duration);

}  // namespace cairn::engine

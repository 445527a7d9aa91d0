#pragma once
// Lines on their way to a client that may not read them.

#include "tools/mcp/protocol/wake_up.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace cairn::tools::mcp {

/// Writes lines to a descriptor by a thread of its own. It holds at most so many bytes, and the line that exceeds them.
class Outbox {
 public:
  /// `on_failure` is called once, by the thread, when the client is gone.
  Outbox(int descriptor, std::size_t most_bytes, std::function<void()> on_failure);
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  /// What is not written yet is dropped; see flush().
  ~Outbox();

  /// Add a line, without its end. Waits while too much is unread. False: nothing can be written any more.
  bool put(std::string line);
  /// Add a line unless half of the room is taken: for what a client can do without.
  void offer(std::string line);
  /// Wait until all is written, for so long at most.
  void flush(std::chrono::milliseconds limit);
  /// Drop what is not written, and let nobody wait for room any more.
  void stop();
  /// The client reads no more.
  [[nodiscard]] bool has_failed() const;

 private:
  void run();
  /// False: the client is gone, or the outbox ends.
  [[nodiscard]] bool write_line(std::string_view line);
  void fail();

  const int descriptor_;
  const std::size_t most_bytes_;
  const std::function<void()> on_failure_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;  ///< with the line that is being written
  bool has_failed_ = false;
  bool is_ending_ = false;
  WakeUp end_;
  std::thread thread_;
};

}  // namespace cairn::tools::mcp

#pragma once
// SegmentBuilder: a thread that builds segments for statements that do not wait for them.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace cairn::engine {

/// Threads: all calls from any. The thread begins with the first job.
class SegmentBuilder {
 public:
  using Job = std::function<void(const std::stop_token&)>;

  SegmentBuilder() = default;
  SegmentBuilder(const SegmentBuilder&) = delete;
  SegmentBuilder& operator=(const SegmentBuilder&) = delete;
  ~SegmentBuilder() { stop(); }

  /// Run `job` behind those that wait. False where there is no thread, or it is stopped.
  [[nodiscard]] bool add(Job job);
  /// Jobs that wait are dropped, the one that runs is asked to end and waited for.
  void stop();

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;  // guards what follows
  std::condition_variable_any arrived_;
  std::deque<Job> jobs_;
  bool is_stopped_ = false;
  std::jthread thread_;
};

}  // namespace cairn::engine

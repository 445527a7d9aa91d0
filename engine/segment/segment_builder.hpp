#pragma once
// SegmentBuilder: a background thread that builds segments, so that statements need not wait for them.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace cairn::engine {

/// A queue of jobs and the thread that runs them. The thread starts with the first job. Threads: all calls from any
/// thread.
class SegmentBuilder {
 public:
  using Job = std::function<void(const std::stop_token&)>;

  SegmentBuilder() = default;
  SegmentBuilder(const SegmentBuilder&) = delete;
  SegmentBuilder& operator=(const SegmentBuilder&) = delete;
  ~SegmentBuilder() { stop(); }

  /// Appends a job to the queue. Returns false if no thread can be started, or after stop().
  [[nodiscard]] bool add(Job job);
  /// Drops the jobs in the queue, asks the running job to end, and waits for it.
  void stop();

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;  // guards what follows
  std::condition_variable_any arrived_;
  std::deque<Job> jobs_;  // the queue
  bool is_stopped_ = false;
  std::jthread thread_;
};

}  // namespace cairn::engine

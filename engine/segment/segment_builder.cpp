// The queue of builds and its thread. Jobs run one after the other.
#include "engine/segment/segment_builder.hpp"

#include <system_error>
#include <utility>

namespace cairn::engine {

// The thread is started with the first job. If it cannot be started, later calls try again.
bool SegmentBuilder::add(Job job) {
  const std::lock_guard lock(mutex_);
  if (is_stopped_) return false;
  if (!thread_.joinable()) {
    try {
      thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    } catch (const std::system_error&) {
      return false;
    }
  }
  jobs_.push_back(std::move(job));
  arrived_.notify_one();
  return true;
}

void SegmentBuilder::stop() {
  // Destroyed after the mutex is released, because a job may own a snapshot.
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    dropped.swap(jobs_);
  }
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

// Runs jobs one after the other, without the mutex, until a stop is requested.
void SegmentBuilder::run(const std::stop_token& stop) {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      if (!arrived_.wait(lock, stop, [&] { return !jobs_.empty(); })) return;
      if (stop.stop_requested()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job(stop);
  }
}

}  // namespace cairn::engine

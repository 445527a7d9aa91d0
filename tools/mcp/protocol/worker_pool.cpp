#include "tools/mcp/protocol/worker_pool.hpp"

#include <algorithm>
#include <utility>

namespace cairn::tools::mcp {

WorkerPool::WorkerPool(std::size_t workers) {
  for (std::size_t i = 0; i < std::max<std::size_t>(workers, 1); ++i)
    threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::add(Job job, std::size_t cost) {
  {
    const std::scoped_lock lock(mutex_);
    if (is_ending_) return;
    jobs_.push_back({std::move(job), cost});
    cost_ += cost;
  }
  changed_.notify_all();
}

void WorkerPool::wait_for_room(std::size_t most_jobs, std::size_t most_cost) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_ending_ || is_below(most_jobs, most_cost); });
}

bool WorkerPool::has_room(std::size_t most_jobs, std::size_t most_cost) {
  const std::scoped_lock lock(mutex_);
  return is_below(most_jobs, most_cost);
}

bool WorkerPool::is_below(std::size_t most_jobs, std::size_t most_cost) const noexcept {
  // A limit of 0 counts as 1, so that one job always fits.
  return jobs_.size() < std::max<std::size_t>(most_jobs, 1) &&
         cost_ < std::max<std::size_t>(most_cost, 1);
}

void WorkerPool::wait_until_idle(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [this] { return jobs_.empty() && running_ == 0; });
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_ending_ || !jobs_.empty(); });
    if (is_ending_) return;
    Entry entry = std::move(jobs_.front());
    jobs_.pop_front();
    ++running_;
    lock.unlock();
    changed_.notify_all();
    entry.job();
    entry.job = nullptr;
    lock.lock();
    --running_;
    cost_ -= entry.cost;
    changed_.notify_all();
  }
}

}  // namespace cairn::tools::mcp

// A queue of requests and the threads that serve them. A thread that requests help never depends on
// it: the thread does the work itself, and helpers only make it faster.
#include "engine/system/worker_pool.hpp"

#include <algorithm>
#include <system_error>

namespace cairn::engine {

// A busy thread ends after its work; the destructor waits for that.
void WorkerPool::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  for (std::jthread& thread : threads_) thread.request_stop();
}

std::size_t WorkerPool::threads() {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

// A forked child has a copy of the queue but no threads to serve it.
void WorkerPool::offer(Help& help, std::size_t threads) {
  if (!process_.is_this()) return;
  const std::lock_guard lock(mutex_);
  if (is_stopped_) return;
  most_ = std::max(most_, threads);
  offers_.insert(offers_.end(), threads, &help);
  start_threads();
  offered_.notify_all();
}

// If no further thread can be started, the existing threads serve the queue, or nobody does.
void WorkerPool::start_threads() {
  try {
    while (threads_.size() < most_)
      threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error&) {
  }
}

void WorkerPool::withdraw(Help& help) {
  if (!process_.is_this()) return;
  std::unique_lock lock(mutex_);
  std::erase(offers_, &help);
  ended_.wait(lock, [&] { return help.running_ == 0; });
}

// The work runs without the mutex. The object is not touched after its last thread has left, because its owner may destroy it.
void WorkerPool::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (offered_.wait(lock, stop, [&] { return !offers_.empty(); })) {
    if (stop.stop_requested()) return;
    Help& help = *offers_.front();
    offers_.pop_front();
    ++help.running_;
    lock.unlock();
    help.work_();
    lock.lock();
    if (--help.running_ == 0) ended_.notify_all();
  }
}

}  // namespace cairn::engine

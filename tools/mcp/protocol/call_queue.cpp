#include "tools/mcp/protocol/call_queue.hpp"

#include <algorithm>
#include <utility>

namespace cairn::tools::mcp {

CallQueue::CallQueue(std::size_t workers, std::function<void(Call)> run) : run_(std::move(run)) {
  for (std::size_t i = 0; i < std::max<std::size_t>(workers, 1); ++i)
    threads_.emplace_back([this] { work(); });
}

CallQueue::~CallQueue() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
    calls_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void CallQueue::add(Call call) {
  {
    const std::scoped_lock lock(mutex_);
    if (is_ending_) return;
    calls_.push_back(std::move(call));
  }
  changed_.notify_all();
}

void CallQueue::wait_for_room(std::size_t most) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_ending_ || calls_.size() < std::max<std::size_t>(most, 1); });
}

void CallQueue::wait_until_idle(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [this] { return calls_.empty() && running_ == 0; });
}

void CallQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_ending_ || !calls_.empty(); });
    if (is_ending_) return;
    Call call = std::move(calls_.front());
    calls_.pop_front();
    ++running_;
    lock.unlock();
    changed_.notify_all();
    run_(std::move(call));
    lock.lock();
    --running_;
    changed_.notify_all();
  }
}

}  // namespace cairn::tools::mcp

// Each thread takes the first job of the first caller that may run one, and moves that caller to the end of the list.
#include "tools/mcp/protocol/worker_pool.hpp"

#include <algorithm>
#include <utility>

namespace cairn::tools::mcp {

WorkerPool::WorkerPool(std::size_t workers, std::size_t kept)
    : workers_(std::max<std::size_t>(workers, 1)), kept_(kept) {
  for (std::size_t i = 0; i < workers_; ++i) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
    for (Caller& caller : callers_) caller.waiting.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::add(Job job, std::size_t cost, std::string_view caller) {
  {
    const std::scoped_lock lock(mutex_);
    if (is_ending_) return;
    auto known = std::ranges::find(callers_, caller, &Caller::name);
    if (known == callers_.end())
      known = callers_.insert(callers_.end(), {std::string(caller), {}, 0});
    known->waiting.push_back({std::move(job), cost});
    ++waiting_;
    cost_ += cost;
  }
  changed_.notify_all();
}

void WorkerPool::wait_for_room(std::size_t most_jobs, std::size_t most_cost) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_ending_ || is_below(most_jobs, most_cost); });
}

bool WorkerPool::is_below(std::size_t most_jobs, std::size_t most_cost) const noexcept {
  // A limit of 0 would block forever.
  return waiting_ < std::max<std::size_t>(most_jobs, 1) &&
         cost_ < std::max<std::size_t>(most_cost, 1);
}

void WorkerPool::wait_until_idle(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [this] { return waiting_ == 0 && running_ == 0; });
}

// A caller with a running job gets a further worker only if the reserved ones stay free.
bool WorkerPool::may_run(const Caller& caller) const noexcept {
  if (caller.waiting.empty()) return false;
  return caller.running == 0 || running_ + 1 + kept_ <= workers_;
}

WorkerPool::Callers::iterator WorkerPool::next_caller() {
  return std::ranges::find_if(callers_, [this](const Caller& one) { return may_run(one); });
}

WorkerPool::Entry WorkerPool::begin_job(Callers::iterator caller) {
  Entry entry = std::move(caller->waiting.front());
  caller->waiting.pop_front();
  --waiting_;
  ++caller->running;
  ++running_;
  // Every other caller gets a turn before this one's next job.
  callers_.splice(callers_.end(), callers_, caller);
  return entry;
}

void WorkerPool::end_job(Callers::iterator caller, std::size_t cost) {
  cost_ -= cost;
  --running_;
  --caller->running;
  if (caller->running == 0 && caller->waiting.empty()) callers_.erase(caller);
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    auto caller = callers_.end();
    changed_.wait(lock, [&] {
      caller = next_caller();
      return is_ending_ || caller != callers_.end();
    });
    if (is_ending_) return;
    Entry entry = begin_job(caller);
    lock.unlock();
    changed_.notify_all();
    entry.job();
    entry.job = nullptr;  // before its cost is given back
    lock.lock();
    end_job(caller, entry.cost);
    changed_.notify_all();
  }
}

}  // namespace cairn::tools::mcp

// Runs the body of a registered function on another thread, so that the statement can stop waiting for it.
//
// Threads come from a pool for the whole process. The pool starts threads on demand, and a thread without work for one
// second ends. Both sides spin for a short time before they block, because waking a thread takes longer than most
// bodies run.
#include "engine/transaction/writer_lock.hpp"
#include "query/registered/call_body.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace cairn::query {
namespace {

using namespace std::chrono_literals;

/// One call of a body, with its completion flag.
struct SideWork {
  std::function<void()> run;
  engine::CallChain chain;  // the threads that wait for this work
  std::atomic<bool> is_done = false;
  std::binary_semaphore done{0};
};
using SideWorkPtr = std::shared_ptr<SideWork>;  // owned by the caller and the pool

/// Signals to the processor that the thread is spinning.
void breathe() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Polls `condition` for a short time before the caller blocks. Returns its last result. Does not poll on a machine
/// with one core.
template <class Condition>
bool spin_until(const Condition& condition) {
  static const int most = std::thread::hardware_concurrency() > 1 ? 2'000 : 0;
  for (int i = 0; i < most; ++i) {
    if (condition()) return true;
    breathe();
  }
  return condition();
}

/// The pool of threads of this process. A thread that gets no work for one second ends.
class SideThreads {
 public:
  /// Never destroyed, because a detached thread may still use it when the process ends.
  static SideThreads& instance() {
    static SideThreads* const threads = new SideThreads;
    return *threads;
  }

  /// Queues the work for an idle or a new thread. Returns false if all threads are busy and no more may be started.
  ///
  /// The limit of threads grows with the depth of nested calls. So a body that runs a statement whose functions need
  /// threads cannot wait for its own thread.
  bool start(const SideWorkPtr& work) {
    const std::lock_guard lock(mutex_);
    if (idle_ <= queue_.size() && !hire(most_threads * work->chain.size())) return false;
    queue_.push_back(work);
    waiting_.fetch_add(1, std::memory_order_release);
    has_work_.notify_one();
    return true;
  }

 private:
  static constexpr std::size_t most_threads = 64;

  /// Starts a thread unless there are `most` already. The caller holds mutex_.
  bool hire(std::size_t most) {
    if (threads_ >= most) return false;
    try {
      std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {  // the system has no more threads
      return false;
    }
    ++threads_;
    ++idle_;  // a new thread looks for work first
    return true;
  }

  // Runs work until next() returns nullptr. The function is released before the caller is notified, because it may
  // own arguments.
  void serve() {
    while (const SideWorkPtr work = next()) {
      engine::CallChain::current() = work->chain;
      work->run();
      work->run = nullptr;
      engine::CallChain::current() = {};
      work->is_done.store(true, std::memory_order_release);
      work->done.release();
      const std::lock_guard lock(mutex_);
      ++idle_;
    }
  }

  /// Waits for work. Returns nullptr if the thread shall end.
  SideWorkPtr next() {
    spin_until([this] { return waiting_.load(std::memory_order_acquire) > 0; });
    std::unique_lock lock(mutex_);
    const bool is_there = has_work_.wait_for(lock, 1s, [this] { return !queue_.empty(); });
    --idle_;
    if (!is_there) {
      --threads_;
      return nullptr;
    }
    SideWorkPtr work = std::move(queue_.front());
    queue_.pop_front();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return work;
  }

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<SideWorkPtr> queue_;
  std::atomic<std::size_t> waiting_ = 0;  // size of queue_, readable without the mutex
  // mutex_ guards these two members. A thread counts as idle while it waits in next().
  std::size_t threads_ = 0;
  std::size_t idle_ = 0;
};

constexpr std::uint64_t steps_of_a_look = 256;  // enough steps that the limits check the time
constexpr auto between_looks = 2ms;             // interval of these checks

}  // namespace

// The limits are checked while the call waits for a thread and while the body runs.
Status call_beside(std::function<void()> work, engine::Limits& limits) {
  const auto chain = engine::CallChain::current().extended();
  if (!chain)
    return Error{
        ErrorCode::resource_limit,
        "functions of the program call each other through statements at a depth of more than " +
            std::to_string(engine::CallChain::most_threads) + " calls; end the recursion",
        std::nullopt};
  const auto side = std::make_shared<SideWork>();
  side->run = std::move(work);
  side->chain = *chain;
  while (!SideThreads::instance().start(side)) {
    CAIRN_TRY(limits.step(steps_of_a_look));
    std::this_thread::sleep_for(between_looks);
  }
  if (spin_until([&] { return side->is_done.load(std::memory_order_acquire); })) return {};
  while (!side->done.try_acquire_for(between_looks)) CAIRN_TRY(limits.step(steps_of_a_look));
  return {};
}

}  // namespace cairn::query

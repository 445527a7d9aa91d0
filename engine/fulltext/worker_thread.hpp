#pragma once
// WorkerThread: a thread that stays, as what ICU and the stemmers make for each thread costs more than many
// texts.

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

namespace cairn::engine {

/// One piece of work at a time. Threads: its owner's.
class WorkerThread {
 public:
  /// Begins it. Without a thread the work is done when the result is asked for. The future does not
  /// wait when it goes.
  template <class Work>
  [[nodiscard]] std::future<std::invoke_result_t<Work&>> run(Work work) {
    using Made = std::invoke_result_t<Work&>;
    if (!has_thread()) return std::async(std::launch::deferred, std::move(work));
    const auto task = std::make_shared<std::packaged_task<Made()>>(std::move(work));
    auto made = task->get_future();
    {
      const std::lock_guard lock(mutex_);
      work_ = [task] { (*task)(); };
    }
    arrived_.notify_one();
    return made;
  }

 private:
  [[nodiscard]] bool has_thread() {
    if (thread_.joinable()) return true;
    try {
      thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  void serve(const std::stop_token& stop) {
    while (true) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        if (!arrived_.wait(lock, stop, [this] { return work_ != nullptr; })) return;
        work.swap(work_);
      }
      work();
    }
  }

  std::mutex mutex_;  // guards work_
  std::condition_variable_any arrived_;
  std::function<void()> work_;
  std::jthread thread_;  // last member: ends first
};

}  // namespace cairn::engine

#pragma once
// State that full-text indexing preserves from one commit to the next, with its threads.

#include "engine/fulltext/term_dictionary.hpp"
#include "engine/fulltext/text_memory_segment.hpp"
#include "engine/store/sorted_file.hpp"
#include "engine/transaction/write_set.hpp"

#include <cairn/result.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn::engine {

/// A permanent thread for one piece of work at a time. It is permanent because ICU's and the
/// stemmers' thread-local objects cost more than the analysis of many texts. Threads: the owner's.
class WorkerThread {
 public:
  /// Starts `work`. If no thread can be started, the work is done when the result is requested. The
  /// destructor of the future does not wait.
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

  // Runs in the thread until the destructor stops it.
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
  std::jthread thread_;  // last member, so that it is destroyed first
};

/// A flush: older segments of a full-text index are merged into the chunks of their terms by a table
/// file, which a thread writes while commits continue. The thread runs from construction on. The
/// store must outlive it.
class TextFlush {
 public:
  /// Writes the first segments of index `id`, which must be committed.
  TextFlush(const RocksStore& store, std::uint32_t id, std::vector<TextSegmentPtr> segments);

  /// The number of segments in the file.
  [[nodiscard]] std::size_t segments() const noexcept { return segments_; }
  /// Waits for the file and returns it. To be called once. Errors: those of the file system.
  [[nodiscard]] Result<SortedFile> take() { return file_.get(); }

 private:
  std::size_t segments_;
  std::future<Result<SortedFile>> file_;  // its destructor waits
};

/// Running flushes by catalog id of the index.
using TextFlushes = std::map<std::uint32_t, TextFlush>;

/// When a commit merges the write buffer of an index into the chunks of its terms.
enum class TextFolding : std::uint8_t {
  when_full,  ///< merges a write buffer that reached a limit
  all,        ///< merges all indexes, so that no segment contains words of erased texts
};

/// State that full-text indexing preserves from one commit to the next. Threads: the holder of the
/// writer lock.
struct TextIndexingState {
  OperandCounter operands;
  TermDictionaries books;
  TermDictionaries other_books;  // for the worker thread
  TextFlushes folds;
  std::set<std::uint32_t> unused;  // ids that belong to no index but may still have keys
  // Last member, so that it is destroyed first.
  WorkerThread beside;
};

}  // namespace cairn::engine

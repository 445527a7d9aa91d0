#pragma once
// What commits to full-text indexes keep from one to the next, and the threads beside them.

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

// WorkerThread: a thread that stays, as what ICU and the stemmers make for each thread costs more than many
// texts.

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

// TextFlush: older segments of a full-text index on their way into the chunks of their terms, as a sorted
// file that is written beside the commits which go on meanwhile.

/// Works on its own thread from construction on. The store must outlive it.
class TextFlush {
 public:
  /// Writes the first segments of index `id`, all committed.
  TextFlush(const RocksStore& store, std::uint32_t id, std::vector<TextSegmentPtr> segments);

  /// The number of segments that it writes.
  [[nodiscard]] std::size_t segments() const noexcept { return segments_; }
  /// Waits for it, once. Errors: those of the disk.
  [[nodiscard]] Result<SortedFile> take() { return file_.get(); }

 private:
  std::size_t segments_;
  std::future<Result<SortedFile>> file_;  // waits when it goes
};

/// Running flushes by catalog id of the index.
using TextFlushes = std::map<std::uint32_t, TextFlush>;

/// When a commit merges the log of an index into the chunks of its terms.
enum class TextFolding : std::uint8_t {
  when_full,
  all,  ///< of every index, so that no segment has the words of what was erased
};

/// What commits to full-text indexes keep from one to the next. Threads: the holder of the writer's turn.
struct TextIndexingState {
  OperandCounter operands;
  TermDictionaries books;
  TermDictionaries other_books;  // of the thread beside
  TextFlushes folds;
  std::set<std::uint32_t> unused;  // numbers of no index of which keys may be there
  WorkerThread beside;             // last member: ends first
};

}  // namespace cairn::engine

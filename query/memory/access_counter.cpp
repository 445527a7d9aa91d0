#include "query/memory/access_counter.hpp"

#include <chrono>
#include <system_error>
#include <utility>

namespace cairn::query {
namespace {

/// What is noted within it goes into one commit.
constexpr std::chrono::milliseconds gathering_time{500};
/// As many records are written sooner.
constexpr std::size_t full_batch = 1'000;

}  // namespace

// A forked child has no thread to wait for, and must not write what its parent writes.
AccessCounter::~AccessCounter() {
  if (!process_.is_this()) {
    if (thread_.joinable()) thread_.detach();
    return;
  }
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  static_cast<void>(flush());
}

void AccessCounter::note(NodeId id) {
  const std::lock_guard lock(mutex_);
  ++counts_[id.value];
  if (!is_started_) start();
  if (counts_.size() == 1 || counts_.size() == full_batch) changed_.notify_one();
}

void AccessCounter::start() {
  is_started_ = true;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error&) {  // no thread can be had
  }
}

void AccessCounter::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [this] { return !counts_.empty(); });
      // Counts that could not be written wait for their time, however many they are.
      changed_.wait_for(lock, stop, gathering_time, [this, before = counts_.size()] {
        return counts_.size() >= full_batch && before < full_batch;
      });
    }
    // What fails, or is in the way of another writer, is tried again with what comes next.
    if (!stop.stop_requested()) static_cast<void>(write(false));
  }
}

Status AccessCounter::write(bool waits) {
  const std::lock_guard one_at_a_time(one_at_a_time_);
  Counts taken;
  {
    const std::lock_guard lock(mutex_);
    taken = std::exchange(counts_, {});
  }
  if (taken.empty()) return {};
  const auto written = write_(taken, waits);
  if (written && *written) return {};
  // A database that is open for reading never takes them.
  if (!written && written.error().code == ErrorCode::unsupported) return written.error();
  const std::lock_guard lock(mutex_);
  for (const auto& [id, count] : taken) counts_[id] += count;
  return written ? Status() : Status(written.error());
}

}  // namespace cairn::query

// The background counter of accesses. Reads only note ids in memory; a thread writes them in batches.
#include "query/memory/memory_impl.hpp"

#include <unistd.h>

#include <chrono>
#include <system_error>
#include <utility>

namespace cairn::query {
namespace {

/// Accesses within this time are written in one commit.
constexpr std::chrono::milliseconds gathering_time{500};
/// This many records are written before the time has passed.
constexpr std::size_t full_batch = 1'000;

}  // namespace

AccessCounter::AccessCounter(Write write) : write_(std::move(write)), process_(::getpid()) {}

// A forked child has no thread to join and must not write its parent's counts. The shared state is leaked there, because
// destroying a condition variable waits for the threads that wait on it.
AccessCounter::~AccessCounter() {
  if (process_ != ::getpid()) {
    if (thread_.joinable()) thread_.detach();
    static_cast<void>(noted_.release());
    return;
  }
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  static_cast<void>(flush());
}

// Wakes the thread for the first count and for a full batch only, so that most reads do not wake it.
void AccessCounter::note(NodeId id) {
  auto& [mutex, changed, counts] = *noted_;
  const std::lock_guard lock(mutex);
  ++counts[id.value];
  if (!is_started_) start();
  if (counts.size() == 1 || counts.size() == full_batch) changed.notify_one();
}

void AccessCounter::start() {
  is_started_ = true;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error&) {  // no thread can be had
  }
}

// The thread: collects counts for gathering_time, then writes them without waiting for the writer lock.
void AccessCounter::run(const std::stop_token& stop) {
  auto& noted = *noted_;
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(noted.mutex);
      noted.changed.wait(lock, stop, [&noted] { return !noted.counts.empty(); });
      // Counts that could not be written wait for the whole interval, however many they are.
      noted.changed.wait_for(lock, stop, gathering_time, [&noted, before = noted.counts.size()] {
        return noted.counts.size() >= full_batch && before < full_batch;
      });
    }
    // If writing fails or another writer holds the lock, the counts are written again with the next ones.
    if (!stop.stop_requested()) static_cast<void>(write(false));
  }
}

// Puts the counts back if they could not be written.
Status AccessCounter::write(bool waits) {
  const std::lock_guard one_at_a_time(one_at_a_time_);
  Counts taken;
  {
    const std::lock_guard lock(noted_->mutex);
    taken = std::exchange(noted_->counts, {});
  }
  if (taken.empty()) return {};
  const auto written = write_(taken, waits);
  if (written && *written) return {};
  // A read-only database never accepts counts, so they are dropped.
  if (!written && written.error().code == ErrorCode::unsupported) return written.error();
  const std::lock_guard lock(noted_->mutex);
  for (const auto& [id, count] : taken) noted_->counts[id] += count;
  return written ? Status() : Status(written.error());
}

}  // namespace cairn::query

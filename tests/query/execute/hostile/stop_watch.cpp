// The waiting thread reads the computing time of the watched one when it rings. If it rings late
// because the machine is busy, the computing until then is not counted: the measured time may be
// too small, but never too large.
#include "tests/query/execute/hostile/stop_watch.hpp"

#include <pthread.h>

namespace cairn::test {
namespace {

std::chrono::microseconds read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  const auto whole = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  return std::chrono::duration_cast<std::chrono::microseconds>(whole);
}

}  // namespace

StopWatch::StopWatch(std::chrono::microseconds after, std::stop_source* stop)
    : due_(Clock::now() + after) {
  pthread_getcpuclockid(pthread_self(), &own_clock_);
  waiter_ = std::thread([this, stop] { wait(stop); });
}

StopWatch::~StopWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  waiter_.join();
}

void StopWatch::wait(std::stop_source* stop) {
  std::unique_lock lock(mutex_);
  if (changed_.wait_until(lock, due_, [this] { return is_over_; })) return;
  has_rung_ = true;
  computed_ = read(own_clock_);
  computed_by_all_ = read(CLOCK_PROCESS_CPUTIME_ID);
  if (stop != nullptr) stop->request_stop();
}

bool StopWatch::is_due() const { return Clock::now() >= due_; }

Lateness StopWatch::lateness() {
  const auto now = Clock::now();
  const auto computing = read(own_clock_);
  const auto by_all = read(CLOCK_PROCESS_CPUTIME_ID);
  const std::lock_guard lock(mutex_);
  if (now < due_) return {};
  const auto wall = std::chrono::duration_cast<std::chrono::microseconds>(now - due_);
  if (!has_rung_) return {wall, {}, {}};
  return {wall, computing - computed_, by_all - computed_by_all_};
}

}  // namespace cairn::test

#include "tools/mcp/protocol/outbox.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace cairn::tools::mcp {
namespace {

/// As much as a pipe takes without blocking once it is ready (PIPE_BUF of Linux). The descriptor stays as it is: others
/// may share it.
constexpr std::size_t most_written_bytes = 4'096;

/// A client that is gone is an error of write(), and no signal that ends the program.
void block_broken_pipe_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

Outbox::Outbox(int descriptor, std::size_t most_bytes, std::function<void()> on_failure)
    : descriptor_(descriptor),
      most_bytes_(most_bytes),
      on_failure_(std::move(on_failure)),
      thread_([this] { run(); }) {}

Outbox::~Outbox() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  end_.wake();
  thread_.join();
}

bool Outbox::put(std::string line) {
  line += '\n';
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_failed_ || bytes_ < most_bytes_; });
  if (has_failed_) return false;
  bytes_ += line.size();
  lines_.push_back(std::move(line));
  changed_.notify_all();
  return true;
}

void Outbox::offer(std::string line) {
  line += '\n';
  const std::scoped_lock lock(mutex_);
  if (has_failed_ || bytes_ >= most_bytes_ / 2) return;
  bytes_ += line.size();
  lines_.push_back(std::move(line));
  changed_.notify_all();
}

void Outbox::flush(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [this] { return has_failed_ || bytes_ == 0; });
}

void Outbox::stop() {
  const std::scoped_lock lock(mutex_);
  fail();
}

bool Outbox::has_failed() const {
  const std::scoped_lock lock(mutex_);
  return has_failed_;
}

void Outbox::run() {
  block_broken_pipe_signal();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_ending_ || !lines_.empty(); });
    if (is_ending_) return;
    const std::string line = std::move(lines_.front());
    lines_.pop_front();
    lock.unlock();
    const bool is_written = write_line(line);
    lock.lock();
    bytes_ -= std::min(bytes_, line.size());
    changed_.notify_all();
    if (is_written) continue;
    fail();
    lock.unlock();
    on_failure_();
    return;
  }
}

bool Outbox::write_line(std::string_view line) {
  while (!line.empty()) {
    const Readiness readiness = wait_for(descriptor_, POLLOUT, end_, -1);
    if (readiness.is_woken) return false;
    if (!readiness.is_ready) continue;
    const ssize_t written =
        write(descriptor_, line.data(), std::min(line.size(), most_written_bytes));
    if (written >= 0) line.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
  }
  return true;
}

/// Called with the lock. Nobody waits for room any more.
void Outbox::fail() {
  has_failed_ = true;
  lines_.clear();
  bytes_ = 0;
  changed_.notify_all();
}

}  // namespace cairn::tools::mcp

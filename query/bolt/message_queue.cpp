#include "query/bolt/message_queue.hpp"

#include <utility>

namespace cairn::query::bolt {
namespace {

constexpr std::size_t most_waiting_bytes = std::size_t{4} << 20U;
/// What a message takes beside its bytes: many small ones are bounded too.
constexpr std::size_t bytes_a_message = 64;

}  // namespace

void MessageQueue::add(std::string message) {
  {
    const std::lock_guard lock(mutex_);
    if (!takes_) return;
    bytes_ += message.size() + bytes_a_message;
    messages_.push_back(std::move(message));
    is_idle_ = false;
  }
  changed_.notify_all();
}

void MessageQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    takes_ = false;
  }
  changed_.notify_all();
}

void MessageQueue::end() {
  {
    const std::lock_guard lock(mutex_);
    takes_ = false;
    is_ended_ = true;
    messages_.clear();
    bytes_ = 0;
  }
  changed_.notify_all();
}

void MessageQueue::drop() {
  const std::lock_guard lock(mutex_);
  takes_ = false;
  is_idle_ = true;
  messages_.clear();
  bytes_ = 0;
}

bool MessageQueue::is_full() const {
  const std::lock_guard lock(mutex_);
  return bytes_ >= most_waiting_bytes;
}

bool MessageQueue::is_idle() const {
  const std::lock_guard lock(mutex_);
  return is_idle_;
}

bool MessageQueue::ask_for_idle() {
  const std::lock_guard lock(mutex_);
  is_idle_wanted_ = !is_idle_;
  return is_idle_;
}

bool MessageQueue::would_wait() const {
  const std::lock_guard lock(mutex_);
  return messages_.empty() && takes_;
}

/// Whether somebody wants to know.
bool MessageQueue::become_idle() {
  const std::lock_guard lock(mutex_);
  if (!messages_.empty()) return false;
  is_idle_ = true;
  return std::exchange(is_idle_wanted_, false);
}

std::optional<std::string> MessageQueue::wait_for_message() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !messages_.empty() || !takes_; });
  if (messages_.empty()) return std::nullopt;
  std::string message = std::move(messages_.front());
  messages_.pop_front();
  bytes_ -= message.size() + bytes_a_message;
  return message;
}

void MessageQueue::wait_for_end(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return is_ended_; });
}

}  // namespace cairn::query::bolt

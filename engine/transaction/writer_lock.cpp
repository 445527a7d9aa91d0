// A fair lock: first come, first served, with timeouts, and eviction of an idle holder while others
// wait. A std::mutex would not suffice. A transaction may move from thread to thread, and the
// program may forget a transaction: an agent that stops between two calls must not block all
// writers.
//
// A holder is evicted if it is outside of any call (inside == 0), its idle limit has passed, and
// another thread waits: the waiting threads do the check. The evicted holder notices at its next
// call, as the lock then has another holder or none. Nothing has to be undone, as its changes are
// only in memory.
#include "engine/transaction/writer_lock.hpp"

#include "engine/system/bounded_duration.hpp"

#include <algorithm>
#include <string>

namespace cairn::engine {
namespace {

/// Returns a duration in whole milliseconds, for messages.
std::string text_of(WriterLock::Clock::duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()) +
         " ms";
}

Error cancelled_waiting() {
  return {ErrorCode::cancelled,
          "the transaction was cancelled while it waited for the writer lock; nothing of it was "
          "written",
          {}};
}

}  // namespace

WriterLock::WriterLock(std::chrono::milliseconds idle_limit) : idle_limit_(bounded(idle_limit)) {}

// A waiting thread checks again when it is woken, at its deadline, and at the earliest time at which the holder could be
// evicted. The queue decides who is next, not the order in which threads wake up. The callback takes the mutex, so it is
// made before the lock and destroyed after it.
Result<WriterLock::Number> WriterLock::take(std::chrono::milliseconds timeout,
                                            Clock::duration* waited,
                                            const std::stop_token& cancel) {
  const std::stop_callback wake(cancel, [this] {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  });
  std::unique_lock lock(mutex_);
  const Number number = next_++;
  const Clock::time_point begun = Clock::now();
  queue_.push_back({number, begun, true});
  const Clock::time_point deadline = begun + bounded(timeout);
  bool has_waited = false;
  while (true) {
    const Clock::time_point now = Clock::now();
    evict_idle(now);
    if (waited != nullptr && has_waited) *waited = now - begun;
    if (taken_away_.contains(number) || cancel.stop_requested()) {
      stop_waiting(number);
      return cancelled_waiting();
    }
    if (take_turn(number, now)) return number;
    if (now >= deadline) {
      stop_waiting(number);
      return busy(now);
    }
    has_waited = true;
    changed_.wait_until(lock, next_look(deadline));
  }
}

bool WriterLock::take_turn(Number number, Clock::time_point now) {
  if (holder_ || queue_.front().turn != number) return false;
  queue_.pop_front();
  holder_ = Holder{number, now, now};
  return true;
}

// Wakes all waiting threads, because another thread may be the first in the queue now.
void WriterLock::stop_waiting(Number number) {
  taken_away_.erase(number);
  std::erase_if(queue_, [number](const IdleWriter& one) { return one.turn == number; });
  changed_.notify_all();
}

std::optional<WriterLock::Number> WriterLock::take_if_free() {
  const std::lock_guard lock(mutex_);
  if (holder_ || !queue_.empty()) return std::nullopt;
  const Clock::time_point now = Clock::now();
  holder_ = Holder{next_++, now, now};
  return holder_->turn;
}

bool WriterLock::is_held_by_this_thread() {
  const std::lock_guard lock(mutex_);
  evict_idle(Clock::now());
  return holder_ && (holder_->thread == std::this_thread::get_id() ||
                     CallChain::current().has(holder_->thread));
}

Status WriterLock::enter(Number turn) {
  const std::lock_guard lock(mutex_);
  if (taken_away_.contains(turn))
    return Error{ErrorCode::cancelled,
                 "the transaction was terminated, and its changes are lost; begin it again",
                 {}};
  if (!holder_ || holder_->turn != turn) {
    return Error{ErrorCode::busy,
                 "the transaction lost the writer lock after doing nothing for " +
                     text_of(idle_limit_) +
                     " (writer_idle_limit) while another writer waited; begin it again",
                 {}};
  }
  ++holder_->inside;
  holder_->thread = std::this_thread::get_id();
  return {};
}

void WriterLock::leave(Number turn) {
  const std::lock_guard lock(mutex_);
  if (!holder_ || holder_->turn != turn) return;
  // Calls nest: a statement enters, and each of its changes enters again.
  --holder_->inside;
  holder_->active = Clock::now();
}

std::vector<WriterLock::IdleWriter> WriterLock::idle_writers() const {
  const std::lock_guard lock(mutex_);
  std::vector<IdleWriter> writers;
  if (holder_ && holder_->inside == 0) writers.push_back({holder_->turn, holder_->begun, false});
  writers.insert(writers.end(), queue_.begin(), queue_.end());
  return writers;
}

// As after an eviction, nothing has to be undone. A waiting thread leaves the queue itself.
bool WriterLock::take_away(Number turn) {
  const std::lock_guard lock(mutex_);
  const bool is_holder = holder_ && holder_->turn == turn && holder_->inside == 0;
  const bool is_waiting = std::ranges::find(queue_, turn, &IdleWriter::turn) != queue_.end();
  if (!is_holder && !is_waiting) return false;
  const bool is_new = taken_away_.insert(turn).second;
  if (is_holder) holder_.reset();
  changed_.notify_all();
  return is_new;
}

// Wakes all waiting threads. Only the first in the queue continues.
void WriterLock::release(Number turn) {
  const std::lock_guard lock(mutex_);
  taken_away_.erase(turn);
  if (!holder_ || holder_->turn != turn) return;
  holder_.reset();
  changed_.notify_all();
}

std::size_t WriterLock::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void WriterLock::evict_idle(Clock::time_point now) {
  if (holder_ && holder_->inside == 0 && now - holder_->active >= idle_limit_) holder_.reset();
}

WriterLock::Clock::time_point WriterLock::next_look(Clock::time_point deadline) const {
  if (!holder_) return deadline;
  if (holder_->inside == 0) return std::min(deadline, holder_->active + idle_limit_);
  // A holder inside a call is checked again after another idle limit. That may be zero, so the pause has a minimum, or
  // the waiting threads would never sleep.
  constexpr std::chrono::milliseconds least = std::chrono::milliseconds(10);
  return std::min(deadline, Clock::now() + std::max(idle_limit_, least));
}

// The message says how long the holder has been writing or idle, so that a forgotten transaction is
// recognised.
Error WriterLock::busy(Clock::time_point now) const {
  std::string message = "another transaction is writing";
  if (holder_) {
    message += "; it began " + text_of(now - holder_->begun) + " ago and has been ";
    message += holder_->inside > 0 ? "at work since" : "idle for " + text_of(now - holder_->active);
  }
  return Error{ErrorCode::busy, message + "; try again, or raise writer_timeout", {}};
}

}  // namespace cairn::engine

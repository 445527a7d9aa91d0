// A fair lock with a number: first come, first served, time-outs, and eviction of a holder that
// does nothing while others wait. Not a std::mutex, as a transaction may pass from thread to thread
// and may be forgotten by its program: an agent that dies between two calls must not stop all
// writers.
//
// A holder is evicted only while it is outside of a call (inside == 0) and its idle limit has
// passed, and only when somebody waits, for the check is theirs. It learns of it at its next call:
// its number is not the holder's any more. Nothing of its write_set was written, so nothing is to be
// undone.
#include "engine/transaction/writer_lock.hpp"

#include "engine/system/bounded_duration.hpp"

#include <algorithm>
#include <string>

namespace cairn::engine {
namespace {

/// Whole milliseconds, for messages.
std::string text_of(WriterLock::Clock::duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()) +
         " ms";
}

}  // namespace

WriterLock::WriterLock(std::chrono::milliseconds idle_limit) : idle_limit_(bounded(idle_limit)) {}

Result<WriterLock::Number> WriterLock::take(std::chrono::milliseconds timeout,
                                            Clock::duration* waited) {
  std::unique_lock lock(mutex_);
  const Number number = next_++;
  queue_.push_back(number);
  const Clock::time_point begun = Clock::now();
  const Clock::time_point deadline = begun + bounded(timeout);
  bool has_waited = false;
  // Each waiter looks again when it is woken, at its deadline, or when the holder could be evicted
  // at the earliest.
  // The queue decides, not who is woken first.
  while (true) {
    const Clock::time_point now = Clock::now();
    evict_idle(now);
    if (waited != nullptr && has_waited) *waited = now - begun;
    if (!holder_ && queue_.front() == number) {
      queue_.pop_front();
      holder_ = Holder{number, now, now};
      return number;
    }
    if (now >= deadline) {
      std::erase(queue_, number);
      changed_.notify_all();  // somebody else may be the first now
      return busy(now);
    }
    has_waited = true;
    changed_.wait_until(lock, next_look(deadline));
  }
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
  if (!holder_ || holder_->turn != turn) {
    return Error{ErrorCode::busy,
                 "the transaction lost its turn after doing nothing for " + text_of(idle_limit_) +
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
  // Calls nest: a statement holds the turn around its changes, which enter it again.
  --holder_->inside;
  holder_->active = Clock::now();
}

// All are woken; only the first in the queue goes on.
void WriterLock::release(Number turn) {
  const std::lock_guard lock(mutex_);
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
  // A holder at work is looked at again after another idle limit, which may be zero: who waits
  // sleeps all the same.
  constexpr std::chrono::milliseconds least = std::chrono::milliseconds(10);
  return std::min(deadline, Clock::now() + std::max(idle_limit_, least));
}

Error WriterLock::busy(Clock::time_point now) const {
  std::string message = "another transaction is writing";
  if (holder_) {
    message += "; it began " + text_of(now - holder_->begun) + " ago and has been ";
    message += holder_->inside > 0 ? "at work since" : "idle for " + text_of(now - holder_->active);
  }
  return Error{ErrorCode::busy, message + "; try again, or raise writer_timeout", {}};
}

}  // namespace cairn::engine

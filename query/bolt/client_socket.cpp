// Reads and writes the socket of one client. All waits use poll(), so that a signal, a timeout or a shutdown of the
// socket ends them, and a slow client blocks only its own thread.
#include "query/bolt/client_socket.hpp"

#include "engine/system/bounded_duration.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

namespace cairn::query::bolt {
namespace {

// Of the answers that wait to be sent.
constexpr std::size_t buffer_size = std::size_t{64} << 10U;

// The listener stops reading from a client whose waiting messages take this much memory.
constexpr std::size_t most_waiting_bytes = std::size_t{4} << 20U;
/// Memory of a message in addition to its bytes, so that many small messages are limited too.
constexpr std::size_t bytes_a_message = 64;
constexpr std::size_t read_size = std::size_t{64} << 10U;

int poll_time(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds::rep most = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(time.count(), 0, most));
}

}  // namespace

bool ClientInput::begin(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  take(bytes);
  return watch_.ask(wants_bytes());
}

// Called by the listener's thread; does nothing while the session's thread reads the socket itself.
bool ClientInput::read(std::span<char> buffer, bool is_gone) {
  const std::lock_guard lock(mutex_);
  if (reads_itself_) return true;  // the session's thread will read the same bytes
  if (!wants_bytes()) return !is_gone && watch_.ask(false);
  const ssize_t size = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size == 0) return false;
  if (size < 0 && errno != EAGAIN && errno != EINTR) return false;
  if (size > 0) take({buffer.data(), static_cast<std::size_t>(size)});
  return watch_.ask(wants_bytes());
}

// While enough messages wait, further bytes stay in the socket buffer.
bool ClientInput::wants_bytes() const noexcept {
  return bytes_ < most_waiting_bytes && unread_.empty() && refused_above_ == 0;
}

// A RESET is announced before it is queued. If the session answered the RESET first, the later announcement would stay
// pending forever. A message above the limit is refused only once all earlier messages are answered, because one of them
// may be the logon, which raises the limit.
void ClientInput::take(std::string_view bytes) {
  while (refused_above_ == 0) {
    const std::size_t limit = owner_.message_limit();
    const ChunkReader::Outcome outcome = reader_.take(bytes, limit);
    if (outcome == ChunkReader::Outcome::more) return;
    if (outcome == ChunkReader::Outcome::message) {
      std::string message = reader_.take_message();
      if (is_reset(message)) owner_.note_reset();
      bytes_ += message.size() + bytes_a_message;
      messages_.push_back(std::move(message));
    } else if (!reads_itself_ || !messages_.empty()) {
      unread_ = bytes;
      return;
    } else if (limit == owner_.message_limit()) {
      static_cast<void>(reader_.take_message());  // frees the memory of the partial message
      refused_above_ = limit;
    }
  }
}

bool ClientInput::has_message() {
  const std::lock_guard lock(mutex_);
  return !messages_.empty() || has_ended_.load();
}

// While this thread reads the socket itself, no other thread uses the state, so no lock is held.
std::optional<std::string> ClientInput::next(const std::function<bool()>& before_waiting,
                                             const IdleTask& idle) {
  std::unique_lock lock(mutex_);
  if (messages_.empty()) {
    begin_own_reading();
    lock.unlock();
    if (!before_waiting()) return std::nullopt;
    wait_for_message(idle);
    lock.lock();
    if (messages_.empty()) return std::nullopt;
    reads_itself_ = false;
    watch_.ask(wants_bytes());
  }
  if (has_ended_.load()) return std::nullopt;
  std::string message = std::move(messages_.front());
  messages_.pop_front();
  bytes_ -= message.size() + bytes_a_message;
  return message;
}

// The idle action runs once, after the first timeout. If the listener closes while the client is silent, reading
// ends: later requests fail, and bytes that were sent before are still taken.
void ClientInput::wait_for_message(const IdleTask& idle) {
  int wait = idle.act ? poll_time(idle.after) : -1;
  bool is_closing = false;
  while (messages_.empty() && refused_above_ == 0 && !has_ended_.load()) {
    const Arrival arrival = take_own(wait, is_closing ? -1 : closing_event_);
    if (arrival == Arrival::closing) {
      is_closing = true;
      wait = poll_time(owner_.closing_pause());
    } else if (arrival == Arrival::nothing && wait >= 0) {
      if (is_closing)
        static_cast<void>(::shutdown(socket_, SHUT_RD));
      else
        idle.act();
      wait = -1;
    }
  }
}

void ClientInput::begin_own_reading() {
  reads_itself_ = true;
  watch_.pause();
}

// Uses poll() and not a blocking read, because a blocking read would also wake when the client
// reads an answer.
ClientInput::Arrival ClientInput::take_own(int milliseconds, int event) {
  if (!unread_.empty()) {
    take(std::exchange(unread_, {}));
    return Arrival::bytes;
  }
  if (const Arrival arrival = wait_for_bytes(milliseconds, event); arrival != Arrival::bytes)
    return arrival;
  std::array<char, read_size> buffer;
  const ssize_t size = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size > 0)
    take({buffer.data(), static_cast<std::size_t>(size)});
  else if (size == 0 || (errno != EAGAIN && errno != EINTR))
    has_ended_.store(true);
  return Arrival::bytes;
}

// Bytes come before the event. poll() ignores a negative descriptor.
ClientInput::Arrival ClientInput::wait_for_bytes(int milliseconds, int event) const noexcept {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(std::max(milliseconds, 0));
  std::array<pollfd, 2> waited{{{socket_, POLLIN, 0}, {event, POLLIN, 0}}};
  while (true) {
    const int ready = ::poll(waited.data(), waited.size(), milliseconds);
    if (ready > 0) return waited[0].revents != 0 ? Arrival::bytes : Arrival::closing;
    if (ready == 0 || errno != EINTR) return Arrival::nothing;
    // A signal must not shorten or restart the timeout.
    if (milliseconds < 0) continue;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    milliseconds = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
  }
}

// Also drops the messages that are waiting, because the session is over.
void ClientInput::drain(std::chrono::milliseconds time) {
  {
    const std::lock_guard lock(mutex_);
    begin_own_reading();
  }
  messages_.clear();
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  while (!has_ended_.load()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return;
    std::array<char, read_size> buffer;
    if (wait_for_bytes(static_cast<int>(left.count())) != Arrival::bytes) continue;
    const ssize_t size = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) return;
  }
}

// A thread that waits for bytes sees the end of the stream.
void ClientInput::end() noexcept {
  has_ended_.store(true);
  static_cast<void>(::shutdown(socket_, SHUT_RDWR));
}

bool SocketWriter::add(std::string_view message) {
  return write_chunks(message, [this](std::string_view piece) { return append(piece); });
}

// Large messages bypass the buffer.
bool SocketWriter::append(std::string_view bytes) {
  if (has_failed_) return false;
  if (buffer_.size() + bytes.size() > buffer_size && !flush()) return false;
  if (bytes.size() >= buffer_size) return send(bytes);
  buffer_ += bytes;
  return true;
}

bool SocketWriter::flush() {
  if (has_failed_) return false;
  const bool is_sent = send(buffer_);
  buffer_.clear();
  return is_sent;
}

// Sends without blocking, and waits for room in between.
bool SocketWriter::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    has_failed_ = errno != EINTR && (errno != EAGAIN || !wait_for_room());
    if (has_failed_) return false;
  }
  return true;
}

/// Returns false if the client reads nothing for too long. A socket that was shut down becomes writable at once, and then
/// send() fails.
bool SocketWriter::wait_for_room() const {
  const auto end = std::chrono::steady_clock::now() + engine::bounded(send_time_);
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    const auto most = std::chrono::milliseconds::rep{std::numeric_limits<int>::max()};
    pollfd waited{socket_, POLLOUT, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(std::min(left.count(), most)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace cairn::query::bolt

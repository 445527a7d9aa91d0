// The life of a connection: handshake in the listener's thread, then messages in its own thread, then an orderly close.
#include "query/bolt/connection.hpp"

#include "codec/packstream_values.hpp"
#include "engine/system/bounded_duration.hpp"
#include "query/bolt/failure.hpp"
#include "query/bolt/messages.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <exception>
#include <new>
#include <system_error>

namespace cairn::query::bolt {
namespace {

/// Largest message of a client that has not logged on.
constexpr std::size_t limit_before_logon = std::size_t{64} << 10U;
/// How long a client that is being disconnected may take to read the reason.
constexpr std::chrono::milliseconds farewell_time{1'000};

// Sends the TCP acknowledgement at once. The client's choice of a version gets no answer, and a client with Nagle's
// algorithm sends its HELLO only after this choice is acknowledged. The system would delay the acknowledgement by 40
// ms, to send it with an answer.
void acknowledge_at_once(int socket) {
  const int on = 1;
  static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on));
}

/// The FAILURE message that reports a message above the limit.
std::string too_large_message(Version version, std::size_t limit) {
  const Failure failure = invalid_request("the message has more than " + std::to_string(limit) +
                                          " bytes; cut the data into several statements");
  std::string message;
  codec::PackStreamWriter writer(message);
  writer.begin_structure(static_cast<std::uint8_t>(Tag::failure), 1);
  codec::write_value(writer, Value(metadata_of(failure, version)),
                     codec::PackStreamVectors::as_lists);
  return message;
}

}  // namespace

Connection::Connection(Shared& shared, AcceptedSocket socket, const Waker& waker,
                       const Poller& poller, std::uint64_t number)
    : shared_(shared),
      waker_(waker),
      socket_(std::move(socket)),
      guard_(socket_.descriptor.value()),
      latest_logon_(Clock::now() + engine::bounded(shared.limits.logon_time)),
      watch_(poller, socket_.descriptor.value(), number),
      input_(*this, socket_.descriptor.value(), watch_, shared.closing_event),
      writer_(socket_.descriptor.value(), shared.limits.send_time) {}

Connection::~Connection() {
  end();
  if (thread_.joinable()) thread_.join();
}

// If memory runs out, only this connection ends.
bool Connection::serve(std::uint32_t events, std::span<char> buffer) {
  try {
    return read(events, buffer);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool Connection::read(std::uint32_t events, std::span<char> buffer) {
  if (!thread_.joinable()) return shake_hands(buffer);
  return input_.read(buffer, (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
}

// The answer is a few bytes, for which the send buffer of a new connection has room.
bool Connection::shake_hands(std::span<char> buffer) {
  const ssize_t size = ::recv(descriptor(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) return false;
  std::string_view bytes(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  std::string answer;
  const HandshakeState state = handshake_.take(bytes, answer);
  const ssize_t sent =
      ::send(descriptor(), answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  acknowledge_at_once(descriptor());
  if (state == HandshakeState::failed || sent != static_cast<ssize_t>(answer.size())) return false;
  return state == HandshakeState::open ? watch_.ask(true) : start(bytes);
}

/// Returns false if the system refuses a thread or the events.
bool Connection::start(std::string_view bytes) {
  session_ =
      std::make_unique<Session>(shared_, handshake_.version(), socket_.peer, socket_.is_guest);
  if (!input_.begin(bytes)) return false;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void Connection::note_reset() {
  with_session([](Session& session) { session.interrupt(); });
}

bool Connection::was_logged_on() {
  if (was_logged_on_.load()) return true;
  with_session([this](const Session& session) { was_logged_on_.store(session.is_logged_on()); });
  return was_logged_on_.load();
}

std::size_t Connection::message_limit() {
  return was_logged_on() ? shared_.limits.message_bytes : limit_before_logon;
}

bool Connection::is_late(Clock::time_point now) { return now >= latest_logon_ && !was_logged_on(); }

std::string Connection::principal() const {
  std::string name;
  with_session([&name](const Session& session) { name = session.principal(); });
  return name;
}

// A client that reads a result or writes in a transaction asks again soon after each answer.
std::chrono::milliseconds Connection::closing_pause() {
  constexpr std::chrono::milliseconds pause_of_work{200};
  return session_->is_in_work() ? pause_of_work : std::chrono::milliseconds(0);
}

// Without events, the end of the reading is no sign that the client has ended.
void Connection::finish() {
  watch_.end();
  if (!thread_.joinable()) end();
}

void Connection::end() {
  is_ending_ = true;
  watch_.end();
  with_session([](Session& session) { session.cancel(); });
  input_.end();
  if (!thread_.joinable()) has_ended_.store(true);
}

// A tunnel would take a second for its farewell.
void Connection::drop() {
  end();
  if (socket_.tunnel != nullptr) socket_.tunnel->end();
}

// If memory runs out, only this connection ends.
void Connection::run() noexcept {
  try {
    answer_messages();
    end_session();
    say_farewell();
  } catch (const std::exception&) {
    end_session();
    static_cast<void>(::shutdown(descriptor(), SHUT_RDWR));
  }
  has_ended_.store(true);
  waker_.wake();
}

// Answers are flushed before the thread waits, so that many short answers are sent together.
// While no message is waiting, the thread produces rows that the client will probably ask for next.
void Connection::answer_messages() {
  while (!writer_.has_failed()) {
    if (session_->may_prepare() && !input_.has_message()) {
      if (!writer_.flush()) return;
      session_->prepare([this] { return input_.has_message(); });
    }
    IdleTask idle;
    if (session_->may_let_go())
      idle = {shared_.limits.reading_idle_limit, [this] { session_->let_go(); }};
    const auto message = input_.next([this] { return writer_.flush(); }, idle);
    if (!message || session_->handle(*message, writer_) == Next::close) return;
  }
}

// Destroys the session on this thread, which holds the writer lock, and before the farewell, because other
// transactions may wait for the lock.
void Connection::end_session() noexcept {
  std::unique_ptr<Session> ended;
  const std::lock_guard lock(session_mutex_);
  ended.swap(session_);
}

// Closing a socket with unread bytes discards the answers that were sent last (TCP reset). Therefore this sends the
// client an end of stream first, and reads and drops its remaining bytes for a while.
void Connection::say_farewell() {
  if (const std::size_t limit = input_.refused_above(); limit > 0)
    static_cast<void>(writer_.add(too_large_message(handshake_.version(), limit)));
  if (!writer_.flush()) return;
  static_cast<void>(::shutdown(descriptor(), SHUT_WR));
  input_.drain(farewell_time);
}

}  // namespace cairn::query::bolt

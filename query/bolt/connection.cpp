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

constexpr std::size_t limit_before_logon = std::size_t{64} << 10U;
/// How long a dismissed client may take to read the reason.
constexpr std::chrono::milliseconds farewell_time{1'000};

// The choice of a version has no answer. Until it is acknowledged, a client of which small pieces wait for that does not
// send its HELLO: 40 ms, where the system waits for an answer that could carry it.
void acknowledge_at_once(int socket) {
  const int on = 1;
  static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on));
}

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
      input_(*this, socket_.descriptor.value(), watch_),
      writer_(socket_.descriptor.value(), shared.limits.send_time) {}

Connection::~Connection() {
  end();
  if (thread_.joinable()) thread_.join();
}

// Where memory runs out, this connection ends and no other.
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

// The answer has some bytes, for which a new connection has room.
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

/// False where no thread can be had, or the system refuses.
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

void Connection::end() {
  watch_.end();
  with_session([](Session& session) { session.cancel(); });
  input_.end();
  if (!thread_.joinable()) has_ended_.store(true);
}

// As serve().
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

// What was answered is sent before the thread waits, so that many short answers go together.
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

// At once, as others may wait for the writer's turn; and here, as the turn is of the thread that began it.
void Connection::end_session() noexcept {
  std::unique_ptr<Session> ended;
  const std::lock_guard lock(session_mutex_);
  ended.swap(session_);
}

// A socket that is closed with unread bytes takes back what was sent last. So the client gets an end of stream, and what it still sends is read and thrown away, for a while.
void Connection::say_farewell() {
  if (const std::size_t limit = input_.refused_above(); limit > 0)
    static_cast<void>(writer_.add(too_large_message(handshake_.version(), limit)));
  if (!writer_.flush()) return;
  static_cast<void>(::shutdown(descriptor(), SHUT_WR));
  input_.drain(farewell_time);
}

}  // namespace cairn::query::bolt

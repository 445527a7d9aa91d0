#include "query/bolt/connection.hpp"

#include "codec/packstream_values.hpp"
#include "engine/system/bounded_duration.hpp"
#include "query/bolt/failure.hpp"
#include "query/bolt/messages.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <exception>
#include <new>
#include <system_error>

namespace cairn::query::bolt {
namespace {

constexpr std::size_t limit_before_logon = std::size_t{64} << 10U;
/// How long a client that was told to go may take to read why.
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

Connection::Connection(Shared& shared, AcceptedSocket socket, const Waker& waker)
    : shared_(shared),
      waker_(waker),
      socket_(std::move(socket)),
      guard_(socket_.descriptor.value()),
      latest_logon_(Clock::now() + engine::bounded(shared.limits.logon_time)),
      writer_(socket_.descriptor.value(), shared.limits.send_time) {}

Connection::~Connection() {
  end();
  if (thread_.joinable()) thread_.join();
}

bool Connection::read(std::span<char> buffer) {
  const ssize_t size = ::recv(descriptor(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size == 0) return false;
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  return take({buffer.data(), static_cast<std::size_t>(size)});
}

bool Connection::go_on() {
  if (!is_waiting_ || !messages_.is_idle()) return true;
  is_waiting_ = false;
  return take(std::exchange(unread_, {}));
}

// Where memory runs out, this connection ends and no other.
bool Connection::take(std::string_view bytes) {
  try {
    return take_all(bytes);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool Connection::take_all(std::string_view bytes) {
  if (!thread_.joinable() && !shake_hands(bytes)) return false;
  while (thread_.joinable() && !is_refused_) {
    const std::size_t limit = message_limit();
    const ChunkReader::Outcome outcome = reader_.take(bytes, limit);
    if (outcome == ChunkReader::Outcome::more) break;
    if (outcome == ChunkReader::Outcome::message) {
      add_message();
      continue;
    }
    // The logon may be among what waits.
    if (!was_logged_on() && !messages_.ask_for_idle()) return wait_with(bytes);
    if (limit == message_limit()) refuse();
  }
  if (messages_.is_full() && !messages_.ask_for_idle()) return wait_with({});
  return true;
}

// In this order: a RESET that is answered before it is announced would be waited for.
void Connection::add_message() {
  std::string message = reader_.take_message();
  if (is_reset(message)) with_session([](Session& session) { session.interrupt(); });
  messages_.add(std::move(message));
}

// The answer has some bytes, for which a new connection has room.
bool Connection::shake_hands(std::string_view& bytes) {
  std::string answer;
  const HandshakeState state = handshake_.take(bytes, answer);
  const ssize_t sent =
      ::send(descriptor(), answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  acknowledge_at_once(descriptor());
  if (state == HandshakeState::failed || sent != static_cast<ssize_t>(answer.size())) return false;
  return state == HandshakeState::open || start();
}

/// False where no thread can be had.
bool Connection::start() {
  session_ = std::make_unique<Session>(shared_, handshake_.version(), socket_.peer);
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

bool Connection::wait_with(std::string_view bytes) {
  unread_ = bytes;
  is_waiting_ = true;
  return true;
}

void Connection::refuse() {
  is_refused_ = true;
  static_cast<void>(reader_.take_message());  // its memory
  refused_above_.store(message_limit());
  messages_.finish();
}

bool Connection::was_logged_on() {
  with_session([this](const Session& session) { was_logged_on_ |= session.is_logged_on(); });
  return was_logged_on_;
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
  with_session([](Session& session) { session.cancel(); });
  messages_.end();
  static_cast<void>(::shutdown(descriptor(), SHUT_RDWR));
  if (!thread_.joinable()) has_ended_.store(true);
}

// As take().
void Connection::serve() noexcept {
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

void Connection::answer_messages() {
  while (!writer_.has_failed()) {
    // What was answered is sent before the thread waits, so that many short answers go together.
    if (messages_.would_wait() && !writer_.flush()) return;
    const auto message = messages_.take([this] { waker_.wake(); });
    if (!message || session_->handle(*message, writer_) == Next::close) return;
  }
}

// At once, as others may wait for the writer's turn; and here, as the turn is of the thread that began it.
void Connection::end_session() noexcept {
  std::unique_ptr<Session> ended;
  const std::lock_guard lock(session_mutex_);
  ended.swap(session_);
}

// A socket that is closed with unread bytes takes back what was sent last. So the client is told that nothing more
// comes, and what it still sends is read and thrown away, for a while.
void Connection::say_farewell() {
  messages_.drop();
  waker_.wake();  // to read on, where enough had waited
  if (const std::size_t limit = refused_above_.load(); limit > 0)
    static_cast<void>(writer_.add(too_large_message(handshake_.version(), limit)));
  if (!writer_.flush()) return;
  static_cast<void>(::shutdown(descriptor(), SHUT_WR));
  messages_.wait_for_end(farewell_time);
}

}  // namespace cairn::query::bolt

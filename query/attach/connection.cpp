// The client side of Bolt for attached and remote processes: handshake, pipelined requests, answers, interruption.
//
//    add(), add() -> flush() -> receive() ... -> settle()
//
// interrupt() may be called from another thread at any time. Its RESET has an answer of its own, which settle() waits
// for, so that the next request does not receive it.
#include "query/attach/connection.hpp"

#include "codec/packstream_values.hpp"
#include "query/attach/process_state.hpp"
#include "query/attach/protocol.hpp"
#include "query/bolt/attached.hpp"
#include "query/functions/time_zone.hpp"

#include <cairn/version.hpp>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace cairn::query::attach {
namespace {

using bolt::Tag;
using std::chrono::milliseconds;

constexpr std::size_t read_size = std::size_t{64} << 10;
/// The memory for requests that a connection keeps for the next ones.
constexpr std::size_t kept_bytes = std::size_t{64} << 10;
/// The handshake offers Bolt 6.0 only, as both sides are Cairn.
constexpr std::string_view handshake("\x60\x60\xB0\x17\0\0\0\x06\0\0\0\0\0\0\0\0\0\0\0\0", 20);
constexpr std::string_view agreement("\0\0\0\x06", 4);

/// How long a hidden host may take to answer a new connection until it counts as stopped, and the shortest pause between two
/// such questions.
constexpr milliseconds probe_time{2'000};

/// True if a host accepts a connection and does not answer the handshake, which its listening thread does at once.
bool is_mute(const HostPlace& place) {
  const auto probe = bolt::connect_in(place.directory, place.trusted);
  if (!probe) return false;
  const int socket = probe->descriptor.value();
  if (::send(socket, handshake.data(), handshake.size(), MSG_NOSIGNAL) < 0) return false;
  pollfd waited{socket, POLLIN, 0};
  int ready = -1;
  do ready = ::poll(&waited, 1, static_cast<int>(probe_time.count()));
  while (ready < 0 && errno == EINTR);
  return ready == 0;
}

constexpr std::string_view closed_by_peer = "the other end closed it";

/// Why a call of a socket failed. Which of these errors a closed connection gives depends on when it was closed.
std::string_view reason_of(int error) {
  return error == EPIPE || error == ECONNRESET ? closed_by_peer
                                               : std::string_view(std::strerror(error));
}

/// Answers are trusted: only their nesting is limited.
const codec::PackStreamLimits& answer_limits() {
  static const codec::PackStreamLimits limits{most_levels, static_cast<std::size_t>(-1), true};
  return limits;
}

/// Decodes a message. Errors: io_error for anything that is not a message.
Status read_answer(std::string_view message, Connection::Answer& answer) {
  codec::PackStreamReader reader(message);
  CAIRN_ASSIGN(const auto header, reader.next());
  if (header.type != codec::PackStreamType::structure)
    return Error{
        ErrorCode::io_error,
        "the host sent bytes that are not a message; use the same version of Cairn in all programs",
        {}};
  answer.tag = static_cast<Tag>(header.tag);
  if (answer.tag == Tag::record) {
    CAIRN_ASSIGN(const auto list, reader.next());
    answer.values.reserve(list.size);
    for (std::size_t i = 0; i < list.size; ++i) {
      auto value = codec::read_value(reader, answer_limits(), named_zone_offset);
      if (!value) return std::move(value).error();
      answer.values.push_back(std::move(*value));
    }
  } else if (header.size > 0) {
    CAIRN_ASSIGN(answer.content, codec::read_value(reader, answer_limits(), named_zone_offset));
  }
  return {};
}

using Clock = std::chrono::steady_clock;

/// Added to the patience for a server on the network: the time for the way there and back.
constexpr milliseconds network_time{10'000};

/// True if the failure has a security code of Neo4j. Its message already explains the problem, so it is shown as it is.
bool is_of_security(const Map& metadata) {
  for (const char* const entry : {"code", "neo4j_code"})
    if (const auto code = metadata.find(entry);
        code != metadata.end() && code->second.string() != nullptr)
      return code->second.string()->starts_with("Neo.ClientError.Security.");
  return false;
}

/// The error in the metadata of a FAILURE. A failure without an error of the library is a failure of the protocol.
Error error_in(const Map& metadata) {
  if (const auto said = metadata.find(bolt::attached_entry); said != metadata.end())
    return bolt::error_of(said->second);
  const auto message = metadata.find("message");
  if (is_of_security(metadata) && message != metadata.end() && message->second.string() != nullptr)
    return {ErrorCode::unsupported, *message->second.string(), std::nullopt};
  return {ErrorCode::io_error,
          "the host refused a request: " +
              (message == metadata.end() ? Value(metadata) : message->second).to_text(),
          std::nullopt};
}

}  // namespace

const Map& Connection::Answer::metadata() const noexcept {
  static const Map none;
  const Map* map = content.map();
  return map == nullptr ? none : *map;
}

Connection::Connection(engine::FileDescriptor socket, std::unique_ptr<bolt::TlsTunnel> tunnel,
                       Peer peer)
    : tunnel_(std::move(tunnel)),
      socket_(std::move(socket)),
      guard_(socket_.value()),
      peer_(std::move(peer)),
      most_bytes_(most_message_bytes),
      buffer_(std::make_unique_for_overwrite<char[]>(read_size)) {}

// A forked child shares the connection with its parent and must not send on it.
Connection::~Connection() {
  if (process_.is_this() && !is_lost()) {
    add(Tag::goodbye, {});
    static_cast<void>(flush());
  }
  if (tunnel_) end_tunnel();
}

// Lets the tunnel send what is queued, for at most one second: a peer that reads nothing must not block the destructor.
void Connection::end_tunnel() {
  constexpr milliseconds farewell{1'000}, pause{5};
  socket_ = engine::FileDescriptor();
  const auto end = Clock::now() + (is_lost() ? milliseconds(0) : farewell);
  while (process_.is_this() && !tunnel_->has_ended() && Clock::now() < end)
    std::this_thread::sleep_for(pause);
  tunnel_->end();
}

Result<std::unique_ptr<Connection>> Connection::open(const std::filesystem::path& directory,
                                                     const Map& said, Patience patience,
                                                     bolt::TrustedHost trusted) {
  CAIRN_ASSIGN(auto connected, bolt::connect_in(directory, trusted));
  std::unique_ptr<Connection> made(new Connection(
      std::move(connected.descriptor), nullptr,
      {connected.process, bolt::process_name(connected.process) + ", which had the database open,",
       HostPlace{directory, trusted}}));
  Map hello = said;
  made->add(Tag::hello, {Map{{bolt::attached_entry, std::move(hello)}}});
  auto greeted = made->shake_hands(patience);
  if (greeted) greeted = made->flush();
  Result<Answer> answer = greeted ? made->receive(patience) : Result<Answer>(greeted.error());
  // The host ended while this process connected. The caller tries its successor next.
  if (!answer && made->is_lost() && answer.error().code == ErrorCode::io_error)
    return Error{ErrorCode::not_found, answer.error().message, {}};
  if (!answer) return answer.error();
  const auto entry = answer->metadata().find(bolt::attached_entry);
  if (entry == answer->metadata().end() || entry->second.map() == nullptr)
    return Error{ErrorCode::unsupported,
                 bolt::process_name(made->host()) +
                     " has the database open but cannot serve this version of the library; end it, "
                     "or use the same version in all programs",
                 {}};
  made->greeting_ = *entry->second.map();
  CAIRN_TRY(made->settle(patience));
  return made;
}

Result<std::unique_ptr<Connection>> Connection::log_on(engine::FileDescriptor socket,
                                                       std::unique_ptr<bolt::TlsTunnel> tunnel,
                                                       std::string name, const Map& credentials,
                                                       Patience patience) {
  std::unique_ptr<Connection> made(
      new Connection(std::move(socket), std::move(tunnel), {0, std::move(name)}));
  const std::string agent = "cairn/" + std::string(version());
  made->add(Tag::hello, {Map{{"user_agent", agent}, {bolt::attached_entry, Map{}}}});
  CAIRN_TRY(made->shake_hands(patience));
  CAIRN_TRY(made->flush());
  CAIRN_ASSIGN(const Answer greeted, made->receive(patience));
  CAIRN_TRY(made->take_greeting(greeted.metadata()));
  // The token is sent only after the other end has proved to be a Cairn server.
  CAIRN_TRY(made->ask(Tag::logon, {credentials}, patience));
  CAIRN_TRY(made->settle(patience));
  made->is_logged_on_ = true;
  return made;
}

// The server announces the largest message that it accepts.
Status Connection::take_greeting(const Map& metadata) {
  const auto entry = metadata.find(bolt::attached_entry);
  if (entry == metadata.end() || entry->second.map() == nullptr)
    return Error{ErrorCode::unsupported,
                 peer_.name +
                     " is not a Cairn server of this version; serve the database with `cairn "
                     "serve` of this version",
                 {}};
  greeting_ = *entry->second.map();
  const auto most = greeting_.find("message_bytes");
  const auto* bytes = most == greeting_.end() ? nullptr : most->second.get_if<std::int64_t>();
  if (bytes != nullptr && *bytes > 0) most_bytes_ = static_cast<std::size_t>(*bytes);
  return {};
}

// An idle connection has no bytes to read, so readable bytes also mean that the connection has ended.
bool Connection::has_ended() const {
  char byte = 0;
  const ssize_t size = ::recv(socket_.value(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return is_lost() || size >= 0 || (errno != EAGAIN && errno != EINTR);
}

bool Connection::wait_for_end(int waker) const {
  std::array<pollfd, 2> waited{{{socket_.value(), POLLIN, 0}, {waker, POLLIN, 0}}};
  while (::poll(waited.data(), waited.size(), -1) < 0 && errno == EINTR) continue;
  return waited[1].revents == 0 && has_ended();
}

// The other end answers with the agreed version in four bytes.
Status Connection::shake_hands(Patience patience) {
  CAIRN_TRY(send(handshake));
  std::string answer;
  while (answer.size() < agreement.size()) {
    if (unread_.empty()) CAIRN_TRY(fill(patience));
    const std::string_view piece = unread_.substr(0, agreement.size() - answer.size());
    answer += piece;
    unread_.remove_prefix(piece.size());
  }
  if (answer != agreement)
    return lost(
        "the other end did not accept Bolt 6.0: it is not a Cairn server, or has another version "
        "of Cairn; check the address");
  return {};
}

// Encodes a request and queues it. GOODBYE has no answer, so it is not counted.
void Connection::add(Tag tag, const List& fields) {
  const std::size_t begin = waiting_.size();
  waiting_.append(bolt::room_for_length, '\0');
  codec::PackStreamWriter writer(waiting_);
  writer.begin_structure(static_cast<std::uint8_t>(tag), fields.size());
  for (const Value& field : fields) write_field(writer, field);
  is_too_large_ |= waiting_.size() - begin - bolt::room_for_length > most_bytes_;
  bolt::put_into_chunks(waiting_, begin);
  if (tag != Tag::goodbye) ++open_requests_;
}

// A host understands every value as it is; a server on the network is sent only what any Bolt driver may send.
void Connection::write_field(codec::PackStreamWriter& writer, const Value& field) const {
  if (peer_.host)
    codec::write_whole_value(writer, field);
  else
    codec::write_value(writer, field, codec::PackStreamVectors::as_structures);
}

// If one request is too large none is sent, because the answers would not match the requests.
Status Connection::flush() {
  transaction_end_.reset();
  std::string bytes = std::exchange(waiting_, {});
  if (!std::exchange(is_too_large_, false)) {
    const std::lock_guard lock(send_mutex_);
    CAIRN_TRY(send(bytes));
    bytes.clear();
    if (bytes.capacity() <= kept_bytes) waiting_ = std::move(bytes);
    is_asking_ = true;
    if (std::exchange(is_interrupt_wanted_, false)) send_reset();
    return {};
  }
  open_requests_ = unanswered_resets_;
  return Error{ErrorCode::resource_limit,
               "a statement with its parameters has more than the " +
                   std::to_string(most_bytes_ >> 20U) +
                   " MiB that may be sent at once; cut the data into several statements",
               {}};
}

// Sends all bytes. A blocking send to a server fails with EAGAIN after send_time.
Status Connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.value(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return given_up(send_time);
    if (sent < 0) return lost(reason_of(errno));
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

// If TLS failed, the socket only reports that it is closed; the tunnel knows the reason.
Error Connection::lost(std::string_view how) {
  is_lost_.store(true);
  const std::string failure = tunnel_ ? tunnel_->failure() : std::string();
  return {ErrorCode::io_error,
          "the connection to " + peer_.name +
              " ended: " + (failure.empty() ? std::string(how) : failure),
          std::nullopt};
}

// A stopped host may continue, so its error is `busy`. The state of a process on another machine is unknown.
Error Connection::given_up(Patience time) {
  is_lost_.store(true);
  const std::string silent = " has not answered for " + std::to_string(time.count()) + " ms";
  if (!peer_.host)
    return {ErrorCode::io_error, peer_.name + silent + "; check the network connection to it", {}};
  const std::string name = bolt::process_name(peer_.process) + ", which has the database open,";
  if (peer_.process == 0)
    return {ErrorCode::busy,
            name + silent +
                ", not even a new connection, so it is probably stopped; resume it or end it where "
                "it runs (the file HOST in " +
                peer_.host->directory.string() + " has its process id there)",
            {}};
  return {ErrorCode::busy,
          name + " is stopped and" + silent + "; resume it (kill -CONT " +
              std::to_string(peer_.process) + ") or end it",
          {}};
}

bool Connection::is_seen_running() const {
  return peer_.host && process_state(peer_.process) == ProcessState::running;
}

bool Connection::is_found_running() const {
  if (!peer_.host) return false;
  const ProcessState state = process_state(peer_.process);
  return state == ProcessState::running || (state == ProcessState::absent && !is_mute(*peer_.host));
}

// Waits without limit while a host on this machine runs, because the host enforces the time limits itself; only the time
// in which it is stopped counts. A host that the system hides is asked by a new connection whether it runs. Whether a
// remote server runs is unknown: it gets the timeout of the statement plus the network time.
Status Connection::wait_for_bytes(Patience patience) {
  constexpr milliseconds look{200};
  if (is_logged_on_) patience += network_time;
  auto silent_since = Clock::now();
  while (true) {
    pollfd waited{socket_.value(), POLLIN, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(look.count()));
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return lost(std::strerror(errno));
    if (is_seen_running()) silent_since = Clock::now();
    const auto silent = std::chrono::duration_cast<milliseconds>(Clock::now() - silent_since);
    if (silent < patience) continue;
    if (!is_found_running()) return given_up(silent);
    silent_since = Clock::now();
    patience = std::max(patience, probe_time);
  }
}

// Waits with poll(): a blocking read would also be woken when the host takes bytes of the request from the socket.
Status Connection::fill(Patience patience) {
  while (true) {
    CAIRN_TRY(wait_for_bytes(patience));
    const ssize_t size = ::recv(socket_.value(), buffer_.get(), read_size, MSG_DONTWAIT);
    if (size == 0) return lost(closed_by_peer);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (size < 0) return lost(reason_of(errno));
    unread_ = {buffer_.get(), static_cast<std::size_t>(size)};
    return {};
  }
}

// Most messages lie in the buffer as a whole, and are not copied.
Result<std::string_view> Connection::receive_message(Patience patience) {
  while (true) {
    if (const std::string_view whole = reader_.take_whole(unread_); !whole.empty()) return whole;
    const auto outcome = reader_.take(unread_, static_cast<std::size_t>(-1));
    if (outcome == bolt::ChunkReader::Outcome::message) {
      message_ = reader_.take_message();
      return std::string_view(message_);
    }
    CAIRN_TRY(fill(patience));
  }
}

Result<Connection::Answer> Connection::receive_any(Patience patience) {
  Result<Answer> answer = Answer();
  const auto message = receive_message(patience);
  if (!message) {
    answer = message.error();
    return answer;
  }
  last_message_bytes_ = message->size();
  if (const Status read = read_answer(*message, *answer); !read)
    answer = lost(read.error().message);
  else if (answer->tag != Tag::record)
    --open_requests_;
  return answer;
}

Result<Connection::Answer> Connection::receive(Patience patience) {
  auto answer = receive_any(patience);
  if (answer && (answer->tag == Tag::failure || answer->tag == Tag::ignored))
    answer = refused(*answer, patience);
  return answer;
}

// Resets the connection after a failure, so that the next request is not ignored.
Error Connection::refused(const Answer& answer, Patience patience) {
  Error error = answer.tag == Tag::failure
                    ? error_in(answer.metadata())
                    : Error{ErrorCode::cancelled, "the statement was cancelled", {}};
  if (answer.metadata().contains(bolt::ended_entry)) transaction_end_ = error;
  // The statement has failed even if the connection is lost during the reset.
  static_cast<void>(recover(patience));
  return error;
}

Result<Map> Connection::ask(Tag tag, const List& fields, Patience patience) {
  add(tag, fields);
  CAIRN_TRY(flush());
  CAIRN_ASSIGN(const Answer answer, receive(patience));
  return answer.metadata();
}

// A RESET that is sent before its request would be answered first and interrupt nothing.
void Connection::interrupt() {
  const std::lock_guard lock(send_mutex_);
  if (is_asking_)
    send_reset();
  else
    is_interrupt_wanted_ = true;
}

// The bytes are a RESET message in a chunk.
void Connection::send_reset() {
  if (unanswered_resets_ > 0 || is_lost()) return;
  ++unanswered_resets_;
  ++open_requests_;
  static_cast<void>(send(std::string_view("\0\2\xb0\x0f\0\0", 6)));
}

// interrupt() may have sent a RESET already. One is enough.
Status Connection::recover(Patience patience) {
  interrupt();
  CAIRN_TRY(settle(patience));
  return {};
}

// Receives the outstanding answers, the last of which is that of the RESET.
Result<bool> Connection::settle(Patience patience) {
  {
    const std::lock_guard lock(send_mutex_);
    is_asking_ = unanswered_resets_ > 0;
    is_interrupt_wanted_ = false;
    if (!is_asking_) return false;
  }
  while (open_requests_ > 0) CAIRN_TRY(receive_any(patience));
  const std::lock_guard lock(send_mutex_);
  unanswered_resets_ = 0;
  is_asking_ = false;
  return true;
}

}  // namespace cairn::query::attach

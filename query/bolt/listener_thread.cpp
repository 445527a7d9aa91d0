// The thread that waits for events of all sockets of a listener. The thread never blocks on a client, so no
// client delays another.
#include "query/bolt/admission.hpp"
#include "query/bolt/chunks.hpp"
#include "query/bolt/failure.hpp"
#include "query/bolt/listener_impl.hpp"
#include "query/bolt/messages.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace cairn {

using query::bolt::AcceptedSocket;
using query::bolt::Connection;

namespace {

/// The interval of the periodic check of all connections.
std::chrono::milliseconds round_time(const BoltLimits& limits) {
  using std::chrono::milliseconds;
  return std::clamp(limits.logon_time / 2, milliseconds(10), milliseconds(1'000));
}

/// Returns the answers to the handshake and to the greeting of an attached process that is refused. Attached
/// processes speak Bolt 6.0 only.
std::string refusal(const Error& error) {
  using namespace query::bolt;
  constexpr Version version{6, 0};
  std::string bytes{0, 0, version.minor, version.major};
  const std::size_t begin = bytes.size();
  bytes.append(room_for_length, '\0');
  Map metadata = metadata_of(failure_of(error, Operation::statement), version);
  metadata.emplace(attached_entry, value_of(error));
  codec::PackStreamWriter writer(bytes);
  writer.begin_structure(static_cast<std::uint8_t>(Tag::failure), 1);
  codec::write_whole_value(writer, Value(std::move(metadata)));
  put_into_chunks(bytes, begin);
  return bytes;
}

}  // namespace

// If memory runs out, the loop goes on: other clients may need less.
void BoltListener::Impl::run() noexcept {
  while (!is_closing_.load()) {
    try {
      wait_once();
    } catch (const std::bad_alloc&) {
      continue;
    }
  }
  try {
    let_finish();
  } catch (const std::bad_alloc&) {
    // Without memory, the connections end at once.
  }
  end_all();
}

// The listening socket is closed first, so that new clients look for the next host. close() waits for this thread and uses
// no member meanwhile.
void BoltListener::Impl::let_finish() {
  if (closing_time_.count() == 0) return;
  guard_ = engine::ForkGuard();
  socket_.descriptor = engine::FileDescriptor();
  for (const auto& [number, connection] : connections_) connection->finish();
  closing_.wake();
  const auto end = Clock::now() + closing_time_;
  while (true) {
    end_those_done();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (connections_.empty() || left.count() <= 0) return;
    pollfd waited{waker_.descriptor(), POLLIN, 0};
    static_cast<void>(::poll(&waited, 1, static_cast<int>(left.count())));
  }
}

// Handles one batch of events.
void BoltListener::Impl::wait_once() {
  std::array<epoll_event, 64> room{};
  for (const epoll_event& event : poller_.wait(room, wait_time())) {
    if (is_closing_.load()) return;
    if (event.data.u64 == listening_number)
      accept_clients();
    else if (event.data.u64 == waker_number)
      end_those_done();
    else
      serve(event.data.u64, event.events);
  }
  if (const auto now = Clock::now(); now >= next_round_) go_round(now);
}

int BoltListener::Impl::wait_time() const {
  if (connections_.empty() && refused_.empty() && accepts_) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_round_ - Clock::now());
  return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
}

// Accepts all clients that are waiting.
void BoltListener::Impl::accept_clients() {
  while (true) {
    if (is_overfull()) {
      constexpr std::chrono::milliseconds moment{20};
      next_round_ = std::min(next_round_, Clock::now() + moment);
      return pause_accepting();
    }
    auto client = query::bolt::accept_client(socket_);
    if (!client) return pause_accepting();
    if (!client->has_value()) return;
    // At a network address, clients above the limit or with too many wrong tokens are closed without an answer.
    if (shared_.attached != nullptr)
      add_or_refuse(*std::move(*client));
    else if (!wrong_tokens_.is_refused((*client)->peer) && make_room())
      add(*std::move(*client));
  }
}

// Stops listening for events, because the waiting clients would wake the thread continuously. Accepting resumes with
// the next periodic check.
void BoltListener::Impl::pause_accepting() {
  accepts_ = !poller_.change(socket_.descriptor.value(), listening_number, 0);
}

// A connection that ends needs a moment if it has threads.
bool BoltListener::Impl::is_overfull() {
  constexpr std::size_t most_ending = 32;
  const std::size_t most = limits_.connections + std::min(limits_.connections, most_ending);
  if (connections_.size() <= most) return false;
  sweep();
  return connections_.size() > most;
}

// Ends the client that has waited longest for its logon, so that many clients without tokens do not keep others out.
bool BoltListener::Impl::make_room() {
  if (connections_.size() < limits_.connections) return true;
  sweep();
  std::size_t open = 0;
  auto waiting = connections_.end();
  for (auto place = connections_.begin(); place != connections_.end(); ++place) {
    if (place->second->is_ending()) continue;
    ++open;
    if (waiting == connections_.end() && !place->second->was_logged_on()) waiting = place;
  }
  if (open < limits_.connections) return true;
  if (waiting == connections_.end()) return false;
  waiting->second->drop();
  end(waiting);
  return true;
}

void BoltListener::Impl::add_or_refuse(AcceptedSocket socket) {
  const auto refused = query::bolt::refused_in_crowd(peers(), socket.peer, limits_.connections);
  if (!refused) return add(std::move(socket));
  // The answers are sent before the requests arrive, and fit into the buffer of a new socket. The socket stays open for a
  // while: if it were closed, the client's requests would fail before the client reads the answers.
  constexpr std::size_t most_refused = 64;
  const std::string bytes = refusal(*refused);
  static_cast<void>(
      ::send(socket.descriptor.value(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  static_cast<void>(::shutdown(socket.descriptor.value(), SHUT_WR));
  if (refused_.size() == most_refused) refused_.pop_front();
  if (connections_.empty() && refused_.empty()) next_round_ = Clock::now() + round_time(limits_);
  refused_.push_back({Clock::now(), std::move(socket.descriptor)});
}

// A client that cannot be served is closed by the destructor of its socket.
void BoltListener::Impl::add(AcceptedSocket socket) {
  if (tls_) {
    auto wrapped = tls_->wrap(std::move(socket.descriptor));
    if (!wrapped) return;  // treated like a client that found no free descriptor
    socket.descriptor = std::move(wrapped->plain);
    socket.tunnel = std::move(wrapped->tunnel);
  }
  const std::uint64_t number = next_number_++;
  auto connection =
      std::make_unique<Connection>(shared_, std::move(socket), waker_, poller_, number);
  if (!connection->begin()) return;
  if (connections_.empty()) next_round_ = Clock::now() + round_time(limits_);
  connections_.emplace(number, std::move(connection));
  note_connections();
}

void BoltListener::Impl::note_connections() {
  std::vector<std::string> peers;
  for (const auto& [number, connection] : connections_) peers.push_back(connection->peer());
  const std::lock_guard lock(peers_mutex_);
  peers_ = std::move(peers);
  count_.store(connections_.size());
}

// The end of a client is noticed even if its bytes are not read yet. If the client sent more than the socket buffer
// holds, its end is noticed once its statement has ended.
void BoltListener::Impl::serve(std::uint64_t number, std::uint32_t events) {
  const auto place = connections_.find(number);
  if (place == connections_.end()) return;  // an earlier event of this batch ended the connection
  if (!place->second->serve(events, buffer_)) end(place);
}

void BoltListener::Impl::end(Connections::iterator place) {
  place->second->end();
  if (place->second->has_ended()) connections_.erase(place);
  note_connections();
}

/// Called when the thread of some connection has ended.
void BoltListener::Impl::end_those_done() {
  waker_.clear();
  sweep();
}

void BoltListener::Impl::sweep() {
  for (auto place = connections_.begin(); place != connections_.end();) {
    const auto next = std::next(place);
    if (place->second->has_ended()) end(place);
    place = next;
  }
}

// Collects the names before it reads the tokens. In the other order, a token that is created and used in between would
// be missing from the list, and its connection would end.
void BoltListener::Impl::go_round(Clock::time_point now) {
  next_round_ = now + round_time(limits_);
  while (!refused_.empty() && now - refused_.front().since >= limits_.logon_time)
    refused_.pop_front();
  if (!accepts_) accepts_ = poller_.change(socket_.descriptor.value(), listening_number, EPOLLIN);
  std::map<std::uint64_t, std::string> principals;
  for (const auto& [number, connection] : connections_)
    principals.emplace(number, connection->principal());
  const bool has_looked = !principals.empty() && revocations_.look(*database_, now);
  for (const auto& [number, principal] : principals) {
    const auto place = connections_.find(number);
    const bool is_revoked = has_looked && !principal.empty() && revocations_.is_revoked(principal);
    if (is_revoked || place->second->has_ended() || place->second->is_late(now)) end(place);
  }
}

// All connections are asked to end before the destructor of the first one waits.
void BoltListener::Impl::end_all() noexcept {
  for (const auto& [number, connection] : connections_) connection->end();
  connections_.clear();
  refused_.clear();
  const std::lock_guard lock(peers_mutex_);
  peers_.clear();
  count_.store(0);
}

}  // namespace cairn

// The thread that waits for all sockets of a listener. It never waits for a client, so that none holds up another.
#include "query/bolt/listener_impl.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace cairn {

using query::bolt::AcceptedSocket;
using query::bolt::Connection;

namespace {

/// How often all connections are looked at.
std::chrono::milliseconds round_time(const BoltLimits& limits) {
  using std::chrono::milliseconds;
  return std::clamp(limits.logon_time / 2, milliseconds(10), milliseconds(1'000));
}

}  // namespace

// What is left of memory may do for the others.
void BoltListener::Impl::run() noexcept {
  while (!is_closing_.load()) {
    try {
      wait_once();
    } catch (const std::bad_alloc&) {
      continue;
    }
  }
  end_all();
}

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

/// The time to wait in milliseconds; -1 (for ever) without connections.
int BoltListener::Impl::wait_time() const {
  if (connections_.empty() && accepts_) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_round_ - Clock::now());
  return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
}

void BoltListener::Impl::accept_clients() {
  while (true) {
    auto client = query::bolt::accept_client(socket_);
    if (!client) {
      // Those who wait would wake us again and again: until the next round nobody is let in.
      accepts_ = !poller_.change(socket_.descriptor.value(), listening_number, 0);
      return;
    }
    if (!client->has_value()) return;
    const bool is_welcome =
        connections_.size() < limits_.connections && !wrong_tokens_.is_refused((*client)->peer);
    if (is_welcome) add(*std::move(*client));
  }
}

void BoltListener::Impl::add(AcceptedSocket socket) {
  if (tls_) {
    auto wrapped = tls_->wrap(std::move(socket.descriptor));
    if (!wrapped) return;  // as where the machine has no descriptor for it
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

/// Publishes the connections to other threads.
void BoltListener::Impl::note_connections() {
  std::vector<std::string> peers;
  for (const auto& [number, connection] : connections_) peers.push_back(connection->peer());
  const std::lock_guard lock(peers_mutex_);
  peers_ = std::move(peers);
  count_.store(connections_.size());
}

// A client that is gone is noticed even while its bytes are left unread; where it had sent more than the system holds,
// once its statement has ended.
void BoltListener::Impl::serve(std::uint64_t number, std::uint32_t events) {
  const auto place = connections_.find(number);
  if (place == connections_.end()) return;  // it ended by an event before this one
  if (!place->second->serve(events, buffer_)) end(place);
}

void BoltListener::Impl::end(Connections::iterator place) {
  place->second->end();
  if (place->second->has_ended()) connections_.erase(place);
  note_connections();
}

/// The thread of a connection has ended.
void BoltListener::Impl::end_those_done() {
  waker_.clear();
  for (auto place = connections_.begin(); place != connections_.end();) {
    const auto next = std::next(place);
    if (place->second->has_ended()) end(place);
    place = next;
  }
}

// The names are asked for before the tokens are read: one that is made and used meanwhile is not missed in them.
void BoltListener::Impl::go_round(Clock::time_point now) {
  next_round_ = now + round_time(limits_);
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

// All are asked to end before the first is waited for.
void BoltListener::Impl::end_all() noexcept {
  for (const auto& [number, connection] : connections_) connection->end();
  connections_.clear();
  const std::lock_guard lock(peers_mutex_);
  peers_.clear();
  count_.store(0);
}

}  // namespace cairn

#include "query/attach/link.hpp"

#include <utility>

namespace cairn::query::attach {
namespace {

constexpr std::size_t most_idle = 16;  // more idle connections are closed

}  // namespace

Status Link::attach() {
  CAIRN_ASSIGN(auto connection, connect());
  take_back(std::move(connection));
  return {};
}

// Takes the connection that became idle last. Connections that the peer has closed are dropped.
Result<Link::Lease> Link::lease() {
  CAIRN_TRY(check_process());
  {
    const std::lock_guard lock(idle_mutex_);
    while (!idle_.empty()) {
      Idle idle = std::move(idle_.back());
      idle_.pop_back();
      if (is_fresh(idle) || !idle.connection->has_ended())
        return Lease(shared_from_this(), std::move(idle.connection));
    }
  }
  CAIRN_ASSIGN(auto connection, connect());
  return Lease(shared_from_this(), std::move(connection));
}

void Link::take_back(std::unique_ptr<Connection> connection) {
  if (connection->is_lost()) return;
  const std::lock_guard lock(idle_mutex_);
  if (!is_closed_ && idle_.size() < most_idle)
    idle_.push_back({std::move(connection), Clock::now()});
}

// A fresh connection is used without a check. If the peer has ended since the last use, the request fails as if the
// peer had ended during the request. Where such a failure would leave in doubt whether the request was executed, no
// connection is fresh.
bool Link::is_fresh(const Idle& idle) const noexcept {
  constexpr std::chrono::milliseconds fresh_time{1};
  return !leaves_doubt() && Clock::now() - idle.since < fresh_time;
}

Status Link::check_process() const { return process_.check(); }

// The connections are destroyed after the mutex is released, because closing one may take a while.
void Link::close() {
  std::vector<Idle> ended;
  const std::lock_guard lock(idle_mutex_);
  is_closed_ = true;
  ended.swap(idle_);
}

}  // namespace cairn::query::attach

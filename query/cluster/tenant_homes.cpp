#include "query/cluster/tenant_homes.hpp"

#include "engine/home/home_address.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query::cluster {

Result<TenantHomes::Home> TenantHomes::find(const std::string& name_space) {
  const std::string tenant = engine::tenant_of(name_space);
  const std::lock_guard lock(mutex_);
  if (is_closed_)
    return Error{ErrorCode::busy, "the node " + settings_.self.bolt + " ends; ask another one", {}};
  Home& home = homes_[tenant];
  if (!home) {
    CAIRN_ASSIGN(home, TenantHome::make(settings_, tenant));
  }
  return home;
}

Result<bolt::TenantPlace> TenantHomes::enter(const std::string& name_space) {
  CAIRN_ASSIGN(const Home home, find(name_space));
  return home->enter();
}

Result<std::string> TenantHomes::server_of(const std::string& name_space) {
  CAIRN_ASSIGN(const Home home, find(name_space));
  return home->server();
}

std::vector<TenantHomes::Home> TenantHomes::open_ones() const {
  std::vector<Home> open;
  const std::lock_guard lock(mutex_);
  for (const auto& [tenant, home] : homes_)
    if (home && home->is_open()) open.push_back(home);
  return open;
}

std::size_t TenantHomes::open_homes() const { return open_ones().size(); }

void TenantHomes::close_idle() {
  std::vector<Home> open = open_ones();
  std::ranges::sort(open, {}, [](const Home& home) { return home->last_use(); });
  std::size_t left = open.size();
  for (const Home& home : open) {
    if (left <= most_open_) return;
    home->close_if_idle();
    if (!home->is_open()) --left;
  }
}

// A home that is being opened is closed as soon as it is open, because close() waits for it.
Status TenantHomes::close_all() {
  std::map<std::string, Home> homes;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    homes = homes_;
  }
  Status first;
  for (const auto& [tenant, home] : homes) {
    const Status closed = home ? home->close() : Status();
    if (first && !closed) first = closed;
  }
  return first;
}

}  // namespace cairn::query::cluster

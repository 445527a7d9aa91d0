#include "query/cluster/tenant_homes.hpp"

#include "engine/home/home_address.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::query::cluster {
namespace {

/// The most homes that a node remembers. The number is limited because each home takes memory, and clients may send
/// any number of wrong names.
constexpr std::size_t most_known = 10'000;

}  // namespace

Result<TenantHomes::Home> TenantHomes::find(const std::string& name_space) {
  const std::string tenant = engine::tenant_of(name_space);
  const std::lock_guard lock(mutex_);
  if (is_closed_)
    return Error{
        ErrorCode::busy, "the node " + settings_.self.bolt + " is closing; use another node", {}};
  if (const auto found = homes_.find(tenant); found != homes_.end()) return found->second;
  forget_closed();
  CAIRN_ASSIGN(auto home, TenantHome::make(settings_, tenant));
  homes_.emplace(tenant, home);
  return Home(std::move(home));
}

// Homes that another thread uses stay, because they may be about to open.
void TenantHomes::forget_closed() {
  if (homes_.size() < most_known) return;
  std::erase_if(homes_, [](const auto& entry) {
    return entry.second.use_count() == 1 && !entry.second->is_open();
  });
}

Result<bolt::TenantPlace> TenantHomes::enter(const std::string& name_space,
                                             const bolt::TenantEntry& entry) {
  CAIRN_ASSIGN(const Home home, find(name_space));
  return home->enter(entry);
}

Result<std::string> TenantHomes::server_of(const std::string& name_space) {
  CAIRN_ASSIGN(const Home home, find(name_space));
  return home->server();
}

std::vector<TenantHomes::Home> TenantHomes::open_ones() const {
  std::vector<Home> open;
  const std::lock_guard lock(mutex_);
  for (const auto& [tenant, home] : homes_)
    if (home->is_open()) open.push_back(home);
  return open;
}

std::size_t TenantHomes::open_homes() const { return open_ones().size(); }

bool TenantHomes::close_one_idle() {
  // Reads the time of each home once, because other threads change the times.
  std::vector<std::pair<TenantHome::Clock::time_point, Home>> open;
  for (Home& home : open_ones()) {
    const auto last_use = home->last_use();
    open.emplace_back(last_use, std::move(home));
  }
  std::ranges::sort(open, {}, [](const auto& each) { return each.first; });
  return std::ranges::any_of(open, [](const auto& each) {
    each.second->close_if_idle();
    return !each.second->is_open();
  });
}

void TenantHomes::close_idle() {
  while (open_homes() > most_open_)
    if (!close_one_idle()) return;
}

// Does not hold room_mutex_ while a home is closed, because closing waits for the store. Other threads can make room meanwhile,
// and may use the room made here. close_if_idle() does not wait for the mutex of a home, so the caller may hold the mutex of
// the home that is about to open.
Status TenantHomes::make_room(std::atomic<bool>& is_open) {
  do {
    const std::lock_guard one_at_a_time(room_mutex_);
    if (open_homes() < most_open_) {
      is_open.store(true);
      return {};
    }
  } while (close_one_idle());
  return Error{
      ErrorCode::busy,
      "the node " + settings_.self.bolt + " has " + std::to_string(most_open_) +
          " databases open, and all are in use or closing; try again, or give it more memory: "
          "`cairn serve --memory-mb`, ClusterOptions::memory_bytes",
      {}};
}

// close() waits for a home that another thread opens, and then closes it.
Status TenantHomes::close_all() {
  std::map<std::string, Home> homes;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    homes = homes_;
  }
  Status first;
  for (const auto& [tenant, home] : homes) {
    const Status closed = home->close();
    if (first && !closed) first = closed;
  }
  return first;
}

}  // namespace cairn::query::cluster

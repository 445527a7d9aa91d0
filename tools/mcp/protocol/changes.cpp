#include "tools/mcp/protocol/changes.hpp"

#include <utility>

namespace cairn::tools::mcp {

void Changes::tools_changed() { tell({Change::Kind::tools, {}}); }

void Changes::prompts_changed() { tell({Change::Kind::prompts, {}}); }

void Changes::resources_changed() { tell({Change::Kind::resources, {}}); }

void Changes::resource_updated(const std::string& uri) {
  const std::scoped_lock lock(mutex_);
  if (!watched_.contains(uri)) return;
  for (const auto& [number, listener] : listeners_) listener({Change::Kind::resource, uri});
}

std::vector<WatchedResource> Changes::watched() const {
  const std::scoped_lock lock(mutex_);
  std::vector<WatchedResource> resources;
  for (const auto& [uri, watchers] : watched_) resources.push_back({uri, watchers.last_watch});
  return resources;
}

std::size_t Changes::add_listener(Listener listener) {
  const std::scoped_lock lock(mutex_);
  listeners_.emplace(next_, std::move(listener));
  return next_++;
}

void Changes::remove_listener(std::size_t number) {
  const std::scoped_lock lock(mutex_);
  listeners_.erase(number);
}

void Changes::watch(const std::string& uri) {
  const std::scoped_lock lock(mutex_);
  Watchers& watchers = watched_[uri];
  ++watchers.count;
  watchers.last_watch = ++watches_;
}

void Changes::unwatch(const std::string& uri) {
  const std::scoped_lock lock(mutex_);
  const auto found = watched_.find(uri);
  if (found != watched_.end() && --found->second.count == 0) watched_.erase(found);
}

void Changes::tell(const Change& change) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [number, listener] : listeners_) listener(change);
}

}  // namespace cairn::tools::mcp

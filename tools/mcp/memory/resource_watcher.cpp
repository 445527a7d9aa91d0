#include "tools/mcp/memory/resource_watcher.hpp"

#include <boost/json.hpp>

#include <chrono>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::tools::mcp {

ResourceWatcher::ResourceWatcher(const MemoryCaller& caller, const ServerDefinition& server)
    : caller_(caller), server_(server) {
  if (server_.changes) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

ResourceWatcher::~ResourceWatcher() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void ResourceWatcher::run(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds interval{250};
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    look(stop);
    ended_.wait_for(lock, stop, interval, [] { return false; });
  }
}

// Does nothing while no client watches: another process may be the host of the database.
void ResourceWatcher::look(const std::stop_token& stop) {
  const std::vector<WatchedResource> watched = server_.changes->watched();
  if (watched.empty()) {
    commit_.reset();
    seen_.clear();
    return;
  }
  const auto snapshot = caller_.database().snapshot();
  if (!snapshot) return;
  const std::uint64_t commit = snapshot->commit_number();
  const bool is_new = std::exchange(commit_, commit) != commit;
  std::map<std::string, Seen> seen;
  for (const auto& [uri, last_watch] : watched) {
    const auto known = seen_.find(uri);
    // The copy of a client that has just begun to watch may be older than this look.
    const bool is_known = known != seen_.end() && known->second.last_watch == last_watch;
    if (is_known && !is_new) {
      seen.insert(*known);
      continue;
    }
    const std::size_t digest = digest_of(uri, stop);
    seen.emplace(uri, Seen{digest, last_watch});
    if (!is_known || known->second.digest != digest) server_.changes->resource_updated(uri);
  }
  seen_ = std::move(seen);
}

std::size_t ResourceWatcher::digest_of(const std::string& uri, const std::stop_token& stop) const {
  RequestInfo info;
  info.stop = stop;
  Context context(std::move(info));
  const auto answer = server_.read_resource(uri, context);
  const auto* contents = std::get_if<ResourceContents>(&answer);
  return contents == nullptr ? 0 : std::hash<std::string>()(json::serialize(contents->contents));
}

}  // namespace cairn::tools::mcp

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
  const std::vector<std::string> watched = server_.changes->watched();
  if (watched.empty()) {
    commit_.reset();
    digests_.clear();
    return;
  }
  const auto snapshot = caller_.database().snapshot();
  if (!snapshot) return;
  const std::uint64_t commit = snapshot->commit_number();
  const bool is_new = std::exchange(commit_, commit) != commit;
  std::map<std::string, std::size_t> digests;
  for (const std::string& uri : watched) {
    const auto known = digests_.find(uri);
    const bool is_known = known != digests_.end();
    if (is_known && !is_new) {
      digests.insert(*known);
      continue;
    }
    const std::size_t digest = digest_of(uri, stop);
    digests.emplace(uri, digest);
    // The client's copy of a newly watched resource may be older than this first look.
    if (!is_known || known->second != digest) server_.changes->resource_updated(uri);
  }
  digests_ = std::move(digests);
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

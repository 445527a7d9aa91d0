#pragma once
// ResourceWatcher: detects changes of watched resources, whichever process made them.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace cairn::tools::mcp {

/// While clients watch, checks four times per second whether the database has new commits, and only
/// then reads the resources that were watched before. A resource gets a notice whenever one more
/// client begins to watch it, because the copy of that client may be older, also where others watch
/// it already. Does nothing for a server without changes.
/// Lifetime: caller and server must outlive it.
class ResourceWatcher {
 public:
  ResourceWatcher(const MemoryCaller& caller, const ServerDefinition& server);
  ResourceWatcher(const ResourceWatcher&) = delete;
  ResourceWatcher& operator=(const ResourceWatcher&) = delete;
  ~ResourceWatcher();

 private:
  void run(const std::stop_token& stop);
  /// Reports the resources that differ from the last check.
  void look(const std::stop_token& stop);
  [[nodiscard]] std::size_t digest_of(const std::string& uri, const std::stop_token& stop) const;

  const MemoryCaller& caller_;
  const ServerDefinition& server_;
  std::optional<std::uint64_t> commit_;  ///< at the last check; absent: no watchers
  /// What the last check found of a watched resource.
  struct Seen {
    std::size_t digest = 0;
    std::size_t last_watch = 0;  ///< WatchedResource::last_watch
  };
  std::map<std::string, Seen> seen_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;
};

}  // namespace cairn::tools::mcp

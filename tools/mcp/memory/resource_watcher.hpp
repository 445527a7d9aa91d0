#pragma once
// ResourceWatcher: says which watched resources have changed, no matter which process wrote.

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

/// While clients watch, it looks four times a second whether the database has new commits, and reads what they watch only
/// then. The first to watch gets one notice at the beginning, as what it read may be older. Does nothing for a server without
/// changes. Lifetime: of caller and server.
class ResourceWatcher {
 public:
  ResourceWatcher(const MemoryCaller& caller, const ServerDefinition& server);
  ResourceWatcher(const ResourceWatcher&) = delete;
  ResourceWatcher& operator=(const ResourceWatcher&) = delete;
  ~ResourceWatcher();

 private:
  void run(const std::stop_token& stop);
  /// Tell of what is other than at the last look.
  void look(const std::stop_token& stop);
  [[nodiscard]] std::size_t digest_of(const std::string& uri, const std::stop_token& stop) const;

  const MemoryCaller& caller_;
  const ServerDefinition& server_;
  std::optional<std::uint64_t> commit_;         ///< at the last look; absent: nobody watched
  std::map<std::string, std::size_t> digests_;  ///< of what is watched
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;
};

}  // namespace cairn::tools::mcp

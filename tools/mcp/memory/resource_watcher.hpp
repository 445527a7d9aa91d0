#pragma once
// ResourceWatcher: says which watched resources have changed, whoever has written.

#include "tools/mcp/memory/memory_caller.hpp"
#include "tools/mcp/protocol/definition.hpp"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace cairn::tools::mcp {

/// Looks four times a second whether the database has new commits, and reads what clients watch only then. Does nothing for a
/// server without changes. Lifetime: of caller and server.
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
  std::uint64_t commit_ = 0;                    ///< at the last look
  std::map<std::string, std::size_t> digests_;  ///< of what is watched
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;
};

}  // namespace cairn::tools::mcp

#pragma once
// Changes on their way from the program to the thread that notifies clients.

#include "tools/mcp/protocol/changes.hpp"

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {

/// Holds each change once, so no more than there are lists and watched resources, however fast they come.
class PendingChanges {
 public:
  /// `changes` may be null. `on_change` is called by the thread of the change, for the first that waits.
  PendingChanges(Changes* changes, std::function<void()> on_change);
  PendingChanges(const PendingChanges&) = delete;
  PendingChanges& operator=(const PendingChanges&) = delete;
  ~PendingChanges();

  /// What has changed since the last call.
  [[nodiscard]] std::vector<Change> take();

 private:
  void add(const Change& change);

  Changes* changes_;
  std::function<void()> on_change_;
  std::size_t number_ = 0;
  std::mutex mutex_;
  std::set<std::pair<Change::Kind, std::string>> pending_;
};

}  // namespace cairn::tools::mcp

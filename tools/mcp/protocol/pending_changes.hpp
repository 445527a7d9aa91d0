#pragma once
// Passes changes from the program's threads to the thread that notifies clients.

#include "tools/mcp/protocol/changes.hpp"

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {

/// Holds each change at most once. So the number is limited by the number of lists and watched
/// resources.
class PendingChanges {
 public:
  /// `changes` may be null. `on_change` is called on the thread of the change, when a first change
  /// starts to wait.
  PendingChanges(Changes* changes, std::function<void()> on_change);
  PendingChanges(const PendingChanges&) = delete;
  PendingChanges& operator=(const PendingChanges&) = delete;
  ~PendingChanges();

  /// Returns and clears the changes since the last call.
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

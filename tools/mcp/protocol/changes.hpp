#pragma once
// Changes: distributes changes of a server program to the connections, which notify their clients.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::tools::mcp {

/// A change that a client can subscribe to.
struct Change {
  enum class Kind : std::uint8_t { tools, prompts, resources, resource };
  Kind kind = Kind::resource;
  std::string uri;  ///< of a resource
};

/// A resource that clients watch.
struct WatchedResource {
  std::string uri;
  std::size_t last_watch = 0;  ///< increases whenever one more client watches the resource
};

/// Passes changes from the program to every connection. All calls are safe from any thread.
class Changes {
 public:
  // For the program.
  void tools_changed();
  void prompts_changed();
  void resources_changed();
  /// Reports that a resource changed. Cheap if no client watches it.
  void resource_updated(const std::string& uri);
  /// Returns the watched resources, so that the program can skip checks of others.
  [[nodiscard]] std::vector<WatchedResource> watched() const;

  // For connections.
  using Listener = std::function<void(const Change& change)>;
  /// The listener is called on the thread of the change. It must not call this object.
  [[nodiscard]] std::size_t add_listener(Listener listener);
  void remove_listener(std::size_t number);
  void watch(const std::string& uri);
  void unwatch(const std::string& uri);

 private:
  void tell(const Change& change);

  mutable std::mutex mutex_;
  std::map<std::size_t, Listener> listeners_;
  struct Watchers {
    std::size_t count = 0;
    std::size_t last_watch = 0;
  };
  std::map<std::string, Watchers> watched_;
  std::size_t watches_ = 0;  ///< calls of watch()
  std::size_t next_ = 0;
};

}  // namespace cairn::tools::mcp

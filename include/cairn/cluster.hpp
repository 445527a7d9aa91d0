#pragma once
// ClusterNode: one process of several that serve the databases of one object store to drivers.
//
//     ClusterOptions options;
//     options.homes = "s3://bucket/memories";
//     CAIRN_ASSIGN(ClusterNode node, ClusterNode::open("/var/lib/cairn", options));
//     CAIRN_TRY(node.close());
//
// Each tenant has a database of its own in the store, its home. The tenant of a namespace is its text
// before the first `/`, and all of it if there is none. One node at a time owns a home and serves it: the first node
// that got a request for it. Any node tells drivers which node serves a home. A node takes over a home if the owner is
// gone: the owner refuses connections, or its health page does not answer within two seconds. Only the store has state;
// a node may be lost at any time.

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace cairn {

/// Options of a node.
struct ClusterOptions {
  std::string homes;  ///< the store, `dir:PATH` or `s3://BUCKET/PREFIX`, see Options::home
  BoltAddress bolt = {};
  BoltOptions bolt_options = {};
  /// Where the health page is served: HTTP, `GET /health`. Port 0: any free port.
  BoltAddress health = {"127.0.0.1", 0};
  /// The host by which drivers and other nodes reach this one; empty: the host of `bolt`.
  std::string advertised_host = {};
  /// Memory limit of all open databases, each of which takes up to 32 MiB. Databases that are not in use are closed, the least
  /// recently used first; if all are in use, a request for another one fails with busy.
  std::size_t memory_bytes = std::size_t{1} << 30;
  /// How long homes keep older states, see Options::home_history.
  std::optional<std::chrono::seconds> home_history = {};
};

/// A node that serves until it is closed. Threads: any, except that no call may run during close().
class CAIRN_EXPORT ClusterNode {
 public:
  /// Begins to serve. The node stores copies of databases in `directory`; the directory may be erased while no node
  /// uses it. Errors: invalid_argument; busy if an address or the directory is in use; those of BoltListener::open().
  [[nodiscard]] static Result<ClusterNode> open(const std::filesystem::path& directory,
                                                const ClusterOptions& options);
  ClusterNode(ClusterNode&&) noexcept;
  ClusterNode& operator=(ClusterNode&&) noexcept;
  ~ClusterNode();  ///< closes

  /// Return the addresses, with the ports that were chosen.
  [[nodiscard]] const BoltAddress& bolt_address() const noexcept;
  [[nodiscard]] const BoltAddress& health_address() const noexcept;
  /// Returns the number of homes that this node has open.
  [[nodiscard]] std::size_t open_homes() const;
  /// Ends all connections and releases all homes, so that other nodes take them at once. Errors: the
  /// first one of Database::close(); the other homes are released all the same.
  Status close();

  class Impl;

 private:
  explicit ClusterNode(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns the address of the home that has the tokens for all nodes of a store. A token of this home is valid at each
/// node. No namespace belongs to this home.
[[nodiscard]] CAIRN_EXPORT std::string cluster_tokens_home(const std::string& homes);

}  // namespace cairn

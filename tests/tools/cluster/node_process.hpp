#pragma once
// NodeProcess: `cairn serve DIR --home STORE` as a process of its own, and a client of it.

#include "tests/query/bolt/socket_client.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/bolt.hpp>

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace cairn::test {

class NodeProcess {
 public:
  /// Starts it, and waits until it serves. Throws if it does not.
  NodeProcess(const std::string& directory, const std::string& store,
              const std::vector<std::string>& more = {});
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;
  ~NodeProcess() { signal(9), end(); }

  [[nodiscard]] const BoltAddress& bolt() const { return bolt_; }
  [[nodiscard]] const BoltAddress& health() const { return health_; }
  void signal(int number) const;
  /// Waits for its end. Returns its exit code, or -1 after a signal.
  int end();

 private:
  pid_t id_ = 0;
  int output_ = -1;
  BoltAddress bolt_;
  BoltAddress health_;
};

/// A directory for a store and nodes, and a token for all namespaces. The store lies elsewhere if CAIRN_TEST_STORE
/// names one, such as s3://bucket.
struct ClusterFixture {
  ClusterFixture();
  [[nodiscard]] std::string path(const std::string& name) const {
    return (root.path() / name).string();
  }
  [[nodiscard]] NodeProcess node(const std::string& name,
                                 const std::vector<std::string>& more = {}) const {
    return NodeProcess(path(name), store, more);
  }

  TemporaryDirectory root;
  std::string store = "dir:" + (root.path() / "store").string();
  std::string secret;
};

/// Runs a program, and returns what it writes to standard output.
[[nodiscard]] std::string output_of(const std::string& command);

/// A client of one node, logged on. Throws if the node is not there.
class NodeClient {
 public:
  NodeClient(const BoltAddress& node, const std::string& secret);
  /// The rows of a statement in a namespace, as "1; 2", or "CODE: message". Nothing if the connection ends.
  std::optional<std::string> run(const std::string& text, const std::string& name_space,
                                 const std::string& request_id = "");
  /// The port of the server for writing.
  std::uint16_t route(const std::string& name_space);

 private:
  SocketClient socket_;
};

}  // namespace cairn::test

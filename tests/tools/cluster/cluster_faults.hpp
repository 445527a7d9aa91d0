#pragma once
// ClusterFaults: kills, stops and ends the nodes of a cluster, and the daemons of Ceph under it, one fault after the other.

#include "tests/tools/cluster/append_client.hpp"
#include "tests/tools/cluster/node_process.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

namespace cairn::test {

class ClusterFaults {
 public:
  /// Starts three nodes of the fixture's store. `ceph` is the directory of the Ceph cluster, or empty.
  ClusterFaults(const ClusterFixture& cluster, NodePlaces& places, std::string ceph,
                std::uint32_t seed);

  void make_one();
  /// Resumes what is stopped and starts what is killed.
  void repair_all();
  /// Ends all nodes, which release their homes. Returns how many of them did not exit with 0.
  [[nodiscard]] std::size_t end_all();
  /// "kill 3, stop 4".
  [[nodiscard]] std::string made() const;

 private:
  using Clock = std::chrono::steady_clock;

  void begin(std::size_t node);
  void kill(std::size_t node);
  void stop(std::size_t node);
  void end(std::size_t node);
  /// Returns false if the cluster of Ceph is not whole, and nothing was done.
  [[nodiscard]] bool kill_daemon();
  void repair();
  void start_daemon();
  [[nodiscard]] Clock::time_point in(int least_milliseconds, int most_milliseconds);

  const ClusterFixture& cluster_;
  NodePlaces& places_;
  const std::string ceph_;
  std::mt19937 random_;
  std::array<std::unique_ptr<NodeProcess>, 3> nodes_;
  std::array<std::optional<Clock::time_point>, 3> resumed_at_;  // of nodes that are stopped
  std::string dead_daemon_;
  Clock::time_point started_at_;  // of the dead daemon
  Clock::time_point whole_at_;    // Ceph is taken for whole from then on
  std::map<std::string, int> made_;
};

}  // namespace cairn::test

#include "tests/tools/cluster/cluster_faults.hpp"

#include <csignal>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// A gateway, more rarely a storage daemon, and most rarely a monitor. The numbers are those of a cluster with three
/// of each kind and two gateways.
std::string drawn_daemon(std::mt19937& random) {
  const auto drawn = random() % 10;
  if (drawn < 5) return "gateway." + std::to_string(random() % 2);
  return (drawn < 8 ? "osd." : "mon.") + std::to_string(random() % 3);
}

}  // namespace

ClusterFaults::ClusterFaults(const ClusterFixture& cluster, NodePlaces& places, std::string ceph,
                             std::uint32_t seed)
    : cluster_(cluster), places_(places), ceph_(std::move(ceph)), random_(seed) {
  for (std::size_t node = 0; node < nodes_.size(); ++node) begin(node);
}

ClusterFaults::Clock::time_point ClusterFaults::in(int least_milliseconds, int most_milliseconds) {
  std::uniform_int_distribution<int> time(least_milliseconds, most_milliseconds);
  return Clock::now() + milliseconds(time(random_));
}

// A node does not start while its store does not answer.
void ClusterFaults::begin(std::size_t node) {
  resumed_at_[node].reset();
  const std::string directory = cluster_.path("node" + std::to_string(node));
  const auto end = Clock::now() + seconds(60);
  for (nodes_[node].reset(); !nodes_[node];) {
    try {
      nodes_[node] = std::make_unique<NodeProcess>(directory, cluster_.store);
    } catch (const std::runtime_error&) {
      if (Clock::now() > end) throw;
      repair();
      std::this_thread::sleep_for(milliseconds(200));
    }
  }
  places_.set(node, nodes_[node]->bolt());
}

void ClusterFaults::kill(std::size_t node) {
  nodes_[node]->signal(SIGKILL);
  nodes_[node]->end();
  const bool loses_disk = random_() % 4 == 0;
  ++made_[loses_disk ? "killed without its disk" : "killed"];
  if (loses_disk) fs::remove_all(cluster_.path("node" + std::to_string(node)));
  begin(node);
}

void ClusterFaults::stop(std::size_t node) {
  if (resumed_at_[node]) return kill(node);
  nodes_[node]->signal(SIGSTOP);
  resumed_at_[node] = in(200, 5'000);
  ++made_["stopped"];
}

// A node that is stopped cannot release anything.
void ClusterFaults::end(std::size_t node) {
  if (resumed_at_[node]) return kill(node);
  nodes_[node]->signal(SIGTERM);
  nodes_[node]->end();
  ++made_["ended"];
  begin(node);
}

bool ClusterFaults::kill_daemon() {
  if (ceph_.empty() || !dead_daemon_.empty() || Clock::now() < whole_at_) return false;
  dead_daemon_ = drawn_daemon(random_);
  pid_t id = 0;
  std::ifstream(ceph_ + "/" + dead_daemon_ + ".pid") >> id;
  if (id <= 1 || ::kill(id, SIGKILL) != 0) throw std::runtime_error("cannot kill " + dead_daemon_);
  ++made_[dead_daemon_.substr(0, dead_daemon_.find('.')) + " killed"];
  started_at_ = in(500, 4'000);
  return true;
}

// Data that a storage daemon missed is copied before the next one is killed.
void ClusterFaults::start_daemon() {
  std::string command = CAIRN_CEPH_SCRIPT " again ";
  command.append(ceph_).append(" ").append(dead_daemon_).append(" 2>&1");
  const std::string said = output_of(command);
  if (!said.empty()) throw std::runtime_error(said);
  const bool is_gateway = dead_daemon_.starts_with("gateway");
  whole_at_ = Clock::now() + (is_gateway ? seconds(3) : seconds(15));
  dead_daemon_.clear();
}

void ClusterFaults::repair() {
  const auto now = Clock::now();
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    if (!resumed_at_[node] || now < *resumed_at_[node]) continue;
    nodes_[node]->signal(SIGCONT);
    resumed_at_[node].reset();
  }
  if (!dead_daemon_.empty() && now >= started_at_) start_daemon();
}

void ClusterFaults::make_one() {
  const auto next = in(200, 1'500);
  while (Clock::now() < next) {
    repair();
    std::this_thread::sleep_for(milliseconds(20));
  }
  const auto node = static_cast<std::size_t>(random_() % nodes_.size());
  const auto drawn = random_() % 20;
  if (drawn < 4 && kill_daemon()) return;
  if (drawn < 11) return kill(node);
  if (drawn < 18) return stop(node);
  end(node);
}

void ClusterFaults::repair_all() {
  for (auto& time : resumed_at_)
    if (time) time = Clock::now();
  started_at_ = Clock::now();
  repair();
}

std::size_t ClusterFaults::end_all() {
  std::size_t failed = 0;
  for (const auto& node : nodes_) node->signal(SIGTERM);
  for (const auto& node : nodes_) failed += node->end() == 0 ? 0 : 1;
  return failed;
}

std::string ClusterFaults::made() const {
  std::string text;
  for (const auto& [what, count] : made_)
    text += (text.empty() ? "" : ", ") + what + " " + std::to_string(count);
  return text;
}

}  // namespace cairn::test

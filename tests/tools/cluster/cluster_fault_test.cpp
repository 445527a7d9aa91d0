// Three nodes under faults, while clients append to lists and read them: nothing acknowledged is lost, doubled or in
// another order, no read contradicts what it demanded, and enough reads are answered. Variables of the environment:
//   CAIRN_TEST_STORE   a store that is there already, such as s3://bucket, in place of a directory
//   CAIRN_TEST_CEPH    the directory of ceph.sh whose daemons are killed too
//   CAIRN_TEST_FAULTS  how many; CAIRN_TEST_FAULT_SECONDS ends them earlier
//   CAIRN_TEST_SEED    which
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/tools/cluster/append_client.hpp"
#include "tests/tools/cluster/append_history.hpp"
#include "tests/tools/cluster/cluster_faults.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace cairn;
using namespace cairn::test;

namespace {

using Clock = std::chrono::steady_clock;

std::size_t number_in(const char* variable, std::size_t otherwise) {
  const char* const said = std::getenv(variable);
  return said == nullptr ? otherwise : std::stoul(said);
}

/// Clients that append and read until they are told to end.
class Clients {
 public:
  Clients(const NodePlaces& nodes, const std::string& secret, AppendHistory& history) {
    for (std::uint32_t number = 1; number <= 6; ++number)
      threads_.emplace_back([this, &nodes, secret, &history, number] {
        AppendClient client(nodes, secret, history, number);
        for (std::uint32_t turn = 0; !ends_.load(); ++turn) {
          if ((turn + number) % 3 == 0)
            client.read();
          else
            client.append();
        }
      });
  }
  ~Clients() {
    ends_.store(true);
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> ends_{false};
  std::vector<std::thread> threads_;
};

void make_indexes(const NodePlaces& nodes, const std::string& secret, AppendHistory& history) {
  AppendClient client(nodes, secret, history, 0);
  for (const char* tenant : AppendClient::tenants) BOOST_REQUIRE(client.make_indexes(tenant));
}

/// Restores the home of a tenant from the store alone, checks it, and adds its lists. Each has as many records as elements.
void read_lists(const ClusterFixture& cluster, const std::string& tenant,
                std::map<std::string, Elements>& lists) {
  const std::string directory = cluster.path("restored-" + tenant);
  const std::string program = CAIRN_PROGRAM;
  BOOST_TEST_MESSAGE(output_of(program + " home restore '" + cluster.store + "#" + tenant + "' " +
                               directory + " 2>&1"));
  const std::string checked = output_of(program + " check " + directory + " 2>&1; echo $?");
  BOOST_TEST(checked.ends_with("\n0\n"), checked);
  Database database = must(Database::open(directory));
  StatementOptions options;
  options.name_space = tenant;
  Rows rows =
      must(execute(database, "MATCH (l:L) OPTIONAL MATCH (e:E {k: l.k}) RETURN l.k, l.v, count(e)",
                   {}, options));
  for (const auto& row : rows) {
    Elements elements;
    for (const Value& each : must(row)[1].as_list()) elements.push_back(each.as_integer());
    BOOST_TEST(must(row)[2].as_integer() == static_cast<std::int64_t>(elements.size()));
    lists[tenant + "/" + must(row)[0].as_string()] = std::move(elements);
  }
}

/// True once each tenant has had an append, a read at its owner and one at a replica since then. Waits for them.
bool goes_on(const AppendHistory& history) {
  const auto since = Clock::now();
  const auto has_all = [&](const char* tenant) {
    return history.has_append(tenant, since) && history.has_read(tenant, ReadAt::owner, since) &&
           history.has_read(tenant, ReadAt::replica, since);
  };
  while (!std::ranges::all_of(AppendClient::tenants, has_all)) {
    if (Clock::now() - since > std::chrono::seconds(30)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

/// Enough reads of this kind are answered, although nodes are killed and stopped all the time, and most answers have
/// something to compare.
void check_reads(const AppendHistory& history, ReadAt at, const char* kind, std::size_t faults) {
  const ReadCount reads = history.reads(at);
  BOOST_TEST_MESSAGE(reads.sent << " reads " << kind << ", " << reads.answered << " answered, "
                                << reads.with_elements << " with elements");
  BOOST_TEST(reads.answered >= faults, kind);
  if (reads.sent < 20) return;  // too few for a share
  BOOST_TEST(4 * reads.answered >= reads.sent, kind);
  BOOST_TEST(2 * reads.with_elements >= reads.answered, kind);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cluster_faults, ClusterFixture)

BOOST_AUTO_TEST_CASE(nothing_acknowledged_is_lost_doubled_or_disordered_by_faults) {
  const char* const ceph = std::getenv("CAIRN_TEST_CEPH");
  const auto seed = static_cast<std::uint32_t>(number_in("CAIRN_TEST_SEED", 1));
  const std::size_t wanted = number_in("CAIRN_TEST_FAULTS", rounds(10, 1'000));
  const auto end =
      Clock::now() + std::chrono::seconds(number_in("CAIRN_TEST_FAULT_SECONDS", 100'000));
  NodePlaces places;
  AppendHistory history;
  ClusterFaults faults(*this, places, ceph == nullptr ? "" : ceph, seed);
  make_indexes(places, secret, history);
  std::size_t made = 0;
  {
    const Clients clients(places, secret, history);
    for (; made < wanted && Clock::now() < end; ++made) faults.make_one();
    faults.repair_all();
    // What comes after the last fault shows that the cluster goes on.
    std::this_thread::sleep_for(std::chrono::seconds(3));
    BOOST_TEST(goes_on(history));
  }
  BOOST_TEST(faults.end_all() == 0U);
  std::map<std::string, Elements> lists;
  for (const char* tenant : AppendClient::tenants) read_lists(*this, tenant, lists);
  BOOST_TEST_MESSAGE(made << " faults: " << faults.made());
  BOOST_TEST_MESSAGE(history.count(Sent::acknowledged)
                     << " appends acknowledged, " << history.count(Sent::unknown) << " unknown, "
                     << history.count(Sent::refused) << " refused; longest pause "
                     << history.longest_pause().count() << " ms");
  BOOST_TEST(history.count(Sent::acknowledged) >= 5 * made);
  check_reads(history, ReadAt::owner, "at the owner", made);
  check_reads(history, ReadAt::replica, "at a replica", made);
  check_reads(history, ReadAt::any, "at an owner or anybody", 0);
  const std::vector<std::string> wrong = history.faults(lists);
  BOOST_TEST(wrong.empty(), wrong.size() << " faults");
  for (std::size_t i = 0; i < std::min<std::size_t>(wrong.size(), 20); ++i) BOOST_ERROR(wrong[i]);
}

BOOST_AUTO_TEST_SUITE_END()

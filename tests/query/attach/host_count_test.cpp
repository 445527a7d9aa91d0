// How often a call is repeated: the call is given up after eight hosts have ended while they had it. Hosts that ended
// before the call do not count.

#include "engine/database/access.hpp"
#include "query/attach/attached_database.hpp"
#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

using query::attach::Connection;
using query::attach::HostLink;
using ConnectionPtr = std::unique_ptr<Connection>;

constexpr std::size_t most_hosts = 8;

Options only_attached() {
  Options options;
  options.share = Share::attach_only;
  return options;
}

/// What happens to connections before the living host is reached.
enum class Ends : std::uint8_t {
  before_a_call,  ///< the host takes the connection, and has ended when a call wants one
  within_a_call,  ///< the host has ended when it gets the call
};

/// Reaches the living host after a number of hosts that end.
class FadingLink final : public HostLink {
 public:
  FadingLink(const std::filesystem::path& directory, Ends ends, std::vector<ConnectionPtr> ended)
      : HostLink(directory, only_attached()), ends_(ends), ended_(std::move(ended)) {}

  Result<ConnectionPtr> connect() override {
    if (ended_.empty()) return HostLink::connect();
    is_for_call_ = !is_for_call_;
    if (ends_ == Ends::before_a_call && is_for_call_)
      return Error{ErrorCode::not_found, "no process listens", std::nullopt};
    ConnectionPtr next = std::move(ended_.back());
    ended_.pop_back();
    return next;
  }
  [[nodiscard]] std::size_t left() const noexcept { return ended_.size(); }

 private:
  Ends ends_;
  std::vector<ConnectionPtr> ended_;
  bool is_for_call_ = false;
};

/// A database whose next `count` hosts end, and whose last one lives.
struct FadingFixture {
  void start(Ends ends, std::size_t count) {
    std::vector<ConnectionPtr> ended;
    {
      HostProcess host(path());
      HostLink one(path(), only_attached());
      while (ended.size() < count) ended.push_back(must(one.connect()));
      host.kill();
    }
    if (ends == Ends::before_a_call)
      for (const ConnectionPtr& one : ended)
        BOOST_REQUIRE(!one->ask(query::bolt::Tag::reset, {}, std::chrono::seconds(5)));
    living.emplace(path());
    link = std::make_shared<FadingLink>(path(), ends, std::move(ended));
    database.emplace(
        Access::handle(std::make_shared<query::attach::AttachedDatabase>(link, only_attached())));
  }
  [[nodiscard]] std::filesystem::path path() const { return directory.path() / "db"; }

  TemporaryDirectory directory;
  std::optional<HostProcess> living;
  std::shared_ptr<FadingLink> link;
  std::optional<Database> database;
};

/// A call of each kind that is made again, with its name.
const std::vector<std::pair<std::string, std::function<std::string(Database&)>>>& calls() {
  static const std::vector<std::pair<std::string, std::function<std::string(Database&)>>> all = {
      {"a reading statement",
       [](Database& database) { return outcome_text(execute(database, "RETURN 1")); }},
      {"a writing statement",
       [](Database& database) { return outcome_text(execute(database, "CREATE (:A)")); }},
      {"a transaction", [](Database& database) { return outcome_text(database.begin()); }},
      {"a snapshot", [](Database& database) { return outcome_text(database.snapshot()); }},
      {"statistics", [](Database& database) { return outcome_text(database.statistics()); }}};
  return all;
}

/// Cuts all connections of this process to hosts, as a host that ends does.
void cut_connections() {
  for (int descriptor = 3; descriptor < 1'024; ++descriptor) {
    sockaddr_un peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        std::string(peer.sun_path).ends_with("attach.sock"))
      ::shutdown(descriptor, SHUT_RDWR);
  }
}

constexpr std::size_t too_many_rounds = 20;  // ends a loop without a bound

}  // namespace

BOOST_AUTO_TEST_SUITE(host_count)

BOOST_AUTO_TEST_CASE(a_function_that_eight_hosts_did_not_answer_is_given_up) {
  const AttachedFixture fixture;
  Database database = must(Database::open(fixture.path(), only_attached()));
  std::size_t rounds = 0;
  const auto lose_host = [&]() -> Status {
    if (++rounds == too_many_rounds) return Error{ErrorCode::unsupported, "no bound", {}};
    cut_connections();
    return {};
  };
  const auto written = database.write([&](Transaction& transaction) -> Status {
    CAIRN_TRY(lose_host());
    CAIRN_TRY(transaction.create_node({{"A"}}));
    return {};
  });
  BOOST_TEST(outcome_text(written).starts_with("conflict: "), outcome_text(written));
  BOOST_TEST(outcome_text(written).ends_with("run it again"), outcome_text(written));
  BOOST_TEST(rounds == most_hosts);
  rounds = 0;
  const auto read = database.read([&](const Snapshot& snapshot) -> Status {
    CAIRN_TRY(lose_host());
    CAIRN_TRY(must(Statement::parse("RETURN 1")).run(snapshot));
    return {};
  });
  BOOST_TEST(outcome_text(read).starts_with("conflict: "), outcome_text(read));
  BOOST_TEST(rounds == most_hosts);
  BOOST_TEST(must(database.statistics()).nodes == 0u);
}

BOOST_AUTO_TEST_CASE(hosts_that_end_before_they_have_the_call_do_not_count) {
  for (const auto& [name, call] : calls()) {
    FadingFixture fixture;
    fixture.start(Ends::before_a_call, 20);
    BOOST_TEST(call(*fixture.database) == "success", name);
    BOOST_TEST(fixture.link->left() == 0u, name);
  }
}

BOOST_AUTO_TEST_CASE(a_call_is_made_again_while_fewer_than_eight_hosts_had_it) {
  for (const auto& [name, call] : calls()) {
    FadingFixture fixture;
    fixture.start(Ends::within_a_call, most_hosts - 1);
    BOOST_TEST(call(*fixture.database) == "success", name);
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_eight_hosts_had_when_they_ended_is_given_up) {
  for (const auto& [name, call] : calls()) {
    FadingFixture fixture;
    fixture.start(Ends::within_a_call, 3 * most_hosts);
    const std::string outcome = call(*fixture.database);
    BOOST_TEST(outcome.starts_with("conflict: 8 hosts of " + fixture.path().string() +
                                   " ended while they ran this call, at last "),
               name + outcome);
    // The first host may have committed what it did not answer.
    BOOST_TEST(
        outcome.ends_with(name == "a writing statement"
                              ? "may be why; the change may or may not have been made: check "
                                "before you repeat it"
                              : "may be why; nothing of this was written: run it again"),
        name + outcome);
    BOOST_TEST(fixture.link->left() > 0u, name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

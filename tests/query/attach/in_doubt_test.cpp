// A commit whose outcome nobody can find out: the error says so, and nothing makes the change a second time.

#include "engine/database/access.hpp"
#include "query/attach/attached_database.hpp"
#include "query/attach/process_state.hpp"
#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>

namespace cairn::test {
namespace {

using std::chrono::milliseconds;

constexpr const char* may_be_made = "; the change may still be made once that process continues";
constexpr const char* may_have_been_made =
    "; the change may or may not have been made: check before you repeat it";

/// A link that waits only a short time for a stopped host, and reports when it connects again.
class ImpatientLink final : public query::attach::HostLink {
 public:
  using HostLink::HostLink;
  query::attach::Patience commit_patience() const override { return milliseconds(300); }
  Result<std::unique_ptr<query::attach::Connection>> connect() override {
    if (before_connect) before_connect();
    return HostLink::connect();
  }
  std::function<void()> before_connect;
};

struct ImpatientFixture {
  ImpatientFixture() {
    must(link->attach());
    handle = std::make_shared<query::attach::AttachedDatabase>(link, Options());
  }
  /// Ends with a stopped host.
  void stop_host() {
    using query::attach::process_state;
    fixture.host->signal(SIGSTOP);
    while (process_state(fixture.host->id()) != query::attach::ProcessState::stopped)
      ::usleep(1'000);
  }
  /// The nodes that are there after all transactions that were open have ended.
  std::int64_t count_at_the_end() {
    fixture.host->signal(SIGCONT);
    must(fixture.database.begin()).rollback();
    return fixture.count();
  }

  AttachedFixture fixture;
  std::shared_ptr<ImpatientLink> link = std::make_shared<ImpatientLink>(fixture.path(), Options());
  std::shared_ptr<query::attach::AttachedDatabase> handle;
};

/// Creates nodes, with one commit each, until a call fails. Its outcome.
std::string create_until_it_fails(const std::function<Status()>& create) {
  for (int i = 0; i < 100; ++i)
    if (const Status done = create(); !done) return outcome_text(done);
  return "success";
}

/// A process that never becomes the host.
Options guest() {
  Options options;
  options.share = Share::attach_only;
  options.attach_timeout = milliseconds(300);
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(in_doubt)

// The host continues as soon as the function would run again: then both commits would be made.
BOOST_AUTO_TEST_CASE(a_function_is_not_run_again_while_a_stopped_host_has_its_commit) {
  ImpatientFixture fixture;
  Database database = Access::handle(fixture.handle);
  int runs = 0;
  const Status done = database.write([&](Transaction& transaction) -> Status {
    CAIRN_TRY(transaction.create_node({{"A"}, {{"run", ++runs}}}));
    if (runs > 1) return {};
    fixture.stop_host();
    fixture.link->before_connect = [&] { fixture.fixture.host->signal(SIGCONT); };
    return {};
  });
  BOOST_TEST(runs == 1);
  BOOST_TEST(fixture.count_at_the_end() == 1);
  const std::string text = outcome_text(done);
  BOOST_TEST(text.starts_with("busy: process " + std::to_string(fixture.fixture.host->id())), text);
  BOOST_TEST(text.ends_with(may_be_made), text);
}

// "nothing of this was written: run it again" would be false, and drivers would do so.
BOOST_AUTO_TEST_CASE(a_transaction_in_doubt_has_ended) {
  ImpatientFixture fixture;
  Database database = Access::handle(fixture.handle);
  Transaction transaction = must(database.begin());
  must(transaction.create_node({{"A"}}));
  fixture.stop_host();
  BOOST_TEST(outcome_text(transaction.commit()).ends_with(may_be_made));
  BOOST_TEST(!transaction.is_open());
  const std::string again = "conflict: the transaction has ended; begin a new one";
  BOOST_TEST(outcome_text(transaction.commit()) == again);
  BOOST_TEST(outcome_text(transaction.create_node({{"A"}})) == again);
  BOOST_TEST(fixture.count_at_the_end() == 1);
}

BOOST_AUTO_TEST_CASE(a_call_that_is_made_once_is_in_doubt_too) {
  ImpatientFixture fixture;
  fixture.stop_host();
  StatementOptions options;
  options.timeout = milliseconds(300);
  const auto made = fixture.handle->call("create_token", {{"name", "agent"}}, options);
  BOOST_TEST(outcome_text(made).ends_with(may_be_made), outcome_text(made));
  const auto read = fixture.handle->call("name_spaces", {}, options);
  BOOST_TEST(!outcome_text(read).ends_with(may_be_made), outcome_text(read));
}

// The commit may be made after a later one, whose number it would overwrite if both had one name.
BOOST_AUTO_TEST_CASE(the_name_of_a_commit_in_doubt_is_used_no_more) {
  ImpatientFixture fixture;
  Database database = Access::handle(fixture.handle);
  must(execute(database, "CREATE (:A)"));
  const std::string name = fixture.handle->names().all().front();
  Transaction transaction = must(database.begin());
  must(transaction.create_node({{"A"}}));
  fixture.stop_host();
  BOOST_TEST(outcome_text(transaction.commit()).ends_with(may_be_made));
  {
    const Transaction ended = std::move(transaction);
  }
  BOOST_TEST(fixture.handle->names().take().client != name);
  BOOST_TEST(fixture.count_at_the_end() == 2);
}

// The host dies after the commit and before its answer, and there is no other.
BOOST_AUTO_TEST_CASE(a_commit_that_no_host_can_tell_of_is_not_repeated) {
  TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  for (const bool is_transaction : {false, true}) {
    HostProcess host(path, {}, {"dies_at=before_answer", "dies_after=20"});
    Database database = must(Database::open(path, guest()));
    bool is_lost = false;
    const std::string text = create_until_it_fails([&]() -> Status {
      if (!is_transaction) {
        CAIRN_TRY(execute(database, "CREATE (:A)"));
        return {};
      }
      CAIRN_ASSIGN(Transaction transaction, database.begin());
      CAIRN_TRY(transaction.create_node({{"A"}}));
      const Status done = transaction.commit();
      is_lost = Access::is_lost(transaction);
      return done;
    });
    BOOST_TEST(text.starts_with("busy: no process has database"), text);
    BOOST_TEST(text.ends_with(may_have_been_made), text);
    BOOST_TEST(!is_lost);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

// Every request in every state: its answer, and whether the session continues.
#include "tests/query/bolt/bolt_client.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using query::bolt::Version;

const Map whole{{"n", -1}};

// One of each kind, such as the state of its column takes.
const std::vector<std::pair<std::string, std::pair<Tag, List>>>& all_requests() {
  static const std::vector<std::pair<std::string, std::pair<Tag, List>>> requests{
      {"HELLO", {Tag::hello, {Map{{"user_agent", "test"}}}}},
      {"GOODBYE", {Tag::goodbye, {}}},
      {"RESET", {Tag::reset, {}}},
      {"RUN", {Tag::run, {"RETURN 1", Map(), Map()}}},
      {"BEGIN", {Tag::begin, {Map()}}},
      {"COMMIT", {Tag::commit, {}}},
      {"ROLLBACK", {Tag::rollback, {}}},
      {"DISCARD", {Tag::discard, {whole}}},
      {"PULL", {Tag::pull, {whole}}},
      {"TELEMETRY", {Tag::telemetry, {1}}},
      {"ROUTE", {Tag::route, {Map(), List(), Map()}}},
      {"LOGON", {Tag::logon, {Map{{"scheme", "none"}}}}},
      {"LOGOFF", {Tag::logoff, {}}},
  };
  return requests;
}

struct StateFixture : BoltFixture {
  // A client in a state of the table.
  BoltClient client_in(const std::string& state) {
    BoltClient client(shared);
    if (state == "connected") return client;
    client.ask(Tag::hello, {Map()});
    if (state == "unauthenticated") return client;
    client.ask(Tag::logon, {Map{{"scheme", "bearer"}, {"credentials", secret}}});
    if (state == "streaming") client.run("RETURN 1");
    if (state == "transaction" || state == "results") client.ask(Tag::begin, {Map()});
    if (state == "results") client.run("RETURN 1");
    if (state == "failed") client.run("NONSENSE");
    if (state == "interrupted") client.session().interrupt();
    return client;
  }
};

// S: success, F: failure, I: ignored, C: failure and the end, E: the end.
std::string outcome_of(BoltClient& client, Tag tag, const List& fields) {
  const auto answers = client.send(tag, fields);
  if (answers.empty()) return client.is_closed ? "E" : "nothing";
  const std::string name = answers.back().name();
  if (name == "FAILURE") return client.is_closed ? "C" : "F";
  return client.is_closed ? name + " and the end" : name.substr(0, 1);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bolt_session_states, StateFixture)

BOOST_AUTO_TEST_CASE(each_request_in_each_state) {
  //                                             HGRRBCRDPTRLL
  //                                             EOEUEOOIUEOOO
  //                                             LOSNGMLSLLUGG
  const std::map<std::string, std::string> table{
      {"connected", "SECCCCCCCCCCC"},   {"unauthenticated", "CECCCCCCCCCCC"},
      {"ready", "CESSSCCCCSSCS"},       {"streaming", "CESCCCCSSSCCC"},
      {"transaction", "CESSCSSFFSCCC"}, {"results", "CESSCSSSSSCCC"},
      {"failed", "CESIIIIIIIIII"},      {"interrupted", "IESIIIIIIIIII"}};
  for (const auto& [state, row] : table) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto& [name, request] = all_requests()[i];
      BoltClient client = client_in(state);
      BOOST_TEST(outcome_of(client, request.first, request.second) == row.substr(i, 1),
                 state << ": " << name);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_request_out_of_order_is_named) {
  BoltClient client = client_in("ready");
  BOOST_TEST(failure_text(client.ask(Tag::commit)) ==
             "Neo.ClientError.Request.Invalid: COMMIT cannot come outside of a transaction");
}

BOOST_AUTO_TEST_CASE(the_next_state_takes_what_it_takes) {
  BoltClient client = client_in("failed");
  client.ask(Tag::reset);
  BOOST_TEST(client.result("RETURN 1 AS one") == "1");
  client.ask(Tag::begin, {Map()});
  BOOST_TEST(client.result("RETURN 2 AS two") == "2");
  BOOST_TEST(client.ask(Tag::commit).name() == "SUCCESS");
  client.ask(Tag::begin, {Map()});
  BOOST_TEST(client.ask(Tag::rollback).name() == "SUCCESS");
  client.run("RETURN 1");
  BOOST_TEST(client.ask(Tag::discard, {whole}).name() == "SUCCESS");
  BOOST_TEST(client.ask(Tag::logoff).name() == "SUCCESS");
  BOOST_TEST(!client.session().is_logged_on());
  BOOST_TEST(client.session().principal() == "");
  BOOST_TEST(client.ask(Tag::logon, {Map{{"scheme", "bearer"}, {"credentials", secret}}}).name() ==
             "SUCCESS");
  BOOST_TEST(client.result("RETURN 3 AS three") == "3");
}

BOOST_AUTO_TEST_CASE(older_versions_have_fewer_requests) {
  BoltClient oldest = client({5, 0});
  BOOST_TEST(oldest.session().is_logged_on());
  BOOST_TEST(outcome_of(oldest, Tag::logoff, {}) == "C");
  BoltClient old = client({5, 3});
  BOOST_TEST(outcome_of(old, Tag::telemetry, {1}) == "C");
  BoltClient later = client({5, 4});
  BOOST_TEST(outcome_of(later, Tag::telemetry, {1}) == "S");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_request_end_the_session) {
  const std::string run = request_of(Tag::run, {"RETURN 1", Map(), Map()});
  const std::string half = run.substr(0, run.size() / 2);
  for (const std::string& bytes :
       {std::string(), std::string("\xb0\x77"), std::string("\x01"), std::string("\xc7"), half,
        run + "\xc0", request_of(Tag::run, {"RETURN 1"}), request_of(Tag::run, {1, Map(), Map()}),
        request_of(Tag::pull, {List()}), request_of(Tag::telemetry, {"x"})}) {
    BoltClient client = client_in("ready");
    const auto answers = client.send_bytes(bytes);
    BOOST_REQUIRE(answers.size() == 1U);
    BOOST_TEST(failure_title(answers[0]) == "Invalid");
    BOOST_TEST(client.is_closed);
  }
}

BOOST_AUTO_TEST_CASE(portions_must_be_some) {
  for (const Map& extra :
       {Map(), Map{{"n", 0}}, Map{{"n", -2}}, Map{{"n", "1"}}, Map{{"n", 1}, {"qid", "x"}}}) {
    BoltClient client = client_in("streaming");
    BOOST_TEST(outcome_of(client, Tag::pull, {extra}) == "C");
  }
}

BOOST_AUTO_TEST_CASE(before_logon_little_is_read) {
  Value deep = Map();
  for (int i = 0; i < 20; ++i) deep = List{deep};
  BoltClient client(shared);
  BOOST_TEST(client.ask(Tag::hello, {Map{{"x", deep}}}).name() == "FAILURE");
  BOOST_TEST(client.is_closed);
  BoltClient known = client_in("ready");
  BOOST_TEST(known.run("RETURN $x", {{"x", deep}}).name() == "SUCCESS");
}

// A reset makes a session ready again, and so it must not be one of nobody.
BOOST_AUTO_TEST_CASE(a_failure_before_logon_ends_the_session) {
  for (const Version version : {Version{5, 0}, Version{5, 8}}) {
    BoltClient client(shared, version);
    std::string bytes;
    codec::PackStreamWriter writer(bytes);
    writer.begin_structure(0x01, 1);
    writer.begin_map(1);
    writer.add_text("x");
    writer.add_bytes("y");
    BOOST_TEST(failure_title(client.send_bytes(bytes).at(0)) == "TypeError");
    BOOST_TEST(client.is_closed);
  }
  BoltClient former = client_in("ready");
  former.ask(Tag::logoff);
  BOOST_TEST(failure_title(former.ask(Tag::logon, {Map{{"scheme", "none"}}})) == "Unauthorized");
  BOOST_TEST(former.is_closed);
}

BOOST_AUTO_TEST_CASE(a_reset_is_known_by_its_bytes) {
  BOOST_TEST(query::bolt::is_reset(request_of(Tag::reset, {})));
  BOOST_TEST(!query::bolt::is_reset(request_of(Tag::commit, {})));
  BOOST_TEST(!query::bolt::is_reset(""));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

// Records of a memory that live for a time.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace cairn;
using namespace cairn::memory;
using namespace std::chrono_literals;
using test::must;

namespace {

constexpr std::int64_t hour = 3'600'000'000;
constexpr std::int64_t far = 4'000'000'000'000'000;

struct Fixture : MemoryFixture {
  bool is_there(NodeId id, std::int64_t after) {
    const Memory later = open(test_now + after);
    return must(later.find(id)).has_value();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lifetime, Fixture)

BOOST_AUTO_TEST_CASE(the_earlier_of_both_ends_it) {
  BOOST_TEST(!Lifetime().moment(10).has_value());
  BOOST_TEST((Lifetime{.expires_at = 50}.moment(10) == 50));
  BOOST_TEST((Lifetime{.time_to_live = 5us}.moment(10) == 15));
  BOOST_TEST((Lifetime{.expires_at = 12, .time_to_live = 5us}.moment(10) == 12));
  BOOST_TEST((Lifetime{.expires_at = 50, .time_to_live = 5us}.moment(10) == 15));
  BOOST_TEST(!Lifetime{.time_to_live = std::chrono::microseconds::max()}.moment(10).has_value());
}

BOOST_AUTO_TEST_CASE(a_record_goes_when_its_time_is_over_and_its_external_id_is_free) {
  NewRecord record = note("tea is green");
  record.external_id = "n1";
  record.lifetime.time_to_live = 1h;
  const NodeId id = add(record);
  BOOST_TEST(is_there(id, hour - 1));
  BOOST_TEST(!is_there(id, hour));
  Memory later = open(test_now + hour);
  BOOST_TEST(must(later.search({})).total == 0u);
  BOOST_TEST(!must(later.find("n1")).has_value());
  BOOST_TEST((must(later.add(record)).ids.at(0) != id));
  BOOST_TEST(must(later.search({})).total == 1u);
}

BOOST_AUTO_TEST_CASE(chunks_and_nodes_go_with_their_text) {
  RememberOptions options;
  options.chunks = {20, 5};
  options.lifetime.expires_at = test_now + hour;
  options.nodes = {note("an entity"), note("one that stays longer")};
  options.nodes[1].lifetime.expires_at = test_now + 2 * hour;
  const std::string text = "green tea and black coffee and a cup of hot milk";
  const Remembered stored = must(memory.remember(text, {}, options));
  BOOST_TEST(stored.chunks.size() > 1u);
  for (const NodeId chunk : stored.chunks) {
    BOOST_TEST(is_there(chunk, hour - 1));
    BOOST_TEST(!is_there(chunk, hour));
  }
  BOOST_TEST(!is_there(stored.nodes[0], hour));
  BOOST_TEST(is_there(stored.nodes[1], hour));
  BOOST_TEST(!is_there(stored.nodes[1], 2 * hour));
}

// The name of a session is a text of its user.
BOOST_AUTO_TEST_CASE(a_session_goes_when_its_last_record_has_expired) {
  const auto add_to = [&](const std::string& session, std::int64_t expires_at) {
    NewRecord record = note("a note", {{"sessionId", session}});
    record.lifetime.expires_at = expires_at;
    return add(record);
  };
  add_to("short", test_now + hour);
  add_to("short", test_now + 2 * hour);
  add_to("both", test_now + hour);
  add_to("both", far);
  add_to("titled", test_now + hour);
  test::run_all(*database, {"MATCH (s:Session {id: 'titled'}) SET s.title = 'mine'"});
  const auto sessions = [&] {
    return test::result_of(*database, "MATCH (s:Session) RETURN s.id ORDER BY s.id");
  };
  // One record with its relationship in each step. Sessions do not count.
  BOOST_TEST(must(database->erase_expired(2)) == 2u);
  BOOST_TEST(sessions() == "'both'; 'short'; 'titled'");
  BOOST_TEST(must(database->erase_expired()) == 6u);
  BOOST_TEST(sessions() == "'both'; 'titled'");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_session_goes_when_a_step_ends_within_its_last_record) {
  NewRecord record = note("a note", {{"sessionId", "s1"}});
  record.lifetime.expires_at = test_now + hour;
  add(record);
  BOOST_TEST(must(database->erase_expired(1)) == 1u);
  BOOST_TEST(must(database->erase_expired(1)) == 1u);
  BOOST_TEST(must(database->statistics()).nodes == 0u);
}

// A relationship has an expiry of its own. The record stays, and leaves the session.
BOOST_AUTO_TEST_CASE(a_session_goes_when_its_last_relationship_has_expired) {
  for (const std::string session : {"left", "one stays", "titled", "followed"})
    add(note("a note", {{"sessionId", session}}));
  add(note("another note", {{"sessionId", "one stays"}}));
  test::run_all(*database, {"MATCH ({content: 'a note'})-[r:IN_SESSION]->() SET r@expires_at = "
                            "datetime('2020-01-01T00:00Z')",
                            "MATCH (s:Session {id: 'titled'}) SET s.title = 'mine'",
                            "MATCH (s:Session {id: 'followed'}) CREATE (:Topic)-[:ABOUT]->(s)"});
  BOOST_TEST(must(database->erase_expired()) == 4u);
  BOOST_TEST(test::result_of(*database, "MATCH (s:Session) RETURN s.id ORDER BY s.id") ==
             "'followed'; 'one stays'; 'titled'");
  BOOST_TEST(test::result_of(*database, "MATCH (m:Memory) RETURN count(m)") == "5");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_session_goes_when_another_record_takes_the_external_id) {
  NewRecord record = note("a note", {{"sessionId", "old"}});
  record.external_id = "n1";
  record.lifetime.time_to_live = 1h;
  add(record);
  Memory later = open(test_now + hour);
  record.metadata["sessionId"] = "new";
  must(later.add(record));
  BOOST_TEST(test::result_of(*database, "MATCH (s:Session) RETURN s.id") == "'new'");
}

// The statement has the session already when the expired record goes.
BOOST_AUTO_TEST_CASE(a_session_stays_for_the_record_that_takes_the_external_id) {
  NewRecord record = note("a note", {{"sessionId", "s1"}});
  record.external_id = "n1";
  record.lifetime.expires_at = test_now + hour;
  add(record);
  test::run_all(*database, {"MATCH (s:Session {id: 's1'}) CREATE (:Memory {content: 'later'} @ "
                            "{external_id: 'n1'})-[:IN_SESSION]->(s)"});
  BOOST_TEST(test::result_of(*database,
                             "MATCH (m:Memory)-[:IN_SESSION]->(s) RETURN m.content, "
                             "s.id") == "'later' | 's1'");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(an_update_gives_another_lifetime_and_takes_it_away) {
  RememberOptions options;
  options.chunks = {20, 5};
  options.lifetime.expires_at = test_now + hour;
  const Remembered stored =
      must(memory.remember("green tea and black coffee and a cup of hot milk", {}, options));
  Update longer;
  longer.lifetime = Lifetime{.time_to_live = 2h};
  BOOST_TEST(must(memory.update(stored.id, longer)).has_value());
  BOOST_TEST(is_there(stored.id, hour));
  BOOST_TEST(is_there(stored.chunks[0], hour));
  BOOST_TEST(!is_there(stored.id, 2 * hour));
  Update for_ever;
  for_ever.lifetime = Lifetime();
  BOOST_TEST(must(memory.update_all({}, for_ever)).changed.size() == 1 + stored.chunks.size());
  BOOST_TEST(is_there(stored.id, 1'000 * hour));
  Update past{.changes = {{"seen", true}}};
  past.lifetime = Lifetime{.expires_at = test_now - hour};
  BOOST_TEST((must(memory.update(stored.id, past)).value().field("seen") == Value(true)));
  BOOST_TEST(!must(memory.find(stored.id)));
  BOOST_TEST(!must(memory.update(stored.id, past)));
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_SUITE_END()

// A dry run tells what a call would do, and writes nothing.

#include "tests/tools/mcp/memory_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {

BOOST_FIXTURE_TEST_SUITE(mcp_dry_run, ToolFixture)

BOOST_AUTO_TEST_CASE(an_update_of_one_memory_is_shown_and_not_written) {
  add_some();
  const ToolReply tried = call(
      "update_memories", R"({"external_id":"tea","metadata":{"importance":9},"dry_run":true})");
  BOOST_TEST(!tried.is_error, tried.text);
  BOOST_TEST(tried.has("Would change; nothing is written in a dry run"), tried.text);
  BOOST_TEST(tried.has("importance: 9"), tried.text);
  BOOST_TEST(result("MATCH (m:Memory {user: 'ada'}) RETURN m.importance") == "8");
  const ToolReply same = call(
      "update_memories", R"({"external_id":"tea","metadata":{"importance":8},"dry_run":true})");
  BOOST_TEST(same.has("Would change nothing"), same.text);
  BOOST_TEST(call("update_memories", R"({"external_id":"no","metadata":{"a":1},"dry_run":true})")
                 .has("No memory has the external id \"no\""));
}

BOOST_AUTO_TEST_CASE(what_would_be_restored_is_counted_and_stays_hidden) {
  add_some();
  BOOST_TEST(call("forget_memories", R"({"external_ids":["tea"]})").has("Hid 1 of 1"));
  const ToolReply tried =
      call("forget_memories", R"({"external_ids":["tea"],"action":"restore","dry_run":true})");
  BOOST_TEST(tried.has("Would restore 1 memory; nothing is written in a dry run"), tried.text);
  BOOST_TEST(call("list_memories", "{}").has("2 of 2"));
  BOOST_TEST(call("forget_memories", R"({"external_ids":["tea"],"action":"restore"})")
                 .has("Restored 1 memory"));
  BOOST_TEST(call("list_memories", "{}").has("3 of 3"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

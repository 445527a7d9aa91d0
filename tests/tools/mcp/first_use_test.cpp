// What somebody expects of the tools who knows nothing but their page: numbers that count memories, thresholds on
// what is shown, ids as they were shown, and errors in the tools' own words.

#include "tests/tools/mcp/memory_fixture.hpp"

namespace cairn::test {
namespace {

namespace json = boost::json;

/// Two short notes, and a text of several parts.
struct LongTextTools : ToolFixture {
  LongTextTools() {
    add_some();
    std::string text;
    for (int i = 0; i < 30; ++i)
      text += "paragraph " + std::to_string(i) + " tells of rivers and mountains at length\n\n";
    const ToolReply stored =
        call("store_memory", json::object{{"content", text},
                                          {"external_id", "long"},
                                          {"sessionId", "s1"},
                                          {"tags", json::array{"long"}},
                                          {"metadata", json::object{{"user", "eve"}}}});
    BOOST_REQUIRE_MESSAGE(stored.has("Stored 1 memory"), stored.text);
    BOOST_REQUIRE(result("MATCH (c:Chunk) RETURN count(c) > 2") == "true");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_first_use, LongTextTools)

BOOST_AUTO_TEST_CASE(errors_are_in_the_words_of_the_tools) {
  const auto is = [&](const char* tool, const char* arguments, const char* message) {
    const ToolReply reply = call(tool, arguments);
    BOOST_TEST(reply.is_error, reply.text);
    BOOST_TEST(reply.has(message), reply.text);
    BOOST_TEST(!reply.has("memory."), reply.text);
  };
  is("search_memory", R"({"query":"tea","metadataBoost":{"user":"time_to_live"}})",
     "`metadataBoost` of search_memory is a map of fields and numbers, got {user: 'time_to_live'}");
  is("store_memory", R"({"content":"x","expires_in":"soon"})",
     "`expires_in` of store_memory is a duration");
  is("store_memory", R"({"memories":[{"text":"x"}]})",
     "memories of store_memory has no option `text`; the options are kind, content, metadata, "
     "external_id, sessionId, expires_at, expires_in");
  is("list_memories", R"({"of":"tasks","criteria":{"statu":"x"}})",
     "criteria of list_memories has no option `statu`; did you mean `status`?");
  is("list_memories", R"({"criteria":{"status":"x"}})", "criteria needs `of`");
  is("forget_memories", R"({"ids":[true]})", "of forget_memories is the number of a record");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

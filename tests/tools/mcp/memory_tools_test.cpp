// Each tool of `cairn mcp`, as a client calls it.

#include "tests/engine/scrub/file_scan.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/tools/mcp/memory_fixture.hpp"

namespace cairn::test {
namespace json = boost::json;

BOOST_FIXTURE_TEST_SUITE(mcp_tools, ToolFixture)

BOOST_AUTO_TEST_CASE(there_are_eight_in_one_order_and_few_bytes) {
  const json::value listed = client.ask_stateless("tools/list");
  const json::array& all = listed.at("result").at("tools").as_array();
  std::string names;
  for (const json::value& tool : all) names += std::string(tool.at("name").as_string()) + " ";
  BOOST_TEST(names ==
             "store_memory search_memory list_memories update_memories forget_memories "
             "search_documents describe_memory query ");
  const std::string text = json::serialize(listed);
  BOOST_TEST_MESSAGE("tools/list has " << text.size() << " bytes");
  BOOST_TEST(text.size() <= 12'000U);
  for (const json::value& tool : all) {
    BOOST_TEST(tool.as_object().contains("outputSchema"));
    BOOST_TEST(tool.as_object().contains("annotations"));
    BOOST_TEST(tool.at("description").as_string().find("Example") != json::string::npos);
    for (const char* option : {"max_tokens", "format", "cursor"})
      BOOST_TEST(tool.at("inputSchema").at("properties").as_object().contains(option));
  }
}

// M0.80
BOOST_AUTO_TEST_CASE(what_is_stored_is_searched_under_filters) {
  for (
      const char* memory :
      {R"({"content":"We use TypeScript","metadata":{"project":"a"},"tags":["api"],"external_id":"ts"})",
       R"({"content":"We use Python","metadata":{"project":"b"}})"}) {
    const ToolReply stored = call("store_memory", memory);
    BOOST_TEST(!stored.is_error, stored.text);
    BOOST_TEST(stored.has("Stored 1 memory, id ["), stored.text);
  }
  const ToolReply found = call(
      "search_memory",
      R"({"query":"what do we use","metadataFilters":[{"field":"project","operator":"equals","value":"a"}]})");
  BOOST_TEST(found.structured.at("success").as_bool());
  BOOST_TEST(found.has("TypeScript"), found.text);
  BOOST_TEST(!found.has("Python"), found.text);
  BOOST_TEST(found.has("Found 1 relevant memories (filtered by: project):"), found.text);
  BOOST_TEST(found.has("Found 1 memory with metadata filtering with graph exploration"),
             found.text);
  BOOST_TEST(found.has("<memory-node id=\"ts\" />"), found.text);
  BOOST_TEST(found.structured.at("metadata").at("resultCount").as_int64() == 1);
  BOOST_TEST(call("store_memory", "{}").has("give content"));
  BOOST_TEST(call("store_memory", R"({"content":"x","memories":[]})").is_error);
  const ToolReply several =
      call("store_memory",
           R"({"memories":[{"content":"x"},{"content":"y","kind":"decision"}],"sessionId":"s"})");
  BOOST_TEST(several.has("Stored 2 memories"), several.text);
  BOOST_TEST(call("list_memories", R"({"sessionId":"s"})").has("2 of 2 memories"));
}

BOOST_AUTO_TEST_CASE(what_all_memories_share_is_added_to_each) {
  const ToolReply stored = call(
      "store_memory",
      R"({"memories":[{"content":"b","metadata":{"k":1},"tags":["t"],"sessionId":"s1"},{"content":"c"}],)"
      R"("metadata":{"k":2,"project":"x"},"sessionId":"s2"})");
  BOOST_TEST(stored.has("Stored 2 memories"), stored.text);
  const ToolReply found = call(
      "query",
      R"({"statement":"MATCH (m:Memory) RETURN m.content + m.k + m.project + m.sessionId + coalesce(m.tags[0], '-') AS told"})");
  BOOST_TEST(found.has("b1xs1t"), found.text);
  BOOST_TEST(found.has("c2xs2-"), found.text);
}

// M0.50, M1.6 to M1.14, M1.29 to M1.32
BOOST_AUTO_TEST_CASE(a_search_by_each_mode_and_in_pages) {
  add_some();
  for (const char* mode : {"semantic", "keyword", "hybrid"})
    for (const char* explore : {"true", "false"}) {
      const ToolReply found =
          call("search_memory", std::string(R"({"query":"green tea","mode":")") + mode +
                                    R"(","explore":)" + explore + "}");
      BOOST_TEST(found.has("Ada drinks green tea"), mode << found.text);
    }
  const ToolReply first = call("search_memory", R"({"page":1,"page_size":2,"format":"toon"})");
  BOOST_TEST(first.has("# page=1 total=3 page_size=2 has_more=true total_pages=2"), first.text);
  const ToolReply second = call("search_memory", R"({"page":2,"page_size":2,"format":"toon"})");
  BOOST_TEST(second.has("# page=2 total=3 page_size=2 has_more=false"), second.text);
  BOOST_TEST(call("search_memory", R"({"page":0})").text == "page must be >= 1");
  BOOST_TEST(call("search_memory", R"({"page_size":101})").text == "page_size must be <= 100");
  BOOST_TEST(call("search_memory", R"({"date_from":"soon"})")
                 .has("Invalid date format. Use ISO8601 or relative (e.g., \"7d\")"));
  BOOST_TEST(call("search_memory", R"({"memory_type":"idea"})")
                 .has("memory_type must be one of: note, decision, task, reference"));
  BOOST_TEST(
      call("search_memory", R"({"date_from":"7d","tags":["drink","none"],"nodeTypes":["note"]})")
          .has("2 of 2"));
  BOOST_TEST(
      call("search_memory", R"({"tags":["drink","taste"],"tag_match_all":true})").has("1 of 1"));
}

// M1.24
BOOST_AUTO_TEST_CASE(a_range_of_dates_that_ends_before_it_begins_is_an_error) {
  add_some();
  const auto range = [](const char* more, const char* from, const char* to) {
    return std::string("{") + more + R"("date_from":")" + from + R"(","date_to":")" + to + "\"}";
  };
  for (const auto& [tool, more] :
       {std::pair("search_memory", ""), std::pair("search_memory", R"("query":"tea",)"),
        std::pair("list_memories", ""), std::pair("list_memories", R"("of":"tasks",)"),
        std::pair("list_memories", R"("of":"insights",)"),
        std::pair("list_memories", R"("of":"episodes",)")}) {
    const ToolReply refused = call(tool, range(more, "2026-02-01", "2026-01-31T23:59:59Z"));
    BOOST_TEST(refused.is_error, tool << more);
    BOOST_TEST(refused.has("date_from"), refused.text);
    BOOST_TEST(refused.has("date_to"), refused.text);
    const ToolReply same = call(tool, range(more, "2026-02-01", "2026-02-01T00:00:00Z"));
    BOOST_TEST(!same.is_error, same.text);
  }
  BOOST_TEST(call("search_memory", range("", "1d", "7d")).text ==
             "date_from must be <= date_to: 1d is after 7d");
  BOOST_TEST(call("list_memories", range("", "7d", "2020-01-01")).is_error);
  BOOST_TEST(call("search_memory", range("", "7d", "2200-01-01")).has("3 of 3"));
  BOOST_TEST(call("search_memory", range("", "7d", "1min")).has("0 of 0"));
  BOOST_TEST(call("search_memory", range("", "7d", "soon")).has("Invalid date format"));
}

// A new user asks first, and is told of no labels and properties.
BOOST_AUTO_TEST_CASE(an_empty_memory_is_told_in_plain_words) {
  for (const auto& [tool, arguments] : {std::pair{"search_memory", R"({"query":"tea"})"},
                                        {"search_memory", R"({"tags":["drink"]})"},
                                        {"list_memories", R"({"sortBy":"importance"})"}}) {
    const ToolReply empty = call(tool, arguments);
    BOOST_TEST(empty.has("no memory is stored here yet; store_memory does"), empty.text);
    BOOST_TEST(!empty.has("no record has"), empty.text);
  }
  const ToolReply documents = call("search_documents", R"({"text":"log"})");
  BOOST_TEST(documents.has("cairn ingest"), documents.text);
  BOOST_TEST(!documents.has("no record has"), documents.text);
  add_some();
  const ToolReply some =
      call("search_memory", R"({"metadataFilters":[{"field":"importanse","operator":"exists"}]})");
  BOOST_TEST(some.has("did you mean importance?"), some.text);
}

BOOST_AUTO_TEST_CASE(an_unknown_operator_is_told_those_there_are) {
  const auto answer = [&](const std::string& name) {
    return call("search_memory", R"({"metadataFilters":[{"field":"user","operator":")" + name +
                                     R"(","value":"ada"}]})")
        .text;
  };
  BOOST_TEST(answer("eq").find("Unsupported operator: eq; operators: equals not_equals ") == 0U);
  BOOST_TEST(answer("equal").find("did you mean equals?") != std::string::npos);
}

// Nobody counts what a question finds beyond its limit.
BOOST_AUTO_TEST_CASE(a_total_is_told_where_it_is_known) {
  add_some();
  call("store_memory", R"({"content":"more tea"})");
  const std::string question = R"({"query":"tea","explore":false)";
  const ToolReply some = call("search_memory", question + R"(,"limit":1,"format":"toon"})");
  BOOST_TEST(!some.structured.contains("total"), some.text);
  BOOST_TEST(some.structured.at("total_at_least") == json::value(2));
  BOOST_TEST(some.has("Found 1 memory, at least 2 in all"), some.text);
  BOOST_TEST(!some.cursor().empty());
  const std::string second = R"(,"limit":1,"cursor":")" + some.cursor() + "\"}";
  BOOST_TEST(call("search_memory", question + second).structured.at("total_at_least") ==
             json::value(3));
  BOOST_TEST(some.has("# page=1 page_size=1 has_more=true\n"), some.text);
  const ToolReply all = call("search_memory", question + R"(,"format":"json"})");
  const std::size_t found = all.structured.at("results").as_array().size();
  BOOST_TEST(found > 1U);
  BOOST_TEST(all.structured.at("total") == json::value(found));
  BOOST_TEST(!all.structured.contains("total_at_least"), all.text);
  BOOST_TEST(all.cursor().empty());
  BOOST_TEST(call("search_memory", R"({"limit":1})").structured.at("total") == json::value(4));
  const ToolReply rows = query("UNWIND range(1, 2000) AS i RETURN i");
  BOOST_TEST(!rows.structured.contains("total"), rows.text.substr(0, 200));
  BOOST_TEST(rows.structured.at("total_at_least") == json::value(1'001));
  BOOST_TEST(query("UNWIND range(1, 20) AS i RETURN i").structured.at("total") == json::value(20));
  call(
      "store_memory",
      R"({"memories":[{"kind":"document","content":"a log"},{"kind":"document","content":"a log of wood"}]})");
  const ToolReply one = call("search_documents", R"({"text":"log","limit":1})");
  BOOST_TEST(!one.structured.contains("total"), one.text);
  BOOST_TEST(one.structured.at("total_at_least") == json::value(2));
  BOOST_TEST(!one.cursor().empty());
  BOOST_TEST(call("search_documents", R"({"text":"log"})").structured.at("total") ==
             json::value(2));
}

// M1.52
BOOST_AUTO_TEST_CASE(facets_count_all_that_passes) {
  add_some();
  const ToolReply counted =
      call("search_memory", R"({"facets":["tags","user"],"limit":1,"metadataFilters":[]})");
  BOOST_TEST(counted.has("facet tags: drink 2, taste 1"), counted.text);
  BOOST_TEST(counted.has("facet user:"), counted.text);
  const ToolReply aged = call("search_memory", R"({"query":"tea","facets":["created_at"]})");
  BOOST_TEST(aged.has("last_7d 3"), aged.text);
}

BOOST_AUTO_TEST_CASE(lists_of_each_kind) {
  add_some();
  const ToolReply tasks =
      call("list_memories", R"({"of":"tasks","criteria":{"status":"pending"}})");
  BOOST_TEST(tasks.has("1 of 1 tasks"), tasks.text);
  BOOST_TEST(tasks.has("buy tea"), tasks.text);
  BOOST_TEST(call("list_memories", R"({"of":"tasks","criteria":{"statsu":"x"}})")
                 .has("did you mean `status`"));
  BOOST_TEST(call("list_memories", R"({"of":"episodes"})").has("0 of 0 episodes"));
  BOOST_TEST(call("list_memories", R"({"sortBy":"importance","descending":true,"limit":1})")
                 .has("green tea"));
}

// M4.14, M4.18, M4.19
BOOST_AUTO_TEST_CASE(insights_are_listed_by_their_criteria) {
  add_some();
  const ToolReply stored = call("store_memory", R"({"memories":[
    {"kind":"insight","content":"Ada thinks in tea","metadata":{"tags":["taste","ada"],
     "created_at":"2026-01-01T00:00:00Z","io_category":"self","memory_sector":"semantic","is_identity":true}},
    {"kind":"insight","content":"Rain makes coffee","metadata":{"tags":["taste"],
     "created_at":"2026-01-03T00:00:00Z","io_category":"shared","memory_sector":"episodic","is_identity":false}}]})");
  BOOST_REQUIRE_MESSAGE(!stored.is_error, stored.text);
  const auto list = [&](const char* more) {
    return call("list_memories", std::string(R"({"of":"insights")") + more + "}");
  };
  const ToolReply all = list("");
  BOOST_TEST(all.has("2 of 2 insights"), all.text);
  BOOST_TEST(all.text.find("Rain makes coffee") < all.text.find("Ada thinks in tea"), all.text);
  BOOST_TEST(!all.has("green tea"), all.text);
  for (const char* ada :
       {R"(,"criteria":{"io_category":"self"})", R"(,"criteria":{"is_identity":true})",
        R"(,"criteria":{"memory_sector":"semantic"})", R"(,"tags":["taste","ada"])",
        R"(,"date_to":"2026-01-02")"}) {
    const ToolReply one = list(ada);
    BOOST_TEST(one.has("1 of 1 insights"), ada << one.text);
    BOOST_TEST(one.has("Ada thinks in tea"), ada << one.text);
  }
  const ToolReply other = list(R"(,"criteria":{"is_identity":false},"date_from":"2026-01-02")");
  BOOST_TEST(other.has("1 of 1 insights"), other.text);
  BOOST_TEST(other.has("Rain makes coffee"), other.text);
  BOOST_TEST(list(R"(,"tags":["ada"],"criteria":{"io_category":"shared"})").has("0 of 0 insights"));
  const ToolReply first = list(R"(,"limit":1)");
  BOOST_TEST(first.has("1 of 2 insights"), first.text);
  BOOST_TEST(first.has("Rain makes coffee"), first.text);
  const std::string cursor = R"(,"limit":1,"cursor":")" + first.cursor() + "\"";
  const ToolReply second = list(cursor.c_str());
  BOOST_TEST(second.has("Ada thinks in tea"), second.text);
  BOOST_TEST(second.cursor().empty());
  BOOST_TEST(list(R"(,"criteria":{"io_category":"other"})").has("Invalid io_category: other"));
  BOOST_TEST(list(R"(,"criteria":{"io_categry":"self"})").has("did you mean `io_category`"));
}

// M4.10 to M4.13
BOOST_AUTO_TEST_CASE(episodes_are_listed_by_their_criteria) {
  add_some();
  const ToolReply stored = call("store_memory", R"({"memories":[
    {"kind":"episode","content":"[ethr] why","metadata":{"query":"[ethr] why","reward":0.5,
     "reflection":"slowly","tags":["drift","style"],"created_at":"2026-01-01T00:00:00Z"}},
    {"kind":"episode","content":"how to brew","metadata":{"query":"how to brew","reward":1,
     "reflection":"again","tags":["style"],"created_at":"2026-01-03T00:00:00Z"}}]})");
  BOOST_REQUIRE_MESSAGE(!stored.is_error, stored.text);
  const auto list = [&](const char* more) {
    return call("list_memories", std::string(R"({"of":"episodes")") + more + "}");
  };
  const ToolReply all = list("");
  BOOST_TEST(all.has("2 of 2 episodes"), all.text);
  BOOST_TEST(all.text.find("how to brew") < all.text.find("[ethr] why"), all.text);
  BOOST_TEST(!all.has("green tea"), all.text);
  for (const char* why : {R"(,"criteria":{"category":"ethr"})", R"(,"tags":["style","drift"])",
                          R"(,"date_to":"2026-01-02")"}) {
    const ToolReply one = list(why);
    BOOST_TEST(one.has("1 of 1 episodes"), why << one.text);
    BOOST_TEST(one.has("[ethr] why"), why << one.text);
  }
  for (const char* how :
       {R"(,"criteria":{"since":"2026-01-02"})", R"(,"date_from":"2026-01-02")"}) {
    const ToolReply one = list(how);
    BOOST_TEST(one.has("1 of 1 episodes"), how << one.text);
    BOOST_TEST(one.has("how to brew"), how << one.text);
  }
  BOOST_TEST(list(R"(,"criteria":{"category":"none"})").has("0 of 0 episodes"));
  // What it has no condition for is not left out in silence.
  for (const char* other :
       {R"(,"sessionId":"s")", R"(,"nodeTypes":["note"])", R"(,"include_deleted":true)",
        R"(,"sortBy":"reward")",
        R"(,"metadataFilters":[{"field":"reward","operator":"equals","value":1}])"}) {
    const ToolReply refused = list(other);
    BOOST_TEST(refused.is_error, other << refused.text);
    BOOST_TEST(refused.has("does not go with of: episodes"), refused.text);
  }
  BOOST_TEST(list(R"(,"sessionId":"","nodeTypes":[],"include_deleted":false)").has("2 of 2"));
}

// M0.66
BOOST_AUTO_TEST_CASE(updates_of_one_and_of_many) {
  add_some();
  const ToolReply one = call(
      "update_memories", R"({"external_id":"tea","metadata":{"importance":9},"unset":["tags"]})");
  BOOST_TEST(one.has("importance: 9"), one.text);
  BOOST_TEST(result("MATCH (m:Memory {importance: 9}) RETURN m.tags") == "null");
  BOOST_TEST(call("update_memories", R"({"id":999999,"metadata":{"a":1}})").is_error);
  BOOST_TEST(call("update_memories", R"({"metadata":{"a":1}})").is_error);
  const std::string many = R"("nodeTypes":["note"],"metadata":{"seen":true})";
  const ToolReply tried = call("update_memories", "{" + many + R"(,"dry_run":true})");
  BOOST_TEST(tried.has("Would change 2 of 2"), tried.text);
  BOOST_TEST(result("MATCH (m:Memory {seen: true}) RETURN count(m)") == "0");
  BOOST_TEST(call("update_memories", "{" + many + "}").has("Changed 2 memories"));
  BOOST_TEST(result("MATCH (m:Memory {seen: true}) RETURN count(m)") == "2");
}

BOOST_AUTO_TEST_CASE(forgetting_hides_restores_and_asks_before_it_erases_many) {
  add_some();
  const std::string id = result("MATCH (m:Memory {user: 'ada'}) RETURN id(m)");
  BOOST_TEST(call("forget_memories", R"({"ids":[)" + id + "]}").has("Hid 1 of 1"));
  BOOST_TEST(call("search_memory", R"({"query":"green tea"})").has("green tea") == false);
  BOOST_TEST(call("list_memories", R"({"include_deleted":true})").has("3 of 3"));
  BOOST_TEST(
      call("forget_memories", R"({"ids":[)" + id + R"(],"action":"restore"})").has("Restored 1"));
  run("UNWIND range(1, 21) AS i CALL memory.add({content: 'old', kind: 'reference'}) YIELD id "
      "RETURN count(id)");
  const std::string all = R"("nodeTypes":["reference"],"action":"erase")";
  const ToolReply refused = call("forget_memories", "{" + all + "}");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("confirm: 21"), refused.text);
  BOOST_TEST(call("forget_memories", "{" + all + R"(,"confirm":20})").is_error);
  BOOST_TEST(result("MATCH (m:Reference) RETURN count(m)") == "21");
  BOOST_TEST(call("forget_memories", "{" + all + R"(,"dry_run":true})").has("Would erase 21"));
  BOOST_TEST(call("forget_memories", "{" + all + R"(,"confirm":21})").has("Erased 21 of 21"));
  BOOST_TEST(result("MATCH (m:Reference) RETURN count(m)") == "0");
  BOOST_TEST(
      call("forget_memories", R"({"external_ids":["tea"],"action":"erase"})").has("Erased 1"));
  BOOST_TEST(call("forget_memories", R"({"action":"erase"})").is_error);
  BOOST_TEST(call("forget_memories", R"({"ids":[999999]})")
                 .has("no memory has the id 999999, or it is hidden already"));
}

BOOST_AUTO_TEST_CASE(forgetting_from_the_files_gives_a_receipt) {
  add_some();
  const auto is_in_files = [&](const std::string& text) {
    const TemporaryDirectory directory;
    copy_running_tree(database.path(), directory.path() / "db");
    return find_in_files(directory.path() / "db", {text}).contains(text);
  };
  must(database->checkpoint());
  BOOST_TEST(is_in_files("Ada drinks green tea"));
  const std::string arguments = R"("external_ids":["tea"],"scrub":true)";
  BOOST_TEST(call("forget_memories", "{" + arguments + "}").is_error);  // hiding erases nothing
  BOOST_TEST(call("list_memories", "{}").has("3 of 3"));
  const ToolReply done = call("forget_memories", "{" + arguments + R"(,"action":"erase"})");
  BOOST_TEST(!done.is_error, done.text);
  BOOST_TEST(done.has("Erased 1 of 1"), done.text);
  BOOST_TEST(done.has("No file of the database has them any more"), done.text);
  const json::object& receipt = done.structured.at("metadata").at("receipt").as_object();
  BOOST_TEST(receipt.at("caller").as_string() == "mcp");
  BOOST_TEST(receipt.at("tables").as_int64() > 0);
  BOOST_TEST(!is_in_files("Ada drinks green tea"));
  BOOST_TEST(is_in_files("Bob drinks coffee"));
}

// A client that can ask its user is given the question.
BOOST_AUTO_TEST_CASE(the_user_is_asked_where_the_client_can) {
  run("UNWIND range(1, 21) AS i CALL memory.add({content: 'old', kind: 'reference'}) YIELD id "
      "RETURN count(id)");
  const std::string params =
      R"({"name":"forget_memories","arguments":{"nodeTypes":["reference"],"action":"erase"}})";
  const json::value asked = client.ask_stateless("tools/call", params, R"({"elicitation":{}})");
  BOOST_TEST(json::serialize(asked).find("erase 21 memories for good") != std::string::npos,
             json::serialize(asked));
  BOOST_TEST(result("MATCH (m:Reference) RETURN count(m)") == "21");
  const auto answer = [&](const char* yes) {
    const json::value again = client.ask_stateless("tools/call", params, R"({"elicitation":{}})");
    return client.ask_stateless(
        "tools/call",
        params.substr(0, params.size() - 1) + R"(,"requestState":)" +
            json::serialize(again.at("result").at("requestState")) +
            R"(,"inputResponses":{"confirm":{"action":"accept","content":{"yes":)" + yes + "}}}}",
        R"({"elicitation":{}})");
  };
  BOOST_TEST(reply_of(answer("false")).is_error);
  BOOST_TEST(result("MATCH (m:Reference) RETURN count(m)") == "21");
  BOOST_TEST(reply_of(answer("true")).has("Erased 21 of 21"));
  BOOST_TEST(result("MATCH (m:Reference) RETURN count(m)") == "0");
}

// Others may write between the count and the change.
BOOST_AUTO_TEST_CASE(what_does_not_agree_is_not_kept) {
  add_some();
  const auto forget = [&](std::int64_t count) {
    return caller.call_if(
        "CALL memory.forget($request) YIELD matched RETURN matched",
        {{"request", Map{{"selection", Map{{"kinds", "note"}}}, {"erase", true}}}}, {},
        [&](const tools::mcp::CalledRows& done) { return done.rows.at(0)[0] == Value(count); });
  };
  const auto refused = forget(3);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::conflict));
  BOOST_TEST(result("MATCH (m:Note) RETURN count(m)") == "2");
  BOOST_TEST(forget(2).has_value());
  BOOST_TEST(result("MATCH (m:Note) RETURN count(m)") == "0");
}

BOOST_AUTO_TEST_CASE(documents_among_the_memories_are_found_where_no_files_were_read) {
  add_some();
  BOOST_TEST(call("search_documents", R"({"text":"tea"})").has("cairn ingest"));
  call("store_memory",
       R"({"kind":"document","content":"How a log is cut","metadata":{"file_name":"log.md"}})");
  const ToolReply found = call("search_documents", R"({"text":"log"})");
  BOOST_TEST(found.has("Found 1 chunk"), found.text);
  BOOST_TEST(found.has("How a log is cut"), found.text);
}

// M3.23 to M3.30, M3.42 to M3.44
BOOST_AUTO_TEST_CASE(documents_with_sources) {
  BOOST_TEST(call("search_documents", R"({"text":"log"})").has("cairn ingest"));
  run("CREATE FULLTEXT INDEX chunk_content IF NOT EXISTS FOR (c:Chunk) ON EACH [c.content]");
  run("CREATE (:Chunk {content: 'A torn log is cut', file_path: '/src/engine/log.cpp', file_name: "
      "'log.cpp', "
      "file_ext: '.cpp', file_type: 'code', language: 'cpp', chunk_index: 0, total_chunks: 2, "
      "tags: ['a', 'b'], "
      "modified_time: '2026-01-15T10:30:00Z'}), (:Chunk {content: 'A log of wood', file_path: "
      "'/src/enginex/b.md', "
      "file_name: 'b.md', file_ext: '.md', file_type: 'doc', chunk_index: 3, total_chunks: 4, "
      "modified_time: '2024-01-15T10:30:00Z'})");
  BOOST_TEST(call("search_documents", R"({"text":"log"})").has("Found 2 chunks"));
  const ToolReply found = call("search_documents", R"({"text":"log","file_extensions":["CPP"]})");
  BOOST_TEST(found.has("**Sources (1):**"), found.text);
  BOOST_TEST(found.has("- file:///src/engine/log.cpp"), found.text);
  BOOST_TEST(found.has("- log.cpp (chunk 1/2, code)"), found.text);
  for (const char* filter : {R"("file_types":["code"])", R"("directories":["/src/engine"])",
                             R"("max_chunk_index":0)", R"("modified_after":"2025-01-01T00:00:00Z")",
                             R"("tags":["a","b"])", R"("languages":["cpp"])"})
    BOOST_TEST(call("search_documents", std::string(R"({"text":"log",)") + filter + "}")
                   .has("Found 1 chunk"),
               filter);
}

BOOST_AUTO_TEST_CASE(a_description_has_keys_with_counts_and_indexes) {
  add_some();
  const ToolReply told = call("describe_memory", R"({"format":"toon"})");
  for (const char* line :
       {"records|null|3", "kind|note|2", "key|importance|2", "label|Memory|3", "memory_contents"})
    BOOST_TEST(told.has(line), told.text);
  BOOST_TEST(call("describe_memory", R"({"field":"user","format":"toon"})").has("value|ada|1"));
  const ToolReply misspelt = call("describe_memory", R"({"field":"importanse"})");
  BOOST_TEST(misspelt.has("importance"), misspelt.text);
}

BOOST_AUTO_TEST_CASE(a_query_reads_and_does_not_write) {
  add_some();
  const ToolReply rows = call(
      "query",
      R"({"statement":"MATCH (m:Memory) WHERE m.user = $user RETURN m.content AS content","parameters":{"user":"ada"},"format":"json"})");
  BOOST_TEST(rows.structured.at("results").at(0).at("content").as_string() ==
             "Ada drinks green tea");
  for (const char* statement :
       {"CREATE (:A)", "MATCH (n) DETACH DELETE n", "CALL memory.add({content: 'x'})",
        "BACKUP TO 'x'", "LOAD CSV FROM 'x' AS row RETURN row",
        "CREATE INDEX FOR (n:A) ON (n.x)"}) {
    const ToolReply refused = query(statement);
    BOOST_TEST(refused.is_error, statement);
    BOOST_TEST(refused.has("only reads"), refused.text);
  }
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "0");
  BOOST_TEST(!query("EXPLAIN CREATE (:A)").is_error);
  const ToolReply wrong = call("query", R"({"statement":"MATCH (n RETURN n"})");
  BOOST_TEST(wrong.is_error);
}

BOOST_AUTO_TEST_CASE(a_query_keeps_no_more_rows_than_an_answer_may_show) {
  const ToolReply many = query("UNWIND range(1, 40) AS i RETURN range(1, 20000) AS row");
  BOOST_TEST(!many.is_error, many.text);
  BOOST_TEST(many.has("rows and more"), many.text.substr(0, 200));
  const ToolReply large = query("RETURN range(1, 2000000)");
  BOOST_TEST(large.is_error);
  BOOST_TEST(large.has("return less of it"), large.text.substr(0, 200));
}

BOOST_AUTO_TEST_CASE(what_is_no_condition_changes_nothing) {
  add_some();
  const std::string before = result("MATCH (m:Memory) RETURN count(m)");
  for (const char* tool : {"forget_memories", "update_memories"})
    for (const char* conditions : {R"({"metadataFilters":[{"operator":"AND","filters":[]}]})",
                                   R"({"metadataFilterGroup":{"operator":"OR","filters":[]}})",
                                   R"({"nodeTypes":[]})", R"({"sessionId":"s","tags":[]})"}) {
      const ToolReply refused = call(tool, conditions);
      BOOST_TEST(refused.is_error, tool << conditions << refused.text);
      BOOST_TEST(!refused.has("needs what to change"), tool << conditions << refused.text);
    }
  const ToolReply content = call("update_memories", R"({"nodeTypes":["note"],"content":"X"})");
  BOOST_TEST(content.has("content is of one memory"), content.text);
  BOOST_TEST(result("MATCH (m:Memory) RETURN count(m)") == before);
  BOOST_TEST(result("MATCH (m:Memory {content: 'X'}) RETURN count(m)") == "0");
}

BOOST_AUTO_TEST_CASE(a_memory_that_is_named_twice_is_one) {
  for (const char* action : {"hide", "erase"}) {
    BOOST_TEST(!call("store_memory", R"({"content":"x","external_id":"e"})").is_error);
    const ToolReply forgotten = call("forget_memories", R"({"external_ids":["e","e"],"action":")" +
                                                            std::string(action) + R"("})");
    BOOST_TEST(!forgotten.is_error, forgotten.text);
    if (std::string(action) == "hide")
      must(execute(
          *database,
          "CALL memory.forget({external_id: 'e', erase: true}) YIELD forgotten RETURN forgotten"));
  }
  BOOST_TEST(result("MATCH (m:Memory) RETURN count(m)") == "0");
}

BOOST_AUTO_TEST_CASE(metadata_that_is_no_map_is_refused) {
  const ToolReply refused =
      call("store_memory", R"({"memories":[{"content":"d","metadata":"oops"}],"tags":["t"]})");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("metadata"), refused.text);
}

BOOST_AUTO_TEST_CASE(numbers_come_in_and_go_out_to_the_last_digit) {
  // The parser of Boost.JSON reads each of these as its neighbour.
  for (const double number : {10928588.983213553, -1.4074705188261364e+113, 2.3027782228163463e+146,
                              5e-324, 1.7976931348623157e308}) {
    const ToolReply reply =
        call("query", json::object{{"statement", "RETURN $x AS x, toString($x) AS s"},
                                   {"parameters", {{"x", number}}},
                                   {"format", "json"}});
    const json::object& row = reply.structured.at("results").at(0).as_object();
    BOOST_TEST(row.at("x").as_double() == number);
    BOOST_TEST(std::strtod(row.at("s").as_string().c_str(), nullptr) == number);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

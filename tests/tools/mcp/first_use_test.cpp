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

BOOST_AUTO_TEST_CASE(a_long_text_is_one_memory) {
  const auto has = [&](const char* tool, const char* arguments, const char* part) {
    const ToolReply reply = call(tool, arguments);
    BOOST_TEST(reply.has(part), tool << arguments << reply.text);
    BOOST_TEST(!reply.has("no record has"), reply.text);
  };
  has("list_memories", "{}", "4 of 4 memories");
  has("list_memories", R"({"tags":["long"]})", "1 of 1 memories");
  has("list_memories",
      R"({"metadataFilters":[{"field":"user","operator":"equals","value":"eve"}]})",
      "1 of 1 memories");
  has("search_memory", R"({"page":1,"page_size":2})", "2 of 4 memories");
  has("search_memory", R"({"sessionId":"s1","facets":["user"]})", "facet user: ada 1, eve 1");
  has("search_memory", R"({"sessionId":"s1"})", "2 of 2 memories");
  // Questions still find the parts, and who asks for parts sees them.
  has("search_memory", R"({"query":"paragraph 17","format":"json","limit":3})",
      "\"kind\":\"chunk\"");
  BOOST_TEST(!call("list_memories", R"({"nodeTypes":["chunk"]})").has("0 of 0"));
  BOOST_TEST(!call("list_memories",
                   R"({"metadataFilters":[{"field":"total_chunks","operator":"exists"}]})")
                  .has("0 of 0"));
  BOOST_TEST(
      !call(
           "search_memory",
           R"({"metadataFilterGroup":{"operator":"AND","filters":[{"field":"kind","operator":"in","value":["chunk"]}]}})")
           .has("0 of 0"));
  // A chunk of somebody's own is a memory.
  call("store_memory",
       R"({"memories":[{"content":"mine","kind":"chunk","metadata":{"total_chunks":3}}]})");
  has("list_memories", "{}", "5 of 5 memories");
}

BOOST_AUTO_TEST_CASE(no_warning_names_what_the_server_asks_for) {
  ToolFixture plain;
  plain.add_some();
  for (const char* tool : {"list_memories", "search_memory"})
    BOOST_TEST(!plain.call(tool, "{}").has("no record has"));
  BOOST_TEST(
      !plain.call("forget_memories", R"({"tags":["drink"],"dry_run":true})").has("no record has"));
  BOOST_TEST(
      plain.call("list_memories", R"({"metadataFilters":[{"field":"usr","operator":"exists"}]})")
          .has("did you mean user"));
}

BOOST_AUTO_TEST_CASE(a_long_text_changes_and_goes_as_one) {
  const char* eve = R"("metadataFilters":[{"field":"user","operator":"equals","value":"eve"}])";
  const auto with = [&](const char* more) { return "{" + std::string(eve) + more + "}"; };
  BOOST_TEST(call("update_memories", with(R"(,"metadata":{"done":true},"dry_run":true)"))
                 .has("Would change 1 of 1 memories"));
  BOOST_TEST(call("update_memories", with(R"(,"metadata":{"done":true})")).has("Changed 1 memory"));
  BOOST_TEST(result("MATCH (c:Chunk) WHERE c.done IS NULL RETURN count(c)") == "0");
  BOOST_TEST(call("forget_memories", with(R"(,"dry_run":true)")).has("Would hide 1 memory;"));
  BOOST_TEST(call("forget_memories", with("")).has("Hid 1 of 1 memories"));
  BOOST_TEST(result("MATCH (c:Chunk) RETURN count(c)") == "0");
  BOOST_TEST(
      call("forget_memories", R"({"external_ids":["long"],"action":"restore"})").has("Restored 1"));
  BOOST_TEST(call("forget_memories", with(R"(,"action":"erase")")).has("Erased 1 of 1 memories"));
}

BOOST_AUTO_TEST_CASE(the_least_score_is_that_of_what_is_shown) {
  for (const char* mode : {"semantic", "keyword", "hybrid"}) {
    const auto ask = [&](const std::string& more) {
      return call("search_memory", R"({"query":"green tea","format":"json","mode":")" +
                                       std::string(mode) + "\"" + more + "}");
    };
    const ToolReply all = ask("");
    const json::array& hits = all.structured.at("results").as_array();
    BOOST_REQUIRE(hits.size() > 1U);
    const double best = hits.front().at("score").to_number<double>();
    const double last = hits.back().at("score").to_number<double>();
    BOOST_REQUIRE(best > last);
    const double between = (best + last) / 2;
    const ToolReply some = ask(",\"minScore\":" + std::to_string(between));
    const json::array& kept = some.structured.at("results").as_array();
    BOOST_TEST(kept.size() < hits.size(), mode);
    for (const json::value& hit : kept) BOOST_TEST(hit.at("score").to_number<double>() >= between);
    const ToolReply none = ask(",\"minScore\":1.5");
    BOOST_TEST(none.has("Found 0 memories"), mode << none.text);
    BOOST_TEST(none.has("no hit has the minScore of 1.5; the best has"), none.text);
  }
  const ToolReply page = call("search_memory", R"({"minScore":0.5})");
  BOOST_TEST(page.is_error);
  BOOST_TEST(page.has("minScore needs a query"), page.text);
}

BOOST_AUTO_TEST_CASE(an_age_of_30m_says_how_it_was_read) {
  const char* remark = "30m was read as 30 months; write 30min for minutes, 30mo for months";
  for (const char* arguments :
       {R"({"date_from":"30m"})",
        R"({"metadataFilters":[{"field":"created_at","operator":"since","value":"30m"}]})"}) {
    const ToolReply reply = call("search_memory", arguments);
    BOOST_TEST(reply.has(remark), reply.text);
    BOOST_TEST(call("list_memories", arguments).has(remark));
  }
  for (const char* arguments :
       {R"({"date_from":"30min"})", R"({"date_from":"30mo"})", R"({"date_from":"1y"})"}) {
    const ToolReply reply = call("search_memory", arguments);
    BOOST_TEST(reply.has("4 of 4 memories"), reply.text);
    BOOST_TEST(!reply.has("was read as"), reply.text);
  }
  BOOST_TEST(call("store_memory", R"({"content":"soon gone","expires_in":"30m"})").has(remark));
  BOOST_TEST(
      call("store_memory", R"({"memories":[{"content":"gone","expires_in":"30m"}]})").has(remark));
  BOOST_TEST(
      !call("store_memory", R"({"content":"soon gone","expires_in":"30mo"})").has("was read as"));
  BOOST_TEST(call("forget_memories", R"({"date_to":"30m","dry_run":true})").has(remark));
}

BOOST_AUTO_TEST_CASE(an_id_is_taken_as_it_was_shown) {
  const ToolReply changed = call("update_memories", R"({"id":"tea","metadata":{"a":1}})");
  BOOST_TEST(changed.has("Changed; it is now"), changed.text);
  BOOST_TEST(call("forget_memories", R"({"ids":["tea","long"]})").has("Hid 2 of 2 memories"));
  BOOST_TEST(
      call("forget_memories", R"({"ids":["tea"],"external_ids":["long"],"action":"restore"})")
          .has("Restored 2 memories"));
  // A text of digits may be either.
  const ToolReply either = call("update_memories", R"({"id":"7","metadata":{"a":1}})");
  BOOST_TEST(either.is_error);
  BOOST_TEST(either.has("give an id as a number, and an external id as external_id"), either.text);
  const ToolReply listed = call("forget_memories", R"({"ids":[1,"7"]})");
  BOOST_TEST(listed.is_error);
  BOOST_TEST(listed.has("an external id as external_ids"), listed.text);
  BOOST_TEST(call("update_memories", R"({"id":"tea","external_id":"long","metadata":{"a":1}})")
                 .has("not both"));
  BOOST_TEST(call("forget_memories", R"({"ids":["tea"],"tags":["drink"]})").has("not both"));
}

// Otherwise it would look like the number of another memory.
BOOST_AUTO_TEST_CASE(an_external_id_of_digits_is_not_shown_as_the_id) {
  call("store_memory", R"({"content":"a numbered note","external_id":"1","tags":["numbered"]})");
  const std::string id = result("MATCH (m {content: 'a numbered note'}) RETURN id(m)");
  const ToolReply shown = call("list_memories", R"({"tags":["numbered"]})");
  BOOST_TEST(shown.has("<memory-node id=\"" + id + "\" />"), shown.text);
  BOOST_TEST(shown.has("- external_id: 1\n"), shown.text);
  const ToolReply toon = call("list_memories", R"({"tags":["numbered"],"format":"toon"})");
  BOOST_TEST(toon.has("|\"1\"\n"), toon.text);
}

BOOST_AUTO_TEST_CASE(errors_are_in_the_words_of_the_tools) {
  const auto is = [&](const char* tool, const char* arguments, const char* message) {
    const ToolReply reply = call(tool, arguments);
    BOOST_TEST(reply.is_error, reply.text);
    BOOST_TEST(reply.has(message), reply.text);
    BOOST_TEST(!reply.has("memory."), reply.text);
  };
  is("search_memory", R"({"query":"tea","metadataBoost":{"user":"time_to_live"}})",
     "`metadataBoost` of search_memory must be a map of fields and numbers, got {user: "
     "'time_to_live'}");
  is("store_memory", R"({"content":"x","expires_in":"soon"})",
     "`expires_in` of store_memory must be a duration");
  is("store_memory", R"({"memories":[{"text":"x"}]})",
     "memories of store_memory has no option `text`; did you mean `content`?");
  is("store_memory", R"({"memories":[{"content":"x","colour":"y"}]})",
     "memories of store_memory has no option `colour`; the options are kind, content, metadata, "
     "external_id, sessionId, expires_at, expires_in");
  is("list_memories", R"({"of":"tasks","criteria":{"statu":"x"}})",
     "criteria of list_memories has no option `statu`; did you mean `status`?");
  is("list_memories", R"({"criteria":{"status":"x"}})", "criteria needs `of`");
  BOOST_TEST(call("list_memories", R"({"criteria":{}})").has("4 of 4 memories"));
  // Names that the model wrote are not translated. Options of `criteria` have the procedure's names (`session`).
  is("list_memories", R"({"of":"tasks","criteria":{"sessionId":"x"}})",
     "no option `sessionId`; did you mean `session`?");
  is("store_memory", R"({"memories":[{"content":"x","changes":"y"}]})", "no option `changes`; ");
  is("forget_memories", R"({"ids":[true]})", "of forget_memories must be a record's number");
}

BOOST_AUTO_TEST_CASE(a_lifetime_is_shown_and_removed) {
  call("store_memory", R"({"content":"the offer of the week","external_id":"offer","tags":["o"],)"
                       R"("expires_in":"7d"})");
  call("store_memory", R"({"content":"the offer of the century","external_id":"last","tags":["o"],)"
                       R"("expires_at":"2099-12-31T00:00:00Z"})");
  const auto shows = [&](const char* tool, const char* arguments) {
    const ToolReply reply = call(tool, arguments);
    BOOST_TEST(reply.has("- expires_at: 2099-12-31T00:00:00.000000Z\n"), tool << reply.text);
  };
  shows("list_memories", R"({"tags":["o"]})");
  shows("search_memory", R"({"tags":["o"]})");
  shows("search_memory", R"({"query":"offer of the century"})");
  shows("update_memories", R"({"external_id":"last","metadata":{"a":1}})");
  BOOST_TEST(!call("search_memory", R"({"query":"green tea","limit":1})").has("expires_at"));
  const ToolReply as_json = call("list_memories", R"({"tags":["o"],"limit":1,"format":"json"})");
  BOOST_TEST(as_json.structured.at("results").at(0).at("expires_at").as_string() ==
             "2099-12-31T00:00:00.000000Z");

  const char* never = R"({"external_id":"last","expires_in":"never"})";
  const ToolReply removed = call("update_memories", never);
  BOOST_TEST(removed.has("Changed; it is now"), removed.text);
  BOOST_TEST(!removed.has("expires_at"), removed.text);
  BOOST_TEST(call("update_memories", never).has("Nothing changed; it still is"));
  BOOST_TEST(
      call("update_memories", R"({"tags":["o"],"expires_in":"never"})").has("Changed 1 memory"));
  BOOST_TEST(result("MATCH (m:Memory) WHERE m@expires_at IS NOT NULL RETURN count(m)") == "0");
}

// As a field it would be stored, and nothing would expire.
BOOST_AUTO_TEST_CASE(a_lifetime_is_no_field_of_metadata) {
  const auto is = [&](const char* tool, const char* arguments, const char* message) {
    const ToolReply reply = call(tool, arguments);
    BOOST_TEST(reply.is_error, arguments << reply.text);
    BOOST_TEST(reply.text == message, arguments << reply.text);
  };
  is("store_memory", R"({"content":"x","metadata":{"expires_at":"2099-12-31"}})",
     "`metadata` of store_memory cannot have a field `expires_at`: give the lifetime beside "
     "`metadata`, as `expires_at` or `expires_in`");
  is("store_memory", R"({"memories":[{"content":"x","metadata":{"external_id":"y"}}]})",
     "`metadata` of memories of store_memory cannot have a field `external_id`: give "
     "`external_id` beside `metadata`");
  const char* update =
      "expires_at is no field of metadata: expires_in: \"never\" beside metadata removes the "
      "lifetime, and store_memory gives one";
  is("update_memories", R"({"external_id":"tea","metadata":{"expires_at":"never"}})", update);
  is("update_memories", R"({"external_id":"tea","unset":["expires_at"]})", update);
  is("update_memories", R"({"external_id":"tea","expires_in":"30d"})",
     "expires_in of update_memories must be \"never\", which removes the lifetime; store_memory "
     "gives one");
  is("update_memories", R"({"external_id":"tea","metadata":{"external_id":"coffee"}})",
     "update_memories cannot change the external id of a record, which is set when the record is "
     "added; to choose the record by it, put `external_id` beside `metadata`");
  is("store_memory", R"({"content":"x","expires_in":"never"})",
     "`expires_in` of store_memory must be a duration, a number of seconds, or a text such as "
     "'30d' (leave it out for a record that never expires), got 'never'");
}

BOOST_AUTO_TEST_CASE(the_size_of_a_page_is_given_once_and_kept) {
  BOOST_TEST(call("search_memory", R"({"page":2,"limit":3})").has("1 of 4 memories"));
  BOOST_TEST(call("search_memory", R"({"page":1,"limit":3,"page_size":3})").has("3 of 4 memories"));
  const ToolReply both = call("search_memory", R"({"page":1,"limit":3,"page_size":2})");
  BOOST_TEST(both.is_error);
  BOOST_TEST(both.has("limit and page_size are both the size of a page"), both.text);
  // A budget shows less of a page, and does not make another page of it.
  const std::string page = R"({"page":1,"page_size":3,"format":"toon","max_tokens":)";
  const ToolReply cut = call("search_memory", page + "420}");
  BOOST_TEST(cut.has("# page=1 total=4 page_size=3 has_more=true total_pages=2"), cut.text);
  BOOST_TEST(cut.has("the cursor gives the next"), cut.text);
  // Behind a cursor into the page, the rest is the last page.
  const ToolReply rest = call("search_memory", page + "5000,\"cursor\":\"" + cut.cursor() + "\"}");
  BOOST_TEST(rest.has("# page=2 total=4 page_size="), rest.text);
  BOOST_TEST(rest.has("has_more=false total_pages=2"), rest.text);
}

BOOST_AUTO_TEST_CASE(an_update_without_a_change_says_what_to_give) {
  const auto refusal = [&](const char* arguments) {
    const ToolReply reply = call("update_memories", arguments);
    BOOST_TEST(reply.is_error, arguments << reply.text);
    return reply.text;
  };
  const std::string start =
      "update_memories needs what to change: metadata, an object of fields and their new values; ";
  const std::string end = "or expires_in: \"never\", which removes the lifetime";
  BOOST_TEST(refusal(R"({"external_id":"tea"})") ==
             start + "unset, a list of fields to remove; content, a new text; " + end);
  BOOST_TEST(refusal(R"({"external_id":"tea","merge":true,"dry_run":true})") ==
             start + "unset, a list of fields to remove; content, a new text; " + end);
  BOOST_TEST(refusal(R"({"tags":["drink"]})") ==
             start + "unset, a list of fields to remove; " + end);
  // Nothing is a change that was asked for, and so are no other fields.
  BOOST_TEST(call("update_memories", R"({"external_id":"tea","metadata":{}})")
                 .has("Nothing changed; it still is"));
  BOOST_TEST(call("update_memories", R"({"external_id":"tea","merge":false})").has("Changed"));
}

// One of the two would be left out in silence.
BOOST_AUTO_TEST_CASE(what_stands_beside_criteria_is_refused_within_them) {
  const auto is = [&](const char* arguments, const char* message) {
    const ToolReply reply = call("list_memories", arguments);
    BOOST_TEST(reply.is_error, arguments << reply.text);
    BOOST_TEST(reply.text == message, arguments << reply.text);
  };
  is(R"({"of":"tasks","criteria":{"limit":1}})",
     "criteria has `limit`; give limit beside criteria, as an argument of its own");
  is(R"({"of":"tasks","criteria":{"offset":1}})",
     "criteria has `offset`; give cursor beside criteria, as an argument of its own");
  is(R"({"of":"tasks","criteria":{"of":"messages"}})",
     "criteria has `of`; give of beside criteria, as an argument of its own");
  is(R"({"of":"tasks","criteria":{"sort_by":"title"},"sortBy":"priority"})",
     "criteria has `sort_by`, and sortBy is beside criteria; give one of them");
  is(R"({"of":"episodes","criteria":{"tags":["a"]},"tags":["b"]})",
     "criteria has `tags`, and tags is beside criteria; give one of them");
  BOOST_TEST(call("list_memories", R"({"of":"tasks","criteria":{"sort_by":"title"},"limit":1})")
                 .has("1 of 1 tasks"));
}

BOOST_AUTO_TEST_CASE(erase_true_is_the_action_erase) {
  const auto forget = [&](const std::string& more) {
    return call("forget_memories", R"({"external_ids":["tea"],)" + more + "}");
  };
  const ToolReply both = forget(R"("erase":true,"action":"hide")");
  BOOST_TEST(both.is_error);
  BOOST_TEST(both.text == "erase: true and action hide contradict each other; leave one out");
  const auto neither = call("forget_memories", R"({"ids":[1],"action":"erase","erase":false})");
  BOOST_TEST(neither.text == "erase: false and action erase contradict each other; leave one out");
  BOOST_TEST(forget(R"("erase":true,"dry_run":true)").has("Would erase 1 memory;"));
  BOOST_TEST(forget(R"("erase":false,"dry_run":true)").has("Would hide 1 memory;"));
  const ToolReply done = forget(R"("erase":true,"scrub":true)");
  BOOST_TEST(done.has("Erased 1 of 1 memories. No file of the database has them any more"),
             done.text);
  BOOST_TEST(result("MATCH (m:Memory @ {external_id: 'tea'}) RETURN count(m)") == "0");
}

// A shorter list than the one that was asked for would look like all there is.
BOOST_AUTO_TEST_CASE(a_limit_above_the_maximum_is_refused) {
  run("CREATE FULLTEXT INDEX chunk_content IF NOT EXISTS FOR (c:Chunk) ON EACH [c.content]");
  const json::value listed = client.ask_stateless("tools/list");
  const auto maximum_of = [&](std::string_view tool, const char* argument) -> json::value {
    for (const json::value& one : listed.at("result").at("tools").as_array())
      if (one.at("name").as_string() == tool)
        return one.at("inputSchema").at("properties").at(argument).at("maximum");
    return nullptr;
  };
  for (const char* tool : {"list_memories", "search_documents", "search_memory"}) {
    const std::string start =
        std::string(tool) == "search_documents" ? R"({"text":"log","limit":)" : R"({"limit":)";
    for (const char* limit : {"101", "500", "1e30", "0", "-1"}) {
      const ToolReply refused = call(tool, start + limit + "}");
      BOOST_TEST(refused.is_error, tool << limit);
      BOOST_TEST(refused.text == "limit must be between 1 and 100", tool << limit << refused.text);
    }
    for (const char* limit : {"100", "1"}) {
      const ToolReply taken = call(tool, start + limit + "}");
      BOOST_TEST(!taken.is_error, tool << limit << taken.text);
    }
    BOOST_TEST(maximum_of(tool, "limit") == json::value(100), tool);
  }
  BOOST_TEST(maximum_of("search_memory", "page_size") == json::value(100));
}

BOOST_AUTO_TEST_CASE(all_fields_are_shown) {
  call(
      "store_memory",
      R"({"content":"many fields","external_id":"many","metadata":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}})");
  const ToolReply shown = call("search_memory", R"({"query":"many fields","limit":1})");
  for (const char* field :
       {"- a: 1", "- e: 5", "- f: 6", "- g: 7", "- created_at: ", "- updated_at: "})
    BOOST_TEST(shown.has(field), field << shown.text);
}

BOOST_AUTO_TEST_CASE(directories_may_be_relative) {
  run("CREATE FULLTEXT INDEX chunk_content IF NOT EXISTS FOR (c:Chunk) ON EACH [c.content]");
  run("CREATE (:Chunk {content: 'a torn log', file_path: '/home/x/src/engine/log.cpp', "
      "relative_path: 'src/engine/log.cpp'}), (:Chunk {content: 'a log of wood', file_path: "
      "'/home/x/docs/wood.md', relative_path: 'docs/wood.md'})");
  const auto found = [&](const std::string& directories) {
    const ToolReply reply =
        call("search_documents", R"({"text":"log","directories":)" + directories + "}");
    return std::string(reply.has("torn") ? "torn " : "") + (reply.has("wood.md") ? "wood" : "");
  };
  BOOST_TEST(found(R"(["src"])") == "torn ");
  BOOST_TEST(found(R"(["./src/engine/"])") == "torn ");
  BOOST_TEST(found(R"(["src/eng"])") == "");
  BOOST_TEST(found(R"(["/home/x/src"])") == "torn ");
  BOOST_TEST(found(R"(["/home/x/src","docs"])") == "torn wood");
  BOOST_TEST(found(R"(["."])") == "torn wood");
  BOOST_TEST(found(R"(["/src"])") == "");
}

// A model knows the names of other servers.
BOOST_AUTO_TEST_CASE(an_unknown_argument_gives_the_nearest) {
  const auto is = [&](const char* tool, const char* arguments, const char* message) {
    const ToolReply reply = call(tool, arguments);
    BOOST_TEST(reply.is_error, arguments << reply.text);
    BOOST_TEST(reply.text.starts_with(message), arguments << reply.text);
  };
  is("store_memory", R"({"content":"x","session":"s"})",
     "unknown argument `session` (did you mean `sessionId`?). Arguments: `content`, ");
  is("store_memory", R"({"text":"x"})", "unknown argument `text` (did you mean `content`?). ");
  is("store_memory", R"({"content":"x","name":"y"})",
     "unknown argument `name` (did you mean `external_id`?). ");
  is("store_memory", R"({"content":"x","ttl":"30d"})",
     "unknown argument `ttl` (did you mean `expires_in`?). ");
  is("search_memory", R"({"text":"x"})", "unknown argument `text` (did you mean `query`?). ");
  is("search_memory", R"({"query":"x","min_score":1})",
     "unknown argument `min_score` (did you mean `minScore`?). ");
  is("update_memories", R"({"ids":[1],"metadata":{"a":1}})",
     "unknown argument `ids` (did you mean `id`?). ");
  is("forget_memories", R"({"id":1})", "unknown argument `id` (did you mean `ids`?). ");
  is("query", R"({"query":"RETURN 1"})",
     "missing argument `statement`; unknown argument `query` (did you mean `statement`?). ");
  is("store_memory", R"({"content":"x","zzzzzz":"y"})", "unknown argument `zzzzzz`. Arguments: ");
}

BOOST_AUTO_TEST_CASE(an_error_names_the_memory_that_is_not_there) {
  const auto has = [&](const char* tool, const char* arguments, const char* part) {
    const ToolReply reply = call(tool, arguments);
    BOOST_TEST(reply.has(part), tool << arguments << reply.text);
  };
  has("update_memories", R"({"external_id":"none","metadata":{"a":1}})",
      "No memory has the external id \"none\", or it is hidden");
  has("update_memories", R"({"id":4711,"metadata":{"a":1},"dry_run":true})",
      "No memory has the id 4711, or it is hidden");
  has("forget_memories", R"({"ids":[4711,"none","tea"],"dry_run":true})",
      "no memory has the id 4711 or the external id \"none\", or it is hidden already");
  has("forget_memories", R"({"external_ids":["none"],"action":"erase"})",
      "no memory has the external id \"none\"; search_memory");
  has("forget_memories", R"({"ids":["none"],"action":"restore"})",
      "no memory has the external id \"none\"; list_memories with include_deleted");
  has("forget_memories", R"({"ids":["tea"],"action":"restore"})",
      "not hidden, so not restored: the external id \"tea\"");
  has("store_memory", R"({"content":"x","external_id":"tea"})",
      "external id \"tea\" is used by another node; update_memories with that external_id changes "
      "this memory, and forget_memories with action restore shows it if it is hidden");
}

BOOST_AUTO_TEST_CASE(an_empty_list_stores_nothing) {
  const ToolReply none = call("store_memory", R"({"memories":[]})");
  BOOST_TEST(none.is_error, none.text);
  BOOST_TEST(none.text == "memories is an empty list; give objects with content");
}

BOOST_AUTO_TEST_CASE(nothing_is_restored_of_nothing_hidden) {
  const ToolReply none = call("forget_memories", R"({"ids":[4711]})");
  BOOST_TEST(none.has("Hid 0 of 0 memories ("), none.text);
  BOOST_TEST(
      call("forget_memories", R"({"ids":["tea"]})").has("; action restore shows them again"));
}

BOOST_AUTO_TEST_CASE(one_memory_is_no_plural) {
  BOOST_TEST(
      call("search_memory", R"({"query":"green tea","limit":1})").has("Found 1 memory with"));
  BOOST_TEST(!call("forget_memories", R"({"ids":["tea"]})").is_error);
  BOOST_TEST(
      call("forget_memories", R"({"ids":["tea"],"action":"restore"})").has("Restored 1 memory ("));
  BOOST_TEST(query("RETURN 1").has("1 row ("));
}

// The place of an error that shows only when the statement runs.
BOOST_AUTO_TEST_CASE(an_error_of_a_query_has_its_place) {
  BOOST_TEST(query("UNWIND [1, 0] AS x\nRETURN 1 / x").text ==
             "line 2, column 8: division by zero: 1 / 0");
  BOOST_TEST(query("RETURN 1 +").text.starts_with("line 1, column 11: expected an expression"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

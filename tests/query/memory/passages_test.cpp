// Passages of a recall: the records around each hit of a memory, within its session and a number of tokens.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/memory/output.hpp>
#include <cairn/memory/recall.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {
namespace {

using test::must;

/// Two sessions of five turns, stored in another order than that of their times.
struct Sessions : MemoryFixture {
  Sessions() {
    for (const int turn : {3, 1, 5, 2, 4})
      for (const char* session : {"x", "y"}) add_turn(memory, session, turn);
  }

  static NodeId add_turn(Memory& to, const std::string& session, int turn) {
    const std::string text = turn == 3 ? (session == "x" ? "green tea tea" : "black tea")
                                       : "well " + session + std::to_string(turn);
    NewRecord record =
        note(text, {{"created_at", "2026-02-01T10:0" + std::to_string(turn) + ":00.000000Z"}});
    record.session = session;
    return must(to.add(record)).ids.at(0);
  }
  static RecallRequest asking(const std::string& query) {
    RecallRequest request;
    request.query = query;
    return request;
  }
  /// "green tea tea: well x2, green tea tea | ...": each hit with the records of its passage.
  static std::string passages(const Memory& from, const RecallRequest& request) {
    std::vector<std::string> rows;
    for (const Hit& hit : must(from.recall(request)).hits) {
      std::vector<std::string> contents;
      BOOST_TEST(hit.passage.size() == hit.passage_nodes.size());
      for (const Node& node : hit.passage_nodes) contents.push_back(record_of(node).content);
      rows.push_back(record_of(hit).content + ": " + joined(contents));
    }
    std::string all;
    for (const std::string& row : rows) all += (all.empty() ? "" : " | ") + row;
    return all;
  }
  std::string passages(const RecallRequest& request) { return passages(memory, request); }
};

constexpr std::string_view whole_sessions =
    "green tea tea: well x1, well x2, green tea tea, well x4, well x5 | "
    "black tea: well y1, well y2, black tea, well y4, well y5";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(passages_of_memories, Sessions)

BOOST_AUTO_TEST_CASE(a_hit_has_its_session_in_order_of_time) {
  RecallRequest request = asking("tea");
  request.limit = 2;
  BOOST_TEST(must(memory.recall(request)).hits.at(0).passage.empty());
  request.context = 1;
  BOOST_TEST(passages(request) ==
             "green tea tea: well x2, green tea tea, well x4 | "
             "black tea: well y2, black tea, well y4");
  request.context = 0;
  request.expand = PassageExtent::session;
  BOOST_TEST(passages(request) == whole_sessions);
}

// Words, vectors and the graph find hits, and one step gives all of them their passages.
BOOST_AUTO_TEST_CASE(every_strategy_has_passages) {
  for (const Strategy strategy : {Strategy::automatic, Strategy::vector, Strategy::hybrid,
                                  Strategy::graph_neighborhood, Strategy::text}) {
    RecallRequest request = asking("green tea tea");
    request.strategy = strategy;
    request.limit = 1;
    request.expand = PassageExtent::session;
    BOOST_TEST(passages(request) == whole_sessions.substr(0, whole_sessions.find(" | ")));
  }
}

BOOST_AUTO_TEST_CASE(the_best_hits_fill_the_budget) {
  RecallRequest request = asking("tea");
  request.limit = 2;
  request.expand = PassageExtent::session;
  // "green tea tea" takes four tokens with the end of the line, "black tea" and "well x1" three and two.
  request.max_tokens = 14;
  BOOST_TEST(passages(request) ==
             "green tea tea: well x1, well x2, green tea tea, well x4, well x5 | black tea: ");
  BOOST_TEST(must(memory.recall(request)).hits.at(1).left_out == 5U);
  request.max_tokens = 15;
  BOOST_TEST(passages(request) ==
             "green tea tea: well x1, well x2, green tea tea, well x4, well x5 | "
             "black tea: black tea");
  request.context = 1;
  request.expand = PassageExtent::context;
  request.max_tokens = 6;
  BOOST_TEST(passages(request) == "green tea tea: well x2, green tea tea | black tea: ");
}

BOOST_AUTO_TEST_CASE(hidden_expired_and_foreign_records_are_in_no_passage) {
  const NodeId hidden = add_turn(memory, "x", 6);
  must(memory.remove(hidden));
  NewRecord expired = note("gone", {});
  expired.session = "x";
  expired.lifetime.expires_at = test_now + 1;
  add(expired);
  MemoryOptions options = at(test_now);
  options.name_space = "other";
  Memory other = must(Memory::open(*database, options));
  add_turn(other, "x", 2);
  add_turn(other, "x", 3);
  Memory later = open(test_now + 2);
  RecallRequest request = asking("tea");
  request.limit = 2;
  request.expand = PassageExtent::session;
  request.max_tokens = 1'000;
  BOOST_TEST(passages(later, request) == whole_sessions);
  BOOST_TEST(passages(other, request) == "green tea tea: well x2, green tea tea");
  request.scope.include_deleted = true;
  BOOST_TEST(passages(later, request).find("well x6") != std::string::npos);
}

// What the scope leaves out is not shown around a hit either.
BOOST_AUTO_TEST_CASE(the_scope_binds_passages) {
  RecallRequest request = asking("tea");
  request.scope.where = "m.content <> 'well x4'";
  request.scope.session = "x";
  request.expand = PassageExtent::session;
  BOOST_TEST(passages(request) == "green tea tea: well x1, well x2, green tea tea, well x5");
}

BOOST_AUTO_TEST_CASE(a_document_is_read_from_chunk_to_chunk) {
  RememberOptions options;
  options.chunks = {.size = 20, .overlap = 0};
  const auto document = must(
      memory.remember("one two three four. a comet in the sky. five six seven ten. ", {}, options));
  BOOST_TEST_REQUIRE(document.chunks.size() > 2U);
  RecallRequest request = asking("comet");
  request.scope.kinds = {"chunk"};
  request.limit = 1;
  request.expand = PassageExtent::session;
  const auto hits = must(memory.recall(request)).hits;
  BOOST_TEST_REQUIRE(hits.size() == 1U);
  BOOST_TEST_REQUIRE(hits[0].passage.size() == document.chunks.size());
  for (std::size_t i = 0; i < document.chunks.size(); ++i)
    BOOST_TEST(hits[0].passage[i] == document.chunks[i].value);
}

BOOST_AUTO_TEST_CASE(without_an_index_of_contents_there_is_a_warning) {
  test::run_all(*database, {"DROP INDEX memory_contents"});
  RecallRequest request = asking("tea");
  request.context = 1;
  const auto found = must(memory.recall(request));
  BOOST_TEST_REQUIRE(!found.hits.empty());
  BOOST_TEST(found.hits[0].passage.empty());
  BOOST_TEST_REQUIRE(!found.warnings.empty());
  BOOST_TEST(found.warnings.back().find("no passages") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_call_of_the_language_gives_records) {
  const auto called = [&](const std::string& given) {
    return test::result_of(*database,
                           "CALL memory.recall({query: 'tea', limit: 2, " + given +
                               "}) YIELD record, passage, left_out RETURN record.content, [r IN "
                               "passage | r.content], left_out");
  };
  BOOST_TEST(called("strategy: 'text'") == "'green tea tea' | [] | 0; 'well x2' | [] | 0");
  BOOST_TEST(called("context: 1") ==
             "'green tea tea' | ['well x2', 'green tea tea', 'well x4'] | 0; "
             "'black tea' | ['well y2', 'black tea', 'well y4'] | 0");
  BOOST_TEST(called("expand: 'session', max_tokens: 9") ==
             "'green tea tea' | ['well x2', 'green tea tea', 'well x4'] | 2; 'black tea' | [] | 5");
  const auto refused = test::error_of(
      *database, "CALL memory.recall({query: 'tea', expand: 'all'}) YIELD record RETURN record");
  BOOST_TEST(refused.message.find("session") != std::string::npos, refused.message);
  BOOST_TEST(test::error_of(*database,
                            "CALL memory.recall({query: 'tea', context: 1001}) YIELD record "
                            "RETURN record")
                 .message.find("at most 1000") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

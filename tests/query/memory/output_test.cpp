// Results as text: the exact texts of the source documents, and TOON there and back.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/json.hpp>
#include <cairn/memory/output.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>

namespace cairn::memory {
namespace {

using test::must;
using test::result_of;

OutputItem item(std::string external_id, std::string content, Properties metadata = {}) {
  OutputItem made;
  made.record.kind = "note";
  made.record.external_id = std::move(external_id);
  made.record.content = std::move(content);
  made.record.metadata = std::move(metadata);
  return made;
}

Relationship relationship(std::uint64_t id, std::string type, Properties properties) {
  return Relationship(RelationshipId{id},
                      std::make_shared<const Relationship::Content>(Relationship::Content{
                          std::move(type), NodeId{1}, NodeId{2}, std::move(properties)}));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Records whose texts have every sign that separates or escapes, far too often.
class NastyRecords {
 public:
  explicit NastyRecords(std::uint64_t seed) : random_(seed) {}

  OutputItem record() {
    OutputItem made = item(random_.boolean() ? text() : "", text());
    made.record.kind = random_.boolean() ? "task" : "";
    if (made.record.external_id.empty()) made.record.id = NodeId{random_.below(1'000)};
    Properties& metadata = made.record.metadata;
    for (std::uint64_t n = random_.below(4); n > 0; --n) metadata["f" + text()] = value(2);
    if (random_.boolean()) metadata["tags"] = tags();
    if (random_.boolean()) metadata["created_at"] = time();
    if (random_.boolean()) metadata["updated_at"] = random_.boolean() ? time() : value(1);
    return made;
  }

 private:
  std::string text() {
    constexpr const char* pieces[] = {"|",   "\\", "\n",     ",",  "\r", "\"",  "a",
                                      "\\n", "7",  "\u00e4", "# ", "",   "\\|", "\t"};
    std::string made;
    for (std::uint64_t n = random_.below(6); n > 0; --n) made += pieces[random_.below(14)];
    if (random_.below(8) == 0) made += '\0';
    return made;
  }
  Value tags() {
    List list;
    for (std::uint64_t n = random_.below(4); n > 0; --n) list.push_back(text());
    if (random_.below(6) == 0) list.push_back(5);
    return list;
  }
  Value time() {
    constexpr const char* times[] = {"2026-02-14T10:30:00Z", "2026-02-14T10:30:00.25Z",
                                     "not a time", "", "1999-12-31T23:59:59.000001Z"};
    return times[random_.below(5)];
  }
  Value value(int levels) {
    switch (random_.below(levels == 0 ? 4 : 6)) {
      case 0:
        return text();
      case 1:
        return random_.integer();
      case 2:
        return random_.boolean();
      case 3:
        return Value();
      case 4:
        return List{value(levels - 1), value(levels - 1)};
      default:
        return Map{{text(), value(levels - 1)}};
    }
  }

  test::ValueGenerator random_;
};

bool same(const OutputItem& a, const OutputItem& b) {
  return a.record.content == b.record.content && a.record.kind == b.record.kind &&
         a.record.external_id == b.record.external_id && a.record.id == b.record.id &&
         to_json(Value(a.record.metadata)) == to_json(Value(b.record.metadata));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_output)

BOOST_AUTO_TEST_CASE(metadata_and_scores_do_not_break_the_frame) {
  Output output;
  output.items = {item("m", "text", {{"a\n## b", "v\r\n## Memory 2 (relevance: 100%)"}})};
  output.items[0].score = 1e300;
  const std::string text = to_text(OutputFormat::markdown, output);
  BOOST_TEST(contains(text, "- a\\n## b: v\\r\\n## Memory 2"), text);
  BOOST_TEST(!contains(text, "relevance: -"), text);
  output.items = {item("", "a row that is no record")};
  BOOST_TEST(!contains(to_text(OutputFormat::markdown, output), "memory-node"));
}

// M0.55, M0.56, M0.57, M0.58, M0.60
BOOST_AUTO_TEST_CASE(markdown_is_as_the_document_says) {
  Output output;
  output.items = {item("m\"1", "Alice prefers <b>TypeScript</b>",
                       {{"a", list_of({1})},
                        {"b", 2},
                        {"c", "text"},
                        {"created_at", "2026-02-14T10:30:00Z"},
                        {"d", map_of({{"x", 1}})},
                        {"e", true},
                        {"userId", "alice"}}),
                  item("", "Second")};
  output.items[1].record.id = NodeId{7};
  output.items[0].score = 0.845;
  output.items[0].relationships = {
      relationship(1, "USES", {{"weight", 0.5}}), relationship(2, "LIKES", {{"weight", 1}}),
      relationship(3, "KNOWS", {{"weight", 0.456}}), relationship(4, "FAR", {{"weight", 0.1}})};
  output.filtered_fields = {"userId", "importance"};
  BOOST_TEST(to_text(OutputFormat::markdown, output) ==
             "# Memory Search Results\n\n"
             "Found 2 relevant memories (filtered by: userId, importance):\n\n"
             "## Memory 1 (relevance: 85%)\n"
             "<memory-node id=\"m&quot;1\" />\n"
             "Alice prefers <b>TypeScript</b>\n\n"
             "**Related Concepts** (from knowledge graph):\n"
             "- [LIKES] (strength: 1.00)\n- [USES] (strength: 0.50)\n- [KNOWS] (strength: 0.46)\n\n"
             "**Context**:\n"
             "- ✓ userId: alice\n- a: [1]\n- b: 2\n- c: text\n- d: {\"x\":1}\n\n"
             "## Memory 2\n<memory-node id=\"7\" />\nSecond");
  BOOST_TEST(to_text(OutputFormat::markdown, {}) ==
             "# Memory Search Results\n\nFound 0 relevant memories:\n\n");
}

// As the id it would look like the number of another record.
BOOST_AUTO_TEST_CASE(an_external_id_of_digits_is_a_field_of_markdown) {
  const auto shown = [](OutputItem one, std::uint64_t id) {
    one.record.id = NodeId{id};
    Output output;
    output.items.push_back(std::move(one));
    const std::string text = to_text(OutputFormat::markdown, output);
    return text.substr(text.find("## Memory 1"));
  };
  BOOST_TEST(shown(item("12", "text"), 7) ==
             "## Memory 1\n<memory-node id=\"7\" />\ntext\n\n**Context**:\n- external_id: 12");
  BOOST_TEST(shown(item("12", "text", {{"a", 1}}), 7).ends_with("- external_id: 12\n- a: 1"));
  BOOST_TEST(shown(item("12b", "text"), 7) == "## Memory 1\n<memory-node id=\"12b\" />\ntext");
  // The number of a record that was read from TOON is not known.
  BOOST_TEST(shown(item("12", "text"), 0) ==
             "## Memory 1\ntext\n\n**Context**:\n- external_id: 12");
}

// M0.59
BOOST_AUTO_TEST_CASE(the_search_tool_answers_with_the_documents_keys) {
  Output output;
  output.items = {item("a", "x")};
  output.filtered_fields = {"userId"};
  const Value answer = search_answer(output, "who", true);
  BOOST_TEST((answer.map()->at("success") == Value(true)));
  BOOST_TEST(answer.map()->at("message").as_string() ==
             "Found 1 memories with metadata filtering with graph exploration");
  BOOST_TEST(to_json(answer.map()->at("metadata")) ==
             R"({"explored":true,"filtersApplied":1,"query":"who","resultCount":1})");
  BOOST_TEST(search_answer({}, "", false).map()->at("message").as_string() == "Found 0 memories");
}

// M1.26, M1.27, M1.28, M1.33: the document's own example
BOOST_AUTO_TEST_CASE(toon_has_a_header_and_a_line_a_record) {
  Output output;
  output.items = {item("abc123", "Memory content here",
                       {{"tags", list_of({"tag1", "tag2"})},
                        {"key", "val"},
                        {"created_at", "2026-02-14T10:30:00.000000Z"},
                        {"updated_at", "2026-02-14T10:30:00.5Z"}}),
                  item("def456", "a|b\\c\nd", {{"tags", list_of({"x,y"})}})};
  output.items[0].record.kind.clear();
  output.items[1].record.kind.clear();
  output.page = {1, 10, 42, 5, true};
  BOOST_TEST(to_text(OutputFormat::toon, output) ==
             "# page=1 total=42 page_size=10 has_more=true total_pages=5\n"
             "Memory content here|tag1,tag2|{\"key\":\"val\"}|2026-02-14T10:30:00Z|"
             "2026-02-14T10:30:00.5Z|abc123\n"
             "a\\|b\\\\c\\nd|x\\,y|{}|||def456\n");
  output = {};
  output.page.page_size = 10;
  BOOST_TEST(to_text(OutputFormat::toon, output) ==
             "# page=1 total=0 page_size=10 has_more=false total_pages=0\n");
}

BOOST_AUTO_TEST_CASE(a_total_that_is_not_known_is_not_written) {
  Output output;
  output.page = {2, 10, 0, 0, true, false};
  const std::string text = to_text(OutputFormat::toon, output);
  BOOST_TEST(text == "# page=2 page_size=10 has_more=true\n");
  BOOST_TEST((must(parse_toon(text)).page == output.page));
  const Value json = must(parse_json(to_text(OutputFormat::json, output)));
  BOOST_TEST(!json.map()->contains("total"));
  BOOST_TEST(!json.map()->contains("total_pages"));
  BOOST_TEST(json.map()->at("has_more").as_bool());
}

// M1.27: whatever the texts hold
BOOST_AUTO_TEST_CASE(toon_comes_back_as_it_was) {
  const std::uint64_t seed = test::test_seed();
  NastyRecords records(seed);
  for (int round = 0; round < 300; ++round) {
    Output output;
    for (int i = 0; i < round % 4; ++i) output.items.push_back(records.record());
    output.page = {3, 10, 42, 5, round % 2 == 0};
    const std::string text = to_text(OutputFormat::toon, output);
    const auto read = parse_toon(text);
    if (!read) BOOST_FAIL("seed " << seed << ": " << read.error().message << "\n" << text);
    BOOST_REQUIRE((read->page == output.page));
    BOOST_REQUIRE(read->items.size() == output.items.size());
    for (std::size_t i = 0; i < output.items.size(); ++i)
      if (!same(read->items[i], output.items[i]))
        BOOST_FAIL("seed " << seed << ", round " << round << ":\n" << text);
    BOOST_REQUIRE(to_text(OutputFormat::toon, *read) == text);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_toon_is_refused_at_its_line) {
  const std::string header = "# page=1 total=1 page_size=10 has_more=false total_pages=1\n";
  const auto refused = [&](const std::string& text) {
    const auto read = parse_toon(text);
    return read ? "" : read.error().message;
  };
  BOOST_TEST(refused(header) == "");
  for (const char* line : {"a|b", "\n", "a||{}|||i|x", "a||[]|||i", "a||{|||i", "a\\||{}|||i",
                           "a\\x||{}|||i", "a||{}|soon||i", "a|\\|{}|||i"}) {
    BOOST_TEST(contains(refused(header + line + "\n"), "line 2"), line);
  }
  for (const char* text : {"", "# page=x", "# page=1 total=1", "page=1\n",
                           "# page=1 page_size=1 has_more=true total_pages=1\n",
                           "# page=1 total=1 page_size=1 has_more=true\n"})
    BOOST_TEST(contains(refused(text), "line 1"), text);
  test::ValueGenerator random(test::test_seed());
  // Damaged texts are read or refused, and what is read can be written.
  for (int i = 0; i < 500; ++i) {
    const auto read = parse_toon(random.damaged(header + "a|b|{\"x\":1}|||i\n"));
    if (read) BOOST_REQUIRE(!to_text(OutputFormat::toon, *read).empty());
  }
}

// M3.32, M3.33, M3.34, M3.35, M3.45
BOOST_AUTO_TEST_CASE(rag_has_links_output_and_metadata) {
  Output output;
  const auto chunk = [](const char* path, Properties more) {
    more.emplace("file_path", path);
    return item("", "Text", std::move(more));
  };
  output.items = {chunk("/data/b c.py", {{"file_name", "b c.py"},
                                         {"file_type", "code"},
                                         {"chunk_index", 0},
                                         {"total_chunks", 3},
                                         {"modified_time", "2026-01-15T10:30:00Z"}}),
                  chunk("/data/a.md", {}), chunk("/data/b c.py", {}), item("", "No file")};
  output.roots = {{"/dat", "/wrong"}, {"/data", "/home/me"}};
  BOOST_TEST(to_text(OutputFormat::rag, output) ==
             R"({"links":["file:///home/me/b%20c.py","file:///home/me/a.md"],"metadata":[)"
             R"({"chunk":"1/3","file":"/home/me/b c.py","file_name":"b c.py","file_type":"code",)"
             R"("modified":"2026-01-15T10:30:00Z"},)"
             R"({"chunk":"?/?","file":"/home/me/a.md","file_name":null,"file_type":null,)"
             R"("modified":null},)"
             R"({"chunk":"?/?","file":"/home/me/b c.py","file_name":null,"file_type":null,)"
             R"("modified":null},)"
             R"({"chunk":"?/?","file":null,"file_name":null,"file_type":null,"modified":null}],)"
             R"("output":"Text. Text. Text. No file","total_results":4})");
  BOOST_TEST(to_text(OutputFormat::rag, {}) ==
             R"({"links":[],"metadata":[],"output":"","total_results":0})");
}

// M3.42
BOOST_AUTO_TEST_CASE(rag_markdown_names_sources_chunks_and_answer) {
  Output output;
  output.items = {item("", "One",
                       {{"file_path", "/a.py"},
                        {"file_name", "a.py"},
                        {"file_type", "code"},
                        {"chunk_index", 1},
                        {"total_chunks", 2}})};
  BOOST_TEST(to_text(OutputFormat::rag_markdown, output) ==
             "**Sources (1):**\n- file:///a.py\n\n**Chunks:**\n- a.py (chunk 2/2, code)\n\n"
             "**Answer:**\nOne");
  BOOST_TEST(to_text(OutputFormat::rag_markdown, {}) == "\n**Answer:**\n");
}

// M0.60: numbers in brackets with a line of metadata
BOOST_AUTO_TEST_CASE(context_has_numbered_contents_with_their_metadata) {
  Output output;
  output.items = {item("a", "Ada drinks tea", {{"user", "ada"}, {"n", 1}}), item("b", "Bob")};
  output.items[1].columns = {{"note", "line\nend"}};
  BOOST_TEST(
      to_text(OutputFormat::context, output) ==
      "[1] Ada drinks tea\nMetadata: n: 1, user: ada\n\n[2] Bob\nMetadata: note: line\\nend");
  BOOST_TEST(to_text(OutputFormat::context, Output()) == "");
}

// M0.60: triplets by type, contents cut to 100 signs, weights with two digits
BOOST_AUTO_TEST_CASE(triplets_stand_below_their_type_heaviest_first) {
  Output output;
  std::string long_text;
  for (int i = 0; i < 101; ++i) long_text += "ä";
  output.items = {item("", "Ada"), item("", long_text)};
  output.items[0].record.id = NodeId{1};
  output.items[1].record.id = NodeId{2};
  output.items[0].relationships = {relationship(1, "KNOWS", {{"weight", 0.25}}),
                                   relationship(2, "KNOWS", {{"weight", 0.756}}),
                                   relationship(3, "HAS", {})};
  output.items[1].relationships = {relationship(2, "KNOWS", {{"weight", 0.756}})};
  const std::string ends = "- Ada -- " + long_text.substr(0, 200) + "... ";
  BOOST_TEST(to_text(OutputFormat::triplets, output) ==
             "HAS:\n" + ends + "(1.00)\n\nKNOWS:\n" + ends + "(0.76)\n" + ends + "(0.25)");
  output.items.pop_back();
  BOOST_TEST(contains(to_text(OutputFormat::triplets, output), "- Ada -- #2 (1.00)"));
}

BOOST_AUTO_TEST_CASE(functions_write_context_and_the_triplets_between_their_nodes) {
  test::TemporaryDatabase database;
  must(execute(*database,
               "CREATE (a:Memory {content: 'Ada'})-[:KNOWS {weight: 2}]->"
               "(b:Memory {content: 'Bob'})-[:KNOWS]->(:Memory {content: 'Eve'})"));
  const auto text = [&](const std::string& expression) {
    Rows rows = must(execute(*database,
                             "MATCH (m:Memory) WHERE m.content <> 'Eve' WITH m ORDER BY "
                             "m.content WITH collect(m) AS ms RETURN " +
                                 expression));
    return (*must(rows.next()))[0].as_string();
  };
  BOOST_TEST(text("format.triplets(ms)") == "KNOWS:\n- Ada -- Bob (2.00)");
  BOOST_TEST(text("format.context(ms)") == "[1] Ada\n\n[2] Bob");
}

BOOST_AUTO_TEST_CASE(formats_have_names_and_fields_come_from_the_filter) {
  BOOST_TEST((find_output_format("toon") == OutputFormat::toon));
  BOOST_TEST((find_output_format("rag_markdown") == OutputFormat::rag_markdown));
  BOOST_TEST(!find_output_format("xml"));
  const Filter filter =
      Filter::all_of({Filter::where("a", FilterOperator::exists),
                      Filter::any_of({Filter::where("b", FilterOperator::exists),
                                      Filter::where("a", FilterOperator::exists)}),
                      Filter::any_element("list", Filter::where("inner", FilterOperator::exists))});
  BOOST_TEST(joined(fields_of(filter)) == "a, b, list");
}

BOOST_FIXTURE_TEST_CASE(results_of_every_call_can_be_written, MemoryFixture) {
  for (int i = 0; i < 3; ++i) add("Ada drinks tea", {{"i", i}});
  SearchRequest search;
  search.limit = 2;
  search.offset = 2;
  const Output page = output_of(must(memory.search(search)));
  BOOST_TEST((page.page == OutputPage{2, 2, 3, 2, false}));
  RecallRequest recall;
  recall.query = "tea";
  recall.min_score = 0;
  const Output found = output_of(must(memory.recall(recall)));
  BOOST_TEST(contains(to_text(OutputFormat::markdown, found), "## Memory 3 (relevance: "));
  const Output facets =
      output_of(must(cairn::faceted_search(must(database->snapshot()), FacetedSearch{})));
  BOOST_TEST(to_text(OutputFormat::toon, facets)
                 .starts_with("# page=1 total=3 page_size=10 has_more=false total_pages=1\nAda "));
  const Value json = must(parse_json(to_text(OutputFormat::json, facets)));
  BOOST_TEST(json.map()->at("results").list()->size() == 3U);
}

// The language: functions of lists of nodes
BOOST_FIXTURE_TEST_CASE(statements_write_what_they_found, MemoryFixture) {
  add("Ada drinks tea", {{"x", 1}});
  BOOST_TEST(contains(result_of(*database, "MATCH (m:Memory) RETURN format.toon(collect(m))"),
                      "Ada drinks tea||"));
  BOOST_TEST(
      contains(result_of(*database, "MATCH (m:Memory) RETURN format.markdown(collect(m), [0.5])"),
               "(relevance: 50%)"));
  BOOST_TEST(contains(result_of(*database, "RETURN format.rag([])"), "total_results"));
  for (const char* wrong : {"RETURN format.toon([1])", "RETURN format.toon(5)",
                            "MATCH (m:Memory) RETURN format.toon(collect(m), [])",
                            "MATCH (m:Memory) RETURN format.json(collect(m), ['a'])"})
    BOOST_TEST(contains(test::error_of(*database, wrong).message, "format."), wrong);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

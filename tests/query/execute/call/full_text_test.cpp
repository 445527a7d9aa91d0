// Full-text indexes by statement: creating them, searching by clause and by call, filters before
// the search. The statements use Neo4j's syntax.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

constexpr const char* create_index =
    "CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content, m.title]";

struct Fixture {
  TemporaryDatabase database;

  Fixture() {
    run_all(*database, {create_index,
                        "CREATE (:Memory {n: 1, content: 'green tea', user: 'ada'})"
                        "-[:SAID {text: 'a cup of tea'}]->"
                        "(:Memory {n: 2, content: 'black tea and more tea', user: 'bob'}), "
                        "(:Memory {n: 3, content: 'coffee', title: 'no tea', user: 'ada'}), "
                        "(:Other {n: 4, content: 'tea'})"});
  }
  std::string result(std::string_view statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(full_text, Fixture)

BOOST_AUTO_TEST_CASE(a_search_gives_the_best_documents_of_its_labels) {
  BOOST_TEST(sorted_rows(*database,
                         "MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX texts FOR 'tea' LIMIT 9) "
                         "RETURN m.n") == (std::vector<std::string>{"1", "2", "3"}),
             boost::test_tools::per_element());
  BOOST_TEST(result("MATCH (m) SEARCH m IN (FULLTEXT INDEX texts FOR $q LIMIT 1) SCORE AS s "
                    "RETURN m.n, s > 0",
                    {{"q", "more tea"}}) == "2 | true");
}

BOOST_AUTO_TEST_CASE(conditions_bind_before_the_search) {
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX texts FOR 'black tea' "
                    "WHERE m.user = 'ada' AND m.n < 3 LIMIT 1) RETURN m.n") == "1");
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX texts FOR 'tea' "
                    "WHERE NOT (m)--() LIMIT 1) RETURN m.n") == "3");
}

BOOST_AUTO_TEST_CASE(the_label_of_the_pattern_binds_before_the_search_too) {
  run_all(*database, {"CREATE FULLTEXT INDEX both FOR (m:Memory|Other) ON EACH [m.content]"});
  BOOST_TEST(result("MATCH (m) SEARCH m IN (FULLTEXT INDEX both FOR 'tea' LIMIT 1) RETURN m.n") ==
             "4");
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX both FOR 'tea' LIMIT 1) "
                    "RETURN m.n") == "1");
}

// n, in the order of a call that all documents answer alike.
std::string listed(Fixture& fixture, const std::string& text, const std::string& options = "{}") {
  std::string all;
  for (const std::string& row : rows_of(*fixture.database,
                                        "CALL db.index.fulltext.queryNodes('texts', $text, " +
                                            options + ") YIELD node, score RETURN node.n, score",
                                        {{"text", text}}))
    all += (all.empty() ? "" : ", ") + row;
  return all;
}

BOOST_AUTO_TEST_CASE(a_star_is_every_document_of_the_index) {
  run_all(*database, {"CREATE (:Memory {n: 5, content: 7}), (:Memory {n: 6, title: ['a', 1]}), "
                      "(:Memory {n: 7, title: [1, 2]}), (:Memory {n: 8})"});
  const std::string all = "1 | 1.0, 2 | 1.0, 3 | 1.0, 6 | 1.0";
  BOOST_TEST(listed(*this, "*") == all);
  BOOST_TEST(listed(*this, "*:*") == all);
  BOOST_TEST(listed(*this, "*^2", "{limit: 1}") == "1 | 2.0");
  BOOST_TEST(listed(*this, "*", "{skip: 1, limit: 2}") == "2 | 1.0, 3 | 1.0");
  BOOST_TEST(listed(*this, "title:*") == "3 | 1.0, 6 | 1.0");
  BOOST_TEST(listed(*this, "content:*") == "1 | 1.0, 2 | 1.0, 3 | 1.0");
  BOOST_TEST(must(execute(*database, "CALL db.index.fulltext.queryNodes('texts', '*')"))
                 .warnings()
                 .empty());
}

BOOST_AUTO_TEST_CASE(a_star_is_a_clause_too) {
  BOOST_TEST(listed(*this, "* AND NOT tea") == "");
  BOOST_TEST(listed(*this, "* AND NOT black") == "1 | 1.0, 3 | 1.0");
  BOOST_TEST(listed(*this, "content:* -title:*") == "1 | 1.0, 2 | 1.0");
  BOOST_TEST(listed(*this, "tea -*") == "");
  const std::string found =
      "CALL db.index.fulltext.queryNodes('texts', $text) YIELD node, score "
      "RETURN node.n, score > 1.0 ORDER BY node.n";
  const auto rows = [&](const char* text) { return rows_of(*database, found, {{"text", text}}); };
  BOOST_TEST(
      rows("* OR coffee") == (std::vector<std::string>{"1 | false", "2 | false", "3 | true"}),
      boost::test_tools::per_element());
  BOOST_TEST(rows("* AND black") == (std::vector<std::string>{"2 | true"}),
             boost::test_tools::per_element());
  BOOST_TEST(rows("(*) +coffee") == (std::vector<std::string>{"3 | true"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_star_finds_what_the_statement_may_see) {
  run_all(*database, {"CREATE (:Memory {n: 5, content: 'gone'} "
                      "@ {expires_at: datetime('2000-01-01')})",
                      "MATCH (m:Memory {n: 2}) SET m.content = 8"});
  StatementOptions other;
  other.name_space = "other";
  must(must(execute(*database, "CREATE (:Memory {n: 6, content: 'far'})", {}, other)).all());
  BOOST_TEST(listed(*this, "*") == "1 | 1.0, 3 | 1.0");
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX texts FOR '*' "
                    "WHERE m.n > 2 LIMIT 9) RETURN m.n") == "3");
  Transaction transaction = must(database->begin());
  const auto count = [&](const char* text) {
    return must(must(must(Statement::parse(text)).run(transaction)).all()).size();
  };
  BOOST_TEST(count("CREATE (:Memory {n: 7, title: 'new'})") == 0U);
  BOOST_TEST(count("CALL db.index.fulltext.queryNodes('texts', '*') YIELD node RETURN node.n") ==
             3U);
}

BOOST_AUTO_TEST_CASE(a_star_finds_relationships) {
  run_all(*database, {"CREATE FULLTEXT INDEX said FOR ()-[r:SAID]-() ON EACH [r.text]",
                      "MATCH (a {n: 1}), (b {n: 3}) CREATE (a)-[:SAID]->(b)"});
  BOOST_TEST(result("CALL db.index.fulltext.queryRelationships('said', '*') YIELD relationship, "
                    "score RETURN relationship.text, score") == "'a cup of tea' | 1.0");
}

// Each row is counted before it exists.
BOOST_AUTO_TEST_CASE(a_star_keeps_to_the_memory_of_the_statement) {
  run_all(*database, {"UNWIND range(1, 20000) AS i CREATE (:Memory {n: 10, content: 'x'})"});
  StatementOptions few;
  few.memory_bytes = 256 * 1024;
  auto rows = execute(*database,
                      "CALL db.index.fulltext.queryNodes('texts', '* -tea') YIELD node "
                      "RETURN count(*)",
                      {}, few);
  const auto all = rows ? rows->all() : Result<std::vector<std::vector<Value>>>(rows.error());
  BOOST_REQUIRE(!all);
  BOOST_TEST((all.error().code == ErrorCode::resource_limit));
  BOOST_TEST(must(must(execute(*database,
                               "CALL db.index.fulltext.queryNodes('texts', '*', "
                               "{limit: 5}) YIELD node RETURN node.n",
                               {}, few))
                      .all())
                 .size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_null_question_finds_nothing_and_a_number_is_refused) {
  const std::string search =
      "MATCH (m) SEARCH m IN (FULLTEXT INDEX texts FOR $q LIMIT 3) RETURN m.n";
  BOOST_TEST(result(search, {{"q", Value()}}).empty());
  BOOST_TEST((error_of(*database, search, {{"q", 5}}).code == ErrorCode::type_error));
}

// A call returns no relationship with an end that the statement may not see: a node that has
// expired or is in another namespace.
BOOST_AUTO_TEST_CASE(calls_give_no_relationship_with_a_hidden_end) {
  run_all(*database,
          {"CREATE FULLTEXT INDEX ties FOR ()-[r:TIE]-() ON EACH [r.text]",
           "CREATE VECTOR INDEX near FOR ()-[r:TIE]-() ON (r.v) OPTIONS {indexConfig: "
           "{`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean'}}",
           "CREATE (a:End {k: 'a'})-[:TIE {k: 1, text: 'knot', v: [1.0, 0.0]}]->(:End @ "
           "{expires_at: datetime('2000-01-01')}), (a)-[:TIE {k: 2, text: 'knot', v: [2.0, "
           "0.0]}]->(:End)"});
  StatementOptions other;
  other.name_space = "other";
  other.also_read = {""};
  must(must(execute(*database,
                    "MATCH (a:End {k: 'a'}) CREATE (:Own)-[:TIE {k: 3, text: 'knot', v: [1.0, "
                    "0.0]}]->(a)",
                    {}, other))
           .all());
  const std::string by_text =
      "CALL db.index.fulltext.queryRelationships('ties', 'knot', {limit: 1}) "
      "YIELD relationship AS r RETURN r.k";
  const std::string by_vector =
      "CALL db.index.vector.queryRelationships('near', 1, [1.0, 0.0]) YIELD relationship AS r "
      "RETURN r.k";
  // Many hidden relationships that match as well.
  run_all(*database,
          {"MATCH (a:End {k: 'a'}) UNWIND range(1, 100) AS i CREATE (a)-[:TIE {k: -i, text: "
           "'knot', v: [1.0, 0.0]}]->(:End @ {expires_at: datetime('2000-01-01')})"});
  BOOST_TEST(result(by_text) == "2");
  BOOST_TEST(result(by_vector) == "2");
  other.also_read = {};
  for (const std::string& text : {by_text, by_vector})
    BOOST_TEST(must(must(execute(*database, text, {}, other)).all()).empty(), text);
  other.also_read = {""};
  for (const std::string& text : {by_text, by_vector})
    BOOST_TEST(must(must(execute(*database, text, {}, other)).all()).size() == 1U, text);
}

BOOST_AUTO_TEST_CASE(calls_give_nodes_and_relationships_with_scores) {
  BOOST_TEST(result("CALL db.index.fulltext.queryNodes('texts', 'content:coffee') "
                    "YIELD node, score RETURN node.n, score > 0") == "3 | true");
  BOOST_TEST(result("CALL db.index.fulltext.queryNodes('texts', 'tea', {limit: 2}) YIELD node "
                    "RETURN count(node)") == "2");
  run_all(*database, {"CREATE FULLTEXT INDEX said FOR ()-[r:SAID]-() ON EACH [r.text]"});
  BOOST_TEST(result("CALL db.index.fulltext.queryRelationships('said', 'cups') "
                    "YIELD relationship RETURN relationship.text") == "'a cup of tea'");
  BOOST_TEST(result("MATCH (a)-[r:SAID]->(b) SEARCH r IN (FULLTEXT INDEX said FOR 'cup' LIMIT 1) "
                    "RETURN a.n, b.n") == "1 | 2");
  BOOST_TEST((error_of(*database,
                       "CALL db.index.fulltext.queryNodes('said', 'x') YIELD node "
                       "RETURN node")
                  .code == ErrorCode::invalid_argument));
}

// The pattern continues only from the relationships that the search found.
BOOST_AUTO_TEST_CASE(a_search_of_relationships_gives_its_hits_alone) {
  run_all(*database,
          {"CREATE FULLTEXT INDEX said FOR ()-[r:SAID]-() ON EACH [r.text]",
           "CREATE (:P {n: 11})-[:SAID {text: 'milk'}]->(:P {n: 12})-[:SAID {text: 'tea'}]->(:P)"});
  const std::string search = " SEARCH r IN (FULLTEXT INDEX said FOR 'milk' LIMIT 5) ";
  BOOST_TEST(result("MATCH (a)-[r:SAID]->(b)" + search + "RETURN a.n, b.n") == "11 | 12");
  BOOST_TEST(result("MATCH (a)-[r]->(b)-->(c)" + search + "RETURN a.n, b.n, r.text") ==
             "11 | 12 | 'milk'");
  BOOST_TEST(result("MATCH (a {n: 12}) MATCH (a)-[r]-(b)" + search + "RETURN b.n") == "11");
}

BOOST_AUTO_TEST_CASE(calls_give_all_hits_unless_they_are_told_how_many) {
  run_all(*database,
          {"UNWIND range(1, 150) AS n CREATE (:Memory {content: 'a lamp', n: 100 + n})"});
  const std::string count = " YIELD node RETURN count(node)";
  BOOST_TEST(result("CALL db.index.fulltext.queryNodes('texts', 'lamp')" + count) == "150");
  BOOST_TEST(result("CALL db.index.fulltext.queryNodes('texts', 'lamp', {skip: 140, limit: 20})" +
                    count) == "10");
  BOOST_TEST(result("CALL db.index.fulltext.queryNodes('texts', 'lamp', {limit: 2}) YIELD node "
                    "RETURN node.n") == "101; 102");
  for (const std::string options : {"{limits: 1}", "{limit: -1}", "{limit: '1'}", "3"}) {
    const Error error = error_of(
        *database, "CALL db.index.fulltext.queryNodes('texts', 'lamp', " + options + ")" + count);
    BOOST_TEST((error.code == ErrorCode::type_error || error.code == ErrorCode::invalid_argument));
  }
}

BOOST_AUTO_TEST_CASE(what_may_not_be_seen_is_not_found) {
  StatementOptions other;
  other.name_space = "other";
  BOOST_TEST(result_of(*database, "CREATE (:Memory {n: 5, content: 'tea'})", {}, other).empty());
  const std::string call =
      "CALL db.index.fulltext.queryNodes('texts', 'tea') YIELD node RETURN node.n ORDER BY node.n";
  BOOST_TEST(result(call) == "1; 2; 3");
  BOOST_TEST(result_of(*database, call, {}, other) == "5");
  BOOST_TEST(result_of(*database,
                       "MATCH (m) SEARCH m IN (FULLTEXT INDEX texts FOR 'tea' LIMIT 9) "
                       "RETURN m.n",
                       {}, other) == "5");
}

BOOST_AUTO_TEST_CASE(updates_are_found_by_the_statement_behind_them) {
  run_all(*database, {"MATCH (m {n: 1}) SET m.content = 'white wine'",
                      "MATCH (m {n: 2}) SET m.content = null", "MATCH (m {n: 3}) DELETE m"});
  BOOST_TEST(
      result("CALL db.index.fulltext.queryNodes('texts', 'tea') YIELD node RETURN node.n").empty());
  BOOST_TEST(result("CALL db.index.fulltext.queryNodes('texts', 'wine') YIELD node "
                    "RETURN node.n") == "1");
}

BOOST_AUTO_TEST_CASE(a_plan_shows_the_search) {
  const std::string plan = plan_of(*database,
                                   "EXPLAIN MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX texts "
                                   "FOR 'tea' WHERE m.user = 'ada' LIMIT 2) RETURN m.n");
  BOOST_TEST(plan.find("SearchTexts m in texts") != std::string::npos, plan);
}

BOOST_AUTO_TEST_CASE(broken_syntax_is_searched_as_words_with_a_warning) {
  const auto statement = Statement::parse(
      "MATCH (m) SEARCH m IN (FULLTEXT INDEX texts FOR '\"green' LIMIT 3) RETURN m.n");
  Rows rows = must(statement->run(*database));
  BOOST_TEST(must(rows.all()).size() == 1U);
  BOOST_REQUIRE(rows.warnings().size() == 1U);
  BOOST_TEST(rows.warnings()[0].find("plain words") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_index_is_shown_and_dropped_by_its_name) {
  run_all(*database, {"CREATE FULLTEXT INDEX other IF NOT EXISTS FOR (m:Other) ON EACH [m.content] "
                      "OPTIONS {indexConfig: {`fulltext.analyzer`: 'german', `fulltext.b`: 0.5, "
                      "`fulltext.weights`: [2.0]}}"});
  BOOST_TEST(
      result("CALL db.indexes() YIELD name, type, properties, options, entries "
             "WHERE name = 'other' WITH *, options.indexConfig AS config RETURN type, properties, "
             "config['fulltext.analyzer'], config['fulltext.b'], entries") ==
      "'FULLTEXT' | ['content'] | 'german' | 0.5 | 1");
  run_all(*database, {"DROP INDEX other"});
  BOOST_TEST((error_of(*database,
                       "MATCH (m) SEARCH m IN (FULLTEXT INDEX other FOR 'x' LIMIT 1) "
                       "RETURN m")
                  .code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(what_has_diacritics_is_found_without_them_where_the_index_folds) {
  const auto make = [&](const std::string& name, const std::string& config) {
    run_all(*database, {"CREATE FULLTEXT INDEX " + name + " FOR (m:" + name +
                        ") ON EACH [m.text] OPTIONS {indexConfig: {" + config + "}}"});
  };
  make("english", "");
  make("german", "`fulltext.analyzer`: 'german'");
  make("folded", "`fulltext.analyzer`: 'none', `fulltext.fold_diacritics`: true");
  make("exact", "`fulltext.fold_diacritics`: false");
  run_all(*database, {"CREATE (:english:german:folded:exact:X {n: 1, text: 'Ein Café ist schön'}), "
                      "(:english:german:folded:exact:X {n: 2, text: 'a cafe'})"});
  database.reopen();
  const auto found = [&](const std::string& index, const std::string& question) {
    return result("CALL db.index.fulltext.queryNodes('" + index + "', '" + question +
                  "') YIELD node WITH node ORDER BY node.n RETURN collect(node.n)");
  };
  for (const std::string question :
       {"cafe", "CAFÉ", "caf*", "café*", "cafë~1", "\"a cafe\" +café"}) {
    BOOST_TEST(found("english", question) == "[1, 2]", question);
    BOOST_TEST(found("folded", question) == "[1, 2]", question);
  }
  for (const std::string index : {"german", "exact"}) {
    BOOST_TEST(found(index, "cafe") == "[2]");
    BOOST_TEST(found(index, "café") == "[1]");
  }
  BOOST_TEST(found("english", "schon") == "[1]");
  BOOST_TEST(result("CALL db.indexes() YIELD name, options WHERE "
                    "options.indexConfig['fulltext.fold_diacritics'] "
                    "RETURN name ORDER BY name") == "'english'; 'folded'; 'texts'");
  BOOST_TEST(
      result("MATCH (x:X {n: 1}) RETURN text.snippet(x.text, 'cafe schon', {index: 'folded'})") ==
      "'Ein **Café** ist **schön**'");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(words_are_found_without_the_article_that_hangs_on_them) {
  const auto make = [&](const std::string& name, const std::string& config) {
    run_all(*database, {"CREATE FULLTEXT INDEX " + name + " FOR (m:" + name +
                        ") ON EACH [m.text] OPTIONS "
                        "{indexConfig: {" +
                        config + "}}"});
  };
  make("english", "");
  make("french", "`fulltext.analyzer`: 'french'");
  make("whole", "`fulltext.elisions`: false");
  run_all(*database,
          {"CREATE (:E:english:french:whole {n: 1, text: \"Sean O'Brien's boat\"}), "
           "(:E:english:french:whole {n: 2, text: \"J'ai pris l\u2019avion d'accord\"})"});
  database.reopen();
  const auto found = [&](const std::string& index, const std::string& question) {
    return result("CALL db.index.fulltext.queryNodes('" + index + "', \"" + question +
                  "\") YIELD node WITH node ORDER BY node.n RETURN collect(node.n)");
  };
  for (const std::string name :
       {"Brien", "o'brien", "O\u2019Brien's", "\\\"Sean Brien\\\"", "O'Br*"})
    BOOST_TEST(found("english", name) == "[1]", name);
  BOOST_TEST(found("whole", "Brien") == "[]");
  BOOST_TEST(found("whole", "O'Brien") == "[1]");
  for (const std::string word : {"avion", "l'avion", "L'AVIONS", "accord", "l'av*", "+d'avion"})
    BOOST_TEST(found("french", word) == "[2]", word);
  BOOST_TEST(
      result("CALL db.indexes() YIELD name, options WHERE options.indexConfig['fulltext.elisions'] "
             "RETURN name ORDER BY name") == "'english'; 'french'; 'texts'");
  BOOST_TEST(result("MATCH (e:E {n: 2}) RETURN text.snippet(e.text, 'avion \"avion accord\"', "
                    "{index: 'french'})") == "'J\\'ai pris l\u2019**avion d\\'accord**'");
  BOOST_TEST(result("MATCH (e:E {n: 1}) RETURN text.snippet(e.text, 'brien')") ==
             "'Sean O\\'**Brien\\'s** boat'");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(stop_words_are_dropped_only_where_something_else_is_asked_for) {
  run_all(*database, {"CREATE (:Memory {n: 5, content: 'who is there'}), "
                      "(:Memory {n: 6, content: 'who drinks coffee'}), "
                      "(:Memory {n: 7, content: 'what coffee'})"});
  const std::pair<const char*, const char*> cases[] = {
      {"who is", "[5, 6]"},           {"(who is)", "[5, 6]"},
      {"((who) is)^2", "[5, 6]"},     {"(who is) coffee", "[3, 6, 7]"},
      {"+(who is) coffee", "[5, 6]"}, {"coffee AND (who is)", "[6]"},
      {"coffee -(who is)", "[3, 7]"}, {"(who OR what) OR (. ;)", "[5, 6, 7]"},
      {"+(who coffee)", "[3, 6, 7]"}, {"+coffee +(. ;)", "[3, 6, 7]"},
      {"(+who) is", "[5, 6]"},        {"who -coffee", "[5]"}};
  for (const auto& [question, wanted] : cases)
    BOOST_TEST(result("CALL db.index.fulltext.queryNodes('texts', '" + std::string(question) +
                      "') YIELD node WITH node ORDER BY node.n RETURN collect(node.n)") == wanted,
               question);
}

BOOST_AUTO_TEST_CASE(options_out_of_sense_are_refused) {
  for (const std::string option :
       {"`fulltext.analyzer`: 'klingon'", "`fulltext.b`: 2", "`fulltext.k1`: 'much'",
        "`fulltext.weights`: [1.0, 2.0, 3.0]", "`fulltext.weights`: [-1.0]",
        "`fulltext.edge_ngrams`: 90", "`fulltext.fold_diacritics`: 1",
        "`fulltext.analyser`: 'german'"}) {
    const Error error = error_of(
        *database,
        "CREATE FULLTEXT INDEX x FOR (m:X) ON EACH [m.a] OPTIONS {indexConfig: {" + option + "}}");
    BOOST_TEST((error.code == ErrorCode::invalid_argument), option << ": " << error.message);
  }
  const Error twice =
      error_of(*database, "CREATE FULLTEXT INDEX x FOR (m:X) ON EACH [m.a, m.`b c`, m.`b c`, m.a]");
  BOOST_TEST((twice.code == ErrorCode::invalid_argument));
  BOOST_TEST(twice.message == "property \"a\" occurs twice in the full-text index; list it once");
  const std::string create = "CREATE FULLTEXT INDEX x FOR (m:X) ON EACH [m.a, m.b] OPTIONS ";
  BOOST_TEST(
      error_of(*database, create + "{`fulltext.weights`: [1, 'much']}").message ==
      "`fulltext.weights` must be a list of numbers, one for each property, got [1, 'much']");
  BOOST_TEST(error_of(*database, create + "{`fulltext.weights`: [1]}").message ==
             "fulltext.weights needs one number for each property: 2, got 1");
  BOOST_TEST((error_of(*database,
                       "MATCH (m) SEARCH m IN (VECTOR INDEX texts FOR [1.0] LIMIT 1) "
                       "RETURN m")
                  .code == ErrorCode::invalid_argument));
  const Error error = error_of(
      *database, "MATCH (m) SEARCH m IN (FULLTEXT INDEX texts FOR 'x' EF 50 LIMIT 1) RETURN m");
  BOOST_TEST(error.message.find("EF applies to vector indexes") != std::string::npos,
             error.message);
}

BOOST_AUTO_TEST_CASE(an_index_of_the_same_transaction_says_that_it_waits_for_the_commit) {
  Transaction transaction = must(database->begin());
  const auto make =
      Statement::parse("CREATE FULLTEXT INDEX late FOR (m:Other) ON EACH [m.content]");
  must(must(make->run(transaction)).all());
  const auto call =
      Statement::parse("CALL db.index.fulltext.queryNodes('late', 'tea') YIELD node RETURN node.n");
  auto rows = call->run(transaction);
  const auto all = rows ? rows->all() : Result<std::vector<std::vector<Value>>>(rows.error());
  BOOST_REQUIRE(!all);
  BOOST_TEST(all.error().message.find("after its commit") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

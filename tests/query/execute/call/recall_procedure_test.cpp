// db.recall: the recall call as a procedure.

#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Calling : Recalling {
  Calling() {
    add("CREATE (:Memory {name: 'a', content: 'green tea', user: 'ada', s: 1})-[:NEXT]->"
        "(:Memory {name: 'b', content: 'a cup', user: 'ada', s: 1})-[:NEXT]->"
        "(:Memory {name: 'c', content: 'tea and rain', user: 'bob', s: 2})");
  }
  std::string call(const std::string& given, const std::string& back = "node.name") {
    return result_of(*database, "CALL db.recall('tea'" + given +
                                    ") YIELD node, score, breakdown RETURN " + back);
  }
  std::string refusal(const std::string& given) {
    return error_of(*database, "CALL db.recall('tea'" + given + ") YIELD node RETURN node").message;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(recall_procedure, Calling)

BOOST_AUTO_TEST_CASE(a_wrong_number_of_arguments_is_told_with_the_names_of_the_right_ones) {
  BOOST_TEST(refusal(", {}, 1") == "db.recall(question, options?) takes 1 to 2 arguments, got 3");
  BOOST_TEST(error_of(*database, "CALL db.facets({}) YIELD value RETURN value").message ==
             "db.facets(filter, fields) takes 2 arguments, got 1");
  BOOST_TEST(error_of(*database, "CALL db.rules.drop()").message ==
             "db.rules.drop(name) takes 1 argument, got 0");
}

BOOST_AUTO_TEST_CASE(it_gives_what_the_recall_call_gives) {
  options.features = RecallFeatures();
  const auto expected = hits("tea");
  const auto rows = must(must(execute(*database,
                                      "CALL db.recall('tea') YIELD node, score, breakdown "
                                      "RETURN id(node), score, breakdown"))
                             .all());
  BOOST_REQUIRE_EQUAL(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BOOST_TEST(rows[i][0].as_integer() == static_cast<std::int64_t>(expected[i].id));
    BOOST_TEST(rows[i][1].as_float() == expected[i].score);
    BOOST_REQUIRE(expected[i].explanation->features.has_value());
    const FeatureScores& parts = *expected[i].explanation->features;
    BOOST_TEST(rows[i][2].map()->at("text").as_float() == parts.text);
    BOOST_TEST(rows[i][2].map()->at("propagation").as_float() == parts.propagation);
    BOOST_TEST(rows[i][2].map()->at("group").as_float() == parts.group);
    BOOST_TEST(rows[i][2].map()->at("dense").as_float() == parts.dense);
    BOOST_TEST(rows[i][2].map()->at("named").as_float() == parts.named);
    BOOST_TEST(rows[i][2].map()->at("rules").as_float() == parts.rules);
    BOOST_TEST(rows[i][2].map()->at("whole").as_float() == parts.whole);
  }
}

BOOST_AUTO_TEST_CASE(rules_and_words_are_options) {
  const std::string rule = "{filter: {field: 'user', operator: 'equals', value: 'bob'}, weight: 9}";
  BOOST_TEST(call(", {limit: 1, boosts: [" + rule + "]}", "node.name, breakdown.rules") ==
             "'c' | 10.0");
  BOOST_TEST(has(call(", {limit: 1, expansion: {rain: 1}, expansion_weight: 4}"), "'c'"));
  for (const std::string given : {"boosts: 1", "boosts: [1]", "boosts: [{filter: {}}]",
                                  "also: ['rain']", "also: {rain: 'x'}"})
    BOOST_TEST(!refusal(", {" + given + "}").empty(), given);
  BOOST_TEST(has(refusal(", {expansion: {rain: 2}}"), "rain"));
  BOOST_TEST(has(refusal(", {boost: []}"), "boosts"));
}

BOOST_AUTO_TEST_CASE(features_are_options) {
  const std::string alone =
      "propagation_weight: 0, group_weight: 0, entity_weight: 0, author_weight: 0, date_weight: 0, "
      "feedback_weight: 0";
  BOOST_TEST(call(", {" + alone + "}") == "'a'; 'c'");
  BOOST_TEST(call(", {" + alone + ", limit: 1}") == "'a'");
  BOOST_TEST(call(", {" + alone + ", index: 'texts', diversity: 0.5}") == "'a'; 'c'");
  BOOST_TEST(has(call(", {relationship_types: ['NEXT'], hops: 1}"), "'b'"));
  BOOST_TEST(!has(call(", {relationship_types: ['NONE'], group_weight: 0}"), "'b'"));
  BOOST_TEST(call(", {limit: 0}") == "");
}

BOOST_AUTO_TEST_CASE(vectors_take_part_where_they_are_given) {
  add("CREATE VECTOR INDEX v FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: {`vector.dimensions`: "
      "2, "
      "`vector.similarity_function`: 'cosine'}}");
  add("MATCH (m {name: 'b'}) SET m.v = [1.0, 0.0]");
  const std::string vectors = ", {vector_index: 'v', vector: [1, 0], limit: 9}";
  BOOST_TEST(has(call(vectors, "node.name, breakdown.dense > 0"), "'b' | true"), call(vectors));
  BOOST_TEST(has(refusal(", {vector_index: 'v', vector: 'x'}"), "a list of numbers"));
  BOOST_TEST(has(refusal(", {vector: [1, 0]}"), "name a vector index of nodes in `vector_index`"));
}

// Errors of the procedure name options as statements write them, not as fields of RecallOptions.
BOOST_AUTO_TEST_CASE(refusals_name_options_as_they_are_written) {
  add("CREATE VECTOR INDEX v FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: {`vector.dimensions`: "
      "2}}");
  add("CREATE FULLTEXT INDEX more FOR (m:Memory) ON EACH [m.user]");
  const auto named = [&](const std::string& given, const std::string& part) {
    const std::string message = refusal(given);
    BOOST_TEST(has(message, part), message);
    BOOST_TEST(!has(message, "::"), message);
  };
  named("", "name one in `index`");
  named(", {index: 'texts', vector_index: 'v', vector: [1]}", "`vector` has 1 components");
  named(", {index: 'texts', vector_index: 'v', vector: [0.0 / 0, 1]}", "not finite");
  named(", {index: 'texts', vector_index: 'w', vector: [1, 0]}",
        "`vector_index` must name a vector index of nodes");
}

BOOST_AUTO_TEST_CASE(filters_have_the_forms_of_the_other_doors) {
  const std::string field = "field: 'user', operator: 'equals', value: 'bob'";
  for (const std::string& filter :
       {"{" + field + "}", "[{" + field + "}]", "{operator: 'AND', filters: [{" + field + "}]}",
        std::string("'{\"field\": \"user\", \"operator\": \"equals\", \"value\": \"bob\"}'")})
    BOOST_TEST(call(", {filter: " + filter + "}") == "'c'");
  const auto statement = Statement::parse(
      "CALL db.recall('tea', {filter: {field: 'usr', operator: 'exists'}}) YIELD node RETURN node");
  Rows rows = must(statement->run(*database));
  BOOST_TEST(must(rows.all()).empty());
  BOOST_REQUIRE_EQUAL(rows.warnings().size(), 1U);
  BOOST_TEST(has(rows.warnings()[0], "did you mean user"), rows.warnings()[0]);
}

BOOST_AUTO_TEST_CASE(types_that_no_relationship_has_are_remarked) {
  const auto warnings = [&](const std::string& text) {
    Rows rows = must(must(Statement::parse(text)).run(*database));
    static_cast<void>(must(rows.all()));
    return rows.warnings();
  };
  const std::string along = "relationship_types: ['NEXTT', 'NEXT', 'ANY']";
  for (const std::string& text :
       {"CALL db.recall('tea', {" + along + "}) YIELD node RETURN node",
        "MATCH (m:Memory) SEARCH m IN (RANKED INDEX texts FOR {question: 'tea', " + along +
            "} LIMIT 3) RETURN m"}) {
    const auto found = warnings(text);
    BOOST_TEST_REQUIRE(found.size() == 2U, text);
    BOOST_TEST(has(found[0], "no record has the relationship type NEXTT; did you mean NEXT?"),
               found[0]);
    BOOST_TEST(has(found[1], "relationship type ANY"), found[1]);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_option_is_refused_with_the_nearest) {
  BOOST_TEST(has(refusal(", {limt: 5}"), "did you mean `limit`"), refusal(", {limt: 5}"));
  BOOST_TEST(has(refusal(", {xyz: 5}"), "propagation_weight"));
  BOOST_TEST(has(refusal(", {limit: -1}"), "`limit`"));
  BOOST_TEST(has(refusal(", {group_weight: 'much'}"), "a number"));
  BOOST_TEST(has(refusal(", {group_weight: -1}"), "0 or more"));
  BOOST_TEST(has(refusal(", {group_properties: 'a'}"), "a list of strings"));
  BOOST_TEST(has(refusal(", {filter: {field: 'a', operator: 'equls', value: 1}}"), "equls"));
  BOOST_TEST(has(refusal(", 5"), "a map"));
  BOOST_TEST(has(refusal(", {index: 'none'}"), "none"));
  BOOST_TEST(
      has(error_of(*database, "CALL db.recall(5) YIELD node RETURN node").message, "a string"));
}

BOOST_AUTO_TEST_CASE(a_null_question_finds_nothing) {
  BOOST_TEST(result_of(*database, "CALL db.recall(null) YIELD node RETURN node.name") == "");
}

BOOST_AUTO_TEST_CASE(passages_are_options) {
  const auto passages = [&](const std::string& given) {
    return result_of(*database,
                     "CALL db.recall('tea', {propagation_weight: 0, " + given +
                         "}) YIELD node, passage, left_out RETURN node.name, [n IN passage | "
                         "n.name], left_out");
  };
  const std::string of_s = "group_properties: ['s'], ";
  BOOST_TEST(passages(of_s + "expand: 'session'") == "'a' | ['a', 'b'] | 0; 'c' | ['c'] | 0");
  BOOST_TEST(passages(of_s + "expand: 'context'") == "'a' | [] | 0; 'c' | [] | 0");
  // "green tea" takes three tokens, "a cup" two, "tea and rain" four.
  BOOST_TEST(passages(of_s + "expand: 'session', max_tokens: 8") ==
             "'a' | ['a', 'b'] | 0; 'c' | [] | 1");
  BOOST_TEST(passages("max_tokens: 6") == "'a' | ['a'] | 0; 'c' | [] | 1");
  BOOST_TEST(passages("max_tokens: 7") == "'a' | ['a'] | 0; 'c' | ['c'] | 0");
  for (const std::string given : {"expand: 'all'", "expand: 1", "expand: true"})
    BOOST_TEST(has(refusal(", {" + given + "}"), "must be 'session' or 'context'"), given);
  BOOST_TEST(
      has(refusal(", {expand: 'group'}"), "('session' is the whole group of a hit), got 'group'"));
  for (const std::string given : {"group: 's'", "groups: ['s']"})
    BOOST_TEST(has(refusal(", {" + given + "}"), "`group_properties` names the properties"), given);
  BOOST_TEST(has(refusal(", {max_tokens: -1}"), "`max_tokens`"));
  for (const std::string given : {"context: 1", "expand: 'session'", "max_tokens: 9"})
    BOOST_TEST(has(error_of(*database,
                            "MATCH (m:Memory) SEARCH m IN (RANKED INDEX texts FOR {question: "
                            "'tea', " +
                                given + "} LIMIT 3) RETURN m")
                       .message,
                   "YIELD passage"),
               given);
}

// It sees the records of the statement's namespaces, and the changes of its transaction.
BOOST_AUTO_TEST_CASE(it_sees_what_the_statement_sees) {
  StatementOptions other;
  other.name_space = "other";
  BOOST_TEST(result_of(*database, "CALL db.recall('tea') YIELD node RETURN node.name", {}, other) ==
             "");
  Transaction transaction = must(database->begin());
  must(must(Statement::parse("CREATE (:Memory {name: 'd', content: 'oolong'})")->run(transaction))
           .all());
  const auto find = Statement::parse("CALL db.recall('oolong') YIELD node RETURN node.name");
  BOOST_TEST(must(must(find->run(transaction)).all()).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

// What Tab puts in, by where the cursor stands.
#include "tools/shell/completion.hpp"

#include "tests/support/temporary_directory.hpp"
#include "tools/shell/line_editor.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace cairn::tools;

namespace {

using Words = std::vector<std::string>;

struct CompletionFixture {
  cairn::test::TemporaryDirectory temporary;
  cairn::Database database = cairn::Database::open(temporary.path() / "db").value();
  std::ostringstream out;
  std::ostringstream err;
  Session session{database, {}, {Format::jsonl}, out, err};

  CompletionFixture() {
    BOOST_REQUIRE(session.run_all(
        "CREATE (:Person {name: 'Ada', `odd name`: 1})-[:PERCEIVES {since: 1}]->(:`Two Words`);"
        "CREATE INDEX person_names FOR (p:Person) ON (p.name);\n"
        ".namespace acme\nCREATE (:Tenant {rent: 1});\n.namespace ''\n"));
  }

  Words words(std::string_view line, std::string_view before = {}) {
    return complete(session, before, line).words;
  }
  bool has(std::string_view line, std::string_view word) {
    return std::ranges::count(words(line), word) > 0;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(completion, CompletionFixture)

BOOST_AUTO_TEST_CASE(behind_a_colon_there_are_labels_or_types_and_nothing_else) {
  BOOST_TEST(words("MATCH (n:Per") == Words{"Person"});
  BOOST_TEST(words("MATCH (n:") == (Words{"Person", "`Two Words`"}));
  BOOST_TEST(words("MATCH (n)-[r:") == Words{"PERCEIVES"});
  BOOST_TEST(words("MATCH (n) WHERE n:Per") == (Words{"PERCEIVES", "Person"}));
  BOOST_TEST(words("(n:Per", "MATCH\n") == Words{"Person"});
}

BOOST_AUTO_TEST_CASE(names_are_quoted_where_they_must_be) {
  BOOST_TEST(words("RETURN n.od") == Words{"`odd name`"});
  const Completions found = complete(session, "", "RETURN n.`od");
  BOOST_TEST(found.words == Words{"odd name`"});
  BOOST_TEST(found.from == std::string("RETURN n.`").size());
  BOOST_TEST(words("MATCH (n:`Two") == Words{"Two Words`"});
}

BOOST_AUTO_TEST_CASE(properties_stand_behind_a_dot_and_in_braces) {
  BOOST_TEST(words("RETURN n.na") == Words{"name"});
  BOOST_TEST(words("MATCH (n {na") == Words{"name"});
  BOOST_TEST(words("MATCH (n:Person {name: 1, si") == Words{"since"});
  BOOST_TEST(words("CALL db.lab") == Words{"db.labels"});
  BOOST_TEST(!has("RETURN na", "name"));
}

BOOST_AUTO_TEST_CASE(some_keywords_tell_what_follows) {
  BOOST_TEST(words("SHOW IND") == Words{"INDEXES"});
  BOOST_TEST(has("SHOW ", "FUNCTIONS"));
  BOOST_TEST(words("DROP INDEX person") == Words{"person_names"});
  BOOST_REQUIRE(
      session.run_all("CREATE CONSTRAINT person_is FOR (p:Person) REQUIRE p.name IS UNIQUE;\n"));
  BOOST_TEST(words("DROP CONSTRAINT pers") == Words{"person_is"});
  BOOST_TEST(has("CALL ", "db.labels"));
  BOOST_TEST(has("MAT", "MATCH"));
  BOOST_TEST(words("RETURN toLow") == Words{"toLower"});
}

BOOST_AUTO_TEST_CASE(words_have_the_case_in_which_one_types) {
  BOOST_TEST(words("ret") == Words{"return"});
  BOOST_TEST(words("RET") == Words{"RETURN"});
  BOOST_TEST(words("show ind") == Words{"indexes"});
  BOOST_TEST(words("RETURN TOLOW") == Words{"toLower"});
  BOOST_TEST(words("return coun") == Words{"count"});  // a keyword and a function
  BOOST_TEST(words("RETURN COUN") == Words{"COUNT"});
}

BOOST_AUTO_TEST_CASE(only_keywords_have_a_blank_behind_them) {
  const auto has_blank = [&](std::string_view line) {
    return !complete(session, "", line).is_part;
  };
  BOOST_TEST(has_blank("RET"));
  BOOST_TEST(has_blank("SHOW IND"));
  for (const char* line : {"RETURN toLow", "MATCH (n:Pers", "RETURN n.na", "CALL db.lab", "CALL d"})
    BOOST_TEST(!has_blank(line), line);
}

BOOST_AUTO_TEST_CASE(strings_and_comments_are_left_alone) {
  BOOST_TEST(words("RETURN 'MAT").empty());
  BOOST_TEST(words("RETURN \"it's MAT").empty());
  BOOST_TEST(words("// MAT").empty());
  BOOST_TEST(words("MAT", "/* a comment\n").empty());
  BOOST_TEST(words("MAT", "RETURN 'open\n").empty());
  BOOST_TEST(!words("RETURN 'x' AS a; MAT").empty());
}

BOOST_AUTO_TEST_CASE(names_are_those_of_the_namespace) {
  session.options().limits.name_space = "acme";
  BOOST_TEST(words("MATCH (n:") == Words{"Tenant"});
  BOOST_TEST(words("RETURN n.re") == Words{"rent"});
}

BOOST_AUTO_TEST_CASE(dot_commands_are_completed_with_what_they_take) {
  BOOST_TEST(words(".sche") == Words{".schema"});
  BOOST_TEST(words(".mode v") == Words{"vertical"});
  BOOST_TEST(words("  .pager o") == (Words{"off", "on"}));
  BOOST_TEST(words(".schema Two") == Words{"'Two Words'"});
  BOOST_TEST(words(".namespace a") == Words{"acme"});
  session.parameters()["answer"] = 42;
  BOOST_TEST(words(".unset an") == Words{"answer"});
  BOOST_TEST(words(".help .quit x").empty());
  BOOST_TEST(!words(".mode ").empty());
  for (const char* line : {".mode table ", ".namespace '' ", ".schema Person P"})
    BOOST_TEST(words(line).empty(), line);
}

BOOST_AUTO_TEST_CASE(files_are_completed) {
  const std::string place = temporary.path().string() + "/";
  std::filesystem::create_directory(place + "notes");
  std::ofstream(place + "note one.csv") << "a\n";
  BOOST_TEST(words(".import " + place + "no") ==
             (Words{"'" + place + "note one.csv'", place + "notes/"}));
  BOOST_TEST(words(".open " + place + "no") == Words{place + "notes/"});
  BOOST_TEST(complete(session, "", ".open " + place + "no").is_part);
  BOOST_TEST(words(".import '" + place + "note o") == Words{"'" + place + "note one.csv'"});
}

BOOST_AUTO_TEST_CASE(candidates_stand_in_columns_that_fit) {
  BOOST_TEST(candidate_text({"aa", "b", "cccc", "d", "e"}, 12) == "aa    d\nb     e\ncccc\n");
  const std::string many = candidate_text(Words(100, "word"), 4);
  BOOST_TEST(many.find("... and 80 more\n") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

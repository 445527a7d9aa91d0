// Scores of a full-text search equal, to the bit, those in a database that has only the statement's namespaces.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cairn::test {
namespace {

constexpr const char* make_index =
    "CREATE FULLTEXT INDEX texts FOR (n:Note|Memo) ON EACH [n.text, n.title] "
    "OPTIONS {indexConfig: {`fulltext.features`: true}}";

/// Many small commits: none waits for the disk.
Options quick() {
  Options options;
  options.durability = Durability::async;
  return options;
}

/// Two databases with the same records of some namespaces; the first has those of others too.
struct TwoDatabases {
  TwoDatabases() : random(test_seed()) {
    run(both_names.front(), make_index);
    BOOST_TEST_MESSAGE("seed " << test_seed());
  }

  void run_in(TemporaryDatabase& database, const std::string& name, const std::string& statement) {
    StatementOptions place;
    place.name_space = name;
    must(must(execute(*database, statement, {}, place)).all());
  }
  void run(const std::string& name, const std::string& statement) {
    run_in(with_others, name, statement);
    if (name != "other") run_in(alone, name, statement);
  }
  std::string words(std::size_t most) {
    static const std::vector<std::string> vocabulary{"tea",  "green", "cake",   "ada",  "cat",
                                                     "moss", "peat",  "teapot", "lamp", "ivy"};
    std::string text;
    for (std::size_t i = 1 + random.below(most); i > 0; --i)
      text += vocabulary[random.below(1 + random.below(vocabulary.size()))] + " ";
    return text;
  }
  /// Makes, changes or erases some records of a namespace.
  void write(const std::string& name) {
    const std::string number = std::to_string(++count);
    switch (random.below(6)) {
      case 0:
        return run(name, "MATCH (n:Note) WHERE n.k % 7 = " + std::to_string(random.below(7)) +
                             " SET n.text = '" + words(9) + "'");
      case 1:
        return run(name, "MATCH (n:Note) WHERE n.k % 17 = " + std::to_string(random.below(17)) +
                             " DETACH DELETE n");
      case 2:
        return run(name, "MATCH (n:Note) WHERE n.k % 11 = " + std::to_string(random.below(11)) +
                             " REMOVE n:Note SET n:Memo, n.title = '" + words(3) + "'");
      default:
        return run(name, "CREATE (:Note {k: " + number + ", text: '" + words(12) + "', title: '" +
                             words(3) + "'})");
    }
  }
  std::string answer(TemporaryDatabase& database, const std::string& question) {
    return result_of(*database,
                     "CALL db.index.fulltext.queryNodes('texts', $q) YIELD node, score "
                     "RETURN node.k AS k, score ORDER BY score DESC, k",
                     {{"q", question}}, options);
  }
  std::string recalled(TemporaryDatabase& database, const std::string& question) {
    return result_of(*database,
                     "CALL db.recall($q, {index: 'texts', limit: 20}) YIELD node, score "
                     "RETURN node.k AS k, score ORDER BY score DESC, k",
                     {{"q", question}}, options);
  }
  void compare() {
    const std::vector<std::string> questions = {
        words(1),     words(4),        "+" + words(2),        "tea -green",       "te*",
        "teapt~ cat", "\"green tea\"", "\"tea green\"~3 ada", "title:tea moss^2", "cot~1"};
    for (const std::string& question : questions)
      BOOST_TEST(answer(with_others, question) == answer(alone, question), question);
    BOOST_TEST(recalled(with_others, "who has green tea") == recalled(alone, "who has green tea"));
  }
  void check() {
    BOOST_TEST(must(with_others->check()).empty());
    BOOST_TEST(must(alone->check()).empty());
  }

  std::vector<std::string> both_names{"", "own", "shared"};
  TemporaryDatabase with_others{quick()};
  TemporaryDatabase alone{quick()};
  ValueGenerator random;
  std::size_t count = 0;
  StatementOptions options;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tenant_scores, TwoDatabases)

BOOST_AUTO_TEST_CASE(scores_are_those_of_a_database_without_the_others) {
  // Each choice of namespaces has databases without what it does not read.
  options.name_space = "own";
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 10; ++i) {
      write("own");
      write("other");
    }
    compare();
  }
  check();
}

BOOST_AUTO_TEST_CASE(and_of_the_default_namespace_with_a_shared_one) {
  options.also_read = {"shared"};
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 10; ++i) {
      write("");
      write("shared");
      write("other");
    }
    compare();
  }
  check();
}

// The sums of an index that is made over records, of a transaction, and of one that others have left.
BOOST_AUTO_TEST_CASE(whatever_made_the_statistics) {
  options.name_space = "own";
  const auto write_some = [&] {
    for (int i = 0; i < 40; ++i) {
      write("own");
      write("other");
    }
  };
  write_some();
  for (TemporaryDatabase* database : {&with_others, &alone}) {
    run_in(*database, "", "DROP INDEX texts");
    run_in(*database, "", make_index);
  }
  compare();
  write_some();
  compare();
  run_in(with_others, "", "DROP NAMESPACE other");
  compare();
  write_some();
  compare();
  check();
}

BOOST_AUTO_TEST_CASE(a_transaction_scores_as_its_commit_will) {
  options.name_space = "own";
  for (int i = 0; i < 30; ++i) {
    write("own");
    write("other");
  }
  const auto answers_in = [&](TemporaryDatabase& database) {
    Transaction transaction = must(database->begin());
    const Statement make = must(
        Statement::parse("CREATE (:Note {k: 1000, text: 'green tea and a lamp'}) WITH 1 AS one "
                         "MATCH (n:Note) WHERE n.k % 3 = 0 SET n.text = 'moss and tea'"));
    must(must(make.run(transaction, {}, options)).all());
    const Statement ask = must(
        Statement::parse("CALL db.index.fulltext.queryNodes('texts', 'tea moss') YIELD node, score "
                         "RETURN node.k AS k, score ORDER BY score DESC, k"));
    std::string all;
    for (const auto& row : must(must(ask.run(transaction, {}, options)).all()))
      all += row[0].to_text() + " " + row[1].to_text() + "; ";
    return all;
  };
  BOOST_TEST(answers_in(with_others) == answers_in(alone));
}

// A recall considers 64 properties. Which ones these are must not depend on who used a name first.
BOOST_AUTO_TEST_CASE(nor_do_the_names_of_others_choose_what_a_recall_considers) {
  run("other", "CREATE (:Note {key79: 'q'})");
  options.name_space = "own";
  std::string keys;
  for (int i = 10; i < 79; ++i) {
    const std::string number = std::to_string(i);
    keys += "key" + number + ": 'Value" + number + "', ";
  }
  run("own",
      "CREATE (:Note {" + keys + "k: 1, text: 'first tea'}), (:Note {k: 2, text: 'a thing'})");
  run("own",
      "CREATE (:Note {key79: 'Zanzibar', k: 3, text: 'third thing tea'}), "
      "(:Note {k: 4, text: 'fourth thing with tea'})");
  const std::string question = "what tea is of Zanzibar";
  BOOST_TEST(recalled(with_others, question) == recalled(alone, question));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

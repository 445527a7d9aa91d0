// A tenant with few vectors finds the same by vector as in a database without the vectors of others, whatever finds them.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/embedder.hpp>
#include <cairn/host_embedder.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <random>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

using namespace std::chrono_literals;

// So large that few vectors are enough for a segment with codes.
constexpr std::size_t dimension = 2'048;
constexpr std::size_t own_vectors = 190;
constexpr std::size_t vectors_of_others = 1'000;

StatementOptions as(const std::string& name) {
  StatementOptions options;
  options.name_space = name;
  options.listed_name_spaces = {name};
  return options;
}

const std::vector<std::string> words = {"tea",  "green", "cake", "ada",   "cat",
                                        "moss", "peat",  "lamp", "train", "ivy"};

/// Vectors and texts of one tenant.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  Value vector() {
    std::vector<float> components(dimension);
    for (float& component : components) component = normal_(random_);
    return Vector(std::move(components));
  }
  std::string text() {
    std::string text;
    for (int i = 0; i < 6; ++i)
      text += words[random_() % words.size()] + std::to_string(random_() % 40) + " ";
    return text;
  }
  List documents(std::size_t count) {
    List rows;
    for (std::size_t i = 0; i < count; ++i)
      rows.push_back(Map{{"k", static_cast<std::int64_t>(i)}, {"text", text()}, {"v", vector()}});
    return rows;
  }
  List memories(std::size_t count) {
    List records;
    for (std::size_t i = 0; i < count; ++i)
      records.push_back(Map{{"content", text()}, {"external_id", "m" + std::to_string(i)}});
    return records;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<float> normal_;
};

/// In the database of both tenants the vectors of both indexes have codes; alone, the tenant has too few for that.
class Tenants {
 public:
  Tenants() {
    BOOST_TEST_MESSAGE("seed " << test_seed());
    for (TemporaryDatabase* database : {&with_others, &alone})
      must(set_embedder(**database, make_hashing_embedder(dimension)));
    Maker own(test_seed());
    Maker other(test_seed() + 1);
    add("own", own, own_vectors, {&with_others, &alone});
    add("other", other, vectors_of_others, {&with_others});
    for (TemporaryDatabase* database : {&with_others, &alone})
      run_all(**database, {index_of("vectors", "(n:Doc) ON (n.v)", ""),
                           "CREATE FULLTEXT INDEX texts FOR (n:Doc) ON EACH [n.text]",
                           "DROP INDEX memory_embedding",
                           index_of("memory_embedding", "(m:Memory) ON (m.embedding)",
                                    ", `vector.model`: 'cairn-hashing-1'")});
    await_codes(with_others);
  }

  /// Rows and plan, which tells how the vectors were found.
  static std::string answer(TemporaryDatabase& database, const std::string& statement,
                            const Parameters& parameters) {
    static const std::regex lasted(R"( +\d+\.\d{3}\n)");
    const std::string plan = plan_of(*database, "PROFILE " + statement, parameters, as("own"));
    return result_of(*database, statement, parameters, as("own")) + "\n" +
           std::regex_replace(plan, lasted, " t\n");
  }
  void compare(const std::string& statement, const Parameters& parameters) {
    const std::string expected = answer(alone, statement, parameters);
    BOOST_TEST(!expected.starts_with("\n"), statement);
    BOOST_TEST(answer(with_others, statement, parameters) == expected, statement);
  }

  TemporaryDatabase with_others;
  TemporaryDatabase alone;

 private:
  static void await_codes(TemporaryDatabase& database) {
    const auto have_codes = [&] {
      return result_of(*database,
                       "SHOW VECTOR INDEXES YIELD memory RETURN all(size IN "
                       "collect(memory.codes.bytes) WHERE size > 0)") == "true";
    };
    for (int i = 0; i < 600 && !have_codes(); ++i) std::this_thread::sleep_for(100ms);
    BOOST_REQUIRE(have_codes());
  }
  static std::string index_of(const std::string& name, const std::string& what,
                              const std::string& more) {
    return "CREATE VECTOR INDEX " + name + " FOR " + what +
           " OPTIONS {indexConfig: {`vector.dimensions`: " + std::to_string(dimension) +
           ", `vector.similarity_function`: 'cosine'" + more + "}}";
  }
  static void add(const std::string& name, Maker& maker, std::size_t count,
                  const std::vector<TemporaryDatabase*>& databases) {
    const Parameters parameters{{"rows", maker.documents(count)},
                                {"records", maker.memories(count)}};
    for (TemporaryDatabase* database : databases)
      for (const char* statement :
           {"UNWIND $rows AS row CREATE (:Doc {k: row.k, text: row.text, v: row.v})",
            "CALL memory.add($records) YIELD id RETURN count(id)"})
        must(must(execute(**database, statement, parameters, as(name))).all());
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tenant_vectors, Tenants)

BOOST_AUTO_TEST_CASE(few_vectors_are_found_as_without_those_of_others) {
  const std::vector<std::string> statements = {
      "MATCH (n:Doc) SEARCH n IN (VECTOR INDEX vectors FOR $v LIMIT 10) SCORE AS s RETURN n.k, s",
      "MATCH (n:Doc) SEARCH n IN (VECTOR INDEX vectors FOR $v ACCURACY fast LIMIT 3) SCORE AS s "
      "RETURN n.k, s",
      "MATCH (n:Doc) SEARCH n IN (VECTOR INDEX vectors FOR $v WHERE n.k < 300 EF 20 LIMIT 20) "
      "SCORE AS s RETURN n.k, s",
      "MATCH (n:Doc) SEARCH n IN (HYBRID VECTOR INDEX vectors FOR $v, FULLTEXT INDEX texts FOR "
      "$text LIMIT 10) SCORE AS s RETURN n.k, s",
      "MATCH (n:Doc) RETURN n.k ORDER BY vector.similarity.cosine(n.v, $v) DESC LIMIT 10",
      "CALL db.index.vector.queryNodes('vectors', 10, $v) YIELD node, score RETURN node.k, score",
      "CALL db.recall($text, {index: 'texts', vector_index: 'vectors', vector: $v, limit: 10}) "
      "YIELD node, score RETURN node.k, score",
      "CALL memory.recall({query: $text, strategy: 'vector', limit: 10}) YIELD record, score "
      "RETURN record.external_id, score",
      "CALL memory.recall({query: $text, limit: 10}) YIELD record, score RETURN "
      "record.external_id, score"};
  Maker maker(test_seed() + 2);
  for (int question = 0; question < 20; ++question) {
    const Parameters parameters{{"v", maker.vector()}, {"text", maker.text()}};
    for (const std::string& statement : statements) compare(statement, parameters);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

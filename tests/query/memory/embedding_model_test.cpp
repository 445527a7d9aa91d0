// Vectors of two models with the same dimension are never mixed without an error or a warning: by the memory calls, by
// the public calls about the model of an index, and by searches that name a model.
#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/memory/memory.hpp>
#include <cairn/recall.hpp>
#include <cairn/vector_search.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace cairn::memory {
namespace {

using test::must;
using test::result_of;
using test::run_all;

/// Another model of three components, by the name that it is given.
class NamedEmbedder final : public Embedder {
 public:
  explicit NamedEmbedder(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] std::string model() const override { return name_; }
  [[nodiscard]] std::size_t dimension() const override { return 3; }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    return std::vector<Vector>(texts.size(), Vector(std::vector<float>{1, 2, 3}));
  }

 private:
  std::string name_;
};

MemoryOptions with(const std::string& model) {
  MemoryOptions options = at(test_now);
  options.embedder = std::make_shared<NamedEmbedder>(model);
  return options;
}

RecallRequest by_vectors(const std::string& question) {
  RecallRequest request;
  request.query = question;
  request.strategy = Strategy::vector;
  return request;
}

/// Checks that the error has both names and the fix.
void check_names_both(const Error& error, const std::string& known, const std::string& other) {
  BOOST_TEST((error.code == ErrorCode::invalid_argument), error.message);
  for (const std::string& part :
       {"\"" + known + "\"", "\"" + other + "\"", std::string("drop the index")})
    BOOST_TEST(error.message.find(part) != std::string::npos, error.message);
}

std::string model_of(Database& database, const std::string& index) {
  return result_of(database, "SHOW INDEXES YIELD name, options WHERE name = '" + index +
                                 "' RETURN options.indexConfig['vector.model']");
}

const std::string caller_index =
    "CREATE VECTOR INDEX memory_embedding FOR (m:Memory) ON (m.embedding) "
    "OPTIONS {indexConfig: {`vector.dimensions`: 3";

struct Fixture {
  test::TemporaryDatabase database;

  Memory open(const std::string& model) { return must(Memory::open(*database, with(model))); }
  std::string count() { return result_of(*database, "MATCH (n) RETURN count(*)"); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(embedding_model, Fixture)

BOOST_AUTO_TEST_CASE(the_first_write_declares_the_model) {
  Memory memory = open("first");
  BOOST_TEST(must(memory.add(note("red"))).warnings.empty());
  BOOST_TEST(model_of(*database, "memory_embedding") == "'first'");
  BOOST_TEST(must(memory.recall(by_vectors("red"))).warnings.empty());
}

BOOST_AUTO_TEST_CASE(another_model_of_the_same_dimension_is_refused_and_writes_nothing) {
  Memory other = open("second");  // there is no index yet
  must(open("first").add(note("red")));
  const std::string before = count();
  check_names_both(other.add(note("blue")).error(), "first", "second");
  check_names_both(other.remember("blue").error(), "first", "second");
  check_names_both(other.recall(by_vectors("blue")).error(), "first", "second");
  Update update;
  update.content = "blue";
  check_names_both(other.update_all({}, update).error(), "first", "second");
  check_names_both(Memory::open(*database, with("second")).error(), "first", "second");
  BOOST_TEST(count() == before);
  BOOST_TEST(result_of(*database, "MATCH (m:Memory) RETURN m.content") == "'red'");
  BOOST_TEST(model_of(*database, "memory_embedding") == "'first'");
}

BOOST_AUTO_TEST_CASE(another_model_of_another_dimension_is_named_too) {
  must(open("first").add(note("red")));
  check_names_both(Memory::open(*database, at(test_now)).error(), "first",
                   make_hashing_embedder()->model());
}

BOOST_AUTO_TEST_CASE(it_is_known_after_the_database_was_opened_again) {
  must(open("first").add(note("red")));
  database.reopen();
  check_names_both(Memory::open(*database, with("second")).error(), "first", "second");
  must(open("first").add(note("blue")));
  must(database->checkpoint());
  database.reopen();
  BOOST_TEST(model_of(*database, "memory_embedding") == "'first'");
}

// A question that the caller has made a vector of is the caller's to answer for.
BOOST_AUTO_TEST_CASE(the_callers_own_vector_is_not_compared) {
  Memory other = open("second");
  must(open("first").add(note("red")));
  RecallRequest request = by_vectors("");
  request.vector = {1, 2, 3};
  BOOST_TEST(must(other.recall(request)).hits.size() == 1U);
}

// As in a database of before, and where vectors were brought by statements.
BOOST_AUTO_TEST_CASE(an_index_that_says_nothing_is_searched_with_one_warning) {
  run_all(*database, {caller_index + "}}",
                      "CREATE (:Memory {kind: 'note', content: 'red', embedding: [1, 2, 3]})"});
  Memory memory = open("first");
  const auto first = must(memory.recall(by_vectors("red")));
  BOOST_TEST_REQUIRE(first.warnings.size() == 1U);
  BOOST_TEST(first.warnings[0].find("does not name the model") != std::string::npos);
  BOOST_TEST(must(memory.recall(by_vectors("red"))).warnings.empty());
  BOOST_TEST(model_of(*database, "memory_embedding") == "null");
}

BOOST_AUTO_TEST_CASE(the_next_write_declares_its_model_and_says_so_once) {
  run_all(*database, {caller_index + "}}",
                      "CREATE (:Memory {kind: 'note', content: 'red', embedding: [1, 2, 3]})"});
  Memory memory = open("first");
  Memory other = open("second");
  const Added added = must(memory.add(note("blue")));
  BOOST_TEST_REQUIRE(added.warnings.size() == 1U);
  BOOST_TEST(added.warnings[0].find("has vectors of an unknown model") != std::string::npos);
  BOOST_TEST(must(memory.add(note("green"))).warnings.empty());
  check_names_both(other.add(note("blue")).error(), "first", "second");
}

// Vectors outlive their index, and what made them is not known then.
BOOST_AUTO_TEST_CASE(an_index_rebuilt_over_old_vectors_is_told_of) {
  must(open("first").add(note("red")));
  run_all(*database, {"DROP INDEX memory_embedding"});
  BOOST_TEST(must(open("second").add(note("blue"))).warnings.size() == 1U);
  run_all(*database, {"DROP INDEX memory_embedding", "MATCH (m:Memory) REMOVE m.embedding"});
  BOOST_TEST(must(open("third").add(note("green"))).warnings.empty());
}

BOOST_AUTO_TEST_CASE(a_text_without_a_vector_declares_nothing) {
  NewRecord record = note("");
  Memory memory = must(Memory::open(*database, [] {
    MemoryOptions options = at(test_now);
    options.embedder = std::make_shared<WordEmbedder>();
    return options;
  }()));
  must(memory.add(record));
  BOOST_TEST(model_of(*database, "memory_embedding") == "null");
}

BOOST_AUTO_TEST_CASE(a_declared_model_is_the_callers_word) {
  run_all(*database, {caller_index + ", `vector.model`: 'first'}}",
                      "CREATE (:Memory {kind: 'note', content: 'red', embedding: [1, 2, 3]})"});
  BOOST_TEST(model_of(*database, "memory_embedding") == "'first'");
  check_names_both(Memory::open(*database, with("second")).error(), "first", "second");
  BOOST_TEST(must(open("first").add(note("blue"))).warnings.empty());
}

BOOST_AUTO_TEST_CASE(a_model_is_a_text_of_some_bytes) {
  for (const std::string& value : {std::string("''"), std::string("1"), std::string("['a']")})
    BOOST_TEST(test::error_of(*database, caller_index + ", `vector.model`: " + value + "}}")
                   .message.find("`vector.model` must be the name") != std::string::npos);
  const Error error = test::error_of(*database, caller_index + ", `vector.model`: $name}}",
                                     {{"name", std::string(1'025, 'x')}});
  BOOST_TEST(error.message.find("at most 1024") != std::string::npos, error.message);
  run_all(*database, {caller_index + ", `vector.model`: null}}"});
  BOOST_TEST(model_of(*database, "memory_embedding") == "null");
}

BOOST_AUTO_TEST_CASE(the_public_calls_declare_and_compare) {
  run_all(*database, {"CREATE VECTOR INDEX texts FOR (t:Text) ON (t.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 3}}"});
  const NamedEmbedder first("first"), second("second");
  Transaction dropped = must(database->begin());
  BOOST_TEST(must(use_model(dropped, "texts", first)).empty());
  dropped.rollback();
  BOOST_TEST(model_of(*database, "texts") == "null");
  Transaction transaction = must(database->begin());
  BOOST_TEST(must(use_model(transaction, "texts", first)).empty());
  must(transaction.create_node({{"Text"}, {{"v", Vector({1, 2, 3})}}, {}}));
  check_names_both(use_model(transaction, "texts", second).error(), "first", "second");
  must(transaction.commit());
  const Snapshot snapshot = must(database->snapshot());
  must(check_model(snapshot, "texts", first));
  check_names_both(check_model(snapshot, "texts", second).error(), "first", "second");
  BOOST_TEST((check_model(snapshot, "none", first).error().code == ErrorCode::not_found));
  BOOST_TEST(check_model(snapshot, "texts", WordEmbedder()).error().message.find("words") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(vectors_of_the_same_transaction_are_told_of) {
  run_all(*database, {"CREATE VECTOR INDEX texts FOR (t:Text) ON (t.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 3}}"});
  Transaction transaction = must(database->begin());
  must(transaction.create_node({{"Text"}, {{"v", Vector({1, 2, 3})}}, {}}));
  BOOST_TEST(!must(use_model(transaction, "texts", NamedEmbedder("first"))).empty());
  transaction.rollback();
  BOOST_TEST((use_model(transaction, "texts", NamedEmbedder("first")).error().code ==
              ErrorCode::conflict));
}

BOOST_AUTO_TEST_CASE(a_search_that_names_a_model_is_compared) {
  run_all(*database, {"CREATE VECTOR INDEX texts FOR (t:Text) ON (t.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 3, `vector.model`: 'first'}}",
                      "CREATE FULLTEXT INDEX words FOR (t:Text) ON EACH [t.text]",
                      "CREATE (:Text {text: 'red', v: [1, 2, 3]})"});
  const Snapshot snapshot = must(database->snapshot());
  const std::vector<float> question = {1, 2, 3};
  VectorSearchOptions options;
  BOOST_TEST(must(search_vectors(snapshot, "texts", question, options)).hits.size() == 1U);
  options.model = "first";
  BOOST_TEST(must(search_vectors(snapshot, "texts", question, options)).hits.size() == 1U);
  options.model = "second";
  check_names_both(search_vectors(snapshot, "texts", question, options).error(), "first", "second");
  RecallOptions recalled;
  recalled.vector_index = "texts";
  recalled.vector = question;
  recalled.vector_model = "second";
  check_names_both(cairn::recall(snapshot, "red", recalled).error(), "first", "second");
  const std::string call =
      "CALL db.recall('red', {vector_index: 'texts', vector: [1, 2, 3], "
      "vector_model: $model}) YIELD node RETURN node.text";
  check_names_both(test::error_of(*database, call, {{"model", "second"}}), "first", "second");
  BOOST_TEST(result_of(*database, call, {{"model", "first"}}) == "'red'");
}

// Its model is known although the statement does not name it.
BOOST_AUTO_TEST_CASE(a_question_by_embed_is_compared) {
  const std::string search =
      "MATCH (t:Text) SEARCH t IN (VECTOR INDEX texts FOR embed('red', 3) "
      "LIMIT 1) RETURN t.text";
  const auto index = [](const std::string& model) {
    return "CREATE VECTOR INDEX texts FOR (t:Text) ON (t.v) OPTIONS {indexConfig: "
           "{`vector.dimensions`: 3" +
           model + "}}";
  };
  run_all(*database,
          {index(", `vector.model`: 'first'"), "CREATE (:Text {text: 'a', v: [1, 2, 3]})"});
  check_names_both(test::error_of(*database, search), "first", "cairn-hashing-1");
  for (const std::string model : {"", ", `vector.model`: 'cairn-hashing-1'"}) {
    run_all(*database, {"DROP INDEX texts", index(model)});
    BOOST_TEST(result_of(*database, search) == "'a'");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

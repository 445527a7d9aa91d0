// The embedder of a database makes the vectors of statements.
#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/host_embedder.hpp>
#include <cairn/memory/pending.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace cairn {
namespace {

using test::must;
using test::result_of;
using test::run_all;

/// A model that is unavailable while a flag is set.
class Model final : public memory::WordEmbedder {
 public:
  explicit Model(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] std::string model() const override { return name_; }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    if (is_away) return Error{ErrorCode::busy, "the model is away", {}};
    return WordEmbedder::embed(texts);
  }
  bool is_away = false;

 private:
  std::string name_;
};

struct Fixture {
  test::TemporaryDatabase database;
  std::shared_ptr<Model> model = std::make_shared<Model>("words");

  std::vector<std::string> warnings_of(const std::string& statement) {
    Rows rows = must(execute(*database, statement));
    must(rows.all());
    return rows.warnings();
  }
};

bool has(const std::vector<std::string>& texts, std::string_view part) {
  return std::ranges::any_of(
      texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(host_embedder, Fixture)

BOOST_AUTO_TEST_CASE(it_makes_the_vectors_of_memories_and_questions) {
  must(set_embedder(*database, model));
  BOOST_TEST(warnings_of("CALL memory.add([{content: 'red tea'}, {content: 'blue cup'}])").empty());
  BOOST_TEST(result_of(*database, "MATCH (m:Memory) RETURN m.embedding IS NOT NULL") ==
             "true; true");
  BOOST_TEST(result_of(*database,
                       "SHOW INDEXES YIELD name, options WHERE name = "
                       "'memory_embedding' RETURN options.indexConfig['vector.model']") ==
             "'words'");
  BOOST_TEST(result_of(*database,
                       "CALL memory.recall({query: 'red', strategy: 'vector', min_score: 0.9}) "
                       "YIELD record RETURN record.content") == "'red tea'");
  BOOST_TEST(result_of(*database,
                       "CALL db.recall('red', {index: 'memory_contents', vector_index: "
                       "'memory_embedding'}) YIELD node, breakdown WHERE breakdown.dense > 0 "
                       "RETURN node.content") == "'red tea'");
}

BOOST_AUTO_TEST_CASE(while_it_is_away_words_have_to_do) {
  must(set_embedder(*database, model));
  warnings_of("CALL memory.add({content: 'red tea'})");
  model->is_away = true;
  BOOST_TEST(has(warnings_of("CALL memory.add({content: 'red cup'})"), "pending"));
  BOOST_TEST(has(warnings_of("CALL memory.recall({query: 'red'})"), "found by words"));
  BOOST_TEST(has(warnings_of("CALL db.recall('red', {index: 'memory_contents', vector_index: "
                             "'memory_embedding'})"),
                 "found by words: the model is away"));
  BOOST_TEST(result_of(*database,
                       "CALL db.recall('red', {index: 'memory_contents', vector_index: "
                       "'memory_embedding'}) YIELD node RETURN count(*)") == "2");
  model->is_away = false;
  BOOST_TEST(must(memory::embed_pending(*database, *model)).embedded == 1U);
}

BOOST_AUTO_TEST_CASE(another_model_is_refused_with_both_names) {
  must(set_embedder(*database, model));
  warnings_of("CALL memory.add({content: 'red tea'})");
  const Status refused = set_embedder(*database, std::make_shared<Model>("other"));
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(has({refused.error().message}, "\"words\""));
  BOOST_TEST(has({refused.error().message}, "\"other\""));
  BOOST_TEST(warnings_of("CALL memory.add({content: 'red cup'})").empty());
}

BOOST_AUTO_TEST_CASE(without_it_the_vectors_of_its_model_are_pending) {
  must(set_embedder(*database, model));
  warnings_of("CALL memory.add({content: 'red tea'})");
  must(set_embedder(*database, nullptr));
  BOOST_TEST(has(warnings_of("CALL memory.add({content: 'red cup'})"), "pending"));
  database.reopen();
  BOOST_TEST(has(warnings_of("CALL memory.recall({query: 'red'})"), "\"words\""));
}

BOOST_AUTO_TEST_CASE(the_text_that_names_it_is_stored_with_the_model) {
  BOOST_TEST(must(noted_embedder(*database, "words")) == "");
  must(set_embedder(*database, model, "command:./words"));
  BOOST_TEST(must(noted_embedder(*database, "words")) == "command:./words");
  BOOST_TEST(must(noted_embedder(*database, "word")) == "");
  must(note_embedder(*database, "words", "words:a"));
  database.reopen();
  BOOST_TEST(must(noted_embedder(*database, "words")) == "words:a");
  BOOST_TEST(!note_embedder(*database, "words", std::string(5'000, 'x')));
  BOOST_TEST(must(database->check()).empty());
}

// In a process that is the host itself, the embedder sends no request.
BOOST_AUTO_TEST_CASE(a_host_shares_what_it_makes) {
  const auto made = must(share_embedder(
      *database, "spec", [&] { return Result<std::shared_ptr<const Embedder>>(model); }));
  BOOST_TEST(made->model() == "words");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn

// Records that are written while the model is away: no vector is lost, none is that of another text or model.
#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/memory/pending.hpp>
#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::memory {
namespace {

using test::must;
using test::result_of;
using test::run_all;

/// The vector of a text shows the length and the first letter of the text. Each letter of the plan determines the
/// answer to one request: `.` answers, `b` is busy, `e` fails, `f` returns a vector too few, `l` returns vectors that
/// are too long. After the end of the plan, the embedder answers every request.
class PlannedEmbedder final : public Embedder {
 public:
  [[nodiscard]] std::string model() const override { return name; }
  [[nodiscard]] std::size_t dimension() const override { return 3; }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    const char letter = requests < plan.size() ? plan[requests] : '.';
    ++requests;
    if (const auto act = std::exchange(before_answer, nullptr)) act();
    if (letter == 'b') return Error{ErrorCode::busy, "the model is away", {}};
    if (letter == 'e') return Error{ErrorCode::io_error, "the model fails", {}};
    std::vector<Vector> vectors;
    for (const std::string_view text : texts) {
      if (text == refused) return Error{ErrorCode::io_error, "the text is too long", {}};
      std::vector<float> vector = vector_of(text);
      if (letter == 'l') vector.push_back(1);
      vectors.emplace_back(std::move(vector));
    }
    if (letter == 'f') vectors.pop_back();
    return vectors;
  }

  static std::vector<float> vector_of(std::string_view text) {
    const auto first = text.empty() ? 0 : static_cast<unsigned char>(text.front());
    return {static_cast<float>(text.size()), static_cast<float>(first), 1};
  }

  std::string name = "planned";
  std::string plan;
  std::string refused = "none";
  mutable std::function<void()> before_answer;  // called once
  mutable std::size_t requests = 0;
};

std::vector<NewRecord> notes(std::size_t count) {
  std::vector<NewRecord> records;
  for (std::size_t i = 0; i < count; ++i)
    records.push_back(note(std::string(1 + i, static_cast<char>('a' + i % 26))));
  return records;
}

bool has(const std::vector<std::string>& texts, std::string_view part) {
  return std::ranges::any_of(
      texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

struct Fixture {
  test::TemporaryDatabase database;
  std::shared_ptr<PlannedEmbedder> model = std::make_shared<PlannedEmbedder>();

  Memory open(const std::string& name_space = {}) {
    MemoryOptions options = at(test_now);
    options.embedder = model;
    options.name_space = name_space;
    return must(Memory::open(*database, options));
  }
  void plan(const std::string& letters) {
    model->plan = letters;
    model->requests = 0;
  }
  PendingReport fill(std::size_t batch = 64) {
    PendingOptions options;
    options.batch = batch;
    return must(embed_pending(*database, *model, options));
  }
  std::uint64_t pending() { return must(count_pending(must(database->snapshot()))); }

  /// Each record has the vector of its text, or is pending and has none.
  void check_vectors() {
    Rows rows = must(execute(*database,
                             "MATCH (m:Memory) RETURN m.content, m.embedding, "
                             "m.embedding_pending"));
    for (const auto& row : must(rows.all())) {
      const std::string text = row[0].as_string();
      if (row[2] == Value(true)) {
        BOOST_TEST(row[1].is_null(), text);
        continue;
      }
      BOOST_TEST(row[2].is_null(), text);
      const auto* vector = row[1].get_if<Vector>();
      BOOST_REQUIRE_MESSAGE(vector != nullptr, text);
      const auto components = vector->components();
      BOOST_TEST(std::vector<float>(components.begin(), components.end()) ==
                     PlannedEmbedder::vector_of(text),
                 boost::test_tools::per_element());
    }
  }

  /// All texts but one get their vectors.
  void check_refused_text(std::size_t refused, std::size_t in_a_batch) {
    Memory memory = open();
    plan("b");
    auto records = notes(10);
    records[refused].content = "refused";
    must(memory.add(records));
    plan("");
    model->refused = "refused";
    const PendingReport report = fill(in_a_batch);
    BOOST_TEST(report.embedded == 9U);
    BOOST_TEST(report.left == 1U);
    BOOST_TEST(has(report.warnings, "stays pending: the text is too long"));
    check_vectors();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(pending, Fixture)

BOOST_AUTO_TEST_CASE(a_record_is_written_though_the_model_is_away) {
  Memory memory = open();
  for (const char fault : std::string("befl")) {
    plan(std::string(1, fault));
    const Added added = must(memory.add(note("red tea " + std::string(1, fault))));
    BOOST_TEST(has(added.warnings, "is pending"), fault);
    BOOST_TEST(must(memory.find(added.ids.at(0)))->metadata.count("embedding_pending") == 0U);
  }
  BOOST_TEST(pending() == 4U);
  check_vectors();
  RecallRequest request;
  request.query = "red tea";
  const RecallResult found = must(memory.recall(request));
  BOOST_TEST(found.hits.size() == 4U);
  BOOST_TEST(has(found.warnings, "whose vector is pending"));
  BOOST_TEST(fill().embedded == 4U);
  BOOST_TEST(pending() == 0U);
  BOOST_TEST(must(memory.recall(request)).warnings.empty());
  check_vectors();
  BOOST_TEST(fill().embedded == 0U);
}

BOOST_AUTO_TEST_CASE(a_question_is_answered_by_words_while_the_model_is_away) {
  Memory memory = open();
  must(memory.add(note("red tea")));
  plan("bb");
  RecallRequest request;
  request.query = "red tea";
  const RecallResult found = must(memory.recall(request));
  BOOST_TEST(found.hits.size() == 1U);
  BOOST_TEST(has(found.warnings, "found by words: the model is away"));
  request.strategy = Strategy::vector;
  BOOST_TEST((memory.recall(request).error().code == ErrorCode::busy));
}

// What requests before the fault have made is written; the rest is made by the next call.
BOOST_AUTO_TEST_CASE(a_fault_at_any_request_loses_no_vector) {
  Memory memory = open();
  for (const char fault : std::string("befl"))
    for (std::size_t at = 0; at < 4; ++at) {
      plan("b");
      must(memory.add(notes(12)));
      // A batch that fails in another way than busy is asked for again text by text.
      const std::size_t singly = fault == 'b' ? 0 : 3;
      plan(std::string(at, '.') + std::string(1 + singly, fault));
      const auto failed = embed_pending(*database, *model, {.batch = 3});
      BOOST_TEST(!failed, fault << " at " << at);
      BOOST_TEST(pending() == 12 - 3 * at);
      check_vectors();
      plan(std::string(at, '.') + fault);
      if (fault != 'b') BOOST_TEST(fill(3).left == 0U);
      plan("");
      BOOST_TEST(fill(3).left == 0U);
      check_vectors();
      run_all(*database, {"MATCH (m:Memory) DETACH DELETE m"});
    }
}

BOOST_AUTO_TEST_CASE(a_text_that_the_model_refuses_does_not_hold_up_others) {
  check_refused_text(4, 4);
}

// A batch of one text does not show whether the model fails.
BOOST_AUTO_TEST_CASE(a_text_that_is_refused_alone_does_not_hold_up_others) {
  check_refused_text(0, 1);
}

BOOST_AUTO_TEST_CASE(an_update_while_the_model_is_away_makes_the_vector_pending) {
  Memory memory = open();
  const NodeId id = must(memory.add(note("old"))).ids.at(0);
  plan("b");
  Update update;
  update.content = "a new text";
  must(memory.update(id, update));
  BOOST_TEST(pending() == 1U);
  check_vectors();
  // Without another text it stays as it is.
  must(memory.update(id, {.changes = {{"seen", true}}}));
  BOOST_TEST(pending() == 1U);
  update.content = "third";
  must(memory.update(id, update));
  BOOST_TEST(pending() == 0U);
  check_vectors();
  plan("b");
  update.content = "fourth";
  BOOST_TEST(has(must(memory.update_all({}, update)).warnings, "is pending"));
  BOOST_TEST(fill().embedded == 1U);
  check_vectors();
}

// While the model makes the vectors, others change the texts.
BOOST_AUTO_TEST_CASE(a_text_that_changes_meanwhile_does_not_get_the_vector_of_the_old_one) {
  Memory memory = open();
  plan("b");
  const auto ids = must(memory.add(notes(4))).ids;
  plan("");
  model->before_answer = [&] {
    const std::string id = std::to_string(ids[0].value);
    run_all(*database,
            {"MATCH (m) WHERE id(m) = " + id + " SET m.content = 'another'",
             "MATCH (m) WHERE id(m) = " + std::to_string(ids[1].value) + " DETACH DELETE m"});
    must(memory.remove(ids[2]));
  };
  const PendingReport report = fill();
  BOOST_TEST(report.embedded == 1U);
  BOOST_TEST(report.changed == 3U);
  BOOST_TEST(report.left == 1U);  // the hidden one is not counted
  check_vectors();
  BOOST_TEST(must(memory.restore(ids[2])));
  BOOST_TEST(fill().embedded == 2U);
  check_vectors();
}

BOOST_AUTO_TEST_CASE(texts_of_all_namespaces_and_chunks_are_embedded) {
  Memory first = open();
  Memory second = open("acme");
  plan("bb");
  must(first.remember(std::string(600, 'x'), {}, {.chunks = {.size = 400, .overlap = 0}}));
  must(second.add(note("of acme")));
  BOOST_TEST(pending() == 3U);  // the whole text has chunks instead
  RecallRequest request;
  request.query = "of acme";
  BOOST_TEST(has(must(second.recall(request)).warnings, "found by words alone: 1;"));
  BOOST_TEST(result_of(*database,
                       "CALL memory.describe() YIELD what, count WHERE what = 'pending' "
                       "RETURN count") == "2");
  BOOST_TEST(result_of(*database,
                       "SHOW INDEXES YIELD name, pending WHERE name = "
                       "'memory_embedding' RETURN pending") == "3");
  BOOST_TEST(result_of(*database,
                       "SHOW INDEXES YIELD name, pending WHERE name = "
                       "'memory_contents' RETURN pending") == "null");
  BOOST_TEST(fill(1).embedded == 3U);
  BOOST_TEST(pending() == 0U);
}

BOOST_AUTO_TEST_CASE(another_model_does_not_make_pending_vectors) {
  Memory memory = open();
  must(memory.add(note("red")));
  plan("b");
  must(memory.add(note("blue")));
  PlannedEmbedder other;
  other.name = "other";
  const auto refused = embed_pending(*database, other);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(refused.error().message.find("\"planned\"") != std::string::npos);
  BOOST_TEST(refused.error().message.find("\"other\"") != std::string::npos);
  BOOST_TEST(pending() == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_pending_survives_an_export) {
  Memory memory = open();
  plan("b");
  must(memory.add(notes(3)));
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "memories.jsonl";
  {
    std::ofstream lines(file);
    must(export_jsonl(*database, lines));
  }
  run_all(*database, {"MATCH (m:Memory) DETACH DELETE m"});
  must(import_jsonl(*database, file));
  BOOST_TEST(pending() == 3U);
  BOOST_TEST(fill().embedded == 3U);
  check_vectors();
}

BOOST_AUTO_TEST_CASE(the_mark_is_not_a_field_of_the_record) {
  Memory memory = open();
  BOOST_TEST(!memory.add(note("x", {{"embedding_pending", true}})));
  plan("b");
  must(memory.add(note("x", {{"seen", true}})));
  for (const std::string& key : must(memory.metadata_keys()))
    BOOST_TEST(key != "embedding_pending");
}

BOOST_AUTO_TEST_CASE(a_limit_and_a_stop_end_between_batches) {
  Memory memory = open();
  plan("b");
  must(memory.add(notes(10)));
  plan("");
  const PendingReport some = must(embed_pending(*database, *model, {.batch = 4, .limit = 6}));
  BOOST_TEST(some.embedded == 6U);
  BOOST_TEST(some.left == 4U);
  std::stop_source stop;
  PendingOptions options{.batch = 1, .cancel = stop.get_token()};
  options.progress = [&](std::uint64_t) { stop.request_stop(); };
  BOOST_TEST(must(embed_pending(*database, *model, options)).left == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

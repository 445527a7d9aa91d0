// Relationships that fields stand for, as records are added and changed.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

using test::must;
using test::result_of;

struct LinksFixture : MemoryFixture {
  std::string links() {
    return result_of(*database,
                     "MATCH (a:Memory)-[r]->(b:Memory) RETURN a.content AS a, type(r) AS t, "
                     "b.content AS b ORDER BY a, t, b");
  }
  static NewRecord thinking(const char* id, Value related) {
    NewRecord record = thought(id, agent_id("a"), {{"relatedTo", std::move(related)}});
    record.external_id = id;
    return record;
  }
  void change(NodeId id, Properties changes, std::vector<std::string> unset = {}) {
    Update update;
    update.changes = std::move(changes);
    update.unset = std::move(unset);
    must(memory.update(id, update));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_links, LinksFixture)

// M2.9: of one batch, in any order; each once
BOOST_AUTO_TEST_CASE(records_of_a_batch_may_name_each_other) {
  const std::vector<NewRecord> records = {thinking("a", list_of({"b", "b", "nobody"})),
                                          thinking("b", "a")};
  must(memory.add(records));
  BOOST_TEST(links() == "'a' | 'RELATED_TO' | 'b'; 'b' | 'RELATED_TO' | 'a'");
}

// M2.9, M0.63: an update moves the relationships of the fields it changes and no others
BOOST_AUTO_TEST_CASE(relationships_follow_the_fields_of_an_update) {
  const std::vector<NewRecord> records = {thinking("a", "b"), thinking("b", List{}),
                                          thinking("c", List{})};
  const NodeId a = must(memory.add(records)).ids.at(0);
  test::run_all(*database, {"MATCH (a {content: 'a'}), (b {content: 'b'}) "
                            "CREATE (a)-[:RELATED_TO {mine: true}]->(b)"});
  change(a, {{"relatedTo", list_of({"c"})}, {"influences", "b"}});
  BOOST_TEST(links() ==
             "'a' | 'INFLUENCES' | 'b'; 'a' | 'RELATED_TO' | 'b'; 'a' | 'RELATED_TO' | 'c'");
  change(a, {{"other", 1}});
  change(a, {}, {"relatedTo", "influences"});
  BOOST_TEST(links() == "'a' | 'RELATED_TO' | 'b'");
  BOOST_TEST(must(database->check()).empty());
}

// M0.44: the session of a record
BOOST_AUTO_TEST_CASE(a_record_moves_to_another_session) {
  const NodeId id = add("n", {{"sessionId", "s1"}});
  const auto sessions = [&] {
    return result_of(*database, "MATCH (m:Memory)-[:IN_SESSION]->(s:Session) RETURN s.id");
  };
  // A session without records leaves no name behind.
  const auto names = [&] { return result_of(*database, "MATCH (s:Session) RETURN s.id"); };
  change(id, {{"sessionId", "s2"}});
  BOOST_TEST(sessions() == "'s2'");
  BOOST_TEST(names() == "'s2'");
  change(id, {}, {"sessionId"});
  BOOST_TEST(sessions() == "");
  BOOST_TEST(names() == "");
  Update wrong;
  wrong.changes = {{"sessionId", 5}};
  BOOST_TEST(!memory.update(id, wrong));
  SearchRequest all;
  Update joining;
  joining.changes = {{"sessionId", "s3"}};
  must(memory.update_all(all, joining));
  BOOST_TEST(sessions() == "'s3'");
}

// M2.3, M2.39: every record has a version
BOOST_AUTO_TEST_CASE(what_is_remembered_has_a_version) {
  RememberOptions options;
  options.chunks = {10, 2};
  options.nodes = {{"entity", "Ada", {}, {}, {}}};
  MemoryOptions strict = at(test_now, SchemaMode::strict);
  Memory checked = must(Memory::open(*database, strict));
  const auto stored = must(checked.remember("Ada drinks tea at noon.", {}, options));
  BOOST_TEST(get(stored.id).field("schemaVersion").as_string() == current_schema_version);
  BOOST_TEST(get(stored.chunks.at(0)).field("schemaVersion").as_string() == "1.0.0");
  BOOST_TEST(get(stored.nodes.at(0)).field("schemaVersion").as_string() == "1.0.0");
}

BOOST_AUTO_TEST_CASE(a_model_is_asked_before_the_turn_to_write) {
  // While another transaction has the turn, only the model's work may be done.
  class Watching : public Embedder {
   public:
    explicit Watching(Database& database) : database_(database) {}
    [[nodiscard]] std::string model() const override { return "watching"; }
    [[nodiscard]] std::size_t dimension() const override { return 3; }
    [[nodiscard]] Result<std::vector<Vector>> embed(
        std::span<const std::string_view> texts) const override {
      // The turn is free: a transaction begins at once and is given back.
      CAIRN_ASSIGN(Transaction turn, database_.begin());
      return std::vector<Vector>(texts.size(), Vector(std::vector<float>{1, 0, 0}));
    }

   private:
    Database& database_;
  };
  MemoryOptions options = at(test_now);
  options.embedder = std::make_shared<Watching>(*database);
  Memory watched = must(Memory::open(*database, options));
  const NodeId id = must(watched.add(note("n"))).ids.at(0);
  Update update;
  update.content = "other";
  BOOST_TEST(must(watched.update(id, update)).value().content == "other");
  BOOST_TEST(must(watched.update_all({}, update)).matched == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

using test::must;

Update changing(Properties changes) {
  Update update;
  update.changes = std::move(changes);
  return update;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_changes, MemoryFixture)

// M0.63: shallow merge, nested maps are replaced
BOOST_AUTO_TEST_CASE(merging_keeps_other_fields_and_replaces_maps) {
  const NodeId id = add("n", {{"a", 1}, {"map", map_of({{"x", 1}})}});
  Memory later = open(test_now + 1'000'000);
  const Record record =
      must(later.update(id, changing({{"b", 2}, {"map", map_of({{"y", 2}})}}))).value();
  BOOST_TEST((record.field("a") == Value(1)));
  BOOST_TEST((record.field("b") == Value(2)));
  BOOST_TEST(record.field("map").to_text() == "{y: 2}");
  BOOST_TEST(record.field("updated_at").as_string() == "2026-02-14T12:00:01.000000Z");
  BOOST_TEST(record.field("created_at").as_string() == "2026-02-14T12:00:00.000000Z");
}

// M0.63: null against UNSET, and replacing
BOOST_AUTO_TEST_CASE(fields_are_taken_away_by_unset_null_and_replacing) {
  const NodeId id = add("n", {{"a", 1}, {"b", 2}, {"c", 3}, {"sessionId", "s"}});
  Update update = changing({{"a", nullptr}});
  update.unset = {"b", "never there"};
  Record record = must(memory.update(id, update)).value();
  BOOST_TEST(!record.metadata.contains("a"));
  BOOST_TEST(!record.metadata.contains("b"));
  update = changing({{"d", 4}});
  update.merge = false;
  record = must(memory.update(id, update)).value();
  BOOST_TEST(!record.metadata.contains("c"));
  BOOST_TEST((record.field("d") == Value(4)));
  BOOST_TEST(record.field("sessionId").as_string() == "s");
  BOOST_TEST(record.content == "n");
}

BOOST_AUTO_TEST_CASE(an_update_of_nothing_gives_nothing_and_of_parts_is_refused) {
  BOOST_TEST(!must(memory.update(NodeId{999}, changing({{"a", 1}}))));
  const NodeId id = add("n", {});
  BOOST_TEST(!memory.update(id, changing({{"kind", "message"}})));
  BOOST_TEST(!memory.update(id, changing({{"is_deleted", true}})));
}

BOOST_AUTO_TEST_CASE(a_new_content_comes_with_its_vector) {
  const NodeId id = add("tea", {});
  const auto vector = [&] {
    return test::result_of(*database, "MATCH (m:Memory) RETURN m.embedding");
  };
  const std::string before = vector();
  Update update;
  update.content = "coffee";
  BOOST_TEST(must(memory.update(id, update)).value().content == "coffee");
  BOOST_TEST(vector() != before);
}

// M0.64, R.16: no hidden limit
BOOST_AUTO_TEST_CASE(a_bulk_update_reaches_every_record) {
  std::vector<NewRecord> records(250, note("n", {{"project", "x"}}));
  records.push_back(note("other", {{"project", "y"}}));
  must(memory.add(records));
  SearchRequest selection;
  selection.where = "m.project = 'x'";
  const auto dry =
      must(memory.update_all(selection, changing({{"seen", true}}), {.dry_run = true}));
  BOOST_TEST(dry.changed.size() == 250U);
  BOOST_TEST(test::result_of(*database, "MATCH (m:Memory) WHERE m.seen RETURN count(m)") == "0");
  const std::uint64_t commits = must(database->statistics()).commits;
  const auto done = must(memory.update_all(selection, changing({{"seen", true}})));
  BOOST_TEST(done.matched == 250U);
  BOOST_TEST((done.changed == dry.changed));
  BOOST_TEST(must(database->statistics()).commits == commits + 1);
  BOOST_TEST(test::result_of(*database, "MATCH (m:Memory) WHERE m.seen RETURN count(m)") == "250");
  BOOST_TEST(must(memory.update_all(selection, changing({{"seen", true}}))).changed.empty());
}

BOOST_AUTO_TEST_CASE(a_bulk_update_of_a_misspelt_field_says_so) {
  add("a", {{"tags", list_of({"x"})}});
  SearchRequest selection;
  selection.filter = Filter::where("tgas", FilterOperator::equals, "x");
  for (const bool dry_run : {true, false}) {
    const auto done = must(memory.update_all(selection, changing({{"seen", true}}), {dry_run}));
    BOOST_TEST(done.changed.empty());
    BOOST_REQUIRE(done.warnings.size() == 1U);
    BOOST_TEST(done.warnings[0].find("did you mean tags?") != std::string::npos);
  }
}

// A filter whose operator was forgotten is no filter that everything passes.
BOOST_AUTO_TEST_CASE(a_bulk_update_under_a_broken_filter_changes_nothing) {
  add("a", {});
  SearchRequest selection;
  selection.filter.field = "tags";
  selection.filter.value = "x";
  BOOST_TEST(!memory.update_all(selection, changing({{"seen", true}})).has_value());
  BOOST_TEST(test::result_of(*database, "MATCH (m:Memory) WHERE m.seen RETURN count(m)") == "0");
}

// M0.38's "empty AND = all", M0.65's empty filter list: all records
BOOST_AUTO_TEST_CASE(a_selection_without_conditions_is_every_record) {
  add("a", {});
  add("b", {});
  BOOST_TEST(must(memory.update_all({}, changing({{"x", 1}}))).changed.size() == 2U);
}

// M2.41, M2.40: migration with a dry run
BOOST_AUTO_TEST_CASE(older_records_are_brought_up_to_date) {
  const NodeId old = add("old", {{"schemaVersion", "1.0.0"}, {"inResponseTo", "m1"}});
  add("new", {{"schemaVersion", "1.10.0"}});
  MemoryOptions options = at(test_now);
  must(options.schema.add_upgrade({"", {1, 0, 0}, {1, 10, 0}, [](Properties& metadata) -> Status {
                                     metadata["relatedTo"] = metadata["inResponseTo"];
                                     metadata.erase("inResponseTo");
                                     return {};
                                   }}));
  Memory upgrading = must(Memory::open(*database, options));
  BOOST_TEST(must(upgrading.upgrade_all({.dry_run = true})).changed.size() == 1U);
  BOOST_TEST(get(old).field("schemaVersion").as_string() == "1.0.0");
  BOOST_TEST(must(upgrading.upgrade_all()).changed.size() == 1U);
  BOOST_TEST(get(old).field("schemaVersion").as_string() == "1.10.0");
  BOOST_TEST(get(old).field("relatedTo").as_string() == "m1");
  BOOST_TEST(!get(old).metadata.contains("inResponseTo"));
  BOOST_TEST(must(upgrading.upgrade_all()).changed.empty());
}

// The version that a text gets must not keep its chunks from their upgrade.
BOOST_AUTO_TEST_CASE(chunks_have_an_upgrade_of_their_own) {
  RememberOptions chunked;
  chunked.chunks = {10, 2};
  const auto stored =
      must(memory.remember("Ada drinks tea. Bob does not.", {{"schemaVersion", "1.0.0"}}, chunked));
  MemoryOptions options = at(test_now);
  must(options.schema.add_upgrade({"", {1, 0, 0}, {1, 10, 0}, [](Properties& metadata) -> Status {
                                     const bool is_part = metadata.contains("total_chunks");
                                     metadata.insert_or_assign(is_part ? "part" : "whole", true);
                                     return {};
                                   }}));
  Memory upgrading = must(Memory::open(*database, options));
  const auto tried = must(upgrading.upgrade_all({.dry_run = true}));
  const auto done = must(upgrading.upgrade_all());
  BOOST_TEST(tried.changed.size() == stored.chunks.size() + 1);
  BOOST_TEST((done.changed == tried.changed));
  BOOST_TEST((get(stored.id).field("whole") == Value(true)));
  for (const NodeId chunk : stored.chunks) {
    BOOST_TEST((get(chunk).field("part") == Value(true)));
    BOOST_TEST(!get(chunk).metadata.contains("whole"));
    BOOST_TEST(get(chunk).field("schemaVersion").as_string() == "1.10.0");
  }
  BOOST_TEST(must(upgrading.upgrade_all()).changed.empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(memory_deletion, MemoryFixture)

// M2.35, R.15, M4.16
BOOST_AUTO_TEST_CASE(a_removed_record_is_hidden_from_every_read_unless_asked) {
  const NodeId id = add("gone", {{"tags", list_of({"t"})}, {"only", 1}});
  add("here", {{"tags", list_of({"t"})}});
  BOOST_TEST(must(memory.remove(id)));
  BOOST_TEST(!must(memory.remove(id)));
  BOOST_TEST(!must(memory.find(id)));
  BOOST_TEST(joined(contents_of(must(memory.search({})))) == "here");
  BOOST_TEST(must(memory.value_distribution("tags")).values.at(0).second == 1U);
  BOOST_TEST(joined(must(memory.metadata_keys())) == "created_at, schemaVersion, tags, updated_at");
  BOOST_TEST(test::result_of(*database, "MATCH (m) RETURN m.content") == "'here'");
  SearchRequest all;
  all.include_deleted = true;
  BOOST_TEST(must(memory.search(all)).total == 2U);
  all.where = "m.is_deleted";
  const Page deleted = must(memory.search(all));
  BOOST_TEST(joined(contents_of(deleted)) == "gone");
  BOOST_TEST(deleted.records.at(0).is_deleted);
  BOOST_TEST(deleted.records.at(0).field("deletion_time").as_string() ==
             "2026-02-14T12:00:00.000000Z");
}

BOOST_AUTO_TEST_CASE(chunks_go_and_come_back_with_their_text) {
  RememberOptions options;
  options.chunks = {10, 2};
  const auto stored = must(memory.remember("Ada drinks tea. Bob does not.", {}, options));
  const std::size_t all = 1 + stored.chunks.size();
  BOOST_TEST(all > 3U);
  const auto shown = [&] { return must(memory.search({})).total; };
  const auto steps = [&] {
    return test::result_of(*database, "MATCH ()-[r:HAS_CHUNK|NEXT]->() RETURN count(r)");
  };
  const std::string before = steps();
  BOOST_TEST(must(memory.remove(stored.id)));
  BOOST_TEST(shown() == 0U);
  BOOST_TEST(steps() == "0");
  BOOST_TEST(must(memory.restore(stored.id)));
  BOOST_TEST(shown() == all);
  BOOST_TEST(steps() == before);
  BOOST_TEST(must(memory.purge(stored.id)));
  BOOST_TEST(shown() == 0U);
  BOOST_TEST(test::result_of(*database, "MATCH (c:Chunk) RETURN count(c)") == "0");
}

BOOST_AUTO_TEST_CASE(a_new_content_leaves_no_chunks_of_the_old_one) {
  RememberOptions options;
  options.chunks = {10, 2};
  const auto stored = must(memory.remember("Ada drinks tea. Bob does not.", {}, options));
  const auto other = must(memory.remember("Eve drinks tea. Dan does not.", {}, options));
  const auto chunks = [&] { return test::result_of(*database, "MATCH (c:Chunk) RETURN count(c)"); };
  Update update;
  update.changes = {{"x", 1}};
  must(memory.update(stored.id, update));
  BOOST_TEST(chunks() == std::to_string(stored.chunks.size() + other.chunks.size()));
  update.content = "Ada drinks coffee.";
  must(memory.update(stored.id, update));
  BOOST_TEST(chunks() == std::to_string(other.chunks.size()));
  BOOST_TEST(get(stored.id).content == "Ada drinks coffee.");
  BOOST_TEST(test::result_of(*database,
                             "MATCH (n:Note {content: 'Ada drinks coffee.'}) "
                             "RETURN n.embedding IS NOT NULL") == "true");
  // A selection that has the chunks in it as well.
  const Update same{.changes = {}, .content = "all the same"};
  const auto tried = must(memory.update_all({}, same, {.dry_run = true}));
  BOOST_TEST((must(memory.update_all({}, same)).changed == tried.changed));
  BOOST_TEST(chunks() == "0");
  BOOST_TEST(must(memory.search({})).total == 2U);
}

BOOST_AUTO_TEST_CASE(chunks_have_the_metadata_of_their_text_after_a_change_too) {
  RememberOptions options;
  options.chunks = {10, 2};
  options.session = "s1";
  const auto stored =
      must(memory.remember("Ada drinks tea. Bob does not.", {{"user", "ada"}, {"x", 1}}, options));
  const auto count = [&](const std::string& condition) {
    return test::result_of(*database, "MATCH (c:Chunk) WHERE " + condition + " RETURN count(c)");
  };
  const std::string all = std::to_string(stored.chunks.size());
  BOOST_REQUIRE(count("c.user = 'ada' AND c.sessionId = 's1'") == all);
  Memory later = open(test_now + 1'000'000);
  must(
      later.update(stored.id, {.changes = {{"user", "bob"}, {"sessionId", "s2"}}, .unset = {"x"}}));
  BOOST_TEST(count("c.updated_at = '2026-02-14T12:00:01.000000Z'") == all);
  BOOST_TEST(count("c.user = 'bob' AND c.x IS NULL AND c.total_chunks > 1") == all);
  BOOST_TEST(count("EXISTS { (c)-->(s) WHERE externalId(s) = 'session:s2' }") == all);
  BOOST_TEST(count("EXISTS { (c)-->(s) WHERE externalId(s) = 'session:s1' }") == "0");
  // A selection of both has the same records in a dry run, also if a chunk has the new value already.
  const Update update{.changes = {{"user", "eve"}}};
  must(memory.update(stored.chunks[0], update));
  const auto tried = must(memory.update_all({}, update, {.dry_run = true}));
  const auto done = must(memory.update_all({}, update));
  BOOST_TEST((done.changed == tried.changed));
  BOOST_TEST(done.changed.size() == stored.chunks.size());
  BOOST_TEST(count("c.user = 'eve'") == all);
  // What a user relates by the same type is no chunk.
  const NodeId other = add("another note", {{"user", "dan"}});
  must(must(execute(*database,
                    "MATCH (a), (b) WHERE id(a) = $a AND id(b) = $b CREATE (a)-[:HAS_CHUNK]->(b)",
                    {{"a", static_cast<std::int64_t>(stored.id.value)},
                     {"b", static_cast<std::int64_t>(other.value)}}))
           .all());
  must(memory.update(stored.id, {.changes = {{"user", "eva"}}}));
  BOOST_TEST(*get(other).field("user").string() == "dan");
}

BOOST_AUTO_TEST_CASE(names_of_the_memorys_own_nodes_are_refused) {
  for (const char* name : {"session:s1", "tag_rule:r"}) {
    NewRecord record{"note", "x", {}, name, {}};
    const auto added = memory.add(record);
    BOOST_REQUIRE(!added.has_value());
    BOOST_TEST(added.error().message.find(name) != std::string::npos, added.error().message);
  }
}

BOOST_AUTO_TEST_CASE(a_parameter_cannot_take_the_place_of_the_session) {
  add("mine", {{"sessionId", "s1"}});
  add("theirs", {{"sessionId", "s2"}});
  SearchRequest request;
  request.session = "s1";
  request.where = "m.content <> ''";
  request.parameters = {{"_1", "s2"}};
  const auto found = memory.search(request);
  BOOST_REQUIRE(!found.has_value());
  BOOST_TEST(found.error().message.find("_1") != std::string::npos, found.error().message);
}

BOOST_AUTO_TEST_CASE(a_restored_record_is_as_it_was) {
  const NodeId id = add("back", {{"a", 1}});
  const Record before = get(id);
  must(memory.remove(id));
  BOOST_TEST(must(memory.restore(id)));
  BOOST_TEST(!must(memory.restore(id)));
  const Record after = get(id);
  BOOST_TEST((after.metadata == before.metadata));
  BOOST_TEST(!after.is_deleted);
}

// M2.35: relationships of a deleted node are hidden too
BOOST_AUTO_TEST_CASE(relationships_come_back_with_their_last_hidden_end) {
  const NodeId a = add("a", {});
  const NodeId b = add("b", {});
  test::run_all(*database, {"MATCH (a {content: 'a'}), (b {content: 'b'}) CREATE (a)-[:R]->(b), "
                            "(a)-[:SELF]->(a)"});
  const auto seen = [&] {
    return test::result_of(*database, "MATCH ()-[r]->() RETURN type(r) AS t ORDER BY t");
  };
  must(memory.remove(a));
  BOOST_TEST(seen() == "");
  Memory later = open(test_now + 5);
  must(later.remove(b));
  must(memory.restore(a));
  BOOST_TEST(seen() == "'SELF'");
  must(memory.restore(b));
  BOOST_TEST(seen() == "'R'; 'SELF'");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_purged_record_is_gone_for_good) {
  const NodeId a = add("a", {});
  add("b", {});
  test::run_all(*database, {"MATCH (a {content: 'a'}), (b {content: 'b'}) CREATE (a)-[:R]->(b)"});
  must(memory.remove(a));
  BOOST_TEST(must(memory.purge(a)));
  BOOST_TEST(!must(memory.purge(a)));
  BOOST_TEST(!must(memory.find(a, {.include_deleted = true})));
  BOOST_TEST(must(database->statistics()).relationships == 0U);
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

#include "engine/commit/vector_index_manager.hpp"

#include "tests/engine/vector_index_manager_fixture.hpp"

using namespace cairn;
using engine::Family;
using test::must;
using test::TemporaryDatabase;

BOOST_FIXTURE_TEST_SUITE(vector_index_manager, test::VectorIndexManagerFixture)

BOOST_AUTO_TEST_CASE(an_index_made_after_the_data_turns_lists_into_vectors) {
  Transaction transaction = must(db->begin());
  const auto components = vector();
  const NodeId listed = must(transaction.create_node({{"M"}, {{"v", list(components)}}, ""}));
  must(transaction.create_node({{"Other"}, {{"v", list(vector())}}, ""}));
  must(transaction.create_node({{"M"}, {{"v", Value(List{})}}, ""}));
  must(transaction.commit());
  make_index();
  const auto hits = search(components, 10).hits;
  BOOST_REQUIRE(hits.size() == 1u);
  BOOST_TEST(hits[0].id == listed.value);
  BOOST_TEST(hits[0].score > 0.999);
  const auto loaded = must(must(db->snapshot()).find_node(listed));
  BOOST_TEST((loaded->property("v").type() == ValueType::vector));
  expect_sound();
}

BOOST_AUTO_TEST_CASE(members_follow_vectors_labels_and_erasure) {
  make_index();
  const auto nodes = add(5);
  const auto query = vector();
  BOOST_TEST(found(query) == 5u);
  Transaction transaction = must(db->begin());
  must(transaction.set_property(nodes[0], "v", Value()));
  must(transaction.remove_label(nodes[1], "M"));
  must(transaction.erase_node(nodes[2]));
  must(transaction.set_property(nodes[3], "v", Vector(query)));
  const NodeId late = must(transaction.create_node({{"Other"}, {{"v", list(query)}}, ""}));
  must(transaction.add_label(late, "M"));
  // The transaction sees it as it will be.
  const auto index = *Access::view(transaction).catalog().find_index("by_meaning");
  engine::VectorQuery question;
  question.query = query;
  const auto own = must(Access::view(transaction).nearest(index, question));
  BOOST_TEST(own.hits.size() == 3u);
  BOOST_TEST(own.hits[0].score > 0.999);
  must(transaction.commit());

  BOOST_TEST(found(query) == 3u);
  BOOST_TEST(search(query, 1).hits[0].score > 0.999);
  expect_sound();
}

BOOST_AUTO_TEST_CASE(a_held_snapshot_keeps_its_neighbours) {
  make_index();
  const auto nodes = add(20);
  const auto query = vector();
  const Snapshot held = must(db->snapshot());
  const auto before = must(search_vectors(held, "by_meaning", query));
  Transaction transaction = must(db->begin());
  for (const NodeId node : nodes) must(transaction.erase_node(node));
  must(transaction.commit());
  const auto after = must(search_vectors(held, "by_meaning", query));
  BOOST_REQUIRE(after.hits.size() == before.hits.size());
  for (std::size_t i = 0; i < after.hits.size(); ++i) {
    BOOST_TEST(after.hits[i].id == before.hits[i].id);
  }
  BOOST_TEST(found(query) == 0u);
}

BOOST_AUTO_TEST_CASE(only_allowed_ids_are_found) {
  make_index();
  const auto nodes = add(30);
  VectorSearchOptions options;
  options.allowed_ids = {nodes[3].value, nodes[7].value, 9'999};
  const auto hits =
      must(search_vectors(must(db->snapshot()), "by_meaning", vector(), options)).hits;
  BOOST_REQUIRE(hits.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_bad_query_or_vector_is_refused_by_name) {
  make_index();
  const std::vector<float> other(test::vector_dimension + 1, 1.0f);
  const auto searched = search_vectors(must(db->snapshot()), "by_meaning", other);
  BOOST_REQUIRE(!searched);
  BOOST_TEST((searched.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(!search_vectors(must(db->snapshot()), "by_nothing", other).has_value());
  Transaction transaction = must(db->begin());
  const std::vector<float> zero(test::vector_dimension, 0.0f);
  const auto created = transaction.create_node({{"M"}, {{"v", Vector(zero)}}, ""});
  BOOST_REQUIRE(!created);
  BOOST_TEST(created.error().message.find("\"v\"") != std::string::npos);
  std::vector<float> infinite(test::vector_dimension, 1.0f);
  infinite[2] = std::numeric_limits<float>::infinity();
  BOOST_TEST(!transaction.create_node({{"X"}, {{"v", Vector(infinite)}}, ""}).has_value());
}

BOOST_AUTO_TEST_CASE(a_vector_of_another_length_is_refused_and_not_left_out_in_silence) {
  make_index();
  Transaction transaction = must(db->begin());
  const std::vector<float> longer(test::vector_dimension + 1, 1.0f);
  for (const Value& value : {Value(Vector(longer)), Value(list(longer))}) {
    const auto created = transaction.create_node({{"M"}, {{"v", value}}, ""});
    BOOST_REQUIRE(!created);
    BOOST_TEST((created.error().code == ErrorCode::invalid_argument));
    BOOST_TEST(created.error().message.find("by_meaning") != std::string::npos);
    must(transaction.create_node({{"X"}, {{"v", value}}, ""}));  // the index does not cover it
  }
  // Neither nothing nor a list of other things is meant as a vector.
  must(transaction.create_node({{"M"}, {{"v", Value(List{})}}, ""}));
  must(transaction.create_node({{"M"}, {{"v", Value(List{"a", "b"})}}, ""}));
}

BOOST_AUTO_TEST_CASE(a_label_that_is_refused_for_a_vector_leaves_no_trace) {
  make_index();
  const std::vector<float> zero(test::vector_dimension, 0.0f);
  Transaction transaction = must(db->begin());
  const NodeId listed = must(transaction.create_node({{"A"}, {{"v", list(zero)}}, ""}));
  const NodeId stored = must(transaction.create_node({{"A"}, {{"v", Vector(zero)}}, ""}));
  for (const NodeId node : {listed, stored}) {
    const auto labelled = transaction.add_label(node, "M");
    BOOST_REQUIRE(!labelled);
    BOOST_TEST((labelled.error().code == ErrorCode::invalid_argument));
    BOOST_TEST(labelled.error().message.find("node " + std::to_string(node.value)) !=
               std::string::npos);
  }
  must(transaction.commit());
  for (const NodeId node : {listed, stored}) {
    BOOST_TEST(must(must(db->snapshot()).find_node(node))->labels().size() == 1u);
  }
  expect_sound();
}

BOOST_AUTO_TEST_CASE(an_index_over_a_vector_that_its_metric_cannot_take_is_refused_by_node) {
  const std::vector<float> zero(test::vector_dimension, 0.0f);
  Transaction transaction = must(db->begin());
  must(transaction.create_node({{"M"}, {{"v", list(vector())}}, ""}));
  const NodeId bad = must(transaction.create_node({{"M"}, {{"v", Vector(zero)}}, ""}));
  const auto refused = Access::writer(transaction)->create_index(test::by_meaning());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(refused.error().message.find("node " + std::to_string(bad.value)) !=
             std::string::npos);
  BOOST_TEST(!Access::view(transaction).catalog().find_index("by_meaning").has_value());
  engine::IndexRequest wider = test::by_meaning();
  wider.labels_or_types.push_back("Fresh");
  BOOST_TEST(!Access::writer(transaction)->create_index(wider));
  const engine::Catalog& catalog = Access::view(transaction).catalog();
  BOOST_TEST(!catalog.find(codec::CatalogKind::label, "Fresh").has_value());
  BOOST_TEST(catalog.find(codec::CatalogKind::label, "M").has_value());
  must(transaction.set_property(bad, "v", Vector(vector())));
  must(Access::writer(transaction)->create_index(test::by_meaning()));
  must(transaction.commit());
  BOOST_TEST(found(vector()) == 2u);
  expect_sound();
}

BOOST_AUTO_TEST_CASE(an_index_over_more_than_a_transaction_holds_is_refused_and_changes_nothing) {
  Options options;
  options.transaction_bytes = 500'000;
  TemporaryDatabase small(options);
  constexpr int nodes = 2'000;
  for (int done = 0; done < nodes; done += 100) {
    Transaction transaction = must(small->begin());
    for (int i = 0; i < 100; ++i)
      must(transaction.create_node({{"M"}, {{"v", list(vector())}}, ""}));
    must(transaction.commit());
  }
  {
    Transaction transaction = must(small->begin());
    const auto created = Access::writer(transaction)->create_index(test::by_meaning());
    BOOST_REQUIRE(!created);
    BOOST_TEST((created.error().code == ErrorCode::resource_limit));
    BOOST_TEST(created.error().message.find("before its data") != std::string::npos);
  }
  BOOST_TEST(must(must(small->snapshot()).find_node(NodeId{1}))->property("v").list() != nullptr);
  BOOST_TEST(must(small->check(10)).empty());
}

BOOST_AUTO_TEST_CASE(an_index_is_dropped_though_its_file_cannot_be_erased) {
  make_index();
  add(3);
  std::filesystem::create_directories(db.path() / "vector" / "index-1.segment" / "in_the_way");
  Transaction transaction = must(db->begin());
  must(Access::writer(transaction)->drop_index("by_meaning"));
  must(transaction.commit());
  BOOST_TEST(!search_vectors(must(db->snapshot()), "by_meaning", vector()).has_value());
  add(1);
  expect_sound();
}

BOOST_AUTO_TEST_CASE(a_damaged_vector_takes_its_index_away_until_it_is_repaired) {
  make_index();
  const auto nodes = add(5);
  std::string key, bytes;
  change_store([&](engine::RocksStore& store, engine::StoreBatch& batch) {
    const auto cursor = store.scan(Family::vectors, {}, nullptr);
    key = cursor.key();
    bytes = cursor.value();
    batch.put(Family::vectors, key, "rubbish");
  });
  BOOST_REQUIRE(db->warnings().size() == 1u);
  BOOST_TEST(db->warnings()[0].find("by_meaning") != std::string::npos);
  BOOST_TEST(!search_vectors(must(db->snapshot()), "by_meaning", vector()).has_value());
  BOOST_TEST(must(must(db->snapshot()).find_node(nodes[1])).has_value());
  BOOST_TEST(must(db->check()).size() > 1u);
  Transaction transaction = must(db->begin());
  must(transaction.set_property(nodes[0], "v", Vector(vector())));
  must(transaction.commit());
  BOOST_TEST(found(vector()) == 5u);
  expect_sound();
}

BOOST_AUTO_TEST_CASE(a_dropped_index_is_gone_and_a_new_one_of_its_name_is_whole) {
  make_index();
  add(10);
  Transaction transaction = must(db->begin());
  must(Access::writer(transaction)->drop_index("by_meaning"));
  must(transaction.commit());
  BOOST_TEST(!search_vectors(must(db->snapshot()), "by_meaning", vector()).has_value());
  add(5);
  make_index();
  BOOST_TEST(found(vector()) == 15u);
  expect_sound();
}

BOOST_AUTO_TEST_SUITE_END()

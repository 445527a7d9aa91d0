#include "engine/vector_set.hpp"

#include "engine/access.hpp"
#include "engine/store/side_file.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/engine/vector/snapshot_edit.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <random>

using namespace cairn;
using engine::Family;
using test::must;
using test::TemporaryDatabase;

namespace {

constexpr std::uint32_t dimension = 8;
constexpr std::size_t more_than_a_delta = 8'300;  // so that there is a segment, and a file

std::ptrdiff_t files_of(const std::filesystem::path& database) {
  const auto directory = database / engine::side_file::vector_directory;
  return std::distance(std::filesystem::directory_iterator(directory), {});
}

engine::IndexRequest request() {
  engine::IndexRequest index;
  index.name = "by_meaning";
  index.index_kind = codec::IndexKind::vector;
  index.labels_or_types = {"M"};
  index.properties = {"v"};
  index.dimension = dimension;
  // Every search is exact, so that a poor graph will do, which is made in a fraction of the time.
  index.m = 4;
  index.ef_construction = 8;
  return index;
}

/// What `run` returns in a child that ends without destroying anything, as one that is killed.
template <class Run>
int exit_status_of(const Run& run) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(run());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void expect_same_hits(const std::vector<Neighbor>& a, const std::vector<Neighbor>& b) {
  BOOST_TEST_REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    BOOST_TEST(a[i].id == b[i].id);
    BOOST_TEST(a[i].score == b[i].score);
  }
}

/// A commit for each vector; 0 if all succeed. The database is left open on purpose.
int commit_each(const std::filesystem::path& path, const std::vector<std::vector<float>>& vectors) {
  auto opened = Database::open(path);
  if (!opened) return 1;
  auto* const database = new Database(std::move(*opened));
  for (const auto& components : vectors) {
    auto transaction = database->begin();
    if (!transaction) return 2;
    if (!transaction->create_node({{"M"}, {{"v", Vector(components)}}, ""})) return 3;
    if (!transaction->commit()) return 4;
  }
  return 0;
}

struct Fixture {
  TemporaryDatabase db;
  std::mt19937 random{7};
  std::uint32_t width = dimension;

  std::vector<float> vector() {
    std::normal_distribution<float> normal;
    std::vector<float> components(width);
    for (float& component : components) component = normal(random);
    return components;
  }
  static List list(const std::vector<float>& components) {
    List result;
    for (const float component : components) result.emplace_back(static_cast<double>(component));
    return result;
  }
  void make_index(codec::VectorStorage storage = codec::VectorStorage::float32) {
    Transaction transaction = must(db->begin());
    engine::IndexRequest index = request();
    index.dimension = width;
    index.storage = storage;
    must(Access::writer(transaction)->create_index(index));
    must(transaction.commit());
  }
  std::vector<NodeId> add(std::size_t count, const std::string& label = "M") {
    std::vector<NodeId> nodes;
    Transaction transaction = must(db->begin());
    for (std::size_t i = 0; i < count; ++i) {
      nodes.push_back(must(transaction.create_node({{label}, {{"v", Vector(vector())}}, ""})));
    }
    must(transaction.commit());
    return nodes;
  }
  Neighbors search(const std::vector<float>& query, std::size_t k) {
    return must(must(db->snapshot()).nearest("by_meaning", query, {k, true, 0, {}}));
  }
  std::uint64_t found(const std::vector<float>& query) {
    return search(query, 1'000'000).hits.size();
  }
  /// Change the closed store behind the engine's back.
  template <class Change>
  void change_store(const Change& change) {
    db.close();
    {
      const auto store =
          must(engine::RocksStore::open(db.path() / engine::side_file::store_directory, {}));
      engine::StoreBatch batch(*store);
      change(*store, batch);
      must(store->write(batch, engine::WriteMode::sync));
    }
    db.reopen(Options{});
  }
  void expect_sound() {
    const auto findings = must(db->check());
    BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(vector_set, Fixture)

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
  const auto before = must(held.nearest("by_meaning", query, {}));
  Transaction transaction = must(db->begin());
  for (const NodeId node : nodes) must(transaction.erase_node(node));
  must(transaction.commit());
  const auto after = must(held.nearest("by_meaning", query, {}));
  BOOST_REQUIRE(after.hits.size() == before.hits.size());
  for (std::size_t i = 0; i < after.hits.size(); ++i) {
    BOOST_TEST(after.hits[i].id == before.hits[i].id);
  }
  BOOST_TEST(found(query) == 0u);
}

BOOST_AUTO_TEST_CASE(only_allowed_ids_are_found) {
  make_index();
  const auto nodes = add(30);
  NearestOptions options;
  options.allowed_ids = {nodes[3].value, nodes[7].value, 9'999};
  const auto hits = must(must(db->snapshot()).nearest("by_meaning", vector(), options)).hits;
  BOOST_REQUIRE(hits.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_bad_query_or_vector_is_refused_by_name) {
  make_index();
  const std::vector<float> other(dimension + 1, 1.0f);
  const auto searched = must(db->snapshot()).nearest("by_meaning", other, {});
  BOOST_REQUIRE(!searched);
  BOOST_TEST((searched.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(!must(db->snapshot()).nearest("by_nothing", other, {}).has_value());
  Transaction transaction = must(db->begin());
  const std::vector<float> zero(dimension, 0.0f);
  const auto created = transaction.create_node({{"M"}, {{"v", Vector(zero)}}, ""});
  BOOST_REQUIRE(!created);
  BOOST_TEST(created.error().message.find("\"v\"") != std::string::npos);
  std::vector<float> infinite(dimension, 1.0f);
  infinite[2] = std::numeric_limits<float>::infinity();
  BOOST_TEST(!transaction.create_node({{"X"}, {{"v", Vector(infinite)}}, ""}).has_value());
}

BOOST_AUTO_TEST_CASE(a_vector_of_another_length_is_refused_and_not_left_out_in_silence) {
  make_index();
  Transaction transaction = must(db->begin());
  const std::vector<float> longer(dimension + 1, 1.0f);
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
  const std::vector<float> zero(dimension, 0.0f);
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
  const std::vector<float> zero(dimension, 0.0f);
  Transaction transaction = must(db->begin());
  must(transaction.create_node({{"M"}, {{"v", list(vector())}}, ""}));
  const NodeId bad = must(transaction.create_node({{"M"}, {{"v", Vector(zero)}}, ""}));
  const auto refused = Access::writer(transaction)->create_index(request());
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(refused.error().message.find("node " + std::to_string(bad.value)) !=
             std::string::npos);
  BOOST_TEST(!Access::view(transaction).catalog().find_index("by_meaning").has_value());
  engine::IndexRequest wider = request();
  wider.labels_or_types.push_back("Fresh");
  BOOST_TEST(!Access::writer(transaction)->create_index(wider));
  const engine::Catalog& catalog = Access::view(transaction).catalog();
  BOOST_TEST(!catalog.find(codec::CatalogKind::label, "Fresh").has_value());
  BOOST_TEST(catalog.find(codec::CatalogKind::label, "M").has_value());
  must(transaction.set_property(bad, "v", Vector(vector())));
  must(Access::writer(transaction)->create_index(request()));
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
    const auto created = Access::writer(transaction)->create_index(request());
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
  BOOST_TEST(!must(db->snapshot()).nearest("by_meaning", vector(), {}).has_value());
  add(1);
  expect_sound();
}

BOOST_AUTO_TEST_CASE(the_same_neighbours_come_back_after_a_reopen_whatever_became_of_the_file) {
  make_index();
  add(more_than_a_delta);
  const auto query = vector();
  must(db->checkpoint());
  BOOST_REQUIRE(files_of(db.path()) == 1);
  const auto nodes = add(50);  // after the file
  Transaction transaction = must(db->begin());
  must(transaction.erase_node(nodes[0]));
  must(transaction.commit());
  const auto expected = search(query, 50).hits;
  const auto files = db.path() / engine::side_file::vector_directory;
  for (int damage = 0; damage < 3; ++damage) {
    db.close();
    for (const auto& entry : std::filesystem::directory_iterator(files)) {
      if (damage == 1) std::ofstream(entry.path(), std::ios::app) << "x";
      if (damage == 2) std::filesystem::remove(entry.path());
    }
    db.reopen();
    const auto hits = search(query, 50).hits;
    BOOST_REQUIRE(hits.size() == expected.size());
    for (std::size_t i = 0; i < hits.size(); ++i) BOOST_TEST(hits[i].id == expected[i].id);
    expect_sound();
  }
}

// Codes and partitions came with the second layout of the file; 32 components are enough for them.
BOOST_AUTO_TEST_CASE(a_damaged_log_costs_a_rebuild_and_not_the_opening) {
  make_index();
  add(more_than_a_delta);
  must(db->checkpoint());
  add(50);  // after the file
  const auto query = vector();
  const auto expected = search(query, 50).hits;
  change_store([](engine::RocksStore& store, engine::StoreBatch& batch) {
    int entries = 0;
    for (auto cursor = store.scan(Family::vector_log, {}, nullptr); cursor.valid(); cursor.next()) {
      if (cursor.value().empty()) continue;
      batch.put(Family::vector_log, cursor.key(), "rubbish");
      ++entries;
    }
    BOOST_TEST(entries > 0);
  });
  BOOST_TEST(db->warnings().empty());
  const auto hits = search(query, 50).hits;
  BOOST_REQUIRE(hits.size() == expected.size());
  for (std::size_t i = 0; i < hits.size(); ++i) BOOST_TEST(hits[i].id == expected[i].id);
  expect_sound();
}

BOOST_AUTO_TEST_CASE(a_damaged_vector_takes_its_index_away_until_it_is_mended) {
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
  BOOST_TEST(!must(db->snapshot()).nearest("by_meaning", vector(), {}).has_value());
  BOOST_TEST(must(must(db->snapshot()).find_node(nodes[1])).has_value());
  BOOST_TEST(must(db->check()).size() > 1u);
  Transaction transaction = must(db->begin());
  must(transaction.set_property(nodes[0], "v", Vector(vector())));
  must(transaction.commit());
  BOOST_TEST(found(vector()) == 5u);
  expect_sound();
}

BOOST_AUTO_TEST_CASE(a_file_of_the_first_layout_is_read_and_replaced) {
  width = 32;
  make_index();
  add(more_than_a_delta);
  must(db->checkpoint());
  const auto query = vector();
  const auto expected = search(query, 20).hits;
  const auto file = db.path() / engine::side_file::vector_directory / "index-1.segment";
  db.close();
  test::SnapshotEdit edit(file);
  BOOST_TEST(edit.sections[10].size() == 16u);
  edit.make_old(1);
  edit.write(file);
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write}) {
    Options options;
    options.mode = mode;
    Database database = must(Database::open(db.path(), options));
    const auto hits = must(must(database.snapshot()).nearest("by_meaning", query, {20})).hits;
    BOOST_TEST(hits.size() == 20u);
    const auto exact =
        must(must(database.snapshot()).nearest("by_meaning", query, {20, true, 0, {}})).hits;
    BOOST_REQUIRE(exact.size() == expected.size());
    for (std::size_t i = 0; i < exact.size(); ++i) BOOST_TEST(exact[i].id == expected[i].id);
    must(database.checkpoint());
    must(database.close());
  }
  BOOST_TEST(test::SnapshotEdit(file).header.layout == codec::snapshot_layout);
  BOOST_TEST(test::SnapshotEdit(file).sections[10].size() == 16u);
}

// M0: memory of vectors, bounded by an option; what is found is the same.
BOOST_AUTO_TEST_CASE(vectors_are_mapped_as_soon_as_they_are_in_a_file) {
  width = 32;
  make_index(codec::VectorStorage::mapped);
  add(more_than_a_delta);
  const auto query = vector();
  const auto in_delta = search(query, 20).hits;
  must(db->checkpoint());
  const auto index_of = [](const Database& database) {
    const auto all = must(must(database.snapshot()).indexes());
    return *std::ranges::find(all, "by_meaning", &IndexDescription::name);
  };
  for (int opened = 0; opened < 2; ++opened) {
    const IndexDescription index = index_of(*db);
    BOOST_TEST((index.options.at("vector.storage") == Value("mapped")));
    BOOST_TEST(index.mapped_bytes == more_than_a_delta * width * sizeof(float));
    BOOST_TEST((index.memory.at("rows") == Value(std::int64_t{0})));
    expect_same_hits(search(query, 20).hits, in_delta);
    expect_sound();
    db.reopen();
  }
}

BOOST_AUTO_TEST_CASE(over_the_bound_vectors_are_mapped_and_below_it_held) {
  width = 32;
  make_index();
  add(more_than_a_delta);
  must(db->checkpoint());
  const auto query = vector();
  const auto expected = search(query, 20).hits;
  db.close();
  const auto mapped_bytes = [&](std::size_t bound, OpenMode mode) {
    Options options;
    options.mode = mode;
    options.vector_memory_bytes = bound;
    Database database = must(Database::open(db.path(), options));
    const auto snapshot = must(database.snapshot());
    expect_same_hits(must(snapshot.nearest("by_meaning", query, {20, true, 0, {}})).hits, expected);
    return must(snapshot.indexes()).at(0).mapped_bytes;
  };
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write}) {
    BOOST_TEST(mapped_bytes(std::size_t{64} << 20, mode) == 0U);
    BOOST_TEST(mapped_bytes(0, mode) == more_than_a_delta * width * sizeof(float));
  }
  // What is sealed while it is open goes to the file, too.
  Options options;
  options.vector_memory_bytes = 0;
  Database database = must(Database::open(db.path(), options));
  Transaction transaction = must(database.begin());
  for (std::size_t i = 0; i < more_than_a_delta; ++i)
    must(transaction.create_node({{"M"}, {{"v", Vector(vector())}}, ""}));
  must(transaction.commit());
  must(database.checkpoint());
  BOOST_TEST(must(must(database.snapshot()).indexes()).at(0).mapped_bytes ==
             2 * more_than_a_delta * width * sizeof(float));
}

BOOST_AUTO_TEST_CASE(what_is_not_saved_yet_can_bring_held_vectors_over_the_bound) {
  width = 32;
  make_index();
  add(more_than_a_delta);
  must(db->checkpoint());
  const auto index = [](Database& database) {
    return must(must(database.snapshot()).indexes()).at(0);
  };
  const std::size_t held = index(*db).memory_bytes;
  const auto file = db.path() / engine::side_file::vector_directory / "index-1.segment";
  db.close();
  Options options;
  options.vector_memory_bytes =
      std::max<std::size_t>(held, std::filesystem::file_size(file)) + 1'024;
  Database database = must(Database::open(db.path(), options));
  BOOST_TEST(index(database).mapped_bytes == 0U);
  Transaction transaction = must(database.begin());
  for (int i = 0; i < 2'000; ++i)
    must(transaction.create_node({{"M"}, {{"v", Vector(vector())}}, ""}));
  must(transaction.commit());
  BOOST_TEST(index(database).mapped_bytes == 0U);
  must(database.checkpoint());
  BOOST_TEST(index(database).mapped_bytes == more_than_a_delta * width * sizeof(float));
}

BOOST_AUTO_TEST_CASE(a_file_of_an_older_layout_over_the_bound_is_written_anew_and_mapped) {
  width = 32;
  make_index();
  add(more_than_a_delta);
  must(db->checkpoint());
  const auto file = db.path() / engine::side_file::vector_directory / "index-1.segment";
  db.close();
  test::SnapshotEdit edit(file);
  edit.header.layout = 3;
  edit.write(file);
  Options options;
  options.vector_memory_bytes = 0;
  Database database = must(Database::open(db.path(), options));
  BOOST_TEST(must(must(database.snapshot()).indexes()).at(0).mapped_bytes == 0U);
  must(database.checkpoint());
  BOOST_TEST(must(must(database.snapshot()).indexes()).at(0).mapped_bytes > 0U);
}

BOOST_AUTO_TEST_CASE(a_damaged_file_of_mapped_vectors_is_replaced_behind_right_answers) {
  width = 32;
  make_index(codec::VectorStorage::float16);
  add(more_than_a_delta);
  must(db->checkpoint());
  const auto query = vector();
  const auto expected = search(query, 20).hits;
  const auto file = db.path() / engine::side_file::vector_directory / "index-1.segment";
  const auto cut = [&] { std::filesystem::resize_file(file, 600'000); };
  const auto flip = [&] {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(test::SnapshotEdit(file).place_of(3) + 70'000));
    stream.put('x');
    stream.put('y');
  };
  for (const std::function<void()>& damage :
       {std::function<void()>(cut), std::function<void()>(flip)}) {
    db.close();
    damage();
    db.reopen();
    BOOST_REQUIRE(db->warnings().size() == 1U);
    BOOST_TEST(db->warnings()[0].starts_with(
        "vector index by_meaning is made anew from its vectors: vector snapshot"));
    expect_same_hits(search(query, 20).hits, expected);
    must(db->checkpoint());
    expect_same_hits(search(query, 20).hits, expected);
    BOOST_TEST(must(must(db->snapshot()).indexes()).at(0).mapped_bytes > 0U);
  }
}

// What a power cut may leave: the store of an earlier commit, and a file of a later one.
BOOST_AUTO_TEST_CASE(a_file_ahead_of_the_store_is_never_used) {
  make_index();
  add(10);
  const test::TemporaryDirectory directory;
  const auto earlier = directory.path() / "earlier";
  const auto recursively = std::filesystem::copy_options::recursive;
  db.close();
  std::filesystem::copy(db.path(), earlier, recursively);
  db.reopen();
  add(more_than_a_delta);
  db.close();
  BOOST_REQUIRE(files_of(db.path()) == 1);
  std::filesystem::remove_all(earlier / engine::side_file::vector_directory);
  std::filesystem::copy(db.path() / engine::side_file::vector_directory,
                        earlier / engine::side_file::vector_directory, recursively);

  // Past the commit of the file, and killed: a close would mark the log.
  std::vector<std::vector<float>> later;
  for (int i = 0; i < 5; ++i) later.push_back(vector());
  BOOST_TEST(exit_status_of([&] { return commit_each(earlier, later); }) == 0);
  const Database database = must(Database::open(earlier));
  const auto hits =
      must(must(database.snapshot()).nearest("by_meaning", vector(), {9'999, true, 0, {}})).hits;
  BOOST_TEST(hits.size() == 15u);
}

BOOST_AUTO_TEST_CASE(a_dropped_index_is_gone_and_a_new_one_of_its_name_is_whole) {
  make_index();
  add(10);
  Transaction transaction = must(db->begin());
  must(Access::writer(transaction)->drop_index("by_meaning"));
  must(transaction.commit());
  BOOST_TEST(!must(db->snapshot()).nearest("by_meaning", vector(), {}).has_value());
  add(5);
  make_index();
  BOOST_TEST(found(vector()) == 15u);
  expect_sound();
}

BOOST_AUTO_TEST_SUITE_END()

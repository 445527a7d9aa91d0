// The files of vector indexes: whatever becomes of them, a search finds what it found.
#include "engine/commit/vector_index_manager.hpp"
#include "tests/engine/vector/snapshot_edit.hpp"
#include "tests/engine/vector_index_manager_fixture.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/rounds.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>

using namespace cairn;
using engine::Family;
using test::exactly;
using test::must;

namespace {

constexpr std::size_t more_than_a_delta = 8'300;  // so that there is a segment, and a file

std::ptrdiff_t files_of(const std::filesystem::path& database) {
  const auto directory = database / engine::metadata_file::vector_directory;
  return std::distance(std::filesystem::directory_iterator(directory), {});
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

// Hits of the engine and of the public calls.
void expect_same_hits(const auto& a, const auto& b) {
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

struct FileFixture : test::VectorIndexManagerFixture {
  /// A database with an index over more vectors than a delta holds, saved in a file. Made once for a width.
  void begin_with_a_file(std::uint32_t components) {
    static std::map<std::uint32_t, test::TemporaryDirectory> made;
    width = components;
    const auto kept = made[components].path() / "db";
    if (!std::filesystem::exists(kept)) {
      make_index();
      add(more_than_a_delta);
      db.close();
      test::copy_tree(db.path(), kept);
    } else {
      db.close();
      std::filesystem::remove_all(db.path());
      test::copy_tree(kept, db.path());
      random.seed(components);  // other questions than the vectors are
    }
    db.reopen();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(vector_index_manager_files, FileFixture)

BOOST_AUTO_TEST_CASE(the_same_neighbours_come_back_after_a_reopen_whatever_became_of_the_file) {
  begin_with_a_file(8);
  const auto query = vector();
  BOOST_REQUIRE(files_of(db.path()) == 1);
  const auto nodes = add(50);  // after the file
  Transaction transaction = must(db->begin());
  must(transaction.erase_node(nodes[0]));
  must(transaction.commit());
  const auto expected = search(query, 50).hits;
  const auto files = db.path() / engine::metadata_file::vector_directory;
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

BOOST_AUTO_TEST_CASE(a_damaged_log_costs_a_rebuild_and_not_the_opening) {
  begin_with_a_file(8);
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

// Codes and partitions came with the second layout of the file; 32 components are enough for them.
BOOST_AUTO_TEST_CASE(a_file_of_the_first_layout_is_read_and_replaced) {
  begin_with_a_file(32);
  const auto query = vector();
  const auto expected = search(query, 20).hits;
  const auto file = db.path() / engine::metadata_file::vector_directory / "index-1.segment";
  db.close();
  test::SnapshotEdit edit(file);
  BOOST_TEST(edit.sections[10].size() == 16u);
  edit.make_old(1);
  edit.write(file);
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write}) {
    Options options;
    options.mode = mode;
    Database database = must(Database::open(db.path(), options));
    const auto hits =
        must(search_vectors(must(database.snapshot()), "by_meaning", query, {.k = 20})).hits;
    BOOST_TEST(hits.size() == 20u);
    const auto exact =
        must(search_vectors(must(database.snapshot()), "by_meaning", query, exactly(20))).hits;
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
  begin_with_a_file(32);
  const auto query = vector();
  const auto expected = search(query, 20).hits;
  db.close();
  const auto mapped_bytes = [&](std::size_t bound, OpenMode mode) {
    Options options;
    options.mode = mode;
    options.vector_memory_bytes = bound;
    Database database = must(Database::open(db.path(), options));
    const auto snapshot = must(database.snapshot());
    expect_same_hits(must(search_vectors(snapshot, "by_meaning", query, exactly(20))).hits,
                     expected);
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
  begin_with_a_file(32);
  const auto index = [](Database& database) {
    return must(must(database.snapshot()).indexes()).at(0);
  };
  const std::size_t held = index(*db).memory_bytes;
  const auto file = db.path() / engine::metadata_file::vector_directory / "index-1.segment";
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

BOOST_AUTO_TEST_CASE(a_file_of_an_older_layout_over_the_bound_is_written_again_and_mapped) {
  begin_with_a_file(32);
  const auto file = db.path() / engine::metadata_file::vector_directory / "index-1.segment";
  db.close();
  test::SnapshotEdit edit(file);
  edit.header.layout = 3;
  edit.write(file);
  Options options;
  options.vector_memory_bytes = 0;
  Database database = must(Database::open(db.path(), options));
  must(database.checkpoint());
  BOOST_TEST(must(must(database.snapshot()).indexes()).at(0).mapped_bytes > 0U);
  BOOST_TEST(test::SnapshotEdit(file).header.layout > 3U);
}

BOOST_AUTO_TEST_CASE(a_damaged_file_of_mapped_vectors_is_replaced_behind_right_answers) {
  width = 32;
  make_index(codec::VectorStorage::float16);
  add(more_than_a_delta);
  must(db->checkpoint());
  const auto query = vector();
  const auto expected = search(query, 20).hits;
  const auto file = db.path() / engine::metadata_file::vector_directory / "index-1.segment";
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
        "vector index by_meaning is rebuilt from its vectors: vector snapshot"));
    expect_same_hits(search(query, 20).hits, expected);
    must(db->checkpoint());
    expect_same_hits(search(query, 20).hits, expected);
    BOOST_TEST(must(must(db->snapshot()).indexes()).at(0).mapped_bytes > 0U);
  }
}

// What a power cut may leave: the store of an earlier commit, and a file of a later one.
BOOST_AUTO_TEST_CASE(a_file_ahead_of_the_store_is_never_used) {
  if (!test::can_start_threads_after_fork()) {
    std::cerr << "skipped: ThreadSanitizer does not allow the killed child of this case\n";
    return;
  }
  make_index();
  add(10);
  const test::TemporaryDirectory directory;
  const auto earlier = directory.path() / "earlier";
  db.close();
  test::copy_tree(db.path(), earlier);
  db.reopen();
  add(more_than_a_delta);
  db.close();
  BOOST_REQUIRE(files_of(db.path()) == 1);
  std::filesystem::remove_all(earlier / engine::metadata_file::vector_directory);
  test::copy_tree(db.path() / engine::metadata_file::vector_directory,
                  earlier / engine::metadata_file::vector_directory);

  // Past the commit of the file, and killed: a close would mark the log.
  std::vector<std::vector<float>> later;
  for (int i = 0; i < 5; ++i) later.push_back(vector());
  BOOST_TEST(exit_status_of([&] { return commit_each(earlier, later); }) == 0);
  const Database database = must(Database::open(earlier));
  const auto hits =
      must(search_vectors(must(database.snapshot()), "by_meaning", vector(), exactly(9'999))).hits;
  BOOST_TEST(hits.size() == 15u);
}

BOOST_AUTO_TEST_SUITE_END()

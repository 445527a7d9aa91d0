#include "engine/vector/snapshot_file.hpp"

#include "codec/snapshot_header.hpp"
#include "tests/engine/vector/vector_fixture.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <random>

using namespace cairn;
using cairn::test::Floats;
using codec::Metric;
using engine::VectorIndex;
using engine::VectorIndexOptions;

namespace {

constexpr std::uint64_t seed = 71;
const std::string database(32, 'a');
constexpr std::uint32_t index_id = 3;

/// An index of some vectors, and its snapshot in a folder of its own.
struct Saved {
  explicit Saved(std::size_t count, const VectorIndexOptions& chosen = {.dimension = 6, .m = 4})
      : options(chosen), index(test::make_index(chosen)), file(folder.path() / "segment") {
    test::VectorMaker maker(seed, options.dimension, 3);
    const auto changes = test::puts(maker.make(count), 0, 3);
    index->apply(changes, 9);
    if (count > 0) test::seal(*index);
    queries = maker.make(5);
    BOOST_TEST_REQUIRE(index->save(file, database, index_id).has_value());
  }

  [[nodiscard]] std::string read() const {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void overwrite(std::size_t offset, char byte) const {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.put(byte);
  }
  /// Load into a new index.
  [[nodiscard]] Result<std::uint64_t> load(VectorIndex& into) const {
    return into.load(file, database, index_id);
  }
  [[nodiscard]] Result<std::uint64_t> load() const { return load(*test::make_index(options)); }

  VectorIndexOptions options;
  test::TemporaryDirectory folder;
  std::unique_ptr<VectorIndex> index;
  std::filesystem::path file;
  std::vector<Floats> queries;
};

bool is_corruption(const Result<std::uint64_t>& loaded) {
  return !loaded.has_value() && loaded.error().code == ErrorCode::corruption;
}

void expect_same_hits(const VectorIndex& a, const VectorIndex& b,
                      const std::vector<Floats>& queries) {
  for (const Floats& query : queries) {
    const auto left =
        a.state()
            ->search({.query = query, .k = 30, .strategy = engine::SearchStrategy::graph})
            .value();
    const auto right =
        b.state()
            ->search({.query = query, .k = 30, .strategy = engine::SearchStrategy::graph})
            .value();
    BOOST_TEST(to_string(left.executor) == to_string(right.executor));
    BOOST_TEST(test::ids_of(left.hits) == test::ids_of(right.hits));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshot_file)

BOOST_DATA_TEST_CASE(a_loaded_segment_answers_as_the_saved_one,
                     boost::unit_test::data::make({1, 2, 3}), metric_number) {
  const Saved saved(8'000, {.dimension = 6, .metric = static_cast<Metric>(metric_number), .m = 4});
  const auto loaded = test::make_index(saved.options);
  BOOST_TEST(saved.load(*loaded).value() == 9u);
  BOOST_TEST(loaded->state()->sequence() == 9u);
  BOOST_TEST(loaded->state()->size() == 8'000u);
  expect_same_hits(*saved.index, *loaded, saved.queries);
}

BOOST_AUTO_TEST_CASE(a_loaded_index_goes_on_as_any_other) {
  const Saved saved(500);
  const auto loaded = test::make_index(saved.options);
  BOOST_TEST_REQUIRE(saved.load(*loaded).has_value());
  for (VectorIndex* index : {saved.index.get(), loaded.get()}) {
    index->apply(std::vector<engine::VectorChange>{{3, {}}, {6, Floats(6, 1)}, {7, Floats(6, 2)}},
                 10);
    test::seal(*index);
  }
  expect_same_hits(*saved.index, *loaded, saved.queries);
  BOOST_TEST(loaded->save(saved.file, database, index_id).has_value());
  BOOST_TEST(saved.load().value() == 10u);
}

BOOST_AUTO_TEST_CASE(dead_slots_are_saved_as_dead) {
  Saved saved(500);
  saved.index->apply(std::vector<engine::VectorChange>{{3, {}}, {6, Floats(6, 1)}}, 10);
  test::seal(*saved.index);
  BOOST_TEST_REQUIRE(saved.index->save(saved.file, database, index_id).has_value());
  const auto loaded = test::make_index(saved.options);
  BOOST_TEST_REQUIRE(saved.load(*loaded).has_value());
  BOOST_TEST(loaded->state()->size() == 499u);
  BOOST_TEST(!loaded->state()->find(3).has_value());
  expect_same_hits(*saved.index, *loaded, saved.queries);
}

BOOST_AUTO_TEST_CASE(an_index_without_a_segment_saves_an_empty_one) {
  const Saved saved(0);
  BOOST_TEST(saved.load().value() == 0u);
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_not_found) {
  const Saved saved(10);
  const auto loaded =
      test::make_index(saved.options)->load(saved.folder.path() / "none", database, index_id);
  BOOST_TEST((loaded.error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(a_file_of_another_owner_is_refused) {
  const Saved saved(10);
  const auto index = test::make_index(saved.options);
  const auto other = index->load(saved.file, std::string(32, 'b'), index_id);
  BOOST_TEST(is_corruption(other));
  BOOST_TEST(other.error().message.find("belongs to database " + database) != std::string::npos);
  BOOST_TEST(is_corruption(index->load(saved.file, database, 4)));
}

BOOST_AUTO_TEST_CASE(a_file_of_other_options_is_refused) {
  const Saved saved(10);
  for (const VectorIndexOptions& other :
       {VectorIndexOptions{.dimension = 7, .m = 4}, VectorIndexOptions{.dimension = 6, .m = 5},
        VectorIndexOptions{.dimension = 6, .metric = Metric::euclidean, .m = 4},
        VectorIndexOptions{.dimension = 6, .m = 4, .ef_construction = 99}})
    BOOST_TEST(is_corruption(saved.load(*test::make_index(other))));
}

BOOST_AUTO_TEST_CASE(a_database_id_that_is_none_is_refused_on_saving) {
  const Saved saved(10);
  const auto status = saved.index->save(saved.file, "mine", index_id);
  BOOST_TEST((status.error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_failed_save_leaves_the_old_file) {
  const Saved saved(10);
  const auto status = saved.index->save(saved.folder.path() / "no" / "folder", database, index_id);
  BOOST_TEST(!status.has_value());
  BOOST_TEST(saved.load().has_value());
}

BOOST_AUTO_TEST_CASE(nobody_else_may_read_the_file) {
  const Saved saved(10);
  struct stat status = {};
  BOOST_TEST_REQUIRE(::stat(saved.file.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0600u);
}

BOOST_AUTO_TEST_CASE(every_file_of_another_length_is_refused) {
  const Saved saved(40);
  const std::size_t whole = saved.read().size();
  std::filesystem::resize_file(saved.file, whole + 1);
  BOOST_TEST(is_corruption(saved.load()));
  for (std::size_t size = whole; size-- > 0;) {
    std::filesystem::resize_file(saved.file, size);
    BOOST_TEST_REQUIRE(is_corruption(saved.load()), "size " << size);
  }
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_refused) {
  const Saved saved(12);
  const std::string bytes = saved.read();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const char byte = bytes[bit / 8];
    saved.overwrite(bit / 8, static_cast<char>(byte ^ (1 << bit % 8)));
    BOOST_TEST_REQUIRE(is_corruption(saved.load()), "bit " << bit);
    saved.overwrite(bit / 8, byte);
  }
  BOOST_TEST(saved.load().has_value());
}

BOOST_AUTO_TEST_CASE(a_refused_file_leaves_the_index_as_it_was) {
  const Saved saved(30);
  std::filesystem::resize_file(saved.file, 200);
  BOOST_TEST(is_corruption(saved.load(*saved.index)));
  BOOST_TEST(saved.index->state()->size() == 30u);
}

BOOST_AUTO_TEST_SUITE_END()

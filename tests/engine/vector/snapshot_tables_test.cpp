// Tables that a search reads before the vectors are stored in the file: they are intact, damaged,
// of another version, or missing. In every case the answers are right.
#include "engine/vector/serialized_segment.hpp"
#include "tests/engine/vector/snapshot_edit.hpp"
#include "tests/engine/vector/vector_fixture.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstring>
#include <limits>
#include <optional>

using namespace cairn;
using cairn::test::Floats;
using cairn::test::SnapshotEdit;
using codec::Metric;
using engine::Accuracy;
using engine::SearchStrategy;
using engine::VectorIndex;
using engine::VectorIndexOptions;

namespace {

constexpr std::uint64_t seed = 83;
constexpr std::uint32_t dimension = 32;
constexpr std::size_t vector_count = 8'400;  // partitions begin at 8,192
const std::string database(32, 'c');
constexpr std::uint32_t index_id = 5;
constexpr std::size_t made = 10, numbers = 11, last_array = 21;  // sections

VectorIndexOptions options_of(Metric metric) {
  return {.dimension = dimension, .metric = metric, .m = 4, .ef_construction = 8};
}

/// One index a metric, and its file.
struct Saved {
  explicit Saved(Metric metric)
      : options(options_of(metric)),
        index(test::make_index(options)),
        file(folder.path() / "saved") {
    test::VectorMaker maker(seed, dimension, 6);
    const auto changes = test::puts(maker.make(vector_count), 0, 3);
    index->apply(changes, 9);
    naive.metric = metric;
    naive.apply(changes);
    test::seal(*index);
    queries = maker.make(4);
    BOOST_REQUIRE(index->save(file, database, index_id).has_value());
  }

  static const Saved& of(Metric metric) {
    static std::array<std::optional<Saved>, 4> all;
    auto& saved = all[static_cast<std::size_t>(metric)];
    if (!saved) saved.emplace(metric);
    return *saved;
  }

  VectorIndexOptions options;
  test::TemporaryDirectory folder;
  std::unique_ptr<VectorIndex> index;
  std::filesystem::path file;
  test::NaiveIndex naive;
  std::vector<Floats> queries;
};

/// Of the cosine index, changed and loaded.
struct Loaded {
  explicit Loaded(const SnapshotEdit& edit) {
    edit.write(folder.path() / "edited");
    index = test::make_index(options_of(Metric::cosine));
    BOOST_REQUIRE(index->load(folder.path() / "edited", database, index_id).value() == 9u);
  }
  [[nodiscard]] Result<engine::Neighbors> search(const Floats& query) const {
    return index->state()->search({.query = query, .k = 12});
  }

  test::TemporaryDirectory folder;
  std::unique_ptr<VectorIndex> index;
};

const Saved& cosine() { return Saved::of(Metric::cosine); }

void expect_same(const engine::Neighbors& a, const engine::Neighbors& b) {
  BOOST_TEST(to_string(a.executor) == to_string(b.executor));
  BOOST_TEST_REQUIRE(a.hits.size() == b.hits.size());
  for (std::size_t i = 0; i < a.hits.size(); ++i) {
    BOOST_TEST(a.hits[i].id == b.hits[i].id);
    BOOST_TEST(a.hits[i].score == b.hits[i].score);
  }
}

/// Exact until the tables are made, and whole again then.
void expect_repaired(const SnapshotEdit& edit) {
  const Loaded loaded(edit);
  BOOST_TEST(loaded.index->wants_seal());
  for (const Floats& query : cosine().queries) {
    const auto hits = loaded.search(query).value();
    BOOST_TEST((hits.executor == VectorExecutor::exact));
    BOOST_TEST(test::ids_of(hits.hits) == test::ids_of(cosine().naive.search(query, 12)));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshot_tables)

BOOST_DATA_TEST_CASE(every_way_answers_alike_before_saving_and_after_loading,
                     boost::unit_test::data::make({1, 2, 3}), metric_number) {
  const Saved& saved = Saved::of(static_cast<Metric>(metric_number));
  const auto loaded = test::make_index(saved.options);
  BOOST_TEST(saved.index->state()->memory_bytes() > 0u);
  BOOST_TEST_REQUIRE(loaded->load(saved.file, database, index_id).value() == 9u);
  BOOST_TEST(!loaded->wants_seal());
  BOOST_TEST(loaded->state()->memory_bytes() == saved.index->state()->memory_bytes());
  const auto third = codec::Bitmap::of_range(0, vector_count);
  using Way = std::optional<SearchStrategy>;
  for (const Way strategy : {Way(), Way(SearchStrategy::exact), Way(SearchStrategy::flat),
                             Way(SearchStrategy::partitions), Way(SearchStrategy::graph)})
    for (const Accuracy recall : {Accuracy::fast, Accuracy::standard, Accuracy::high})
      for (const codec::Bitmap* allowed : {static_cast<const codec::Bitmap*>(nullptr), &third})
        for (const Floats& query : saved.queries) {
          const engine::VectorSearch search{
              .query = query, .k = 12, .allowed = allowed, .recall = recall, .strategy = strategy};
          expect_same(saved.index->state()->search(search).value(),
                      loaded->state()->search(search).value());
        }
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_anywhere_in_the_tables_is_noticed_and_repaired) {
  const SnapshotEdit edit(cosine().file);
  std::string bytes = edit.bytes();
  for (std::size_t section = made; section <= last_array; ++section) {
    if (edit.sections[section].empty()) continue;
    const std::size_t at = edit.place_of(section) + edit.sections[section].size() / 2;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    const Loaded loaded(edit);
    std::ofstream(loaded.folder.path() / "damaged", std::ios::binary) << bytes;
    const auto index = test::make_index(cosine().options);
    BOOST_TEST(index->load(loaded.folder.path() / "damaged", database, index_id).value() == 9u);
    BOOST_TEST(index->wants_seal(), "section " << section);
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
  }
}

BOOST_AUTO_TEST_CASE(a_file_of_the_first_layout_is_read_and_saved_with_tables) {
  SnapshotEdit edit(cosine().file);
  edit.make_old(1);
  expect_repaired(edit);
  const Loaded loaded(edit);
  test::seal(*loaded.index);
  BOOST_TEST(!loaded.index->wants_seal());
  BOOST_TEST((loaded.search(cosine().queries[0]).value().executor != VectorExecutor::exact));
  const auto again = loaded.folder.path() / "again";
  BOOST_TEST_REQUIRE(loaded.index->save(again, database, index_id).has_value());
  BOOST_TEST((SnapshotEdit(again).header.layout == codec::snapshot_layout));
  const auto upgraded = test::make_index(cosine().options);
  BOOST_TEST(upgraded->load(again, database, index_id).has_value());
  BOOST_TEST(!upgraded->wants_seal());
}

BOOST_AUTO_TEST_CASE(who_only_reads_has_the_tables_at_once) {
  SnapshotEdit edit(cosine().file);
  edit.sections.resize(made);
  edit.header.section_bytes = {};
  const Loaded loaded(edit);
  auto options = cosine().options;
  options.finishes_on_load = true;
  const auto index = test::make_index(options);
  BOOST_TEST(index->load(loaded.folder.path() / "edited", database, index_id).has_value());
  BOOST_TEST(!index->wants_seal());
}

BOOST_AUTO_TEST_CASE(changes_over_an_unfinished_segment_are_found) {
  SnapshotEdit edit(cosine().file);
  edit.sections.resize(made);
  edit.header.section_bytes = {};
  const Loaded loaded(edit);
  const Floats& query = cosine().queries[0];
  loaded.index->apply(std::vector<engine::VectorChange>{{1, query}, {0, {}}}, 10);
  BOOST_TEST(loaded.search(query).value().hits[0].id == 1u);
  test::seal(*loaded.index);
  BOOST_TEST(!loaded.index->wants_seal());
  BOOST_TEST(loaded.search(query).value().hits[0].id == 1u);
  BOOST_TEST(!loaded.index->state()->find(0).has_value());
}

BOOST_AUTO_TEST_CASE(tables_of_another_version_or_machine_are_not_used) {
  for (const std::size_t byte : {0u, 8u}) {
    SnapshotEdit edit(cosine().file);
    edit.sections[made][byte] = static_cast<char>(edit.sections[made][byte] ^ 1);
    expect_repaired(edit);
  }
}

BOOST_AUTO_TEST_CASE(tables_that_do_not_fit_the_vectors_are_not_used) {
  const SnapshotEdit sound(cosine().file);
  for (std::size_t section = made; section <= last_array; ++section) {
    SnapshotEdit edit = sound;
    edit.sections[section].resize(edit.sections[section].size() + 64);
    expect_repaired(edit);
    if (sound.sections[section].empty()) continue;
    edit.sections[section].resize(sound.sections[section].size() - 1);
    expect_repaired(edit);
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_no_vectors_give_are_not_used) {
  const SnapshotEdit sound(Saved::of(Metric::euclidean).file);
  const auto is_used = [](const SnapshotEdit& edit) {
    const test::TemporaryDirectory folder;
    edit.write(folder.path() / "edited");
    const auto index = test::make_index(options_of(Metric::euclidean));
    BOOST_REQUIRE(index->load(folder.path() / "edited", database, index_id).has_value());
    return !index->wants_seal();
  };
  BOOST_TEST(is_used(sound));
  const std::array<double, 3> wrongs = {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0; i < sound.sections[numbers].size() / sizeof(double); ++i) {
    SnapshotEdit edit = sound;
    std::memcpy(edit.sections[numbers].data() + i * sizeof(double), &wrongs[i % 3], sizeof(double));
    BOOST_TEST(!is_used(edit), "number " << i);
  }
  // All but codes, whose every byte is one.
  for (const std::size_t section : {12u, 13u, 15u, 16u, 17u, 19u, 20u}) {
    SnapshotEdit edit = sound;
    const float wrong = section % 2 == 0 ? 1e38F : std::numeric_limits<float>::quiet_NaN();
    std::memcpy(edit.sections[section].data() + 8, &wrong, sizeof wrong);
    BOOST_TEST(!is_used(edit), "section " << section);
  }
}

// hnswlib's own searchKnn() is chosen by its price alone, and finds what our walk finds.
BOOST_AUTO_TEST_CASE(the_price_of_hnswlibs_walk_tells_who_walks_and_both_find_the_same) {
  const auto priced = [](double hnswlib_times) {
    SnapshotEdit edit(cosine().file);
    auto& bytes = edit.sections[numbers];
    std::memcpy(bytes.data() + bytes.size() - sizeof(double), &hnswlib_times, sizeof(double));
    return edit;
  };
  const Loaded by_hnswlib(priced(1)), by_us(priced(50));
  std::vector<std::uint64_t> half;
  for (std::uint64_t id = 0; id < 3 * vector_count; id += 6) half.push_back(id);
  const auto allowed = codec::Bitmap::from_sorted(half);
  const codec::Bitmap* const filters[] = {nullptr, &allowed};
  for (const codec::Bitmap* filter : filters)
    for (const Floats& query : cosine().queries) {
      engine::VectorSearch search;
      search.query = query;
      search.k = 12;
      search.allowed = filter;
      search.ef_search = 60;
      search.strategy = SearchStrategy::graph;
      auto theirs = by_hnswlib.index->state()->search(search).value();
      const auto ours = by_us.index->state()->search(search).value();
      BOOST_TEST((theirs.executor == VectorExecutor::graph_by_hnswlib));
      BOOST_TEST((ours.executor == VectorExecutor::graph));
      theirs.executor = ours.executor;
      expect_same(theirs, ours);
    }
}

BOOST_AUTO_TEST_SUITE_END()

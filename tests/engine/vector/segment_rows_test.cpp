// An index holds its vectors in memory completely, as halves, or not at all: then it holds only the codes of its graph,
// and the vectors are mapped from its file. The results are the same in all cases.
#include "engine/vector/segment_rows.hpp"

#include "tests/engine/vector/snapshot_edit.hpp"
#include "tests/engine/vector/vector_fixture.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>

using namespace cairn;
using cairn::test::Floats;
using cairn::test::SnapshotEdit;
using codec::Metric;
using codec::VectorStorage;
using engine::Accuracy;
using engine::SearchStrategy;
using engine::VectorIndex;
using engine::VectorIndexOptions;

namespace {

constexpr std::uint64_t seed = 131;
constexpr std::uint32_t dimension = 48;
// Partitions begin at 8,192; rows fill more than one block.
constexpr std::size_t vector_count = 8'400;
constexpr std::size_t rows_section = 3;
const std::string database(32, 'd');
constexpr std::uint32_t index_id = 2;
const auto metrics = boost::unit_test::data::make({1, 2, 3});
constexpr std::array storages = {VectorStorage::float16, VectorStorage::int8,
                                 VectorStorage::mapped};

VectorIndexOptions options_of(Metric metric, VectorStorage storage = VectorStorage::float32) {
  return {
      .dimension = dimension, .metric = metric, .m = 6, .ef_construction = 20, .storage = storage};
}

/// For each metric, an index with its vectors in memory, and its file.
struct Saved {
  explicit Saved(Metric metric) : file(folder.path() / "saved") {
    test::VectorMaker maker(seed, dimension, 10);
    const auto changes = test::puts(maker.make(vector_count), 0, 3);
    index = test::make_index(options_of(metric));
    index->apply(changes, 9);
    naive.metric = metric;
    naive.apply(changes);
    test::seal(*index);
    queries = maker.make(6);
    BOOST_REQUIRE(index->save(file, database, index_id).has_value());
  }

  static const Saved& of(Metric metric) {
    static std::array<std::optional<Saved>, 4> all;
    auto& saved = all[static_cast<std::size_t>(metric)];
    if (!saved) saved.emplace(metric);
    return *saved;
  }

  test::TemporaryDirectory folder;
  std::filesystem::path file;
  std::unique_ptr<VectorIndex> index;
  test::NaiveIndex naive;
  std::vector<Floats> queries;
};

std::unique_ptr<VectorIndex> loaded(const std::filesystem::path& file, Metric metric,
                                    VectorStorage storage) {
  auto index = test::make_index(options_of(metric, storage));
  BOOST_TEST_REQUIRE(index->load(file, database, index_id).value() == 9U);
  return index;
}

void map_rows(VectorIndex& index, const std::filesystem::path& file) {
  const auto mapped = index.map_rows(file, database, index_id).value();
  BOOST_TEST_REQUIRE(mapped != nullptr);
  index.adopt_rows(mapped);
}

void expect_same(const engine::Neighbors& a, const engine::Neighbors& b) {
  BOOST_TEST(to_string(a.executor) == to_string(b.executor));
  BOOST_TEST_REQUIRE(a.hits.size() == b.hits.size());
  for (std::size_t i = 0; i < a.hits.size(); ++i) {
    BOOST_TEST(a.hits[i].id == b.hits[i].id);
    BOOST_TEST(a.hits[i].score == b.hits[i].score);
  }
}

/// By each of these ways, at every class, with and without a filter and cuts.
using Ways = std::vector<std::optional<SearchStrategy>>;
void expect_same_answers(const engine::VectorState& a, const engine::VectorState& b,
                         const std::vector<Floats>& queries, const Ways& ways) {
  const auto third = codec::Bitmap::of_range(0, vector_count);
  for (const auto& strategy : ways)
    for (const Accuracy recall : {Accuracy::fast, Accuracy::standard, Accuracy::high})
      for (const codec::Bitmap* allowed : {static_cast<const codec::Bitmap*>(nullptr), &third})
        for (const Floats& query : queries) {
          engine::VectorSearch search{
              .query = query, .k = 12, .allowed = allowed, .recall = recall, .strategy = strategy};
          expect_same(a.search(search).value(), b.search(search).value());
          search.k = 40;
          search.min_score = 0.55;
          expect_same(a.search(search).value(), b.search(search).value());
        }
}

const Ways every_way = {std::nullopt, SearchStrategy::exact, SearchStrategy::flat,
                        SearchStrategy::partitions, SearchStrategy::graph};

void expect_refused(const SnapshotEdit& edit, Metric metric, const std::string& why) {
  const test::TemporaryDirectory folder;
  edit.write(folder.path() / "edited");
  for (const VectorStorage storage : storages) {
    const auto index = test::make_index(options_of(metric, storage));
    const auto found = index->load(folder.path() / "edited", database, index_id);
    BOOST_TEST_REQUIRE(!found.has_value());
    BOOST_TEST((found.error().code == ErrorCode::corruption));
    BOOST_TEST(found.error().message.find(why) != std::string::npos, found.error().message);
    BOOST_TEST(index->state()->size() == 0U);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(segment_rows)

// Halves leave out what cannot be a hit, mapped vectors leave out nothing: bit by bit the same.
BOOST_DATA_TEST_CASE(halves_and_mapped_vectors_find_what_vectors_in_memory_find, metrics, number) {
  const auto metric = static_cast<Metric>(number);
  const Saved& saved = Saved::of(metric);
  for (const VectorStorage storage : {VectorStorage::float16, VectorStorage::mapped}) {
    const auto index = loaded(saved.file, metric, storage);
    expect_same_answers(*saved.index->state(), *index->state(), saved.queries, every_way);
  }
}

// Bytes leave out what is improbable: what is exact stays so, and a class finds what it found.
BOOST_DATA_TEST_CASE(bytes_find_about_what_vectors_in_memory_find, metrics, number) {
  const auto metric = static_cast<Metric>(number);
  const Saved& saved = Saved::of(metric);
  const auto index = loaded(saved.file, metric, VectorStorage::int8);
  for (const Floats& query : saved.queries) {
    const engine::VectorSearch search{.query = query, .k = 30, .exact = true};
    expect_same(saved.index->state()->search(search).value(),
                index->state()->search(search).value());
  }
  double held = 0, sifted = 0;
  for (const Floats& query : saved.queries)
    for (const SearchStrategy strategy :
         {SearchStrategy::flat, SearchStrategy::partitions, SearchStrategy::graph}) {
      const engine::VectorSearch search{.query = query, .strategy = strategy};
      const auto truth = saved.naive.search(query, 10);
      const auto found = index->state()->search(search).value();
      BOOST_TEST(found.hits.size() == 10U);
      held += test::recall(saved.index->state()->search(search).value().hits, truth);
      sifted += test::recall(found.hits, truth);
    }
  BOOST_TEST(sifted >= held * 0.99, "seed " << seed);
}

BOOST_AUTO_TEST_CASE(memory_is_told_by_part_and_what_is_mapped_apart) {
  const Saved& saved = Saved::of(Metric::cosine);
  const std::size_t whole = vector_count * dimension * sizeof(float);
  // Not of the shared index: other cases may have searched it exactly, for which it made bounds.
  const auto held = loaded(saved.file, Metric::cosine, VectorStorage::float32)->state()->memory();
  BOOST_TEST(held.rows == whole);
  BOOST_TEST(held.mapped == 0U);
  for (const VectorStorage storage : storages) {
    const auto memory = loaded(saved.file, Metric::cosine, storage)->state()->memory();
    BOOST_TEST(memory.rows == 0U);
    BOOST_TEST(memory.mapped == whole);
    BOOST_TEST(memory.halves == (storage == VectorStorage::float16 ? whole / 2 : 0));
    BOOST_TEST(memory.total() == held.total() - whole + memory.halves);
  }
}

BOOST_DATA_TEST_CASE(a_saved_segment_lets_its_vectors_go, metrics, number) {
  const auto metric = static_cast<Metric>(number);
  const Saved& saved = Saved::of(metric);
  const test::TemporaryDirectory folder;
  const auto index = loaded(saved.file, metric, VectorStorage::float32);
  const auto before = index->state();
  BOOST_TEST_REQUIRE(index->save(folder.path() / "mine", database, index_id).has_value());
  map_rows(*index, folder.path() / "mine");
  BOOST_TEST(index->state()->memory().rows == 0U);
  BOOST_TEST(before->memory().rows > 0U);  // a snapshot keeps what it has
  // Whatever happens to the name.
  BOOST_TEST_REQUIRE(index->save(folder.path() / "mine", database, index_id).has_value());
  std::filesystem::remove(folder.path() / "mine");
  expect_same_answers(*before, *index->state(), {saved.queries[0]}, every_way);
}

// What is built from mapped vectors, and what was begun before they were mapped.
BOOST_AUTO_TEST_CASE(a_mapped_segment_is_changed_and_sealed_as_any_other) {
  const Saved& saved = Saved::of(Metric::euclidean);
  const auto index = loaded(saved.file, Metric::euclidean, VectorStorage::int8);
  test::NaiveIndex naive = saved.naive;
  test::VectorMaker maker(seed + 1, dimension, 10);
  const test::TemporaryDirectory folder;
  for (std::uint64_t turn = 0; turn < 3; ++turn) {
    auto changes = test::puts(maker.make(30), turn, 3);
    changes.push_back({3 * (100 + turn), {}});
    index->apply(changes, 10 + turn);
    naive.apply(changes);
    const auto built = index->build_segment(index->state(), {}).value();
    if (turn > 0) map_rows(*index, folder.path() / "file");
    index->adopt_segment(built);
    BOOST_TEST(index->state()->memory().rows > 0U);
    BOOST_TEST_REQUIRE(index->save(folder.path() / "file", database, index_id).has_value());
    map_rows(*index, folder.path() / "file");
    BOOST_TEST(index->state()->memory().rows == 0U);
    BOOST_TEST(index->state()->size() == naive.vectors.size());
    for (const Floats& query : saved.queries)
      BOOST_TEST(
          test::ids_of(index->state()->search({.query = query, .exact = true}).value().hits) ==
          test::ids_of(naive.search(query, 10)));
  }
}

BOOST_AUTO_TEST_CASE(the_file_of_another_segment_is_not_mapped) {
  const Saved& saved = Saved::of(Metric::cosine);
  const auto index = loaded(saved.file, Metric::cosine, VectorStorage::float32);
  index->apply(std::vector<engine::VectorChange>{{1, Floats(dimension, 1)}}, 10);
  test::seal(*index);
  BOOST_TEST(index->map_rows(saved.file, database, index_id).value() == nullptr);
  const auto state = index->state();
  // One that was begun for a segment that is gone by now is dropped.
  const auto other = loaded(saved.file, Metric::cosine, VectorStorage::float32);
  const auto mapped = other->map_rows(saved.file, database, index_id).value();
  other->apply(std::vector<engine::VectorChange>{{1, Floats(dimension, 1)}}, 10);
  test::seal(*other);
  other->adopt_rows(mapped);
  BOOST_TEST(other->state()->find(1).has_value());
  BOOST_TEST(other->state()->memory().mapped == 0U);
}

BOOST_AUTO_TEST_CASE(damaged_vectors_are_refused_before_they_are_mapped) {
  const Saved& saved = Saved::of(Metric::cosine);
  const SnapshotEdit sound(saved.file);
  SnapshotEdit edit = sound;
  const float none = std::numeric_limits<float>::quiet_NaN();
  edit.sections[rows_section].replace(4'096, 4, reinterpret_cast<const char*>(&none), 4);
  expect_refused(edit, Metric::cosine, "its vector is not normalised or not finite");
  edit = sound;
  edit.sections[rows_section].resize(edit.sections[rows_section].size() - 4);
  expect_refused(edit, Metric::cosine, "do not match its shape");

  const test::TemporaryDirectory folder;
  const auto file = folder.path() / "damaged";
  std::string bytes = sound.bytes();
  for (const std::size_t at : {std::size_t{0}, std::size_t{1'200'000}}) {
    std::string damaged = bytes;
    char& byte = damaged[sound.place_of(rows_section) + at];
    byte = static_cast<char>(byte ^ 1);
    std::ofstream(file, std::ios::binary) << damaged;
    const auto found = test::make_index(options_of(Metric::cosine, VectorStorage::mapped))
                           ->load(file, database, index_id);
    BOOST_TEST(!found.has_value());
  }
  bytes.resize(bytes.size() / 2);
  std::ofstream(file, std::ios::binary) << bytes;
  BOOST_TEST(!test::make_index(options_of(Metric::cosine, VectorStorage::mapped))
                  ->load(file, database, index_id)
                  .has_value());
}

// Pieces between checksums cannot be mapped; the next save writes the layout that can.
BOOST_AUTO_TEST_CASE(vectors_of_the_third_layout_are_held) {
  const Saved& saved = Saved::of(Metric::dot_product);
  const test::TemporaryDirectory folder;
  SnapshotEdit edit(saved.file);
  edit.header.layout = 3;
  edit.write(folder.path() / "old");
  for (const VectorStorage storage : {VectorStorage::float32, VectorStorage::float16}) {
    const auto index = loaded(folder.path() / "old", Metric::dot_product, storage);
    BOOST_TEST(index->state()->memory().rows > 0U);
    BOOST_TEST(index->map_rows(folder.path() / "old", database, index_id).value() == nullptr);
    expect_same_answers(*saved.index->state(), *index->state(), {saved.queries[0]}, every_way);
    BOOST_TEST_REQUIRE(index->save(folder.path() / "new", database, index_id).has_value());
    map_rows(*index, folder.path() / "new");
    BOOST_TEST(index->state()->memory().rows == 0U);
  }
}

BOOST_AUTO_TEST_CASE(no_more_of_a_file_is_mapped_than_there_is) {
  const test::TemporaryDirectory folder;
  const auto file = folder.path() / "file";
  std::ofstream(file, std::ios::binary) << std::string(10'000, 'x');
  const auto reader = engine::FileReader::open(file).value();
  const auto map = reader.map(5'001, 4'999).value();
  BOOST_TEST(map.size() == 4'999U);
  BOOST_TEST(map.data()[4'998] == 'x');
  BOOST_TEST(!reader.map(5'001, 5'000).has_value());
  BOOST_TEST(!reader.map(10'001, 1).has_value());
  BOOST_TEST(reader.map(0, 0).value().size() == 0U);
  std::filesystem::resize_file(file, 100);
  BOOST_TEST(!reader.map(0, 101).has_value());
}

// Of vectors of any length, and of some that halves cannot distinguish.
BOOST_DATA_TEST_CASE(halves_leave_out_nothing_that_is_among_the_nearest, metrics, number) {
  const auto metric = static_cast<Metric>(number);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  for (const float size : {1e-20F, 1.0F, 1e17F})
    for (const std::uint32_t width : {1U, 3U, 100U, 700U}) {
      const auto measure = engine::make_metric(metric, width);
      constexpr std::uint32_t slots = 400;
      engine::HalfRows halves(measure, slots);
      std::vector<Floats> rows;
      const auto draw = [&](float by) {
        Floats vector(width);
        for (float& x : vector) x = by * size * normal(random);
        return test::stored(vector, metric);
      };
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const bool is_like = slot % 10 == 9;  // the one before, but for the last bits
        rows.push_back(is_like ? rows.back() : draw(slot % 7 == 0 ? 1e-3F : 1.0F));
        if (is_like) rows.back()[0] = std::nextafter(rows.back()[0], 0.0F);
        halves.put(slot, rows.back().data());
      }
      std::vector<std::uint32_t> all(slots);
      for (std::uint32_t slot = 0; slot < slots; ++slot) all[slot] = slot;
      for (int q = 0; q < 10; ++q) {
        const Floats query = q % 2 == 0 ? draw(1) : rows[static_cast<std::size_t>(q) * 20];
        const auto distance = [&](std::uint32_t slot) {
          return measure.kernels.pair(query.data(), rows[slot].data(), width);
        };
        auto nearest = all;
        std::ranges::sort(nearest, {}, distance);
        const auto kept = halves.nearest(query.data(), 12, all);
        const float last = distance(nearest[11]);
        const auto wanted =
            std::ranges::count_if(all, [&](std::uint32_t slot) { return distance(slot) <= last; });
        const auto found =
            std::ranges::count_if(kept, [&](std::uint32_t slot) { return distance(slot) <= last; });
        BOOST_TEST(found == wanted, "size " << size << ", width " << width);
        // Squares of tiny ones are no floats any more.
        if (width >= 100 && size >= 1) BOOST_TEST(kept.size() < 60U);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()

// Segments whose graph is over 8-bit codes. Compares searches by our own loop, by hnswlib, and by comparing every
// vector.
#include "engine/vector/segment.hpp"
#include "tests/engine/vector/snapshot_edit.hpp"
#include "tests/engine/vector/vector_fixture.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <random>

using namespace cairn;
using engine::GraphSearcher;
using engine::Segment;
using engine::SlotDistance;
using engine::VectorIndexOptions;
using test::Floats;
using test::Metric;

namespace {

constexpr unsigned seed = 107;
constexpr std::uint32_t dimension = 48;
const auto metrics = boost::unit_test::data::make({1, 2, 3});

VectorIndexOptions options_of(Metric metric) {
  return {.dimension = dimension, .metric = metric, .m = 8, .ef_construction = 40};
}

struct Made {
  Made(Metric metric, const std::vector<Floats>& vectors) : options(options_of(metric)) {
    for (const Floats& vector : vectors) stored.push_back(test::stored(vector, metric));
    segment = extend(nullptr, 0, stored.size());
  }
  [[nodiscard]] std::shared_ptr<const Segment> extend(const Segment* base, std::size_t first,
                                                      std::size_t last) const {
    engine::SegmentPlan plan{base, {}, {}};
    for (std::size_t i = first; i < last; ++i) plan.added.push_back({i, stored[i].data()});
    return Segment::build(options, plan, {}).value();
  }

  VectorIndexOptions options;
  std::vector<Floats> stored;
  std::shared_ptr<const Segment> segment;
};

std::vector<Floats> made_vectors(std::size_t count) {
  return test::VectorMaker(seed, dimension, 12).make(count);
}

std::vector<std::pair<std::uint32_t, float>> sorted(const std::vector<SlotDistance>& hits) {
  std::vector<std::pair<std::uint32_t, float>> pairs;
  for (const SlotDistance& hit : hits) pairs.emplace_back(hit.slot, hit.distance);
  std::ranges::sort(pairs);
  return pairs;
}

bool is_coded(const Segment& segment) { return segment.image(options_of({})).shape.is_coded; }

using MakeVector = std::function<Floats(std::mt19937&)>;

Floats normal_vector(std::mt19937& random) {
  std::normal_distribution<float> normal;
  Floats vector(dimension);
  for (float& component : vector) component = normal(random);
  return vector;
}

/// An index of one segment, and what compares all.
struct Sealed {
  Sealed(Metric metric, const std::vector<Floats>& vectors)
      : index(test::make_index(options_of(metric))), naive{metric, {}} {
    index->apply(test::puts(vectors), 1);
    naive.apply(test::puts(vectors));
    test::seal(*index);
  }
  std::unique_ptr<engine::VectorIndex> index;
  test::NaiveIndex naive;
};

/// Of the nearest ten, by a walk of an index.
double recall_of_walks(Metric metric, const MakeVector& make) {
  std::mt19937 random(seed);
  std::vector<Floats> vectors;
  for (std::size_t i = 0; i < 2'000; ++i) vectors.push_back(make(random));
  const Sealed sealed(metric, vectors);
  double sum = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    const Floats query = make(random);
    const auto found =
        sealed.index->state()
            ->search({.query = query, .ef_search = 300, .strategy = engine::SearchStrategy::graph})
            .value();
    BOOST_TEST(found.hits.size() == 10U);
    BOOST_TEST(to_string(found.executor).starts_with("graph"));
    sum += test::recall(found.hits, sealed.naive.search(query, 10));
  }
  return sum / 20;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(coded_segment)

// hnswlib's own walk is the reference.
BOOST_DATA_TEST_CASE(our_walk_finds_what_hnswlibs_walk_finds, metrics, number) {
  const Made made(static_cast<Metric>(number), made_vectors(1'500));
  BOOST_TEST_REQUIRE(is_coded(*made.segment));
  const engine::LiveIds live{&made.segment->slots(), nullptr, 1, 0};
  std::vector<std::uint64_t> third;
  for (std::uint64_t id = 0; id < 1'500; id += 3) third.push_back(id);
  const auto thirds = codec::Bitmap::from_sorted(third), near = codec::Bitmap::of_range(300, 420);
  using Allowed = const codec::Bitmap*;
  for (const codec::Bitmap* allowed : {Allowed(nullptr), Allowed(&thirds), Allowed(&near)}) {
    const engine::InternalIdSelection selection(live, allowed);
    for (std::size_t q = 0; q < 1'500; q += 150)
      for (const std::size_t ef : {1U, 10U, 64U, 2'000U}) {
        engine::BeamQuery query{made.stored[q].data(), ef, 10, &selection, 1'000'000};
        const auto own = made.segment->search(query);
        query.graph_searcher = GraphSearcher::hnswlib;
        const auto reference = made.segment->search(query);
        BOOST_TEST_REQUIRE(own.has_value() == reference.has_value());
        if (own) BOOST_TEST((sorted(*own) == sorted(*reference)), "query " << q << ", ef " << ef);
      }
  }
}

// CostModel searches for stored vectors. Such a search must not return the id of the query vector itself, and must not
// expand it either, except at the entry point or by hnswlib.
BOOST_DATA_TEST_CASE(a_walk_without_a_slot_finds_all_others, metrics, number) {
  const Made made(static_cast<Metric>(number), made_vectors(1'500));
  const auto entry = made.segment->image(made.options).shape.entry_slot;
  for (const std::uint32_t slot : {std::uint32_t{4}, std::uint32_t{901}, entry})
    for (const GraphSearcher graph_searcher : {GraphSearcher::own, GraphSearcher::hnswlib}) {
      engine::BeamQuery query{.vector = made.stored[slot].data(), .ef = 64, .wanted = 1'500};
      query.graph_searcher = graph_searcher;
      auto wanted = made.segment->search(query).value();
      BOOST_TEST(std::erase_if(wanted, [&](const SlotDistance& hit) { return hit.slot == slot; }) ==
                 1U);
      query.without = slot;
      query.ef =
          graph_searcher == GraphSearcher::own ? 63 : 64;  // hnswlib's keeps it until the end
      auto found = made.segment->search(query).value();
      BOOST_TEST(found.size() == 63U);
      std::size_t common = 0;
      for (const SlotDistance& hit : found) {
        BOOST_TEST(hit.slot != slot);
        common +=
            static_cast<std::size_t>(std::ranges::count(wanted, hit.slot, &SlotDistance::slot));
      }
      BOOST_TEST(common >= 57U, "slot " << slot << ", common " << common);
    }
}

BOOST_DATA_TEST_CASE(hits_bear_the_distances_of_the_vectors, metrics, number) {
  const Made made(static_cast<Metric>(number), made_vectors(1'000));
  const auto measure = engine::make_metric(made.options.metric, dimension);
  const auto hits =
      made.segment->search({.vector = made.stored[4].data(), .ef = 100, .wanted = 20}).value();
  BOOST_TEST(hits.size() >= 20U);
  BOOST_TEST(hits.size() <= 100U);
  for (const SlotDistance& hit : hits)
    BOOST_TEST(hit.distance ==
               measure.kernels.pair(made.stored[4].data(), made.segment->row(hit.slot), dimension));
}

BOOST_AUTO_TEST_CASE(a_spent_budget_gives_nothing_to_either_graph_searcher) {
  const Made made(Metric::cosine, made_vectors(1'000));
  const engine::LiveIds live{&made.segment->slots(), nullptr, 1, 0};
  const auto allowed = codec::Bitmap::of_range(0, 200);
  const engine::InternalIdSelection selection(live, &allowed);
  for (const GraphSearcher graph_searcher : {GraphSearcher::own, GraphSearcher::hnswlib}) {
    engine::BeamQuery query{made.stored[900].data(), 100, 10, &selection, 50, graph_searcher};
    BOOST_TEST(!made.segment->search(query).has_value());
    query.budget = 5'000;
    BOOST_TEST(made.segment->search(query).has_value());
  }
}

BOOST_AUTO_TEST_CASE(an_extended_segment_keeps_its_bytes_and_its_rows) {
  const Made made(Metric::euclidean, made_vectors(1'200));
  const auto base = made.extend(nullptr, 0, 1'000);
  const auto extended = made.extend(base.get(), 1'000, 1'200);
  const auto before = base->image(made.options), after = extended->image(made.options);
  BOOST_TEST(std::ranges::equal(before.centre, after.centre));
  for (std::uint32_t slot = 0; slot < 1'200; ++slot)
    BOOST_TEST_REQUIRE(extended->row(slot)[7] == made.stored[slot][7]);
  std::size_t found = 0;
  for (std::uint32_t slot = 0; slot < 1'200; slot += 12) {
    const auto hits =
        extended->search({.vector = made.stored[slot].data(), .ef = 40, .wanted = 5}).value();
    found += static_cast<std::size_t>(std::ranges::count(hits, slot, &SlotDistance::slot));
  }
  BOOST_TEST(found >= 98U);
}

BOOST_AUTO_TEST_CASE(a_small_segment_is_coded_as_soon_as_it_has_grown) {
  const Made made(Metric::cosine, made_vectors(1'000));
  const auto small = made.extend(nullptr, 0, 300);
  BOOST_TEST(!is_coded(*small));
  const auto grown = made.extend(small.get(), 300, 1'000);
  BOOST_TEST(is_coded(*grown));
  for (std::uint32_t slot = 0; slot < 1'000; slot += 7) {
    BOOST_TEST_REQUIRE(grown->row(slot)[3] == made.stored[slot][3]);
    const auto hits =
        grown->search({.vector = made.stored[slot].data(), .ef = 60, .wanted = 5}).value();
    BOOST_TEST(std::ranges::count(hits, slot, &SlotDistance::slot) == 1, "slot " << slot);
  }
}

BOOST_DATA_TEST_CASE(a_file_of_the_second_layout_is_read_and_coded_by_the_next_seal, metrics,
                     number) {
  const auto options = options_of(static_cast<Metric>(number));
  const std::string database(32, 'e');
  const test::TemporaryDirectory folder;
  const auto vectors = made_vectors(1'100);
  const auto changes = test::puts(vectors);
  const auto index = test::make_index(options);
  index->apply(changes, 1);
  test::seal(*index);
  BOOST_TEST_REQUIRE(index->save(folder.path() / "new", database, 1).has_value());
  test::SnapshotEdit edit(folder.path() / "new");
  BOOST_TEST(edit.sections[3].size() == 1'100U * dimension * 4);
  edit.make_old(2);
  edit.write(folder.path() / "old");
  const auto old = test::make_index(options);
  BOOST_TEST_REQUIRE(old->load(folder.path() / "old", database, 1).value() == 1U);
  BOOST_TEST(!old->wants_seal());
  for (int sealed = 0; sealed < 2; ++sealed) {
    for (std::size_t i = 0; i < 1'100; i += 50) {
      const auto strategy = engine::SearchStrategy::graph;
      const engine::VectorSearch search{
          .query = vectors[i], .k = 5, .ef_search = 80, .strategy = strategy};
      BOOST_TEST(test::ids_of(old->state()->search(search).value().hits) ==
                 test::ids_of(index->state()->search(search).value().hits));
    }
    old->apply(std::vector<engine::VectorChange>{{0, vectors[0]}}, 2);
    test::seal(*old);
  }
  BOOST_TEST_REQUIRE(old->save(folder.path() / "again", database, 1).has_value());
  BOOST_TEST(test::SnapshotEdit(folder.path() / "again").sections[3].size() ==
             1'102U * dimension * 4);
}

BOOST_AUTO_TEST_CASE(walks_find_what_is_near_whatever_the_components_are) {
  const auto heavy = [](std::mt19937& random) {
    Floats vector = normal_vector(random);
    for (float& x : vector) x = x * x * x * x * x;
    return vector;
  };
  const auto one_great = [](std::mt19937& random) {
    Floats vector = normal_vector(random);
    vector[5] = vector[5] > 0 ? 1e4F : -1e4F;
    return vector;
  };
  const auto apart = [](std::mt19937& random) {
    Floats vector = normal_vector(random);
    for (float& x : vector) x += 1e3F;
    return vector;
  };
  const auto tiny = [](std::mt19937& random) {
    Floats vector = normal_vector(random);
    for (float& x : vector) x *= 1e-4F;
    return vector;
  };
  for (const Metric metric : {Metric::cosine, Metric::euclidean}) {
    BOOST_TEST(recall_of_walks(metric, normal_vector) >= 0.95, "seed " << seed);
    BOOST_TEST(recall_of_walks(metric, heavy) >= 0.94, "seed " << seed);
    BOOST_TEST(recall_of_walks(metric, tiny) >= 0.95, "seed " << seed);
  }
  BOOST_TEST(recall_of_walks(Metric::euclidean, one_great) >= 0.95, "seed " << seed);
  BOOST_TEST(recall_of_walks(Metric::euclidean, apart) >= 0.95, "seed " << seed);
}

// What is stored has nothing great; a question has, and its bytes say nothing of the rest.
BOOST_AUTO_TEST_CASE(a_question_with_one_great_component_is_answered_by_a_scan) {
  const MakeVector flagged = [](std::mt19937& random) {
    Floats vector = normal_vector(random);
    double square = 0;
    for (const float x : vector) square += double{x} * double{x};
    for (float& x : vector) x = static_cast<float>(x / std::sqrt(square));
    vector[0] = random() % 2 == 0 ? 1.0F : 0.0F;
    return vector;
  };
  std::mt19937 random(seed);
  std::vector<Floats> vectors;
  for (std::size_t i = 0; i < 2'000; ++i) vectors.push_back(flagged(random));
  for (const Metric metric : {Metric::dot_product, Metric::euclidean}) {
    const Sealed sealed(metric, vectors);
    double sum = 0;
    for (std::size_t i = 0; i < 20; ++i) {
      Floats query = flagged(random);
      query[0] = 300;
      const auto found =
          sealed.index->state()
              ->search(
                  {.query = query, .ef_search = 200, .strategy = engine::SearchStrategy::graph})
              .value();
      BOOST_TEST(!to_string(found.executor).starts_with("graph"));
      sum += test::recall(found.hits, sealed.naive.search(query, 10));
    }
    BOOST_TEST(sum / 20 >= 0.95);
  }
}

// A first segment of one kind says nothing of the bytes of a second one of another.
BOOST_AUTO_TEST_CASE(bytes_are_chosen_again_where_most_rows_are_new) {
  std::mt19937 random(seed);
  std::vector<Floats> few, many;
  for (std::size_t i = 0; i < 600; ++i) few.push_back(normal_vector(random));
  for (std::size_t i = 0; i < 1'500; ++i) {
    many.push_back(normal_vector(random));
    many.back()[0] = random() % 2 == 0 ? 1e4F : -1e4F;
  }
  const auto index = test::make_index(options_of(Metric::euclidean));
  test::NaiveIndex naive{Metric::euclidean, {}};
  index->apply(test::puts(few), 1);
  test::seal(*index);
  const auto later = test::puts(many, few.size());
  index->apply(later, 2);
  naive.apply(test::puts(few));
  naive.apply(later);
  test::seal(*index);
  double sum = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    const Floats& query = many[i * 7];
    const auto found =
        index->state()
            ->search({.query = query, .ef_search = 300, .strategy = engine::SearchStrategy::graph})
            .value();
    BOOST_TEST(to_string(found.executor).starts_with("graph"));
    sum += test::recall(found.hits, naive.search(query, 10));
  }
  BOOST_TEST(sum / 20 >= 0.95);
}

BOOST_AUTO_TEST_SUITE_END()

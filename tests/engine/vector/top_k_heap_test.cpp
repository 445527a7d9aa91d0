// A scanner against offering one candidate after the other.
#include "engine/vector/top_k_heap.hpp"

#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <optional>

using namespace cairn;
using engine::Candidate;
using engine::TopKHeap;
using test::Floats;
using test::Metric;

namespace {

constexpr std::uint32_t dimension = 4;
constexpr float infinite = std::numeric_limits<float>::infinity();

std::vector<Candidate> sorted(const TopKHeap& top) {
  std::vector<Candidate> all = top.all();
  std::ranges::sort(all, engine::is_nearer);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(top_k_heap)

// Few different vectors, so that many lie at the same distance and ids decide.
BOOST_AUTO_TEST_CASE(a_scanner_finds_what_offering_one_by_one_finds) {
  constexpr std::uint32_t seed = 5;
  std::mt19937 random(seed);
  const auto measure = engine::make_metric(Metric::euclidean, dimension);
  for (const std::size_t count : {0U, 1U, 17U, 128U, 129U, 700U})
    for (const std::size_t capacity : {0U, 1U, 18U, 200U, 1'000U})
      for (const float farthest : {infinite, 3.0F}) {
        std::vector<Floats> rows(count, Floats(dimension));
        for (Floats& row : rows)
          for (float& component : row) component = static_cast<float>(random() % 3);
        const Floats query(dimension, 1);
        TopKHeap scanned(capacity, farthest), offered(capacity, farthest);
        {
          engine::RowScanner scanner(measure, query.data(), scanned);
          for (std::size_t i = 0; i < count; ++i) scanner.add(count - i, rows[i].data());
        }
        for (std::size_t i = 0; i < count; ++i)
          offered.offer({measure.kernels.pair(query.data(), rows[i].data(), dimension), count - i,
                         rows[i].data()});
        const auto found = sorted(scanned), expected = sorted(offered);
        BOOST_TEST_REQUIRE(found.size() == expected.size(), "seed " << seed);
        for (std::size_t i = 0; i < found.size(); ++i) {
          BOOST_TEST_REQUIRE(found[i].entity == expected[i].entity, "seed " << seed);
          BOOST_TEST_REQUIRE(found[i].distance == expected[i].distance, "seed " << seed);
        }
      }
}

BOOST_AUTO_TEST_SUITE_END()

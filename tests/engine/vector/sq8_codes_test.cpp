#include "engine/vector/sq8_codes.hpp"

#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace cairn;
using engine::Sq8Codes;
using test::Floats;
using test::Metric;

namespace {

constexpr unsigned seed = 103;
const auto metrics = boost::unit_test::data::make({1, 2, 3});

/// Stored vectors and their elements.
struct Coded {
  Coded(Metric metric, std::vector<Floats> made)
      : measure(engine::make_metric(metric, static_cast<std::uint32_t>(made[0].size()))) {
    for (const Floats& vector : made) vectors.push_back(test::stored(vector, metric));
    for (const Floats& vector : vectors) rows.push_back(vector.data());
    codes = Sq8Codes::learn(measure, rows);
    for (const float* row : rows) {
      elements.emplace_back(Sq8Codes::element_bytes(measure.dimension));
      codes->encode(row, elements.back().data());
    }
  }

  /// As sq8_codes.hpp says, from the bytes.
  [[nodiscard]] float scalar(std::size_t a, std::size_t b) const {
    const std::size_t size = elements[a].size() - 8;
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += elements[a][i] * elements[b][i];
    const double times = measure.metric == Metric::euclidean ? 2 : 1;
    return static_cast<float>(number(a, 1) + number(b, 1) -
                              times * number(a, 0) * number(b, 0) * sum);
  }
  [[nodiscard]] double number(std::size_t of, std::size_t place) const {
    float value;
    std::memcpy(&value, elements[of].data() + elements[of].size() - 8 + 4 * place, sizeof value);
    return double{value};
  }
  [[nodiscard]] float by_rows(std::size_t a, std::size_t b) const {
    return measure.kernels.pair(rows[a], rows[b], measure.dimension);
  }

  engine::DistanceMetric measure;
  std::vector<Floats> vectors;
  std::vector<const float*> rows;
  std::optional<Sq8Codes> codes;
  std::vector<std::vector<char>> elements;
};

std::vector<Floats> plain(std::size_t count, std::size_t dimension, float offset = 0,
                          float size = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<Floats> made(count, Floats(dimension));
  for (Floats& vector : made)
    for (float& component : vector) component = size * normal(random) + offset;
  return made;
}

bool tells(Metric metric, std::vector<Floats> made) {
  const Coded coded(metric, std::move(made));
  return coded.codes->tells_neighbours(coded.rows);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sq8_codes)

BOOST_DATA_TEST_CASE(distances_are_those_of_the_definition_bit_for_bit, metrics, number) {
  for (const std::size_t dimension : {1U, 2U, 3U, 4U, 31U, 100U, 384U, 4'096U}) {
    const Coded coded(static_cast<Metric>(number), plain(70, dimension, 0.3F));
    std::vector<const char*> places;
    for (const auto& element : coded.elements) places.push_back(element.data());
    std::vector<float> found(places.size());
    coded.codes->distances(places[5], places, found.data());
    for (std::size_t i = 0; i < places.size(); ++i) {
      BOOST_TEST_REQUIRE(found[i] == coded.scalar(5, i), "dimension " << dimension);
      BOOST_TEST_REQUIRE(coded.codes->distance(places[5], places[i]) == found[i]);
      BOOST_TEST_REQUIRE(coded.codes->distance(places[i], places[5]) == found[i]);
    }
  }
}

BOOST_DATA_TEST_CASE(no_distance_is_farther_off_than_the_reach, metrics, number) {
  for (const float offset : {0.0F, 50.0F})
    for (const float size : {1.0F, 1e-12F, 1e12F}) {
      const Coded coded(static_cast<Metric>(number), plain(200, 64, offset * size, size));
      std::size_t beyond = 0;
      for (std::size_t i = 0; i < 200; ++i) {
        const char *a = coded.elements[7].data(), *b = coded.elements[i].data();
        const float told = coded.codes->distance(a, b);
        const double least = double{told} - coded.codes->reach(a, b, told);
        const double exact = coded.by_rows(7, i);
        beyond += least > exact + std::abs(exact) * 1e-5 ? 1 : 0;
      }
      BOOST_TEST(beyond <= 1U, "offset " << offset << " size " << size << " seed " << seed);
    }
}

BOOST_DATA_TEST_CASE(a_vector_is_nearest_to_itself, metrics, number) {
  if (number == 2) return;  // no distance under the dot product
  const Coded coded(static_cast<Metric>(number), plain(100, 40));
  for (std::size_t i = 1; i < 100; ++i)
    BOOST_TEST(coded.codes->distance(coded.elements[0].data(), coded.elements[0].data()) <
               coded.codes->distance(coded.elements[0].data(), coded.elements[i].data()));
}

BOOST_DATA_TEST_CASE(what_vectors_have_in_common_does_not_blur_them, metrics, number) {
  BOOST_TEST(tells(static_cast<Metric>(number), plain(1'000, 64)));
  BOOST_TEST(tells(static_cast<Metric>(number), plain(1'000, 64, 20)));
}

BOOST_AUTO_TEST_CASE(one_vector_that_is_very_long_does_not_blur_the_others) {
  auto made = plain(2'000, 64);
  made[3] = Floats(64, 1e17F);
  BOOST_TEST(tells(Metric::euclidean, made));
}

BOOST_AUTO_TEST_CASE(many_vectors_alike_are_told_as_well_as_by_themselves) {
  auto made = plain(1'000, 64);
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = made[i % 10];
  BOOST_TEST(tells(Metric::cosine, made));
}

BOOST_AUTO_TEST_CASE(neighbours_beside_one_great_component_are_not_told) {
  auto made = plain(1'000, 64);
  for (Floats& vector : made) vector[9] = vector[9] > 0 ? 1e4F : -1e4F;
  BOOST_TEST(!tells(Metric::euclidean, made));
}

BOOST_AUTO_TEST_CASE(elements_that_no_vector_gives_are_unsound) {
  const Coded coded(Metric::euclidean, plain(20, 32, 0, 3e17F));
  for (const auto& element : coded.elements) BOOST_TEST(coded.codes->is_sound(element.data()));
  for (const std::size_t place : {32U, 36U})
    for (const float wrong : {-1e38F, 3e38F, std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity()}) {
      auto element = coded.elements[0];
      std::memcpy(element.data() + place, &wrong, sizeof wrong);
      BOOST_TEST(coded.codes->is_sound(element.data()) == (place == 36U && wrong == -1e38F));
    }
}

BOOST_AUTO_TEST_SUITE_END()

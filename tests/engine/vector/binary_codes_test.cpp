#include "engine/vector/binary_codes.hpp"

#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numeric>

using namespace cairn;
using test::Floats;
namespace data = boost::unit_test::data;

namespace {

constexpr std::uint64_t seed = 77;
constexpr std::size_t vector_count = 200;

struct Signs {
  Signs(std::size_t size, bool has_losses)
      : dimension(size), codes(vector_count, size, has_losses) {
    test::VectorMaker maker(seed, dimension, dimension);
    rests = maker.make(vector_count + 10);
    for (std::size_t i = 0; i < vector_count; ++i) codes.set(i, rests[i], loss(i));
    codes.seal();
  }
  static float loss(std::size_t row) { return static_cast<float>(row % 8); }
  static double dot(const Floats& a, const Floats& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }
  [[nodiscard]] Floats scores(const engine::SignQuery& query) const {
    std::vector<std::uint32_t> rows(vector_count);
    std::iota(rows.begin(), rows.end(), 0U);
    Floats found(vector_count);
    codes.score(query, rows, found.data());
    return found;
  }

  std::size_t dimension;
  engine::BinaryCodes codes;
  std::vector<Floats> rests;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(binary_codes)

// For a normal distribution, signs and a factor leave an error of pi / 2 - 1 of the square.
BOOST_DATA_TEST_CASE(scores_are_near_and_right_on_average, data::make({8, 60, 100, 131, 400}),
                     size) {
  const Signs signs(static_cast<std::size_t>(size), false);
  double off = 0, squares = 0, seen = 0;
  for (std::size_t q = vector_count; q < signs.rests.size(); ++q) {
    const auto query = signs.codes.prepare(signs.rests[q], 3, 0, 0);
    const Floats scores = signs.scores(query);
    for (std::size_t i = 0; i < vector_count; ++i, ++seen) {
      const double error = (double{scores[i]} - 3 - Signs::dot(signs.rests[q], signs.rests[i])) /
                           double{query.tables.length * signs.codes.factor(i)};
      off += error;
      squares += error * error;
    }
  }
  const double deviation = std::sqrt(squares / seen);
  BOOST_TEST(deviation < 0.75, "seed " << seed << ", " << deviation);
  BOOST_TEST(std::abs(off / seen) < 0.2 * deviation, "seed " << seed << ", " << off / seen);
}

BOOST_AUTO_TEST_CASE(rows_and_blocks_tell_the_same) {
  for (const std::size_t dimension : {16U, 100U, 121U}) {
    const Signs signs(dimension, true);
    const auto query = signs.codes.prepare(signs.rests[vector_count], 5, 2, 0.5F);
    const Floats by_row = signs.scores(query);
    Floats by_block(4 * engine::BinaryCodes::block);
    signs.codes.score(query, 0, 1, by_block.data());
    signs.codes.score(query, 1, 3, by_block.data() + engine::BinaryCodes::block);
    by_block.resize(vector_count);
    BOOST_TEST(by_row == by_block, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(rows_of_a_file_are_taken_where_they_fit_and_are_numbers) {
  const Signs signs(100, true);
  engine::BinaryCodes copy = signs.codes;
  BOOST_TEST(copy.settle(vector_count, 100, true));
  const auto query = copy.prepare(signs.rests[vector_count], 5, 2, 0.5F);
  Floats scores(engine::BinaryCodes::block), wanted = scores;
  copy.score(query, 1, 1, scores.data());
  signs.codes.score(query, 1, 1, wanted.data());
  BOOST_TEST(scores == wanted, boost::test_tools::per_element());
  BOOST_TEST(!engine::BinaryCodes(copy).settle(vector_count + 1, 100, true));
  BOOST_TEST(!engine::BinaryCodes(copy).settle(vector_count, 260, true));
  const auto spoil = [&](auto& pieces) { pieces[1].bytes[15] = pieces[1].bytes[14] = 0xFF; };
  engine::BinaryCodes::visit_arrays(copy, spoil);
  BOOST_TEST(!copy.settle(vector_count, 100, true));
}

BOOST_AUTO_TEST_CASE(losses_are_taken_off_and_errors_allowed_for) {
  const Signs signs(64, true);
  const Floats plain = signs.scores(signs.codes.prepare(signs.rests[vector_count], 0, 0, 0));
  const auto query = signs.codes.prepare(signs.rests[vector_count], 0, 2, 0.5F);
  const Floats scores = signs.scores(query);
  for (std::size_t i = 0; i < vector_count; ++i) {
    const float wanted =
        plain[i] + 0.5F * query.tables.length * signs.codes.factor(i) - 2 * Signs::loss(i);
    BOOST_TEST(std::abs(scores[i] - wanted) <
               0.001F * query.tables.length * std::max(signs.codes.factor(i), 1.0F));
  }
}

BOOST_AUTO_TEST_CASE(a_vector_without_a_rest_has_the_score_of_all) {
  engine::BinaryCodes codes(1, 12, false);
  codes.set(0, Floats(12), 0);
  codes.seal();
  const std::vector<std::uint32_t> row = {0};
  float score = 0;
  codes.score(codes.prepare(Floats(12, 1), 7, 0, 1), row, &score);
  BOOST_TEST(score == 7);
}

BOOST_AUTO_TEST_SUITE_END()

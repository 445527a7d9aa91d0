#include "query/functions/semantic_version.hpp"

#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace cairn;
using namespace cairn::query;

namespace {

Value version(std::string_view text) {
  auto order = order_of_version(text);
  return order ? Value(*std::move(order)) : Value();
}

/// A version and what semver.org says of its order, in other words than the library's.
struct Drawn {
  std::string text;
  std::tuple<int, int, int, bool> numbers;  ///< a release behind what comes before it
  std::vector<std::tuple<bool, int, std::string>> identifiers;  ///< is a word, number, word
};

Drawn draw(std::mt19937_64& random) {
  const auto below = [&](int bound) {
    return static_cast<int>(random() % static_cast<unsigned>(bound));
  };
  const auto number = [&] { return std::vector{0, 1, 2, 9, 10, 11, 100}[random() % 7]; };
  const int major = below(3), minor = number(), patch = number();
  Drawn result;
  result.text = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  const int count = below(4);
  for (int i = 0; i < count; ++i) {
    const bool is_word = below(2) == 0;
    const std::string word =
        std::vector<std::string>{"alpha", "beta", "rc", "-", "1a", "A"}[random() % 6];
    const int value = number();
    result.text += (i == 0 ? "-" : ".") + (is_word ? word : std::to_string(value));
    result.identifiers.emplace_back(is_word, is_word ? 0 : value, is_word ? word : "");
  }
  result.numbers = {major, minor, patch, count == 0};
  if (below(4) == 0) result.text += "+build." + std::to_string(below(3));
  return result;
}

int sign(int number) { return (number > 0) - (number < 0); }

}  // namespace

BOOST_AUTO_TEST_SUITE(semantic_version)

BOOST_AUTO_TEST_CASE(versions_are_in_the_order_of_semver) {
  const char* const ordered[] = {"0.0.0",       "0.9.0",         "1.0.0-0",
                                 "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
                                 "1.0.0-beta",  "1.0.0-beta.2",  "1.0.0-beta.11",
                                 "1.0.0-rc.1",  "1.0.0",         "1.0.1",
                                 "1.9.0",       "1.10.0-x-y-z",  "1.10.0",
                                 "2.0.0",       "10.0.0",        "9223372036854775807.0.0"};
  for (std::size_t i = 0; i < std::size(ordered); ++i)
    for (std::size_t j = 0; j < std::size(ordered); ++j)
      BOOST_TEST(sign(compare(version(ordered[i]), version(ordered[j])).value_or(9)) ==
                     sign(static_cast<int>(i) - static_cast<int>(j)),
                 ordered[i] << " beside " << ordered[j]);
}

BOOST_AUTO_TEST_CASE(random_versions_compare_as_another_reading_of_the_rules_says) {
  std::mt19937_64 random(20);
  for (int round = 0; round < 20'000; ++round) {
    const Drawn a = draw(random), b = draw(random);
    const auto order = std::tie(a.numbers, a.identifiers) <=> std::tie(b.numbers, b.identifiers);
    const int expected = order < 0 ? -1 : order > 0;
    BOOST_TEST(sign(compare(version(a.text), version(b.text)).value_or(9)) == expected,
               a.text << " beside " << b.text << ", seed 20");
    BOOST_TEST((equals(version(a.text), version(b.text)) == std::optional(expected == 0)));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_version_is_null) {
  for (const char* text : {"",
                           "banana",
                           "1",
                           "1.0",
                           "1.0.0.0",
                           "01.0.0",
                           "1.00.0",
                           "1.0.0-",
                           "1.0.0-01",
                           "1.0.0-a..b",
                           "1.0.0-a.",
                           "1.0.0+",
                           "1.0.0+a..b",
                           "1.0.0-ä",
                           "v1.0.0",
                           " 1.0.0",
                           "1.0.0 ",
                           "-1.0.0",
                           "+1.0.0",
                           "1.-0.0",
                           "1.0.x",
                           "1..0",
                           ".1.0",
                           "9223372036854775808.0.0",
                           "1.0.0-9223372036854775808"})
    BOOST_TEST(version(text).is_null(), text);
  BOOST_TEST(version("1.0.0-" + std::string(300, 'a')).is_null());
}

BOOST_AUTO_TEST_CASE(the_function_gives_lists_that_can_be_read) {
  query::test::check_calls({{"version", {"1.10.0"}, "[1, 10, 0, 1]"},
                            {"version", {"1.10.0+build"}, "[1, 10, 0, 1]"},
                            {"version", {"1.0.0-rc.2"}, "[1, 0, 0, 0, [1, 'rc'], [0, 2]]"},
                            {"version", {"banana"}, "null"},
                            {"version", {7}, "null"},
                            {"version", {Value()}, "null"}});
}

BOOST_AUTO_TEST_SUITE_END()

// The bounded list of the previous texts of a record.
#include "query/memory/earlier_texts.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>

namespace cairn::query {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 10U;

std::string text_at(const Value& texts, std::size_t at) {
  return texts.as_list()[at].as_map().at("content").as_string();
}

/// The list after the texts "0", "1", ... were replaced.
Value texts_to(std::size_t count) {
  Value texts;
  for (std::size_t i = 0; i < count; ++i)
    texts = with_earlier_text(texts, std::to_string(i), "then");
  return texts;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(earlier_texts)

BOOST_AUTO_TEST_CASE(the_newest_text_is_last) {
  const Value texts = with_earlier_text(texts_to(1), "b", "2024-01-01T00:00:00Z");
  BOOST_TEST(texts.as_list().size() == 2U);
  BOOST_TEST(text_at(texts, 0) == "0");
  BOOST_TEST(text_at(texts, 1) == "b");
  BOOST_TEST(texts.as_list()[1].as_map().at("at").as_string() == "2024-01-01T00:00:00Z");
}

BOOST_AUTO_TEST_CASE(fifty_texts_remain) {
  BOOST_TEST(text_at(texts_to(50), 0) == "0");
  const Value more = texts_to(51);
  BOOST_TEST(more.as_list().size() == 50U);
  BOOST_TEST(text_at(more, 0) == "1");
  BOOST_TEST(text_at(more, 49) == "50");
}

BOOST_AUTO_TEST_CASE(a_quarter_of_a_mebibyte_remains) {
  const Value exact = with_earlier_text(texts_to(1), std::string(most_bytes - 1, 'x'), "then");
  BOOST_TEST(exact.as_list().size() == 2U);
  const Value more = with_earlier_text(texts_to(3), std::string(most_bytes - 1, 'x'), "then");
  BOOST_TEST(more.as_list().size() == 2U);
  BOOST_TEST(text_at(more, 0) == "2");
  const Value alone = with_earlier_text(more, std::string(most_bytes, 'y'), "then");
  BOOST_TEST(alone.as_list().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_text_beyond_the_limit_takes_no_others_along) {
  const Value texts = with_earlier_text(texts_to(2), std::string(most_bytes + 1, 'x'), "then");
  BOOST_TEST(texts.as_list().size() == 2U);
  BOOST_TEST(text_at(texts, 1) == "1");
  BOOST_TEST(with_earlier_text(Value(), std::string(most_bytes + 1, 'x'), "then").is_null());
}

// Somebody may have set the property by a statement.
BOOST_AUTO_TEST_CASE(other_values_in_the_property_do_no_harm) {
  BOOST_TEST(with_earlier_text("no list", "a", "then").as_list().size() == 1U);
  const Value odd = List{1, Map{}, Map{{"content", 2}}, Value()};
  BOOST_TEST(with_earlier_text(odd, "a", "then").as_list().size() == 5U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query

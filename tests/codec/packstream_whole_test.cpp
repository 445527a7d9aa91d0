// Values between processes of the library come back as they were sent, bit by bit.

#include "codec/packstream_values.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/value.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <memory>
#include <string>

namespace cairn::test {
namespace {

std::string bytes_of(const Value& value) {
  std::string bytes;
  codec::PackStreamWriter writer(bytes);
  codec::write_whole_value(writer, value);
  return bytes;
}

Result<std::int32_t> no_zone(std::string_view, std::int64_t) {
  return Error{ErrorCode::invalid_argument, "no zone is asked for", {}};
}

Value back(const std::string& bytes) {
  codec::PackStreamReader reader(bytes);
  auto value = codec::read_value(reader, {200, std::size_t{1} << 30, true}, no_zone);
  BOOST_TEST_REQUIRE(value.has_value(), (value ? "" : value.error().message));
  BOOST_TEST(reader.is_at_end());
  return *value;
}

Node whole_node() {
  auto content = std::make_shared<Node::Content>();
  content->labels = {"A", "B"};
  content->properties = {{"x", 1}, {"v", Vector({1.5F, -0.0F})}};
  content->external_id = "urn:\xff";
  return Node(NodeId{7}, std::move(content));
}

Relationship whole_relationship() {
  auto content = std::make_shared<Relationship::Content>();
  content->type = "KNOWS";
  content->source = NodeId{7};
  content->target = NodeId{9};
  content->properties = {{"since", Date{12}}};
  return Relationship(RelationshipId{3}, std::move(content));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(whole_values)

BOOST_AUTO_TEST_CASE(generated_values_come_back) {
  ValueGenerator generator(test_seed());
  for (int i = 0; i < 2'000; ++i) {
    const Value value = generator.any();
    BOOST_TEST((back(bytes_of(value)) == value), value.to_text());
    BOOST_TEST(bytes_of(back(bytes_of(value))) == bytes_of(value), value.to_text());
  }
}

BOOST_AUTO_TEST_CASE(text_that_is_no_utf8_comes_back) {
  const Value value = Map{{"\xfe key", "\xff\x00 text"}, {"plain", list_of({"a", "\x80"})}};
  BOOST_TEST((back(bytes_of(value)) == value));
}

BOOST_AUTO_TEST_CASE(zones_keep_their_offset_and_ask_for_none) {
  const Value value = DateTime{1'000, 5, 7'200, "Nowhere/Town"};
  BOOST_TEST((back(bytes_of(value)) == value));
}

BOOST_AUTO_TEST_CASE(numbers_come_back_bit_by_bit) {
  for (const double number :
       {-0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::denorm_min()})
    BOOST_TEST(bytes_of(back(bytes_of(number))) == bytes_of(number));
  const Value vector = Vector({std::numeric_limits<float>::max(), -0.0F, 1e-40F});
  BOOST_TEST(bytes_of(back(bytes_of(vector))) == bytes_of(vector));
}

BOOST_AUTO_TEST_CASE(entities_come_back_with_all_they_have) {
  const Value node = back(bytes_of(whole_node()));
  BOOST_TEST(node.as_node().id().value == 7u);
  BOOST_TEST(node.as_node().labels() == whole_node().labels());
  BOOST_TEST((node.as_node().properties() == whole_node().properties()));
  BOOST_TEST(node.as_node().external_id() == "urn:\xff");
  const Value relationship = back(bytes_of(whole_relationship()));
  BOOST_TEST(relationship.as_relationship().type() == "KNOWS");
  BOOST_TEST(relationship.as_relationship().target().value == 9u);
  const Value path = back(bytes_of(Path{{whole_node(), whole_node()}, {whole_relationship()}}));
  BOOST_TEST(path.path()->nodes.size() == 2u);
  BOOST_TEST(path.path()->relationships.front().source().value == 7u);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_cut_off_are_an_error) {
  const std::string whole = bytes_of(list_of({whole_node(), whole_relationship()}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    codec::PackStreamReader reader(std::string_view(whole).substr(0, size));
    BOOST_TEST(!codec::read_value(reader, {200, std::size_t{1} << 30, true}, no_zone).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

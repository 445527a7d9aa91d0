#include "tests/support/value_generator.hpp"

#include <cairn/memory/structured_id.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::memory {
namespace {

bool is_read(std::string_view text) { return parse_structured_id(text).has_value(); }

std::string part_of(test::ValueGenerator& generator) {
  std::string text = generator.boolean() ? generator.string() : "a:b%3A" + generator.string();
  return text.empty() ? "%" : text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(structured_id)

// M2.1
BOOST_AUTO_TEST_CASE(the_canonical_text_joins_the_parts_with_colons) {
  BOOST_TEST(to_text(StructuredId{"acme", "user", "42", {}}) == "acme:user:42");
  BOOST_TEST(to_text(StructuredId{"acme", "doc", "a:b%", 7}) == "acme:doc:a%3Ab%25:7");
}

// M2.1: ids with ':' and anything else
BOOST_AUTO_TEST_CASE(the_canonical_text_round_trips_any_part) {
  test::ValueGenerator generator(test::test_seed());
  for (int i = 0; i < 2'000; ++i) {
    StructuredId id{part_of(generator), part_of(generator), part_of(generator), {}};
    if (generator.boolean()) id.version = static_cast<std::int64_t>(generator.below(1ULL << 63U));
    const auto read = parse_structured_id(to_text(id));
    if (read != id) BOOST_FAIL("seed " << test::test_seed() << ": " << to_text(id));
    if (structured_id_of(to_value(id)) != id) BOOST_FAIL("as a property: " << to_text(id));
  }
}

// M2.17: empty parts, too few parts, a bad version
BOOST_AUTO_TEST_CASE(other_texts_are_no_ids) {
  for (const char* text : {"", "a", "a:b", "a::c", ":b:c", "a:b:", "a:b:c:", "a:b:c:x", "a:b:c:-1",
                           "a:b:c:01", "a:b:c:-0", "a:b:c:1:d", "a:b:c%", "a:b:c%3a", "a:b:c%41",
                           "a:b:c:9223372036854775808", "a:b:c:1 "})
    BOOST_TEST(!is_read(text), text);
  BOOST_TEST(is_read("a:b:c:0"));
  BOOST_TEST(is_read("a:b:c:9223372036854775807"));
}

// M2.2: two namespaces do not collide; a missing version is any version.
BOOST_AUTO_TEST_CASE(an_id_without_a_version_matches_every_version) {
  const StructuredId any{"acme", "doc", "1", {}};
  const StructuredId second{"acme", "doc", "1", 2};
  BOOST_TEST(matches(any, second));
  BOOST_TEST(!matches(second, any));
  BOOST_TEST(!matches(StructuredId{"other", "doc", "1", {}}, second));
  BOOST_TEST((any != second));
}

BOOST_AUTO_TEST_CASE(plain_text_is_compared_with_the_id_part_by_its_own_function) {
  BOOST_TEST(has_plain_id(user_id("alice"), "alice"));
  BOOST_TEST(!has_plain_id(user_id("alice"), "user:user:alice"));
}

// M2.15, M2.16
BOOST_AUTO_TEST_CASE(helpers_fill_in_namespace_and_type) {
  BOOST_TEST(to_text(user_id("u")) == "user:user:u");
  BOOST_TEST(to_text(agent_id("a")) == "agent:agent:a");
  BOOST_TEST(to_text(chat_id("c")) == "chat:chat:c");
  BOOST_TEST(to_text(thread_id("t")) == "chat:thread:t");
  BOOST_TEST(to_text(system_id("message", "m")) == "system:message:m");
}

BOOST_AUTO_TEST_CASE(a_property_holds_each_part_and_the_canonical_text) {
  BOOST_TEST(to_value(StructuredId{"n", "t", "i", 3}).to_text() ==
             "{canonical: 'n:t:i:3', id: 'i', namespace: 'n', type: 't', version: 3}");
  BOOST_TEST(!structured_id_of(map_of({{"namespace", "n"}, {"type", "t"}})));
  BOOST_TEST(!structured_id_of(
      map_of({{"namespace", "n"}, {"type", "t"}, {"id", "i"}, {"version", "1"}})));
  BOOST_TEST(!structured_id_of(map_of({{"namespace", ""}, {"type", "t"}, {"id", "i"}})));
}

// M2.5, M2.18
BOOST_AUTO_TEST_CASE(a_thread_has_a_position_from_zero) {
  const ThreadInfo thread{"thread_1", 0, "root"};
  BOOST_TEST((thread_of(to_value(thread)) == thread));
  BOOST_TEST(to_value(ThreadInfo{"t", 4, {}}).to_text() == "{id: 't', position: 4}");
  BOOST_TEST(!thread_of(to_value(ThreadInfo{"t", -1, {}})));
  BOOST_TEST(!thread_of(map_of({{"id", "t"}})));
  BOOST_TEST(!thread_of(map_of({{"id", "t"}, {"position", 0}, {"parentId", 5}})));
  BOOST_TEST(!thread_of("t"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

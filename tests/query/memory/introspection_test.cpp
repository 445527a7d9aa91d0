#include "tests/query/memory/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

using test::must;

std::string text_of(const Distribution& distribution) {
  std::string text;
  for (const auto& [value, count] : distribution.values)
    text += value.to_text() + ": " + std::to_string(count) + ", ";
  return text + "missing: " + std::to_string(distribution.missing);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_introspection, MemoryFixture)

// M0.61: sorted, of a session, nested paths on request
BOOST_AUTO_TEST_CASE(keys_are_those_in_use) {
  add("a", {{"zeta", 1}, {"map", map_of({{"inner", 1}})}, {"sessionId", "s1"}});
  add("b", {{"alpha", 1}});
  BOOST_TEST(joined(must(memory.metadata_keys())) ==
             "alpha, created_at, map, schemaVersion, sessionId, updated_at, zeta");
  BOOST_TEST(joined(must(memory.metadata_keys("s1"))) ==
             "created_at, map, schemaVersion, sessionId, updated_at, zeta");
  BOOST_TEST(joined(must(memory.metadata_keys("s1", KeyDepth::nested))) ==
             "created_at, map, map.inner, schemaVersion, sessionId, updated_at, zeta");
  BOOST_TEST(must(memory.metadata_keys("s2")).empty());
}

// M0.61: also where an index holds but the beginning of a name
BOOST_AUTO_TEST_CASE(long_session_names_are_told_apart) {
  const std::string name(1'000, 's');
  add("a", {{"zeta", 1}, {"sessionId", name + "1"}});
  add("b", {{"alpha", 1}, {"sessionId", name + "2"}});
  BOOST_TEST(joined(must(memory.metadata_keys(name + "1"))) ==
             "created_at, schemaVersion, sessionId, updated_at, zeta");
  BOOST_TEST(must(memory.metadata_keys(name)).empty());
}

// M0.62: typed values, arrays per element, records without the field apart
BOOST_AUTO_TEST_CASE(values_are_counted_with_their_types) {
  add("1", {{"f", 1}});
  add("2", {{"f", "1"}});
  add("3", {{"f", list_of({"a", "b", "a"})}});
  add("4", {{"f", list_of({"a"})}});
  add("5", {{"f", 1.0}});
  add("6", {});
  BOOST_TEST(text_of(must(memory.value_distribution("f"))) ==
             "'a': 2, 1: 2, '1': 1, 'b': 1, missing: 1");
}

BOOST_AUTO_TEST_CASE(values_are_counted_within_a_selection_and_at_a_path) {
  add("1", {{"a", map_of({{"b", "x"}})}, {"sessionId", "s1"}});
  add("2", {{"a", map_of({{"b", "y"}})}});
  SearchRequest selection;
  selection.session = "s1";
  BOOST_TEST(text_of(must(memory.value_distribution("a.b", selection))) == "'x': 1, missing: 0");
  BOOST_TEST(text_of(must(memory.value_distribution("metadata.a.b"))) ==
             "'x': 1, 'y': 1, missing: 0");
}

// M0.62: nulls and missing fields apart; fields of other types are no error
BOOST_AUTO_TEST_CASE(nulls_are_counted_apart_and_other_types_have_no_value) {
  add("1", {{"a", map_of({{"b", nullptr}})}});
  add("2", {{"a", map_of({{"b", 1}})}});
  add("3", {{"a", "text"}});
  add({"task", "4", {{"a", 5}}, {}, {}});
  const Distribution all = must(memory.value_distribution("a.b"));
  BOOST_TEST(text_of(all) == "1: 1, missing: 2");
  BOOST_TEST(all.nulls == 1U);
  SearchRequest tasks;
  tasks.kinds = {"task"};
  BOOST_TEST(text_of(must(memory.value_distribution("a", tasks))) == "5: 1, missing: 0");
  BOOST_TEST(!memory.value_distribution("a..b"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

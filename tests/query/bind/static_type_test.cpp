#include "query/bind/static_type.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

StaticType list_of(StaticType element) { return StaticType::list_of(element); }

}  // namespace

BOOST_AUTO_TEST_SUITE(static_types)

BOOST_AUTO_TEST_CASE(a_list_knows_its_elements) {
  const StaticType numbers = list_of(TypeKind::integer);
  BOOST_TEST(numbers.is_list());
  BOOST_TEST(!numbers.is(TypeKind::integer));
  BOOST_CHECK(numbers.element() == TypeKind::integer);
  BOOST_CHECK(list_of(numbers).element() == numbers);
  BOOST_CHECK(StaticType(TypeKind::string).element() == TypeKind::any);
}

BOOST_AUTO_TEST_CASE(what_is_one_of_two_is_what_both_are) {
  BOOST_CHECK(join(TypeKind::node, TypeKind::node) == TypeKind::node);
  BOOST_CHECK(join(TypeKind::null, TypeKind::node) == TypeKind::node);
  BOOST_CHECK(join(TypeKind::node, TypeKind::null) == TypeKind::node);
  BOOST_CHECK(join(TypeKind::integer, TypeKind::floating) == TypeKind::number);
  BOOST_CHECK(join(TypeKind::integer, TypeKind::string) == TypeKind::any);
  BOOST_CHECK(join(TypeKind::any, TypeKind::string) == TypeKind::any);
}

BOOST_AUTO_TEST_CASE(lists_are_joined_by_their_elements) {
  BOOST_CHECK(join(list_of(TypeKind::integer), list_of(TypeKind::floating)) ==
              list_of(TypeKind::number));
  BOOST_CHECK(join(list_of(TypeKind::integer), list_of(TypeKind::string)) ==
              list_of(TypeKind::any));
  BOOST_CHECK(join(list_of(TypeKind::integer), TypeKind::integer) == TypeKind::any);
  BOOST_CHECK(join(list_of(list_of(TypeKind::node)), list_of(TypeKind::node)) ==
              list_of(TypeKind::any));
}

BOOST_AUTO_TEST_CASE(endless_nesting_ends_in_anything) {
  StaticType type = TypeKind::integer;
  for (int i = 0; i < 1000; ++i) type = list_of(type);
  BOOST_TEST(type.is_list());
}

BOOST_AUTO_TEST_CASE(open_types_may_be_anything) {
  BOOST_TEST(StaticType().is_open());
  BOOST_TEST(StaticType(TypeKind::null).is_open());
  BOOST_TEST(!StaticType(TypeKind::map).is_open());
  BOOST_TEST(!list_of(TypeKind::any).is_open());
}

BOOST_AUTO_TEST_CASE(types_have_names_for_messages) {
  BOOST_TEST(StaticType(TypeKind::integer).text() == "an integer");
  BOOST_TEST(StaticType(TypeKind::path).text() == "a path");
  BOOST_TEST(list_of(TypeKind::path).text() == "a list");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query

// The text that names a home.
#include "engine/home/home_address.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::engine;

BOOST_AUTO_TEST_SUITE(home_address)

BOOST_AUTO_TEST_CASE(an_address_has_a_store_and_perhaps_a_node_and_a_tenant) {
  for (const HomeAddress& address :
       {HomeAddress{"dir:/a/b", "", ""}, HomeAddress{"s3://bucket/a", "", "acme"},
        HomeAddress{"dir:/a", "host:1 host:2", ""},
        HomeAddress{"dir:/a", "[::1]:1 [::1]:2", "a#b?node=c/d"}}) {
    const HomeAddress parsed = HomeAddress::parse(address.text());
    BOOST_TEST(parsed.store == address.store);
    BOOST_TEST(parsed.node == address.node);
    BOOST_TEST(parsed.tenant == address.tenant);
  }
  BOOST_TEST(HomeAddress::parse("dir:/a?node=host:1#acme").name() == "dir:/a#acme");
}

BOOST_AUTO_TEST_CASE(the_tenant_of_a_namespace_ends_at_its_first_slash) {
  BOOST_TEST(tenant_of("acme/team/x") == "acme");
  BOOST_TEST(tenant_of("acme") == "acme");
  BOOST_TEST(tenant_of("").empty());
  BOOST_TEST(tenant_of("/tokens").empty());
}

BOOST_AUTO_TEST_SUITE_END()

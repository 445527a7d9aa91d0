#include "query/remote/remote_address.hpp"

#include <cairn/remote.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>

using namespace cairn;
using query::remote::RemoteAddress;
using query::remote::Security;

namespace {

bool is_refused(std::string_view text, std::string_view message) {
  const auto address = RemoteAddress::parse(text);
  return !address && address.error().code == ErrorCode::invalid_argument &&
         address.error().message.find(message) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(remote_address)

BOOST_AUTO_TEST_CASE(the_scheme_selects_the_security) {
  for (const auto& [text, security] : {std::pair("bolt://db.example.org:7688", Security::none),
                                       {"bolt+s://db.example.org:7688", Security::verified},
                                       {"bolt+ssc://db.example.org:7688", Security::unverified}}) {
    const auto address = RemoteAddress::parse(text);
    BOOST_TEST_REQUIRE(address.has_value(), text);
    BOOST_TEST((address->security == security));
    BOOST_TEST(address->place.host == "db.example.org");
    BOOST_TEST(address->place.port == 7'688);
    BOOST_TEST(address->text() == text);
    BOOST_TEST(is_remote_address(text));
  }
}

BOOST_AUTO_TEST_CASE(one_slash_at_the_end_is_accepted) {
  BOOST_TEST(RemoteAddress::parse("bolt://localhost:7687/").value().text() ==
             RemoteAddress::parse("bolt://localhost:7687").value().text());
  BOOST_TEST(!RemoteAddress::parse("bolt://localhost:7687//").has_value());
}

BOOST_AUTO_TEST_CASE(other_schemes_and_paths_are_refused) {
  for (const std::string_view text :
       {"", "localhost:7687", "/var/lib/db", "bolt:/localhost", "://db", "data/x://y"}) {
    BOOST_TEST(is_refused(text, "expected bolt://host:port"), text);
    BOOST_TEST(!is_remote_address(text), text);
  }
}

// Otherwise a statement that writes would make a directory of this name.
BOOST_AUTO_TEST_CASE(an_address_of_another_scheme_is_no_path) {
  for (const std::string_view text : {"neo4j://localhost:7687", "neo4j+s://localhost",
                                      "http://localhost", "BOLT://localhost:7687"}) {
    BOOST_TEST(is_refused(text, "expected bolt://host:port"), text);
    BOOST_TEST(is_remote_address(text), text);
  }
  BOOST_TEST(is_refused("neo4j://localhost:7687", "; write bolt:// in place of neo4j://"));
  BOOST_TEST(is_refused("neo4j+s://localhost", "; write bolt+s:// in place of neo4j+s://"));
  BOOST_TEST(!is_refused("http://localhost", "; write"));
}

// The list of processes shows the address to other users.
BOOST_AUTO_TEST_CASE(a_token_in_an_address_is_refused_and_not_repeated) {
  BOOST_TEST(is_refused("bolt+s://me:secret@db.example.org:7687", "CAIRN_TOKEN"));
  BOOST_TEST(!is_refused("bolt+s://me:secret@db.example.org:7687", "secret"));
}

BOOST_AUTO_TEST_SUITE_END()

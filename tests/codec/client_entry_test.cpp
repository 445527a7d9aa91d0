#include "codec/meta.hpp"
#include "codec/request_name.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::codec {

BOOST_AUTO_TEST_SUITE(client_entry)

BOOST_AUTO_TEST_CASE(an_entry_comes_back) {
  for (const bool is_unfinished : {false, true}) {
    const ClientEntry entry{3, -5, std::string("\0\xff result", 9), is_unfinished};
    const auto back = decode_client_entry(encode(entry));
    BOOST_TEST_REQUIRE(back.has_value());
    BOOST_TEST((*back == entry));
  }
  BOOST_TEST(client_entry_key("ab") == "client/ab");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_cut_off_or_of_another_layout_are_corruption) {
  for (const bool is_unfinished : {false, true}) {
    const std::string bytes = encode({3, 5, "", is_unfinished});
    for (std::size_t size = 0; size < bytes.size(); ++size)
      BOOST_TEST(!decode_client_entry(std::string_view(bytes).substr(0, size)).has_value());
    std::string other = bytes;
    other[0] = '\x03';
    BOOST_TEST(!decode_client_entry(other).has_value());
  }
  std::string neither = encode({3, 5, "", true});
  for (const char mark : {'\x00', '\x02'}) {
    neither.back() = mark;
    BOOST_TEST(!decode_client_entry(neither).has_value());
  }
}

BOOST_AUTO_TEST_CASE(the_namespace_of_a_request_is_read_from_its_name) {
  for (const std::string name_space : {"", "acme", "a/1/b/", "3"}) {
    const std::string name = request_name("to/ken", name_space, "2/ab/");
    BOOST_TEST((name_space_of_request(name) == name_space), name);
  }
  BOOST_TEST(request_name("t", "ab", "id") == "request/1/t/2/ab/id");
  for (const char* name :
       {"client", "request/", "request/1/t", "request/1/t/9/ab/id", "request/x/t/2/ab/id",
        "request/1/t/1/ab/id", "request/-1/t/2/ab/id", "request/18446744073709551615/t/2/ab/id"})
    BOOST_TEST(!name_space_of_request(name).has_value(), name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::codec

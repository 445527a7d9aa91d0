#include "codec/limits.hpp"
#include "codec/meta.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::codec;

namespace {

TokenEntry sample_entry() {
  TokenEntry entry{"agent", {}, 3, 1'700'000'000'000'000, "acme", {"", "other", "*"}};
  for (std::size_t i = 0; i < entry.sha256.size(); ++i)
    entry.sha256[i] = static_cast<unsigned char>(i * 8);
  return entry;
}

Result<TokenEntry> read_back(const TokenEntry& entry) {
  return decode_token_entry(token_entry_key(entry.name), encode(entry));
}

bool is_refused(std::string_view value) {
  const auto entry = decode_token_entry(token_entry_key("agent"), value);
  return !entry && entry.error().code == ErrorCode::corruption;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(token_entry)

BOOST_AUTO_TEST_CASE(entries_read_back) {
  const TokenEntry entry = sample_entry();
  BOOST_TEST((*read_back(entry) == entry));
  BOOST_TEST((*read_back(TokenEntry{"a"}) == TokenEntry{"a"}));
  BOOST_TEST(token_entry_key("a") == "token/a");
}

BOOST_AUTO_TEST_CASE(namespaces_to_read_have_a_layout_of_their_own) {
  TokenEntry entry = sample_entry();
  BOOST_TEST(int{encode(entry).front()} == 1);
  entry.also_read = {"shared", ""};
  const std::string bytes = encode(entry);
  BOOST_TEST(int{bytes.front()} == 2);
  BOOST_TEST((*read_back(entry) == entry));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    BOOST_TEST(is_refused(bytes.substr(0, size)));
  BOOST_TEST(is_refused(bytes + '\0'));
  // A number of none is said by the first layout.
  std::string none = encode(sample_entry()) + '\0';
  none[0] = 2;
  BOOST_TEST(is_refused(none));
}

BOOST_AUTO_TEST_CASE(names_of_the_greatest_length_read_back_and_longer_keys_do_not) {
  TokenEntry entry = sample_entry();
  entry.name = std::string(max_token_name_bytes, 'n');
  entry.home = std::string(max_name_bytes, 'h');
  entry.name_spaces = {std::string(max_name_bytes, 'o')};
  BOOST_TEST((*read_back(entry) == entry));
  BOOST_TEST(!decode_token_entry(token_entry_key(entry.name + "n"), encode(entry)).has_value());
}

BOOST_AUTO_TEST_CASE(a_longer_name_of_a_namespace_is_refused) {
  TokenEntry entry = sample_entry();
  entry.home = {};
  entry.name_spaces = {};
  std::string bytes = encode(entry);
  // In place of an empty home and no others: 1,025 letters, whose number takes two bytes as a varint.
  bytes.resize(bytes.size() - 2);
  bytes += "\x81\x08";
  bytes.append(max_name_bytes + 1, 'h');
  bytes += '\0';
  BOOST_TEST(is_refused(bytes));
}

BOOST_AUTO_TEST_CASE(other_keys_are_refused) {
  const std::string value = encode(sample_entry());
  for (const char* key : {"", "token/", "backup/agent", "Token/agent"})
    BOOST_TEST(!decode_token_entry(key, value).has_value(), key);
}

BOOST_AUTO_TEST_CASE(unknown_layouts_and_roles_are_refused) {
  std::string bytes = encode(sample_entry());
  for (const char layout : {'\0', '\2', '\3'}) {
    bytes[0] = layout;
    BOOST_TEST(is_refused(bytes));
  }
  bytes[0] = 1;
  for (const char role : {'\0', '\5', '\xff'}) {
    bytes[1] = role;
    BOOST_TEST(is_refused(bytes));
  }
}

BOOST_AUTO_TEST_CASE(cut_and_longer_bytes_are_refused) {
  const std::string bytes = encode(sample_entry());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    BOOST_TEST(is_refused(bytes.substr(0, size)));
  BOOST_TEST(is_refused(bytes + '\0'));
}

BOOST_AUTO_TEST_SUITE_END()

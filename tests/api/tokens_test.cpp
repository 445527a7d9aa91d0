// Tokens of other programs: what their secrets are, who may make them, and what they allow.
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/backup.hpp>
#include <cairn/database.hpp>
#include <cairn/tokens.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

struct TokensFixture {
  TemporaryDatabase database;

  std::string make(const std::string& name, Role role = Role::read) {
    return must(create_token(*database, {.name = name, .role = role}));
  }
  /// The name of the token of a secret, "(none)" where there is none.
  static std::string found(const Database& in, std::string_view secret) {
    const auto token = must(find_token(in, secret));
    return token ? token->name : "(none)";
  }
  std::string refused(const NewToken& token) {
    const auto made = create_token(*database, token);
    return made ? "made" : std::string(to_string(made.error().code));
  }
};

std::vector<std::string> names_of(const Database& database) {
  std::vector<std::string> names;
  for (const Token& token : must(list_tokens(database))) names.push_back(token.name);
  return names;
}

std::int64_t microseconds() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tokens, TokensFixture)

BOOST_AUTO_TEST_CASE(a_secret_finds_its_token_and_no_other) {
  const std::string one = make("one");
  const std::string two = make("two", Role::admin);
  BOOST_TEST(found(*database, one) == "one");
  BOOST_TEST(found(*database, two) == "two");
  BOOST_TEST(found(*database, "") == "(none)");
  BOOST_TEST(found(*database, one + "x") == "(none)");
  BOOST_TEST(found(*database, one.substr(0, one.size() - 1)) == "(none)");
  BOOST_TEST(found(*database, "one") == "(none)");
}

// 43 letters of 6 bits are 258: the lowest two of the last letter are none of the 256.
BOOST_AUTO_TEST_CASE(a_secret_is_256_bits_in_letters_of_addresses) {
  std::set<std::string> secrets;
  std::set<char> used;
  for (int i = 0; i < 64; ++i) {
    const std::string secret = make("token " + std::to_string(i));
    BOOST_TEST(secret.size() == 49U);
    BOOST_TEST(secret.starts_with("cairn_"));
    for (const char letter : secret.substr(6)) {
      BOOST_TEST(letters.find(letter) != std::string_view::npos);
      used.insert(letter);
    }
    BOOST_TEST(letters.find(secret.back()) % 4 == 0U);
    secrets.insert(secret);
  }
  BOOST_TEST(secrets.size() == 64U);
  BOOST_TEST(used.size() == letters.size());
}

BOOST_AUTO_TEST_CASE(tokens_are_listed_by_name_with_all_of_them) {
  const std::int64_t before = microseconds();
  make("second");
  must(create_token(*database, {"first", Role::forget, "acme", {"", "other"}}));
  const std::vector<Token> all = must(list_tokens(*database));
  BOOST_REQUIRE(all.size() == 2U);
  BOOST_TEST(all[0].name == "first");
  BOOST_TEST((all[0].role == Role::forget));
  BOOST_TEST(all[0].home == "acme");
  BOOST_TEST((all[0].name_spaces == std::vector<std::string>{"", "other"}));
  BOOST_TEST(all[0].created_at >= before);
  BOOST_TEST(all[0].created_at <= microseconds());
  BOOST_TEST(all[1].name == "second");
  BOOST_TEST((all[1].role == Role::read));
}

BOOST_AUTO_TEST_CASE(a_name_is_taken_once) {
  const std::string secret = make("one");
  BOOST_TEST(refused({.name = "one", .role = Role::admin}) == "already_exists");
  BOOST_TEST(found(*database, secret) == "one");
  BOOST_TEST((must(list_tokens(*database))[0].role == Role::read));
}

BOOST_AUTO_TEST_CASE(of_many_that_make_one_name_one_wins) {
  std::atomic<int> made = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { made += create_token(*database, {.name = "one"}) ? 1 : 0; });
  threads.clear();
  BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_CASE(a_revoked_token_is_gone_and_the_others_stay) {
  const std::string one = make("one");
  const std::string two = make("two");
  BOOST_TEST(must(revoke_token(*database, "one")));
  BOOST_TEST(!must(revoke_token(*database, "one")));
  BOOST_TEST(!must(revoke_token(*database, "")));
  BOOST_TEST(found(*database, one) == "(none)");
  BOOST_TEST(found(*database, two) == "two");
  BOOST_TEST(make("one") != one);
  database.reopen();
  BOOST_TEST(found(*database, one) == "(none)");
}

BOOST_AUTO_TEST_CASE(names_that_cannot_be_shown_are_refused) {
  for (const std::string& name :
       {std::string(), std::string(257, 'n'), std::string("a\nb"), std::string("a\0b", 3),
        std::string("\x7f"), std::string("\xc2\x9b"), std::string("\xff"), std::string("a\xe2\x82"),
        std::string("\xed\xa0\x80")})
    BOOST_TEST(refused({.name = name}) == "invalid_argument", name);
  make(std::string(256, 'n'));
  make("Zo\xc3\xab's agent / 2");
  BOOST_TEST(names_of(*database).size() == 2U);
}

BOOST_AUTO_TEST_CASE(wrong_roles_and_namespaces_are_refused) {
  for (const int role : {0, 5, 255})
    BOOST_TEST(refused({.name = "a", .role = static_cast<Role>(role)}) == "invalid_argument");
  BOOST_TEST(refused({.name = "a", .home = "*"}) == "invalid_argument");
  BOOST_TEST(refused({.name = "a", .home = std::string(1'025, 'h')}) == "invalid_argument");
  BOOST_TEST(refused({.name = "a", .name_spaces = {"b", "c\n"}}) == "invalid_argument");
  BOOST_TEST(names_of(*database).empty());
}

// The writer lock is held, and the number of the newest commit stays.
BOOST_AUTO_TEST_CASE(a_token_is_made_beside_a_transaction) {
  const std::uint64_t commits = must(database->statistics()).commits;
  Transaction transaction = must(database->begin());
  must(transaction.create_node({{"A"}, {}, "a"}));
  const std::string secret = make("one");
  BOOST_TEST(found(*database, secret) == "one");
  BOOST_TEST(must(database->statistics()).commits == commits);
  must(transaction.commit());
  BOOST_TEST(found(*database, secret) == "one");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_reopened_and_a_restored_database_have_its_tokens) {
  const std::string secret = make("one", Role::write);
  database.reopen();
  BOOST_TEST(found(*database, secret) == "one");
  const TemporaryDirectory directory;
  must(database->backup(directory.path() / "backup"));
  must(restore_backup(directory.path() / "backup", directory.path() / "restored"));
  const Database restored = must(Database::open(directory.path() / "restored"));
  BOOST_TEST(found(restored, secret) == "one");
}

BOOST_AUTO_TEST_CASE(a_database_for_reading_finds_tokens_and_makes_none) {
  const std::string secret = make("one");
  Options options;
  options.mode = OpenMode::read_only;
  database.reopen(options);
  BOOST_TEST(found(*database, secret) == "one");
  BOOST_TEST(refused({.name = "two"}) == "unsupported");
  const auto revoked = revoke_token(*database, "one");
  BOOST_REQUIRE(!revoked);
  BOOST_TEST((revoked.error().code == ErrorCode::unsupported));
  BOOST_TEST(names_of(*database) == std::vector<std::string>{"one"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_bulk_load_makes_none) {
  Options options;
  options.mode = OpenMode::bulk_load;
  database.reopen(options);
  BOOST_TEST(refused({.name = "one"}) == "conflict");
}

BOOST_AUTO_TEST_CASE(a_token_may_use_its_home_and_what_it_names) {
  const Token narrow{"a", Role::read, "acme", {"other"}, 0};
  BOOST_TEST(narrow.may_use("acme"));
  BOOST_TEST(narrow.may_use("other"));
  BOOST_TEST(!narrow.may_use(""));
  BOOST_TEST(!narrow.may_use("*"));
  const Token plain{"a", Role::read, "", {}, 0};
  BOOST_TEST(plain.may_use(""));
  BOOST_TEST(!plain.may_use("acme"));
  const Token wide{"a", Role::read, "acme", {"*"}, 0};
  BOOST_TEST(wide.may_use(""));
  BOOST_TEST(wide.may_use("whatever"));
}

BOOST_AUTO_TEST_CASE(roles_have_names_and_an_order) {
  for (const Role role : {Role::read, Role::write, Role::forget, Role::admin})
    BOOST_TEST((must(parse_role(to_string(role))) == role));
  BOOST_TEST(to_string(Role::forget) == "forget");
  BOOST_TEST(
      (Role::read < Role::write && Role::write < Role::forget && Role::forget < Role::admin));
  for (const char* name : {"", "Read", "root", "read "}) {
    const auto role = parse_role(name);
    BOOST_REQUIRE(!role);
    BOOST_TEST(role.error().message.find("read, write, forget, admin") != std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

// How tokens are stored. tests/api/tokens_test.cpp has what their callers see.
#include "codec/meta.hpp"
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/database/token_secret.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/tokens.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using namespace cairn;
using test::must;
using test::TemporaryDatabase;

namespace {

struct Fixture {
  TemporaryDatabase database;

  std::string make(const std::string& name) {
    return must(create_token(*database, {.name = name}));
  }
  /// The name of the token of a secret, "(none)" where there is none.
  static std::string found(const Database& in, std::string_view secret) {
    const auto token = must(find_token(in, secret));
    return token ? token->name : "(none)";
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(token_entries, Fixture)

BOOST_AUTO_TEST_CASE(the_secret_is_nowhere_in_the_database) {
  const std::string secret = make("one");
  const auto core = Access::core(*database);
  for (const engine::Note& note : must(core->notes(""))) {
    BOOST_TEST(note.value.find(secret) == std::string::npos);
    BOOST_TEST(note.value.find(secret.substr(6, 20)) == std::string::npos);
  }
}

// As a call whose answer was lost is made again.
BOOST_AUTO_TEST_CASE(a_token_with_the_same_secret_is_made_already) {
  const std::string secret = must(engine::draw_token_secret());
  must(engine::create_token(*database, {.name = "one"}, secret));
  must(engine::create_token(*database, {.name = "one"}, secret));
  BOOST_TEST(must(list_tokens(*database)).size() == 1U);
  BOOST_TEST(found(*database, secret) == "one");
  const auto other =
      engine::create_token(*database, {.name = "one"}, must(engine::draw_token_secret()));
  BOOST_TEST((other.error().code == ErrorCode::already_exists));
  const auto weak = engine::create_token(*database, {.name = "two"}, "cairn_1");
  BOOST_TEST((weak.error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_damaged_entry_lets_nobody_in) {
  const std::string secret = make("one");
  const auto core = Access::core(*database);
  BOOST_TEST(must(core->write_note(codec::token_entry_key("two"), "damage")));
  const auto token = find_token(*database, secret);
  BOOST_REQUIRE(!token);
  BOOST_TEST((token.error().code == ErrorCode::corruption));
  BOOST_TEST(must(revoke_token(*database, "two")));
  BOOST_TEST(found(*database, secret) == "one");
}

BOOST_AUTO_TEST_CASE(a_note_is_written_where_the_key_is_as_it_is_wanted) {
  using engine::NoteBefore;
  const auto core = Access::core(*database);
  BOOST_TEST(!must(core->write_note("x/a", "1", NoteBefore::present)));
  BOOST_TEST(must(core->write_note("x/a", "1", NoteBefore::absent)));
  BOOST_TEST(!must(core->write_note("x/a", "2", NoteBefore::absent)));
  BOOST_TEST(must(core->write_note("x/b", "3")));
  const auto notes = must(core->notes("x/"));
  BOOST_REQUIRE(notes.size() == 2U);
  BOOST_TEST(notes[0].value == "1");
  BOOST_TEST(must(core->write_note("x/a", std::nullopt)));
  BOOST_TEST(must(core->notes("x/")).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

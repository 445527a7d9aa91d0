#include "tests/support/graph_builder.hpp"

#include <cairn/memory/records.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

const StructuredId agent = agent_id("assistant");

// Every record that a function makes fits its kind in strict mode.
void check_fits(NewRecord record) {
  const auto checked = Schema().check(record.kind, record.metadata, SchemaMode::strict);
  BOOST_TEST(checked.has_value(), record.kind << ": " << (checked ? "" : checked.error().message));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(records)

// M2.19, M2.20, M2.21, M2.22, M4.5, M4.6
BOOST_AUTO_TEST_CASE(what_the_functions_make_fits_its_kind) {
  check_fits(message("Hi", "user", user_id("u"), agent, chat_id("c"), {"t", 0, {}}));
  check_fits(thought("Hm", agent, {{"relatedTo", "m1"}}));
  check_fits(reflection("Hm", agent));
  check_fits(cognitive_process("Hm", "musing", agent));
  check_fits(document("Text", "file", agent, {{"fileSize", 10}}));
  check_fits(task("Do it", "it", "pending", "low", agent, {{"assignedTo", to_value(agent)}}));
  check_fits(episode("[self] q", 0.5, "r", {"dark-romance", "stil"}));
  check_fits(insight("So it is", {"e1", "e2"}, {"ethr"}));
  check_fits(note("Remember"));
}

BOOST_AUTO_TEST_CASE(schema_version_is_filled_in) {
  BOOST_TEST(thought("Hm", agent).metadata.at("schemaVersion").as_string() == "1.0.0");
  BOOST_TEST(note("Hm", {{"schemaVersion", "2.0.0"}}).metadata.at("schemaVersion").as_string() ==
             "2.0.0");
}

// M2.14: typed parameters win
BOOST_AUTO_TEST_CASE(typed_parameters_win_over_more_fields) {
  const NewRecord record = message("Hi", "user", user_id("u"), agent, chat_id("c"), {"t", 0, {}},
                                   {{"role", "system"}, {"mood", "good"}});
  BOOST_TEST(record.metadata.at("role").as_string() == "user");
  BOOST_TEST(record.metadata.at("mood").as_string() == "good");
}

// M2.10, M2.25
BOOST_AUTO_TEST_CASE(a_process_type_is_its_kind_where_it_has_one) {
  BOOST_TEST(cognitive_process("", "evaluation", agent).kind == "evaluation");
  BOOST_TEST(cognitive_process("", "insight", agent).kind == "cognitive");
  BOOST_TEST(cognitive_process("", "insight", agent).metadata.at("processType").as_string() ==
             "insight");
}

BOOST_AUTO_TEST_CASE(an_episode_is_searched_by_query_and_reflection) {
  BOOST_TEST(episode("q", 0.5, "r").content == "q\n\nr");
  BOOST_TEST(episode("q", 0.5, "").content == "q");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory

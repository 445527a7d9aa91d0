// Signatures: what can be read, what the types take, and what an error says.
#include "query/syntax/signature.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::query {
namespace {

Signature read(std::string_view text) { return parse_signature(text).value(); }

std::string refusal(std::string_view text) {
  const auto signature = parse_signature(text);
  if (signature) return "none";
  BOOST_CHECK(signature.error().code == ErrorCode::invalid_argument);
  return signature.error().message;
}

DeclaredType type(const std::string& text) { return read("f() :: " + text).result; }

bool fits(const std::string& text, const Value& value) { return type(text).fit(value).has_value(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(signatures)

BOOST_AUTO_TEST_CASE(a_function_has_parameters_and_a_result) {
  const Signature signature = read(" app.Tax( price::FLOAT, land? :: string? ) ::FLOAT ");
  BOOST_TEST(signature.name == "app.Tax");
  BOOST_TEST(signature.is_function);
  BOOST_REQUIRE(signature.parameters.size() == 2);
  BOOST_TEST(signature.parameters[0].name == "price");
  BOOST_TEST(!signature.parameters[0].is_optional);
  BOOST_TEST(signature.parameters[0].type.text() == "FLOAT");
  BOOST_TEST(signature.parameters[1].is_optional);
  BOOST_TEST(signature.parameters[1].type.text() == "STRING?");
  BOOST_TEST(signature.least_arguments() == 1);
  BOOST_TEST(signature.result.text() == "FLOAT");
  BOOST_TEST(signature.text == "app.Tax( price::FLOAT, land? :: string? ) ::FLOAT");
}

BOOST_AUTO_TEST_CASE(a_procedure_has_columns) {
  const Signature signature =
      read("test.my.proc(in :: INTEGER?) :: (a :: INTEGER?, b :: LIST<MAP>)");
  BOOST_TEST(!signature.is_function);
  BOOST_REQUIRE(signature.columns.size() == 2);
  BOOST_TEST(signature.columns[1].name == "b");
  BOOST_TEST(signature.columns[1].type.text() == "LIST<MAP>");
  BOOST_TEST(read("nothing() :: ()").columns.empty());
}

BOOST_AUTO_TEST_CASE(every_type_is_written_as_it_is_read) {
  for (const char* text : {"ANY",
                           "BOOLEAN",
                           "INTEGER",
                           "FLOAT",
                           "NUMBER",
                           "STRING",
                           "MAP",
                           "LIST",
                           "NODE",
                           "RELATIONSHIP",
                           "PATH",
                           "VECTOR",
                           "DATE",
                           "LOCAL TIME",
                           "ZONED TIME",
                           "LOCAL DATETIME",
                           "ZONED DATETIME",
                           "DURATION",
                           "INTEGER?",
                           "LIST<INTEGER>",
                           "LIST<INTEGER?>?",
                           "LIST<LIST<STRING>>",
                           "LIST<LIST<INTEGER>?>",
                           "LIST<LIST<INTEGER?>?>?",
                           "LIST<ANY>"})
    BOOST_TEST(type(text).text() == text);
  BOOST_TEST(type("int").text() == "INTEGER");
  BOOST_TEST(type("datetime").text() == "ZONED DATETIME");
}

BOOST_AUTO_TEST_CASE(types_take_what_they_say) {
  BOOST_TEST(fits("INTEGER", 1));
  BOOST_TEST(!fits("INTEGER", 1.5));
  BOOST_TEST(!fits("INTEGER", Value()));
  BOOST_TEST(fits("INTEGER?", Value()));
  BOOST_TEST(fits("ANY", Value()));
  BOOST_TEST(fits("ANY", List{1, "a"}));
  BOOST_TEST(fits("NUMBER", 1));
  BOOST_TEST(fits("NUMBER", 1.5));
  BOOST_TEST(!fits("NUMBER", "1"));
  BOOST_TEST(!fits("STRING", true));
  BOOST_TEST(fits("LIST", List{1, "a", Value()}));
  BOOST_TEST(fits("LIST<INTEGER>", List{1, 2}));
  BOOST_TEST(fits("LIST<INTEGER>", List{}));
  BOOST_TEST(!fits("LIST<INTEGER>", List{1, "a"}));
  BOOST_TEST(!fits("LIST<INTEGER>", List{1, Value()}));
  BOOST_TEST(fits("LIST<INTEGER?>", List{1, Value()}));
  BOOST_TEST(!fits("LIST<INTEGER?>", Value()));
  BOOST_TEST(fits("LIST<LIST<INTEGER>>", List{List{1}, List{}}));
  BOOST_TEST(!fits("LIST<LIST<INTEGER>>", List{1}));
  BOOST_TEST(!fits("LIST<LIST<INTEGER?>>", List{Value()}));
  BOOST_TEST(fits("LIST<LIST<INTEGER>?>", List{List{1}, Value()}));
  BOOST_TEST(!fits("LIST<LIST<INTEGER>?>", List{Value(List{Value()})}));
}

BOOST_AUTO_TEST_CASE(integers_become_floats_where_floats_are_declared) {
  const auto number = type("FLOAT").fit(Value(2));
  BOOST_REQUIRE(number.has_value());
  BOOST_TEST((number->type() == ValueType::floating));
  const auto list = type("LIST<FLOAT>").fit(Value(List{1, 2.5}));
  BOOST_REQUIRE(list.has_value());
  BOOST_TEST((list->as_list()[0].type() == ValueType::floating));
  BOOST_TEST((type("NUMBER").fit(Value(2))->type() == ValueType::integer));
}

BOOST_AUTO_TEST_CASE(an_error_says_what_was_expected_and_where) {
  BOOST_TEST(refusal("") == "\"\" is not a signature: expected a name at its end");
  BOOST_TEST(refusal("f") == "\"f\" is not a signature: expected parameters at its end");
  BOOST_TEST(refusal("f(a)").find("at \")\"") != std::string::npos, refusal("f(a)"));
  BOOST_TEST(refusal("f(a :: WORD) :: ANY").find("expected a type at \"WORD) :: ANY\"") !=
                 std::string::npos,
             refusal("f(a :: WORD) :: ANY"));
  BOOST_TEST(refusal("f() :: INTEGERS").find("at \"INTEGERS\"") != std::string::npos);
  BOOST_TEST(refusal("f() :: LIST<INTEGER").find("at its end") != std::string::npos);
  BOOST_TEST(refusal("f() :: INTEGER, STRING").find("at \", STRING\"") != std::string::npos);
  BOOST_TEST(refusal("f(a :: ANY, a :: ANY) :: ANY") ==
             "\"f(a :: ANY, a :: ANY) :: ANY\" has `a` twice");
  BOOST_TEST(
      refusal("f(a? :: ANY, b :: ANY) :: ANY").find("a required parameter after an optional one") !=
      std::string::npos);
  BOOST_TEST(refusal("p() :: (a :: ANY, a :: ANY)").find("`a` twice") != std::string::npos);
}

// Nested types use stack, so the length is limited.
BOOST_AUTO_TEST_CASE(a_signature_has_a_longest_length) {
  std::string text = "f() :: ";
  for (int i = 0; i < 100'000; ++i) text += "LIST<";
  BOOST_TEST(refusal(text).find("at most 4096 bytes") != std::string::npos);
  BOOST_TEST(refusal("f() :: " + text.substr(7, 4'000)) != "none");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query

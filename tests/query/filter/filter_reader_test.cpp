// M0.37, M0.38: filters from JSON and values, and what is refused before a record is read.

#include "query/filter/filter_operators.hpp"
#include "query/functions/filter_test.hpp"
#include "query/functions/time_zone.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/filter.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

std::string message(std::string_view json) {
  const auto filter = parse_filter(json);
  return filter ? to_value(*filter).to_text() : filter.error().message;
}

std::string keys(std::string_view path) {
  const auto parsed = query::parse_field_path(path);
  if (!parsed) return "error";
  std::string text;
  for (const std::string& key : *parsed) text += "<" + key + ">";
  return text;
}

std::int64_t ago(std::string_view text) { return -must(query::parse_moment(text, 0)) / 1'000'000; }

}  // namespace

BOOST_AUTO_TEST_SUITE(filter_reader)

BOOST_AUTO_TEST_CASE(a_condition_has_a_field_an_operator_and_a_value) {
  BOOST_TEST(message(R"({"field": "userId", "operator": "equals", "value": "alice"})") ==
             "{field: 'userId', operator: 'equals', value: 'alice'}");
  BOOST_TEST(message(R"({"field": "a", "operator": "exists"})") ==
             "{field: 'a', operator: 'exists', value: null}");
}

BOOST_AUTO_TEST_CASE(groups_nest_and_a_list_is_an_and) {
  BOOST_TEST(message(R"([{"operator": "or", "filters": [{"field": "a", "operator": "exists"},
                         {"operator": "NOT", "filters": []}]}])") ==
             "{filters: [{filters: [{field: 'a', operator: 'exists', value: null}, {filters: [], "
             "operator: 'NOT'}], operator: 'OR'}], operator: 'AND'}");
  BOOST_TEST(message(R"({"operator": "AT_LEAST", "minimum": 2, "filters": []})") ==
             "{filters: [], minimum: 2, operator: 'AT_LEAST'}");
}

// A level more each time would be one too many in the end.
BOOST_AUTO_TEST_CASE(what_is_read_is_written_and_read_again_alike) {
  for (
      const char* json : {
          R"([])",
          R"({"field": "a", "operator": "any_element", "filters": []})",
          R"({"field": "a", "operator": "any_element", "filters": [{"field": "b", "operator": "exists"}]})",
          R"({"field": "a", "operator": "any_element", "filters": [[[]]]})",
          R"({"operator": "AT_LEAST", "minimum": 1, "filters": [{"operator": "has_label", "value": "A"}]})",
      }) {
    const Value once = to_value(must(parse_filter(json)));
    BOOST_TEST((to_value(must(filter_from(once))) == once), once.to_text());
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_operator_is_named_in_the_words_of_the_requirement) {  // M0.34
  BOOST_TEST(message(R"({"field": "a", "operator": "like", "value": 1})") ==
             "Unsupported operator: like");
  BOOST_TEST(message(R"({"field": "a", "operator": "contians", "value": 1})") ==
             "Unsupported operator: contians; did you mean contains?");
}

BOOST_AUTO_TEST_CASE(values_that_an_operator_cannot_use_are_refused) {  // M0.28 M0.29 M0.33 M1.29
  BOOST_TEST(message(R"({"field": "a", "operator": "in", "value": 1})") ==
             "'in' operator requires array value");
  BOOST_TEST(message(R"({"field": "a", "operator": "not_in", "value": "x"})") ==
             "'not_in' operator requires array value");
  BOOST_TEST(message(R"({"field": "a", "operator": "matches", "value": "("})")
                 .starts_with("not a regular expression"));
  BOOST_TEST(message(R"({"field": "a", "operator": "since", "value": "yesterday"})") ==
             "Invalid date format. Use ISO8601 or relative (e.g., \"7d\")");
  BOOST_TEST(message(R"({"field": "a", "operator": "since", "value": "99999999999999999y"})") ==
             "Invalid date format. Use ISO8601 or relative (e.g., \"7d\")");
}

BOOST_AUTO_TEST_CASE(what_is_no_filter_is_said_to_be_none) {
  BOOST_TEST(message("{").starts_with("a filter in JSON: invalid JSON"));
  BOOST_TEST(message("3").starts_with("a filter is an object"));
  BOOST_TEST(message(R"({"field": "a", "operatr": "equals"})").starts_with("a filter has no \"op"));
  BOOST_TEST(message(R"({"operator": "equals", "value": 1})").ends_with("\"field\", a string"));
  BOOST_TEST(message(R"({"field": "a", "operator": "equals"})").ends_with("needs a \"value\""));
  BOOST_TEST(message(R"({"field": "a..b", "operator": "exists"})").starts_with("\"a..b\" is no"));
}

BOOST_AUTO_TEST_CASE(depth_is_limited_far_from_the_end_of_the_stack) {
  const auto nested = [](int levels) {
    std::string json = R"({"field": "a", "operator": "exists"})";
    for (int i = 0; i < levels; ++i) json = R"({"operator": "NOT", "filters": [)" + json + "]}";
    return json;
  };
  BOOST_TEST(parse_filter(nested(63)).has_value());
  BOOST_TEST(!parse_filter(nested(64)).has_value());
  BOOST_TEST(!parse_filter(std::string(1'000'000, '[')).has_value());
}

BOOST_AUTO_TEST_CASE(a_path_has_keys_with_dots_in_quotes) {  // M0.14
  BOOST_TEST(keys("a.b.c") == "<a><b><c>");
  BOOST_TEST(keys("a['b.c'].d") == "<a><b.c><d>");
  BOOST_TEST(keys("['it''s'][\"x\"]") == "<it's><x>");
  BOOST_TEST(keys("$;`x y") == "<$;`x y>");
  for (const char* wrong : {"", ".", "a.", ".a", "a..b", "a[b]", "a['b", "a['b'", "a['b']c"})
    BOOST_TEST(keys(wrong) == "error");
}

BOOST_AUTO_TEST_CASE(relative_times_have_units_of_fixed_length) {  // M1.16 M1.17
  BOOST_TEST(ago("7d") == 7 * 86'400);
  BOOST_TEST(ago("0d") == 0);
  BOOST_TEST(ago("2H") == 7'200);
  BOOST_TEST(ago("3w") == 21 * 86'400);
  BOOST_TEST(ago("5min") == 300);
  BOOST_TEST(ago("1m") == 30 * 86'400);
  BOOST_TEST(ago("1y") == 365 * 86'400);
  BOOST_TEST(ago("3mo") == ago("3m"));
  BOOST_TEST(ago("1.5h") == 5'400);
  BOOST_TEST(ago("30s") == 30);
  BOOST_TEST(ago("P7D") == 7 * 86'400);
  BOOST_TEST(ago("PT12H") == 43'200);
  BOOST_TEST(ago("P1Y2M") == (365 + 60) * 86'400);
  for (const char* wrong : {"", "d", "-7d", "7", "7 d", "7days", "9223372036854775807y", "1.d", "P",
                            "P-1D", "-P1D", "P9223372036854775807D"})
    BOOST_TEST(!query::parse_moment(wrong, 0).has_value());
}

BOOST_AUTO_TEST_CASE(paths_are_compared_by_whole_components) {  // M3.27
  BOOST_TEST(query::normal_path("/a/./b//c/../d/") == "/a/b/d");
  BOOST_TEST(query::normal_path("C:\\docs\\x") == "C:/docs/x");
  BOOST_TEST(query::normal_path("../../x") == "../../x");
  BOOST_TEST(query::normal_path("/..") == "/");
  const auto is_in = [](const char* path, const char* directory) {
    const Value operand = directory;
    const std::vector<Value> stored{path};
    return must(query::passes({FilterOperator::in_directory, operand, false, 0}, stored));
  };
  BOOST_TEST(is_in("docs/x", "docs"));
  BOOST_TEST(!is_in("docs2/x", "docs"));
  BOOST_TEST(is_in("docs/x", "."));
  BOOST_TEST(is_in("/etc/x", "/"));
  BOOST_TEST(!is_in("/etc/x", "."));
  BOOST_TEST(!is_in("../x", "."));
  BOOST_TEST(is_in("../x", ".."));
  BOOST_TEST(!is_in("../../x", ".."));
  BOOST_TEST(is_in("../../x", "../.."));
}

// As a value in C++, too: it would be an empty group, which every record passes.
BOOST_AUTO_TEST_CASE(a_condition_whose_operator_was_forgotten_is_refused) {
  Filter forgotten;
  forgotten.field = "tags";
  forgotten.value = "zz";
  BOOST_TEST(!filter_from(to_value(forgotten)).has_value());
  BOOST_TEST(!filter_from(to_value(Filter::all_of({forgotten}))).has_value());
  Filter mixed = Filter::where("a", FilterOperator::equals, 1);
  mixed.filters = {Filter::where("b", FilterOperator::equals, 2)};
  BOOST_TEST(!filter_from(to_value(mixed)).has_value());
  Filter coerced = Filter::any_of({});
  coerced.coerce = true;
  BOOST_TEST(!filter_from(to_value(coerced)).has_value());
  BOOST_TEST(filter_from(to_value(Filter())).has_value());
}

BOOST_AUTO_TEST_CASE(what_an_operator_does_not_read_is_refused) {
  for (const char* wrong : {
           R"({"operator": "exists", "field": "a", "value": "x"})",
           R"({"operator": "exists", "field": "a", "filters": []})",
           R"({"operator": "equals", "field": "a", "value": 1, "filters": [], "minimum": 9})",
           R"({"operator": "AND", "filters": [], "minimum": 1})",
           R"({"operator": "OR", "filters": [], "value": 1})",
           R"({"operator": "has_label", "field": "a", "value": "A"})",
           R"({"operator": "has_id", "field": "a", "value": 1})",
           R"({"operator": "any_element", "field": "a", "filters": [], "value": []})",
           R"({"operator": "any_element", "field": "a", "filters": [], "coerce": true})",
       }) {
    BOOST_TEST_CONTEXT(wrong) {
      const auto filter = parse_filter(wrong);
      BOOST_REQUIRE(!filter.has_value());
      BOOST_TEST(filter.error().message.find("does not read") != std::string::npos,
                 filter.error().message);
    }
  }
  BOOST_TEST(parse_filter(R"({"operator": "exists", "field": "a", "value": null})").has_value());
  BOOST_TEST(parse_filter(R"({"operator": "exists", "field": "a", "value": true})").has_value());
}

BOOST_AUTO_TEST_CASE(ids_are_an_integer_or_a_list_of_them) {
  BOOST_TEST(message(R"({"operator": "has_id", "value": [3, 4]})") ==
             "{operator: 'has_id', value: [3, 4]}");
  BOOST_TEST(message(R"({"operator": "has_id", "value": 3})") == "{operator: 'has_id', value: 3}");
  BOOST_TEST(message(R"({"operator": "has_id", "value": ["a"]})") ==
             "'has_id' operator requires an integer or an array of integers, got list");
  BOOST_TEST(!parse_filter(R"({"operator": "has_id"})").has_value());
  BOOST_TEST(to_value(Filter::has_id({1, 2})).to_text() == "{operator: 'has_id', value: [1, 2]}");
}

BOOST_AUTO_TEST_CASE(the_keys_of_a_path_are_those_of_filters) {
  BOOST_TEST((must(path_keys("a.b")) == std::vector<std::string>{"a", "b"}));
  BOOST_TEST((must(path_keys("a['b.c']")) == std::vector<std::string>{"a", "b.c"}));
  BOOST_TEST((path_keys("a.").error().code == ErrorCode::invalid_argument));
  for (const std::vector<std::string>& keys : std::vector<std::vector<std::string>>{
           {"a", "b"}, {"b.c", "a"}, {"a", "it's", "it's.", "", "[x]"}, {"a b"}})
    BOOST_TEST((must(path_keys(path_of_keys(keys))) == keys), path_of_keys(keys));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

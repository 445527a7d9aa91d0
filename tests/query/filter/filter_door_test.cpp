// The doors themselves: plans, warnings, errors, and that values are only ever data.

#include "tests/query/filter/filter_doors.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/facets.hpp>
#include <cairn/select.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

using Op = FilterOperator;

}  // namespace

BOOST_AUTO_TEST_SUITE(filter_door)

BOOST_AUTO_TEST_CASE(a_filter_in_a_parameter_is_planned_like_text) {  // M0.48 M1.42
  TemporaryDatabase database;
  run_all(*database, {"UNWIND range(1, 100) AS i CREATE (:M {a: i % 10, tags: ['t' + toString(i % "
                      "4)]})"});
  const Filter filter = Filter::all_of(
      {Filter::where("a", Op::equals, 3), Filter::where("tags", Op::contains, "t1")});
  const std::string plan =
      plan_of(*database, "EXPLAIN MATCH (n:M) WHERE matches_filter(n, $f) RETURN count(*)",
              {{"f", to_value(filter)}});
  BOOST_TEST(plan.find("intersect") != std::string::npos);
  BOOST_TEST(plan.find("n.a equals 3") != std::string::npos);
  BOOST_TEST(plan.find("n.tags contains 't1'") != std::string::npos);
  BOOST_TEST(result_of(*database, "MATCH (n:M) WHERE matches_filter(n, $f) RETURN count(*)",
                       {{"f", to_value(filter)}}) == "5");
}

BOOST_AUTO_TEST_CASE(a_statement_runs_again_with_another_filter) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: 1}), (:M {a: 2}), (:M {a: 3})"});
  const Statement statement =
      must(Statement::parse("MATCH (n) WHERE matches_filter(n, $f) RETURN count(*)"));
  for (const int least : {1, 2, 3}) {
    Rows rows = must(statement.run(
        *database, {{"f", to_value(Filter::where("a", Op::greater_or_equal, least))}}));
    BOOST_TEST((*must(rows.next()))[0].as_integer() == 4 - least);
  }
  BOOST_TEST(!statement.run(*database).has_value());
}

// A statement is bound once for each form of filter; what is in the form and what is a value must not be mixed up.
BOOST_AUTO_TEST_CASE(filters_of_like_form_keep_their_own_values) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: 1, b: 'x'}), (:M {a: 2, b: 'x'}), (:N {a: 2, b: 'y'})"});
  const Statement statement =
      must(Statement::parse("MATCH (n) WHERE matches_filter(n, $f) RETURN count(*)"));
  const auto count = [&](const Filter& filter) {
    Rows rows = must(statement.run(*database, {{"f", to_value(filter)}}));
    return (*must(rows.next()))[0].as_integer();
  };
  for (int round = 0; round < 2; ++round) {
    BOOST_TEST(count(Filter::where("a", Op::equals, 2)) == 2);
    BOOST_TEST(count(Filter::where("a", Op::equals, "2")) == 0);
    BOOST_TEST(count(Filter::where("b", Op::equals, "y")) == 1);
    BOOST_TEST(count(Filter::has_label("M")) == 2);
    BOOST_TEST(count(Filter::has_label("N")) == 1);
    const std::vector<Filter> two{Filter::where("a", Op::equals, 2),
                                  Filter::where("b", Op::equals, "x")};
    BOOST_TEST(count(Filter::at_least(1, two)) == 3);
    BOOST_TEST(count(Filter::at_least(2, two)) == 1);
    BOOST_TEST(count(Filter::all_of(two)) == 1);
    BOOST_TEST(count(Filter::any_of(two)) == 3);
    Filter as_text = Filter::where("a", Op::equals, "2");
    as_text.coerce = true;
    BOOST_TEST(count(as_text) == 2);
  }
}

// The operands of a filter become parameters. A parameter of the caller with such a name keeps its value.
BOOST_AUTO_TEST_CASE(a_parameter_named_like_an_operand_keeps_its_value) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: 1}), (:M {a: 2})"});
  const Value filter = to_value(Filter::where("a", Op::equals, 2));
  for (int round = 0; round < 2; ++round) {
    BOOST_TEST(result_of(*database, "MATCH (n:M) WHERE matches_filter(n, $f) RETURN n.a, $`f.0`",
                         {{"f", filter}, {"f.0", "mine"}}) == "2 | 'mine'");
  }
}

BOOST_AUTO_TEST_CASE(odd_texts_are_only_data_through_every_door) {  // M0.35 M0.36
  TemporaryDatabase database;
  std::vector<std::string> texts = {"' OR 1=1 --",
                                    "\"",
                                    "`x`; DROP",
                                    "$value",
                                    "a\\'b",
                                    "\n\r\t",
                                    "{\"operator\": \"exists\"}",
                                    "\xe2\x80\xae\xf0\x9f\x98\x80",
                                    std::string("nul\0byte", 8),
                                    std::string(1'000, '\'')};
  for (const std::string& text : texts) {
    Transaction transaction = must(database->begin());
    must(transaction.create_node({{"M"}, {{"userId", text}, {text, "by name"}}}));
    must(transaction.commit());
  }
  for (const std::string& text : texts) {
    std::string quoted = text;
    for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 2)
      quoted.insert(at, "'");
    for (const Door door : all_doors) {
      BOOST_TEST(passing(*database, Filter::where("userId", Op::equals, text), door, true).size() ==
                 1U);
      const Filter by_name = Filter::where("['" + quoted + "']", Op::equals, "by name");
      BOOST_TEST(passing(*database, by_name, door, true).size() == 1U);
    }
    BOOST_TEST(must(count_nodes(must(database->snapshot()), Filter::all_of({}), {{text}, 0, {}})) ==
               0U);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_field_is_a_warning_with_the_nearest_name) {  // M0.87
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {userId: 'alice', meta: {layer: 1}})"});
  for (const auto& [field, warning] :
       {std::pair{"userld", "no record has the property userld; did you mean userId?"},
        std::pair{"meta.lajer",
                  "no record has the property meta.lajer; did you mean meta.layer?"}}) {
    const Snapshot snapshot = must(database->snapshot());
    Rows rows = must(select_nodes(snapshot, Filter::where(field, Op::equals, 1)));
    BOOST_TEST(must(rows.all()).empty());
    BOOST_REQUIRE(rows.warnings().size() == 1U);
    BOOST_TEST(rows.warnings().front() == warning);
  }
}

BOOST_AUTO_TEST_CASE(mistakes_are_errors_also_where_there_are_no_records) {  // M0.33 M0.34
  TemporaryDatabase database;
  const auto text = [&](const std::string& condition, const Parameters& parameters = {}) {
    return error_of(*database, "MATCH (n:M) WHERE " + condition + " RETURN n", parameters).message;
  };
  BOOST_TEST(text("filter.matches(n.a, $p)", {{"p", "("}}).starts_with("not a regular expression"));
  BOOST_TEST(text("filter.in(n.a, $p)", {{"p", 1}}) == "'in' operator requires array value");
  BOOST_TEST(text("filter.like(n.a, 1)").find("Unsupported operator: like") != std::string::npos);
  BOOST_TEST(text("matches_filter(n, $p)", {{"p", "{\"field\": \"a\", \"operator\": \"like\"}"}}) ==
             "Unsupported operator: like");
  BOOST_TEST(text("matches_filter(n, n.a)").find("is a parameter or a constant") !=
             std::string::npos);
  BOOST_TEST(error_of(*database, "MATCH (n:M) RETURN n AS m ORDER BY filter.matches(n.a, $p)",
                      {{"p", "("}})
                 .message.starts_with("not a regular expression"));
  BOOST_TEST(text("filter.equals(n, 1)").find("a field is expected here") != std::string::npos);
}

// M0.38: labels, and what a call asks besides, take no level away
BOOST_AUTO_TEST_CASE(a_filter_as_deep_as_can_be_goes_through_every_call) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: 1}), (:M), (:N {a: 1})"});
  Filter deep = Filter::where("a", Op::exists);
  for (int levels = 1; levels < 64; ++levels) deep = Filter::none_of({deep});
  const Snapshot snapshot = must(database->snapshot());
  BOOST_TEST(must(count_nodes(snapshot, deep)) == 1U);
  BOOST_TEST(must(count_nodes(snapshot, deep, {{"M"}, 0, {}})) == 1U);
  FacetedSearch search;
  search.labels = {"M"};
  search.filter = deep;
  BOOST_TEST(must(faceted_search(snapshot, search)).total == 1U);
  BOOST_TEST(!count_nodes(snapshot, Filter::none_of({deep})));
}

// What LANGUAGE.md says of a record that is not there
BOOST_AUTO_TEST_CASE(a_filter_of_a_null_record_is_null) {
  TemporaryDatabase database;
  BOOST_TEST(result_of(*database,
                       "OPTIONAL MATCH (n:M) RETURN filter.equals(n.a, 1) AS e, "
                       "filter.not_exists(n.a) AS x") == "null | null");
}

BOOST_AUTO_TEST_CASE(text_values_compare_as_text_on_request) {  // M0.20 R.4
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: 8}), (:M {a: '8'}), (:M {a: false}), (:M {a: [8]})"});
  Filter filter = Filter::where("a", Op::equals, "8");
  BOOST_TEST(must(count_nodes(must(database->snapshot()), filter)) == 1U);
  filter.coerce = true;
  BOOST_TEST(must(count_nodes(must(database->snapshot()), filter)) == 2U);
  BOOST_TEST(result_of(*database,
                       "MATCH (n) WHERE filter.equals(n.a, 'false', {coerce: true}) RETURN n.a") ==
             "false");
}

// M0.20, R.4: the text of a value is what people write for it; null has none
BOOST_AUTO_TEST_CASE(dates_maps_and_lists_compare_by_their_texts_and_null_by_none) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: date('2026-01-02')}), (:M {a: [1, 2]}), (:M {b: {c: 1}}), "
                      "(:M {b: {c: null}}), (:M {b: {c: 'null'}}), (:M {a: [null, 'x']})"});
  const auto found = [&](const std::string& condition) {
    return result_of(*database, "MATCH (n:M) WHERE " + condition + " RETURN count(*)");
  };
  BOOST_TEST(found("filter.equals(n.a, '2026-01-02', {coerce: true})") == "1");
  BOOST_TEST(found("filter.equals(n.a, '[1,2]', {coerce: true})") == "1");
  BOOST_TEST(found("filter.equals(n.b, '{\"c\":1}', {coerce: true})") == "1");
  BOOST_TEST(found("filter.equals(n.b.c, 'null', {coerce: true})") == "1");
  BOOST_TEST(found("filter.equals(n.b.c, null, {coerce: true})") == "1");
  BOOST_TEST(found("filter.in(n.a, ['null', '2026-01-02'], {coerce: true})") == "1");
  BOOST_TEST(found("filter.in(n.a, [null], {coerce: true})") == "1");
}

// R.18: a letter with its mark is the same letter however it was typed
BOOST_AUTO_TEST_CASE(texts_compare_in_normal_form_on_request) {
  TemporaryDatabase database;
  run_all(*database,
          {"CREATE (:M {a: 'M\u00fcller'}), (:M {a: 'Mu\u0308ller'}), (:M {a: 'Muller'}), "
           "(:M {a: ['Mu\u0308ller', 1]}), (:M {b: {c: 'Mu\u0308ller'}})"});
  const auto found = [&](const std::string& condition) {
    return result_of(*database, "MATCH (n:M) WHERE " + condition + " RETURN count(*)");
  };
  BOOST_TEST(found("filter.equals(n.a, 'M\u00fcller')") == "1");
  BOOST_TEST(found("filter.equals(n.a, 'M\u00fcller', {normalize: true})") == "2");
  BOOST_TEST(found("filter.in(n.a, ['Mu\u0308ller'], {normalize: true})") == "3");
  BOOST_TEST(found("filter.not_equals(n.a, 'M\u00fcller', {normalize: true})") == "2");
  BOOST_TEST(found("filter.starts_with(n.a, 'M\u00fc', {normalize: true})") == "3");
  BOOST_TEST(found("filter.starts_with(n.a, 'Mu', {normalize: true})") == "1");
  BOOST_TEST(found("filter.contains_all(n.a, [1, 'M\u00fcller'], {normalize: true})") == "1");
  BOOST_TEST(found("filter.equals(n.b, {c: 'M\u00fcller'}, {normalize: true})") == "1");
  Filter filter = Filter::where("a", Op::equals, "M\u00fcller");
  filter.normalize = true;
  BOOST_TEST(must(count_nodes(must(database->snapshot()), filter)) == 2U);
  BOOST_TEST(must(filter_from(to_value(filter))).normalize);
}

BOOST_AUTO_TEST_CASE(a_filter_says_which_options_its_operator_has) {
  const auto problem = [](const std::string& condition) {
    return Statement::parse("MATCH (n) WHERE " + condition + " RETURN n").error().message;
  };
  BOOST_TEST(problem("filter.greater_than(n.a, 'x', {normalize: true})").find("takes") !=
             std::string::npos);
  BOOST_TEST(problem("filter.contains(n.a, 'x', {coerce: true})").find("not_equals") !=
             std::string::npos);
  BOOST_TEST(problem("filter.equals(n.a, 'x', {fold: true})").find("not `fold`") !=
             std::string::npos);
  BOOST_TEST(problem("filter.equals(n.a, 'x', true)").find("{coerce: true}") != std::string::npos);
  BOOST_TEST(problem("filter.equals(n.a, 'x', $options)").find("{coerce: true}") !=
             std::string::npos);
  BOOST_TEST(
      !parse_filter(R"({"field": "a", "operator": "matches", "value": "x", "normalize": true})")
           .has_value());
}

BOOST_AUTO_TEST_CASE(filters_bind_relationships_maps_and_nested_searches) {  // M0.10 M0.67
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: 1})-[:R {w: 5}]->(:M {a: 2})"});
  const Parameters parameters{{"f", to_value(Filter::where("w", Op::greater_than, 4))}};
  BOOST_TEST(result_of(*database, "MATCH ()-[r]->() WHERE matches_filter(r, $f) RETURN r.w",
                       parameters) == "5");
  BOOST_TEST(result_of(*database,
                       "UNWIND [{w: 5}, {w: 3}] AS m WITH m WHERE matches_filter(m, $f) RETURN m.w",
                       parameters) == "5");
}

// M0.73 to M0.79: the use cases with the data as given.
BOOST_AUTO_TEST_CASE(the_use_cases_of_the_first_document_hold) {
  TemporaryDatabase database;
  run_all(*database,
          {"CREATE (:M {userId: 'alice', importance: 7}), (:M {userId: 'alice', importance: 8}), "
           "(:M {userId: 'bob', importance: 9}), (:M {project: 'p', layer: 'ui'}), "
           "(:M {project: 'q', layer: 'ui'}), "
           "(:M {type: 'deployment', timestamp: '2025-12-30T08:00:00+01:00'}), "
           "(:M {type: 'deployment', timestamp: '2025-12-01'}), "
           "(:M {tags: ['algorithm', 'graph'], language: 'cpp'}), (:M {tags: ['algorithm']}), "
           "(:M {agentRole: 'monitor', resolved: false, value: 200, unit: 'ms'}), "
           "(:M {agentRole: 'monitor', resolved: true})"});
  const std::vector<std::pair<Filter, std::size_t>> cases = {
      {Filter::where("userId", Op::equals, "alice"), 2},
      {Filter::where("importance", Op::greater_than, 7), 2},
      {Filter::all_of({Filter::where("userId", Op::equals, "alice"),
                       Filter::where("importance", Op::greater_than, 7)}),
       1},
      {Filter::where("project", Op::equals, "p"), 1},
      {Filter::where("layer", Op::equals, "ui"), 2},
      {Filter::all_of({Filter::where("timestamp", Op::greater_than, "2025-12-25T00:00:00Z"),
                       Filter::where("type", Op::equals, "deployment")}),
       1},
      {Filter::where("timestamp", Op::since, "7d"), 1},
      {Filter::where("tags", Op::contains, "algorithm"), 2},
      {Filter::all_of({Filter::where("tags", Op::contains, "algorithm"),
                       Filter::where("tags", Op::contains, "graph")}),
       1},
      {Filter::all_of({Filter::where("agentRole", Op::equals, "monitor"),
                       Filter::where("resolved", Op::equals, false)}),
       1},
      {Filter::where("value", Op::equals, 200), 1},
  };
  for (const auto& [filter, expected] : cases)
    for (const Door door : all_doors)
      BOOST_TEST(passing(*database, filter, door, true).size() == expected);
}

BOOST_AUTO_TEST_CASE(ids_are_conditions_like_others_and_are_not_looked_up_elsewhere) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:M {a: 1})-[:R {a: 1}]->(:M {a: 2}), (:M {a: 1})"});
  const Snapshot snapshot = must(database->snapshot());
  std::vector<std::uint64_t> all;
  Rows rows = must(execute(*database, "MATCH (n:M) RETURN id(n) AS id ORDER BY id"));
  for (const auto& row : must(rows.all()))
    all.push_back(static_cast<std::uint64_t>(row.at(0).as_integer()));
  const Filter some = Filter::has_id({all.at(0), all.at(1), 999'999'999});
  const Filter ones = Filter::where("a", Op::equals, 1);
  BOOST_TEST(must(count_nodes(snapshot, some)) == 2U);
  BOOST_TEST(must(count_nodes(snapshot, Filter::all_of({some, ones}))) == 1U);
  BOOST_TEST(must(count_nodes(snapshot, Filter::none_of({some}))) == 1U);
  BOOST_TEST(must(count_nodes(snapshot, Filter::has_id({}))) == 0U);
  FacetedSearch search;
  search.labels = {};
  search.filter = some;
  BOOST_TEST(must(faceted_search(snapshot, search)).total == 2U);
  const Statement statement =
      must(Statement::parse("MATCH (n:M) WHERE matches_filter(n, $f) RETURN n.a AS a"));
  for (const char* ids : {"one", "list", "one"}) {
    Filter filter = Filter::has_id({all[1]});
    if (std::string_view(ids) == "one") filter.value = Value(static_cast<std::int64_t>(all[1]));
    Rows found = must(statement.run(*database, {{"f", to_value(filter)}}));
    BOOST_TEST(must(found.all()).at(0).at(0).as_integer() == 2);
  }
  const std::string plan =
      plan_of(*database, "EXPLAIN MATCH (n:M) WHERE matches_filter(n, $f) RETURN n",
              {{"f", to_value(some)}});
  BOOST_TEST(plan.find("id(n)") != std::string::npos, plan);
  BOOST_TEST(!count_nodes(snapshot, Filter::any_element("list", Filter::has_id({1}))).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

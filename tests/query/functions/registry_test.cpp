#include "query/builtins/registry.hpp"

#include "query/functions/call.hpp"
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

using namespace cairn;
using namespace cairn::query;

namespace {

Result<Value> first(const Call& call) { return call[0]; }

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  BOOST_REQUIRE_MESSAGE(file, path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(registry)

BOOST_AUTO_TEST_CASE(a_signature_says_name_and_number_of_arguments) {
  constexpr FunctionEntry none = entry<"toPi()", first>();
  BOOST_TEST(none.name == "topi");
  BOOST_TEST((none.least_arguments == 0 && none.most_arguments == 0));
  constexpr FunctionEntry some = entry<"a.B(x, y?, z?)", first>();
  BOOST_TEST(some.name == "a.b");
  BOOST_TEST((some.least_arguments == 1 && some.most_arguments == 3));
  constexpr FunctionEntry open = entry<"f(x, ...)", first>();
  BOOST_TEST((open.least_arguments == 1 && open.most_arguments > 1'000'000));
}

BOOST_AUTO_TEST_CASE(null_arguments_give_null_unless_the_function_sees_them) {
  const std::vector<Value> arguments = {1, Value()};
  const auto skips_nulls = entry<"f(x, y)", first>();
  BOOST_TEST(skips_nulls.call(arguments, {})->is_null());
  const auto sees_nulls = entry<"f(x, y)", first, Nulls::pass>();
  BOOST_TEST(sees_nulls.call(arguments, {})->as_integer() == 1);
}

BOOST_AUTO_TEST_CASE(a_wrong_argument_is_named_with_function_and_place) {
  const auto result = query::test::call("substring", {"abc", "1"});
  BOOST_TEST(result.error().message ==
             "substring() needs an integer as argument 2, got a string: '1'");
}

BOOST_AUTO_TEST_CASE(functions_are_found_in_any_case) {
  BOOST_REQUIRE(find_function("toUpper"));
  BOOST_TEST(find_function("toUpper") == find_function("TOUPPER"));
  BOOST_TEST(find_function("duration.inDays") == find_function("duration.indays"));
  BOOST_TEST(!find_function("nothing"));
  BOOST_TEST(!find_function(""));
}

BOOST_AUTO_TEST_CASE(a_misspelt_name_finds_its_neighbour) {
  BOOST_TEST(nearest_function("toUper") == "toUpper");
  BOOST_TEST(nearest_function("SUBSTRNIG") == "substring");
  BOOST_TEST(nearest_function("duration.inday") == "duration.inDays");
  BOOST_TEST(nearest_function("frobnicate").empty());
}

BOOST_AUTO_TEST_CASE(every_entry_is_whole_and_its_name_its_own) {
  std::set<std::string_view> names;
  for (const FunctionEntry* entry : all_functions()) {
    BOOST_TEST_CONTEXT(entry->signature) {
      BOOST_TEST(names.insert(entry->name).second);
      BOOST_TEST((entry->call != nullptr) != (entry->make_aggregator != nullptr));
      BOOST_TEST(entry->least_arguments <= entry->most_arguments);
      BOOST_TEST(find_function(entry->name) == entry);
    }
  }
  BOOST_TEST(names.size() > 100U);
}

BOOST_AUTO_TEST_CASE(no_arguments_make_a_function_crash) {
  const Value values[] = {Value(),
                          true,
                          1,
                          -1.5,
                          "text",
                          list_of({1}),
                          map_of({}),
                          Node(NodeId{1}),
                          Path{},
                          Date{0},
                          LocalTime{},
                          Time{},
                          LocalDateTime{},
                          DateTime{},
                          Duration{},
                          Vector({1.0F}),
                          Relationship(RelationshipId{1})};
  for (const FunctionEntry* entry : all_functions()) {
    const std::size_t most = std::min<std::size_t>(entry->most_arguments, 4);
    for (std::size_t count = entry->least_arguments; count <= most; ++count) {
      for (const Value& value : values) {
        const std::vector<Value> arguments(count, value);
        if (entry->make_aggregator) {
          const auto collector = entry->make_aggregator();
          if (collector->add(arguments)) BOOST_TEST(collector->finish(nullptr).has_value());
        } else if (const auto result = entry->call(arguments, {}); !result) {
          BOOST_TEST(!result.error().message.empty());
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_language_page_lists_every_function_and_no_other) {
  const std::string page = read_file(CAIRN_LANGUAGE_PAGE);
  const std::size_t begin = page.find("\n## Functions\n");
  BOOST_REQUIRE(begin != std::string::npos);
  std::string section = page.substr(begin + 1);
  section.resize(std::min(section.size(), section.find("\n## ")));
  for (const FunctionEntry* entry : all_functions())
    BOOST_TEST((section.find("`" + std::string(entry->signature) + "`") != std::string::npos),
               entry->signature << " is missing in " << CAIRN_LANGUAGE_PAGE);
  const auto rows = static_cast<std::size_t>(std::ranges::count(section, '\n'));
  BOOST_TEST(rows > all_functions().size());
}

BOOST_AUTO_TEST_SUITE_END()

// What PropertyLookup returns for each predicate: the ids, and whether they are exact.

#include "query/execute/filter/property_lookup.hpp"

#include "engine/database/access.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace cairn::test {
namespace {

using query::PropertyLookup;
using query::Selection;

// One node for each value of p, named by the value's text; the last has no p.
struct Fixture {
  Fixture() {
    const std::string text(300, 'x');
    GraphBuilder graph;
    add(graph, "one", 1);
    add(graph, "two", 2.0);
    add(graph, "nan", std::numeric_limits<double>::quiet_NaN());
    add(graph, "a", "a");
    add(graph, "ab", "ab");
    add(graph, "long", text + "1");
    add(graph, "yes", true);
    add(graph, "day", Date{3});
    add(graph, "list", List{1, "a"});
    add(graph, "map", Map{{"k", 1}});
    add(graph, "numbers", List(20, Value(1)));
    add(graph, "nulls", List{2, nullptr});
    add(graph, "inner", List{List(20, Value(1)), List{3}});
    add(graph, "empty", List{});
    add(graph, "vector", Vector({1.0F, 2.0F}));
    graph.node("none", "N");
    names.push_back("none");
    graph.write(*database);
    for (const std::string& name : names) ids[graph.id(name).value] = name;
    snapshot.emplace(must(database->snapshot()));
    view = Access::view(*snapshot);
    reader.emplace(*view, "", std::vector<std::string>(), 0, budget);
  }

  void add(GraphBuilder& graph, const std::string& name, const Value& value) {
    graph.node(name, "N", {{"p", value}});
    names.push_back(name);
  }

  PropertyLookup property() { return {*reader, codec::EntityKind::node, keys}; }

  /// The names of nodes that the index knows to lack the value, then a bar and the names of nodes
  /// in doubt.
  std::string lacking(const Value& value) {
    const auto known = must(property().lacks_element(value));
    std::string text = found(known.found) + " |";
    for (const auto& [id, name] : ids)
      if (known.doubtful.contains(id)) text += " " + name;
    return text;
  }

  // The names in a result: "all but" in front if the result is all other nodes, "?" behind if it
  // may contain too many.
  std::string found(const Result<Selection>& result) const {
    std::string text = result->all_but ? "all but" : "";
    for (const auto& [id, name] : ids)
      if (result->ids.contains(id)) text += (text.empty() ? "" : " ") + name;
    return text + (result->exact ? "" : " ?");
  }

  std::vector<std::string> keys{"p"};
  std::vector<std::string> names;
  std::map<std::uint64_t, std::string> ids;
  TemporaryDatabase database;
  std::optional<Snapshot> snapshot;
  std::shared_ptr<const engine::View> view;
  query::Budget budget{StatementOptions()};
  std::optional<query::GraphReader> reader;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(property_lookup, Fixture)

BOOST_AUTO_TEST_CASE(presence_is_what_has_a_value) {
  BOOST_TEST(found(property().present()) ==
             "one two nan a ab long yes day list map numbers nulls inner empty vector");
}

BOOST_AUTO_TEST_CASE(equality_takes_numbers_by_value) {
  BOOST_TEST(found(property().equals(1.0)) == "one");
  BOOST_TEST(found(property().equals(2)) == "two");
  BOOST_TEST(found(property().equals("a")) == "a");
  BOOST_TEST(found(property().equals(nullptr)) == "");
  BOOST_TEST(found(property().equals(std::numeric_limits<double>::quiet_NaN())) == "");
  BOOST_TEST(found(property().equals(Node(NodeId{1}))) == "");
}

BOOST_AUTO_TEST_CASE(long_texts_and_containers_are_to_be_checked) {
  BOOST_TEST(found(property().equals(std::string(300, 'x') + "1")) == "long ?");
  BOOST_TEST(found(property().equals(List{1, "a"})) == "list ?");
  BOOST_TEST(found(property().equals(Map{{"k", 1}})) == "map ?");
  BOOST_TEST(found(property().equals(List(20, Value(1)))) == "numbers vector ?");
}

BOOST_AUTO_TEST_CASE(what_differs_has_the_property) {
  BOOST_TEST(found(property().differs(1)) ==
             "two nan a ab long yes day list map numbers nulls inner empty vector");
  BOOST_TEST(found(property().differs(nullptr)) == "");
  BOOST_TEST(found(property().differs(List{1})) ==
             "one two nan a ab long yes day list map numbers nulls inner empty vector ?");
}

BOOST_AUTO_TEST_CASE(membership_is_a_union_of_equalities) {
  BOOST_TEST(found(property().one_of({1, "a", nullptr, 99})) == "one a");
  BOOST_TEST(found(property().one_of({})) == "");
  BOOST_TEST(found(property().none_of({})) == "all but");
  BOOST_TEST(found(property().none_of({1, nullptr})) == "");
  BOOST_TEST(found(property().none_of({1, "a"})) ==
             "two nan ab long yes day list map numbers nulls inner empty vector");
  BOOST_TEST(found(property().none_of({Value(List{1})})).ends_with(" ?"));
}

BOOST_AUTO_TEST_CASE(ranges_keep_to_the_type_of_their_bounds) {
  const Value one = 1;
  const Value two = 2;
  const Value text = "a";
  const Value nothing;
  BOOST_TEST(found(property().between(&one, true, nullptr, true)) == "one two");
  BOOST_TEST(found(property().between(&one, false, &two, true)) == "two");
  BOOST_TEST(found(property().between(nullptr, true, &one, false)) == "");
  BOOST_TEST(found(property().between(&text, false, nullptr, true)) == "ab long ?");
  BOOST_TEST(found(property().between(&one, true, &text, true)) == "");
  BOOST_TEST(found(property().between(&one, true, &nothing, true)) == "");
}

BOOST_AUTO_TEST_CASE(beyond_a_range_is_the_rest_of_the_type) {
  const Value one = 1;
  BOOST_TEST(found(property().beyond(&one, false, nullptr, true)) == "one nan");
  const Value yes = true;
  BOOST_TEST(found(property().beyond(&yes, true, nullptr, true)) == "");
  const Value month = Duration{1, 0, 0, 0};
  BOOST_TEST(found(property().beyond(&month, true, nullptr, true)) == "");
}

BOOST_AUTO_TEST_CASE(lists_are_compared_by_their_records) {
  const Value list = List{0};
  BOOST_TEST(found(property().between(&list, true, nullptr, true)) ==
             "list numbers nulls inner empty vector ?");
  BOOST_TEST(found(property().beyond(&list, true, nullptr, true)) ==
             "list numbers nulls inner empty vector ?");
}

BOOST_AUTO_TEST_CASE(prefixes_are_of_texts) {
  BOOST_TEST(found(property().starts_with("a")) == "a ab");
  BOOST_TEST(found(property().starts_with("")) == "a ab long");
  BOOST_TEST(found(property().starts_with(1)) == "");
  BOOST_TEST(found(property().starts_otherwise("a")) == "long");
  BOOST_TEST(found(property().text("b")) == "a ab long ?");
  BOOST_TEST(found(property().text(nullptr)) == "");
}

BOOST_AUTO_TEST_CASE(elements_are_of_lists) {
  BOOST_TEST(found(property().has_element("a")) == "list");
  BOOST_TEST(found(property().has_element(1)) == "list numbers vector ?");
  BOOST_TEST(found(property().has_element(nullptr)) == "");
}

BOOST_AUTO_TEST_CASE(what_lacks_an_element_is_a_list_without_null) {
  BOOST_TEST(lacking("a") == "numbers inner empty vector |");
  BOOST_TEST(lacking(std::numeric_limits<double>::quiet_NaN()) ==
             "list numbers inner empty vector |");
  BOOST_TEST(lacking(Node(NodeId{1})) == "list numbers inner empty vector |");
}

BOOST_AUTO_TEST_CASE(what_may_lack_an_element_is_told_apart) {
  BOOST_TEST(lacking(1) == "inner empty | numbers vector");
  BOOST_TEST(lacking(-0.0) == "list inner empty | numbers vector");
  BOOST_TEST(lacking(List{3}) == "list numbers empty vector | inner");
  BOOST_TEST(lacking(Vector({3.0F})) == "list numbers empty vector | inner");
  BOOST_TEST(lacking(Map{}) == "list numbers inner empty vector |");
  BOOST_TEST(lacking(nullptr) == "empty vector ? |");
}

BOOST_AUTO_TEST_CASE(an_unknown_name_is_had_by_none) {
  keys = {"unknown"};
  BOOST_TEST(found(property().equals(1)) == "");
  BOOST_TEST(found(property().present()) == "");
}

BOOST_AUTO_TEST_CASE(a_path_through_something_else_than_maps_is_checked_on_those_records) {
  keys = {"p", "k"};
  BOOST_TEST(found(property().equals(1)).ends_with(" ?"));
  BOOST_TEST(found(property().equals(1)).find("map") != std::string::npos);
  BOOST_TEST(found(property().equals(1)).find("none") == std::string::npos);
}

// Values such as $(names) may name any number of unused labels.
BOOST_AUTO_TEST_CASE(names_that_are_not_in_use_are_not_kept) {
  constexpr auto node = codec::EntityKind::node;
  const codec::Bitmap* const nothing = must(reader->labelled(node, "Unused"));
  BOOST_TEST(nothing->empty());
  BOOST_TEST(must(reader->labelled(node, "Unused too")) == nothing);
  BOOST_TEST(must(reader->labelled(codec::EntityKind::relationship, "Unused")) == nothing);
  BOOST_TEST(must(reader->labelled(node, "N"))->cardinality() == names.size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

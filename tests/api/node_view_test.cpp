// Views of nodes, which read single properties.
#include "tests/support/graph_builder.hpp"

#include <cairn/node_view.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

namespace cairn::test {
namespace {

const std::string long_text(5'000, 't');

NodeId make_ada(Database& database) {
  Transaction transaction = must(database.begin());
  const NodeId ada = must(transaction.create_node({{"Person", "Author"},
                                                   {{"name", "Ada"},
                                                    {"age", 36},
                                                    {"tags", list_of({"a", "b"})},
                                                    {"life", long_text},
                                                    {"place", Vector({0.5F, 1.0F})}},
                                                   "urn:ada"}));
  must(transaction.commit());
  return ada;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(node_view)

BOOST_AUTO_TEST_CASE(it_says_what_the_loaded_node_holds) {
  TemporaryDatabase db;
  const NodeId ada = make_ada(*db);
  const Snapshot snapshot = must(db->snapshot());
  const NodeView view = must(view_node(snapshot, ada)).value();
  const Node node = must(snapshot.find_node(ada)).value();

  BOOST_TEST((view.id() == ada));
  BOOST_TEST(view.size() == node.properties().size());
  for (const auto& [name, value] : node.properties())
    BOOST_TEST((must(view.property(name)) == value), name);
  BOOST_TEST((must(view.property("life")) == Value(long_text)));
  BOOST_TEST(must(view.property("nothing")).is_null());
  BOOST_TEST(std::ranges::equal(view.labels(), node.labels()));
  BOOST_TEST(view.has_label("Author"));
  BOOST_TEST(!view.has_label("author"));
  BOOST_TEST(view.external_id() == "urn:ada");
  // The long text and the vector lie apart; a message has the text.
  BOOST_TEST((view.bytes() < long_text.size()) == must(db->role()).is_host);
}

BOOST_AUTO_TEST_CASE(a_node_is_viewed_by_its_external_id) {
  TemporaryDatabase db;
  const NodeId ada = make_ada(*db);
  const Snapshot snapshot = must(db->snapshot());
  const NodeView view = must(view_node(snapshot, "urn:ada")).value();
  BOOST_TEST((view.id() == ada));
  BOOST_TEST((must(view.property("name")) == Value("Ada")));
  BOOST_TEST(!must(view_node(snapshot, "urn:ad")).has_value());
  BOOST_TEST(!must(view_node(snapshot, "")).has_value());
}

// What the first get remembers is no answer to the others.
BOOST_AUTO_TEST_CASE(an_external_id_names_the_node_that_has_it_in_each_snapshot) {
  TemporaryDatabase db;
  const NodeId ada = make_ada(*db);
  const Snapshot first = must(db->snapshot());
  const auto id_in = [](const Snapshot& snapshot) {
    const auto node = must(view_node(snapshot, "urn:ada"));
    return node ? node->id().value : 0;
  };
  BOOST_TEST(id_in(first) == ada.value);
  BOOST_TEST(id_in(first) == ada.value);

  Transaction erasing = must(db->begin());
  must(erasing.erase_node(ada));
  must(erasing.commit());
  const Snapshot second = must(db->snapshot());
  BOOST_TEST(id_in(second) == 0u);
  BOOST_TEST(id_in(first) == ada.value);

  const NodeId other = make_ada(*db);
  BOOST_TEST(id_in(must(db->snapshot())) == other.value);
  BOOST_TEST(id_in(second) == 0u);
  BOOST_TEST(id_in(first) == ada.value);
  BOOST_TEST(id_in(must(db->snapshot())) == other.value);
}

BOOST_AUTO_TEST_CASE(a_node_that_is_not_there_has_none) {
  TemporaryDatabase db;
  const NodeId ada = make_ada(*db);
  BOOST_TEST(!must(view_node(must(db->snapshot()), NodeId{ada.value + 1})).has_value());
  BOOST_TEST(!must(view_node(must(db->snapshot()), NodeId{0})).has_value());
}

BOOST_AUTO_TEST_CASE(it_stays_as_it_was_and_keeps_its_snapshot) {
  TemporaryDatabase db;
  const NodeId ada = make_ada(*db);
  const NodeView before = must(view_node(must(db->snapshot()), ada)).value();
  Transaction transaction = must(db->begin());
  must(transaction.set_property(ada, "age", 37));
  must(transaction.set_property(ada, "life", "short"));
  must(transaction.commit());

  BOOST_TEST((must(before.property("age")) == Value(36)));
  BOOST_TEST((must(before.property("life")) == Value(long_text)));
  const NodeView after = must(view_node(must(db->snapshot()), ada)).value();
  BOOST_TEST((must(after.property("age")) == Value(37)));
  BOOST_TEST((must(after.property("life")) == Value("short")));
}

BOOST_AUTO_TEST_CASE(a_node_without_labels_and_properties_is_empty) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  const NodeId bare = must(transaction.create_node({}));
  must(transaction.commit());
  const NodeView view = must(view_node(must(db->snapshot()), bare)).value();
  BOOST_TEST(view.size() == 0u);
  BOOST_TEST(view.labels().empty());
  BOOST_TEST(view.external_id().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

// Transactions of C++ calls: what they show, which changes they refuse, and how they end.
#include "tests/support/error_code.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

BOOST_AUTO_TEST_SUITE(transaction)

BOOST_AUTO_TEST_CASE(its_writes_are_seen_by_itself_and_by_nobody_else_until_the_commit) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  const NodeId ada = must(transaction.create_node({{"Person"}, {{"age", 36}}, "ada"}));
  BOOST_TEST((must(transaction.find_node(ada))->property("age") == Value(36)));
  BOOST_TEST(must(transaction.find_node("ada")).has_value());
  BOOST_TEST(!must(must(db->snapshot()).find_node(ada)).has_value());

  must(transaction.commit());

  BOOST_TEST(must(must(db->snapshot()).find_node(ada)).has_value());
  BOOST_TEST(!transaction.is_open());
}

BOOST_AUTO_TEST_CASE(a_rolled_back_one_leaves_no_node_and_no_name) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  const NodeId ada = must(transaction.create_node({{"Ghost"}, {{"fog", 1}}, "ada"}));
  transaction.rollback();

  const Snapshot snapshot = must(db->snapshot());
  BOOST_TEST(!must(snapshot.find_node(ada)).has_value());
  BOOST_TEST(!must(snapshot.find_node("ada")).has_value());
  BOOST_TEST(must(snapshot.labels()).empty());
  BOOST_TEST(must(snapshot.properties()).empty());
  BOOST_TEST(snapshot.commit_number() == 0u);
}

BOOST_AUTO_TEST_CASE(an_id_is_not_used_twice) {
  TemporaryDatabase db;
  Transaction lost = must(db->begin());
  const NodeId first = must(lost.create_node({{"A"}, {}, ""}));
  lost.rollback();
  Transaction kept = must(db->begin());
  const NodeId second = must(kept.create_node({{"A"}, {}, ""}));
  must(kept.erase_node(second));
  must(kept.commit());
  db.reopen();
  Transaction last = must(db->begin());
  const NodeId third = must(last.create_node({{"A"}, {}, ""}));
  BOOST_TEST(first.value < second.value);
  BOOST_TEST(second.value < third.value);
}

BOOST_AUTO_TEST_CASE(a_node_with_relationships_is_erased_with_them_or_not_at_all) {
  auto graph = GraphBuilder().node("a", "A").node("b", "A").relate("a", "R", "b");
  graph.relate("b", "R", "a").relate("a", "R", "a");
  const auto db = graph.open_temporary();
  {
    Transaction transaction = must((*db)->begin());
    BOOST_TEST((code_of_error(transaction.erase_node(graph.id("a"))) == ErrorCode::conflict));
  }
  Transaction transaction = must((*db)->begin());
  must(transaction.erase_node_and_relationships(graph.id("a")));
  must(transaction.commit());
  const auto statistics = must((*db)->statistics());
  BOOST_TEST(statistics.nodes == 1u);
  BOOST_TEST(statistics.relationships == 0u);
  BOOST_TEST(must((*db)->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_null_removes_a_property_and_text_of_any_size_comes_back) {
  TemporaryDatabase db;
  const std::string large(100'000, 'x');
  Transaction transaction = must(db->begin());
  const NodeId node = must(transaction.create_node(
      {{"A"}, {{"text", Value(large)}, {"gone", 1}, {"never", Value()}}, ""}));
  must(transaction.set_property(node, "gone", Value()));
  must(transaction.commit());
  const auto loaded = must(must(db->snapshot()).find_node(node));
  BOOST_TEST(loaded->properties().size() == 1u);
  BOOST_TEST((loaded->property("text") == Value(large)));
  BOOST_TEST(must(db->check()).empty());
}

BOOST_AUTO_TEST_CASE(an_external_id_is_used_once) {
  auto graph = GraphBuilder().node("ada", "Person");
  const auto db = graph.open_temporary();
  Transaction transaction = must((*db)->begin());
  BOOST_TEST(
      (code_of_error(transaction.create_node({{"P"}, {}, "ada"})) == ErrorCode::already_exists));
  must(transaction.erase_node(graph.id("ada")));
  BOOST_TEST(transaction.create_node({{"P"}, {}, "ada"}).has_value());
  must(transaction.commit());
}

BOOST_AUTO_TEST_CASE(what_does_not_exist_cannot_be_changed_and_the_transaction_goes_on) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  const NodeId node = must(transaction.create_node({{"A"}, {}, ""}));
  BOOST_TEST((code_of_error(transaction.set_property(NodeId{77}, "x", 1)) == ErrorCode::not_found));
  BOOST_TEST((code_of_error(transaction.create_relationship({node, "R", NodeId{77}, {}})) ==
              ErrorCode::not_found));
  must(transaction.commit());
  BOOST_TEST(must(db->statistics()).nodes == 1u);
}

BOOST_AUTO_TEST_CASE(limits_beyond_the_format_are_refused_at_open_by_name) {
  const TemporaryDirectory directory;
  const auto refused = [&](const Options& options, const std::string& name) {
    const auto opened = Database::open(directory.path() / "db", options);
    BOOST_REQUIRE(!opened.has_value());
    BOOST_TEST((opened.error().code == ErrorCode::invalid_argument));
    BOOST_TEST(opened.error().message.find(name) != std::string::npos, opened.error().message);
  };
  const Options usual;
  Options keys, values, items, levels;
  keys.max_key_bytes = usual.max_key_bytes + 1;
  values.max_value_bytes = usual.max_value_bytes + 1;
  items.max_list_items = usual.max_list_items + 1;
  levels.max_nesting_levels = usual.max_nesting_levels + 1;
  refused(keys, "max_key_bytes");
  refused(values, "max_value_bytes");
  refused(items, "max_list_items");
  refused(levels, "max_nesting_levels");
  must(Database::open(directory.path() / "db", usual));
}

BOOST_AUTO_TEST_CASE(a_negative_zero_replaces_a_positive_one_at_any_depth) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  const auto nested = [](double zero) { return Value(map_of({{"k", list_of({1, zero})}})); };
  const NodeId node = must(transaction.create_node({{"A"}, {{"x", 0.0}, {"y", nested(0.0)}}, ""}));
  must(transaction.set_property(node, "x", -0.0));
  must(transaction.set_property(node, "y", nested(-0.0)));
  const Node changed = *must(transaction.find_node(node));
  BOOST_TEST(changed.property("x").to_text() == "-0.0");
  BOOST_TEST(changed.property("y").to_text() == "{k: [1, -0.0]}");
}

BOOST_AUTO_TEST_CASE(a_value_over_a_limit_is_refused_by_name_and_changes_nothing) {
  Options options;
  options.max_list_items = 4;
  options.max_nesting_levels = 2;
  options.max_key_bytes = 8;
  options.max_value_bytes = 1'000;
  TemporaryDatabase db(options);
  Transaction transaction = must(db->begin());
  const auto refused = [&](const std::string& name, const Value& value, std::string_view limit) {
    const auto created = transaction.create_node({{"A"}, {{name, value}}, ""});
    BOOST_TEST((code_of_error(created) == ErrorCode::invalid_argument));
    BOOST_TEST(created.error().message.find(limit) != std::string::npos, created.error().message);
  };
  refused("x", must(Result<Value>(list_of({1, 2, 3, 4, 5}))), "max_list_items");
  refused("x", list_of({list_of({list_of({1})})}), "max_nesting_levels");
  refused("much_too_long", 1, "max_key_bytes");
  // The message is cut between characters.
  refused(std::string(31, 'k') + "\u00e9", 1, "\"" + std::string(31, 'k') + "...\"");
  refused("x", std::string(2'000, 'x'), "max_value_bytes");
  BOOST_TEST(transaction.create_node({{"A"}, {{"x", list_of({1, 2, 3, 4})}}, ""}).has_value());
  must(transaction.commit());
  BOOST_TEST(must(db->statistics()).nodes == 1u);
}

// The last ones one by one: each writes the whole record, and the first thousands would teach nothing more.
BOOST_AUTO_TEST_CASE(limits_of_the_format_hold_for_changes_one_by_one) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  NewNode begun{{"A"}, {}, ""};
  int properties = 0, labels = 1;
  for (; properties < 4'050; ++properties)
    begun.properties["p" + std::to_string(properties)] = properties;
  for (; labels < 1'000; ++labels) begun.labels.push_back("L" + std::to_string(labels));
  const NodeId node = must(transaction.create_node(begun));
  Status changed;
  for (; changed && properties < 5'000; ++properties) {
    changed = transaction.set_property(node, "p" + std::to_string(properties), properties);
  }
  BOOST_TEST((code_of_error(changed) == ErrorCode::invalid_argument));
  BOOST_TEST(properties == 4'097);
  must(transaction.set_property(node, "p0", "another value of a property that is there"));
  for (changed = {}; changed && labels < 1'200; ++labels) {
    changed = transaction.add_label(node, "L" + std::to_string(labels));
  }
  BOOST_TEST((code_of_error(changed) == ErrorCode::invalid_argument));
  BOOST_TEST(labels == 1'025);
  must(transaction.commit());
  const auto findings = must(db->check());
  BOOST_TEST(findings.empty());
}

BOOST_AUTO_TEST_CASE(a_record_does_not_grow_over_its_limit_by_single_changes) {
  Options options;
  options.transaction_bytes = std::size_t{2} << 30;
  TemporaryDatabase db(options);
  Transaction transaction = must(db->begin());
  const NodeId node = must(transaction.create_node({{"A"}, {}, ""}));
  const Value fifteen_mebibytes = list_of({std::string(std::size_t{15} << 20, 'x')});
  Status changed;
  int properties = 0;
  for (; changed && properties < 6; ++properties) {
    changed = transaction.set_property(node, "p" + std::to_string(properties), fifteen_mebibytes);
  }
  BOOST_TEST((code_of_error(changed) == ErrorCode::invalid_argument));
  BOOST_TEST(properties == 5);
}

BOOST_AUTO_TEST_CASE(more_changes_than_the_limit_end_in_rollback_only) {
  Options options;
  options.transaction_bytes = 100'000;
  TemporaryDatabase db(options);
  Transaction transaction = must(db->begin());
  Result<NodeId> created = NodeId{};
  while (created) {
    created = transaction.create_node({{"A"}, {{"text", std::string(5'000, 'x')}}, ""});
  }
  BOOST_TEST((created.error().code == ErrorCode::resource_limit));
  BOOST_TEST(created.error().message.find("--batch") != std::string::npos);
  BOOST_TEST((code_of_error(transaction.commit()) == ErrorCode::resource_limit));
  transaction.rollback();
  BOOST_TEST(must(db->statistics()).nodes == 0u);
}

BOOST_AUTO_TEST_CASE(an_ended_one_takes_no_more_changes) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  must(transaction.commit());
  BOOST_TEST(!transaction.create_node({{"A"}, {}, ""}).has_value());
  Transaction reading = must(db->begin(TransactionMode::read));
  BOOST_TEST((code_of_error(reading.create_node({{"A"}, {}, ""})) == ErrorCode::unsupported));
}

BOOST_AUTO_TEST_CASE(labels_come_and_go) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  const NodeId node = must(transaction.create_node({{"A", "A", "B"}, {}, ""}));
  must(transaction.add_label(node, "C"));
  must(transaction.remove_label(node, "A"));
  must(transaction.commit());
  const auto loaded = must(must(db->snapshot()).find_node(node));
  const std::vector<std::string> expected{"B", "C"};
  BOOST_TEST(loaded->labels() == expected, boost::test_tools::per_element());
}

// It would wait for itself, and for writer_timeout.
BOOST_AUTO_TEST_CASE(a_second_writer_of_one_thread_fails_at_once) {
  Options options;
  options.writer_timeout = std::chrono::hours(1);
  TemporaryDatabase db(options);
  Transaction first = must(db->begin());
  const auto second = db->begin();
  BOOST_REQUIRE(!second);
  BOOST_TEST((second.error().code == ErrorCode::busy));
  BOOST_TEST(second.error().message.find("commit it or roll it back") != std::string::npos);
  BOOST_TEST(db->begin(TransactionMode::read).has_value());
  must(first.commit());
  BOOST_TEST(db->begin().has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

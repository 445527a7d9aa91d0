// The names that a transaction adds to the catalog. tests/api/transaction_test.cpp has what its callers see.
#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/view/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using test::code_of_error;
using test::must;
using test::TemporaryDatabase;

BOOST_AUTO_TEST_SUITE(transaction_names)

BOOST_AUTO_TEST_CASE(a_refused_change_leaves_no_name_behind) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  std::vector<std::string> labels{"A"};
  for (int i = 1; i < 1'024; ++i) labels.push_back("L" + std::to_string(i));
  const NodeId node = must(transaction.create_node({labels, {}, ""}));
  BOOST_TEST(
      (code_of_error(transaction.add_label(node, "OneMore")) == ErrorCode::invalid_argument));
  const Vector infinite({std::numeric_limits<float>::infinity()});
  BOOST_TEST((code_of_error(transaction.create_relationship(
                  {node, "T", node, {{"v", infinite}}})) == ErrorCode::invalid_argument));
  engine::IndexRequest request;
  request.name = "by_name";
  request.labels_or_types = {"A"};
  request.properties = {"name"};
  auto& writer = *Access::writer(transaction);
  must(writer.create_index(request));
  request.labels_or_types = {"Z"};
  BOOST_TEST((code_of_error(writer.create_index(request)) == ErrorCode::already_exists));
  request.name = "another";
  request.labels_or_types = {"A"};
  BOOST_TEST((code_of_error(writer.create_index(request)) == ErrorCode::already_exists));
  request.properties = {"another"};
  must(writer.create_index(request));
  must(transaction.commit());

  const Transaction after = must(db->begin());
  const auto& catalog = Access::view(after).catalog();
  BOOST_TEST(catalog.find_label("L1").has_value());
  BOOST_TEST(!catalog.find_label("OneMore").has_value());
  BOOST_TEST(!catalog.find_label("Z").has_value());
  BOOST_TEST(!catalog.find(codec::CatalogKind::relationship_type, "T").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

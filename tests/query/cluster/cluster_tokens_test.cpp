// A node's copy of the tokens of all nodes.
#include "query/cluster/cluster_tokens.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/cluster.hpp>
#include <cairn/database.hpp>
#include <cairn/home.hpp>
#include <cairn/options.hpp>
#include <cairn/tokens.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <memory>
#include <string>

using namespace cairn;
using namespace cairn::test;
using query::cluster::ClusterTokens;

namespace {

struct TokensFixture {
  TemporaryDirectory root;
  std::string store = "dir:" + (root.path() / "store").string();

  /// Makes a token as `cairn token` does.
  void make_token(const std::string& name) const {
    Options options;
    options.home = cluster_tokens_home(store);
    Database database = must(Database::open(root.path() / "maker", options));
    must(database.write([](Transaction& transaction) -> Status {
      CAIRN_TRY(transaction.create_node({{"A"}, {}}));
      return {};
    }));
    static_cast<void>(must(create_token(database, {.name = name})));
    must(database.close());
  }
  [[nodiscard]] std::unique_ptr<ClusterTokens> open_node() const {
    std::filesystem::create_directories(root.path() / "node");
    return must(ClusterTokens::open(root.path() / "node", store));
  }
};

std::string names_in(ClusterTokens& tokens) {
  std::string names;
  for (const Token& token : must(list_tokens(tokens.database())))
    names += (names.empty() ? "" : " ") + token.name;
  return names;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cluster_tokens, TokensFixture)

BOOST_AUTO_TEST_CASE(tokens_end_with_their_home) {
  make_token("one");
  const auto node = open_node();
  node->renew();
  BOOST_TEST(names_in(*node) == "one");
  make_token("two");
  node->renew();
  BOOST_TEST(names_in(*node) == "one two");
  const std::string home = cluster_tokens_home(store);
  must(delete_home(home, must(home_history(home)).database_id));
  node->renew();
  BOOST_TEST(names_in(*node).empty());
}

BOOST_AUTO_TEST_CASE(a_copy_of_an_earlier_process_ends_too_if_its_store_is_empty) {
  make_token("one");
  open_node()->renew();
  std::filesystem::remove_all(root.path() / "store");
  const auto node = open_node();
  BOOST_TEST(names_in(*node) == "one");
  node->renew();
  BOOST_TEST(names_in(*node).empty());
}

BOOST_AUTO_TEST_CASE(tokens_stay_while_their_store_does_not_answer) {
  make_token("one");
  const auto node = open_node();
  node->renew();
  const auto away = root.path() / "away";
  std::filesystem::rename(root.path() / "store", away);
  // A file in place of the directory: no object can be read.
  std::filesystem::copy_file(root.path() / "maker" / "HOME", root.path() / "store");
  node->renew();
  BOOST_TEST(names_in(*node) == "one");
}

BOOST_AUTO_TEST_SUITE_END()

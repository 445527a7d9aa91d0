// Deleting a home: one object stays, which marks the home as deleted.
#include "engine/home/home_names.hpp"
#include "tests/query/home/homes.hpp"

#include <cairn/home.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::test;
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The names of all objects.
std::vector<std::string> objects_of(const fs::path& place) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(place))
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), place).string());
  return names;
}

using Names = std::vector<std::string>;

void require_deleted(const Error& error, const std::string& home) {
  BOOST_TEST((error.code == ErrorCode::not_found));
  for (const std::string& part : {home, std::string("was deleted at 20"), std::string("another")})
    BOOST_TEST(has(error.message, part));
}

}  // namespace

struct ClosedHome : HomeFixture {
  ClosedHome() {
    for (int i = 0; i < 2; ++i) {
      Database node = open("node");
      run_all(node, {"CREATE (:A)", "CREATE (:A)"});
      must(node.close());
    }
    id = must(home_history(home)).database_id;
    place = home_directory();
  }
  std::string id;
  fs::path place;
};

BOOST_FIXTURE_TEST_SUITE(home_delete, ClosedHome)

BOOST_AUTO_TEST_CASE(one_object_stays_and_an_opening_says_so) {
  must(delete_home(home, id));
  BOOST_TEST(objects_of(place) == Names{"head"}, boost::test_tools::per_element());
  for (const char* node : {"node", "other"}) {
    const auto refused = try_open(node);
    BOOST_REQUIRE(!refused.has_value());
    require_deleted(refused.error(), home);
  }
  require_deleted(home_history(home).error(), home);
  require_deleted(restore_home(home, path("restored")).error(), home);
  HomeFixture another;
  Database node = another.open("node");
  require_deleted(fork_home(another.home, home).error(), home);
  BOOST_TEST(objects_of(place) == Names{"head"}, boost::test_tools::per_element());
  // The copy stays, and can be read.
  Options reading;
  reading.mode = OpenMode::read_only;
  Database copy = must(Database::open(path("node"), reading));
  BOOST_TEST(result_of(copy, "MATCH (n:A) RETURN count(n)") == "4");
}

BOOST_AUTO_TEST_CASE(a_second_call_erases_what_the_first_one_left) {
  must(delete_home(home, id));
  for (const std::string& name :
       {engine::home_name::slot(1, 1), engine::home_name::part({1, 1}), std::string("other")}) {
    fs::create_directories((place / name).parent_path());
    std::ofstream(place / name) << "left";
  }
  must(delete_home(home, id));
  BOOST_TEST(objects_of(place) == Names{"head"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_database_is_not_deleted) {
  const Names before = objects_of(place);
  const Status refused = delete_home(home, std::string(32, '0'));
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::conflict));
  for (const std::string& part : {home, id}) BOOST_TEST(has(refused.error().message, part));
  Names after = objects_of(place);
  BOOST_TEST(after == before, boost::test_tools::per_element());
  const Status none = delete_home("dir:" + path("nowhere").string(), id);
  BOOST_REQUIRE(!none.has_value());
  BOOST_TEST((none.error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(a_home_with_an_owner_is_deleted_only_by_force) {
  Database node = open("node");
  run_all(node, {"CREATE (:A)"});
  const Status refused = delete_home(home, id);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::busy));
  for (const std::string& part : {home, std::string("process"), std::string("owner")})
    BOOST_TEST(has(refused.error().message, part));
  run_all(node, {"CREATE (:A)"});
  must(delete_home(home, id, OwnedHome::erase));
  const Names fences = objects_of(place);
  BOOST_TEST(fences.size() == 4U);  // the head, and the end of each of three openings
  for (const std::string& name : fences) BOOST_TEST((name == "head" || name.starts_with("log/")));
  // The next commit of the owner is refused, and leaves nothing.
  require_deleted(error_of(node, "CREATE (:A)"), home);
  Names after = objects_of(place);
  BOOST_TEST(after == fences, boost::test_tools::per_element());
  must(delete_home(home, id, OwnedHome::erase));
  after = objects_of(place);
  BOOST_TEST(after == fences, boost::test_tools::per_element());
  // It learns at its end that it has no home.
  const Status closed = node.close();
  BOOST_REQUIRE(!closed.has_value());
  require_deleted(closed.error(), home);
  const auto reopened = try_open("other");
  BOOST_REQUIRE(!reopened.has_value());
  require_deleted(reopened.error(), home);
}

BOOST_AUTO_TEST_CASE(a_mistyped_directory_is_not_made) {
  const std::string nowhere = "dir:" + path("nowhere").string();
  BOOST_TEST(!delete_home(nowhere, id, OwnedHome::erase).has_value());
  BOOST_TEST(!home_history(nowhere).has_value());
  BOOST_TEST(!restore_home(nowhere, path("restored")).has_value());
  Options must_exist;
  must_exist.home = nowhere;
  must_exist.create_if_missing = false;
  BOOST_TEST(!Database::open(path("copy"), must_exist).has_value());
  BOOST_TEST(!fs::exists(path("nowhere")));
}

BOOST_AUTO_TEST_CASE(a_damaged_home_is_deleted_too) {
  fs::remove_all(place / "checkpoint");
  fs::remove_all(place / "log");
  must(delete_home(home, id));
  BOOST_TEST(objects_of(place) == Names{"head"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_store_that_can_hold_a_home_is_told) {
  must(probe_home(home));
  must(probe_home("dir:" + path("new").string()));
  const Status refused = probe_home("nowhere");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()

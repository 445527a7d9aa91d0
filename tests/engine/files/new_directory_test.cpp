// A directory that appears with all of its content or not at all.
#include "engine/files/new_directory.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>

using namespace cairn;
using namespace cairn::engine;
using test::must;
namespace fs = std::filesystem;

namespace {

struct NewDirectoryFixture {
  test::TemporaryDirectory temporary;
  fs::path place = fs::canonical(temporary.path()) / "made";
  fs::path unfinished = place.parent_path() / "made.restoring";

  static Status fill(const Directory& directory) {
    CAIRN_TRY(directory.prepare_file("content", "bytes"));
    return directory.take_prepared("content");
  }
  [[nodiscard]] Status make() const { return make_new_directory(must(FilePlace::of(place)), fill); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(new_directory, NewDirectoryFixture)

BOOST_AUTO_TEST_CASE(it_is_made_at_an_unused_or_empty_place) {
  must(make());
  BOOST_TEST(fs::exists(place / "content"));
  BOOST_TEST(!fs::exists(unfinished));
  fs::remove(place / "content");
  must(make());
  BOOST_TEST(fs::exists(place / "content"));
}

BOOST_AUTO_TEST_CASE(a_used_place_stays_as_it_is) {
  must(make());
  std::ofstream(place / "other") << "other";
  const Status refused = make();
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(refused.error().message.find(place.string()) != std::string::npos);
  BOOST_TEST(fs::exists(place / "other"));
  BOOST_TEST(!fs::exists(unfinished));
}

BOOST_AUTO_TEST_CASE(a_file_is_a_used_place) {
  std::ofstream(place) << "a file";
  BOOST_TEST((make().error().code == ErrorCode::invalid_argument));
  BOOST_TEST(fs::is_regular_file(place));
}

BOOST_AUTO_TEST_CASE(a_link_leads_to_its_directory) {
  const fs::path target = place.parent_path() / "target";
  fs::create_directory(target);
  fs::create_directory_symlink(target, place);
  must(make());
  BOOST_TEST(fs::exists(target / "content"));
  BOOST_TEST(fs::is_symlink(place));
  BOOST_TEST((make().error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_failure_leaves_nothing) {
  const Status failed =
      make_new_directory(must(FilePlace::of(place)), [](const Directory& made) -> Status {
        must(made.make_directory("inner"));
        must(fill(made));
        return Error{ErrorCode::corruption, "of the content", {}};
      });
  BOOST_TEST(failed.error().message == "of the content");
  BOOST_TEST(!fs::exists(place));
  BOOST_TEST(!fs::exists(unfinished));
}

// A process that died leaves its unfinished directory behind.
BOOST_AUTO_TEST_CASE(what_an_earlier_attempt_left_does_not_remain) {
  fs::create_directories(unfinished / "inner");
  std::ofstream(unfinished / "inner" / "stale") << "stale";
  must(make());
  BOOST_TEST(fs::exists(place / "content"));
  BOOST_TEST(!fs::exists(place / "inner"));
  BOOST_TEST(!fs::exists(unfinished));
}

BOOST_AUTO_TEST_SUITE_END()

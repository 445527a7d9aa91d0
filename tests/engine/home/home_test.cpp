// A home without a database: its checkpoints and their content.
#include "engine/home/home.hpp"

#include "codec/meta.hpp"
#include "tests/engine/home/s3_stub.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::must;
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Place {
  [[nodiscard]] std::unique_ptr<Home> open() const {
    Home::Wanted wanted;
    wanted.new_database_id = codec::database_id(1, 2);
    return must(Home::open("dir:" + (directory.path() / "home").string(), wanted));
  }
  [[nodiscard]] std::vector<std::uint64_t> sizes_of_parts() const {
    std::vector<std::uint64_t> sizes;
    for (const auto& entry : fs::recursive_directory_iterator(directory.path() / "home"))
      if (entry.path().parent_path().filename() == "part") sizes.push_back(entry.file_size());
    return sizes;
  }

  test::TemporaryDirectory directory;
};

std::string bytes_of(const fs::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

std::string bytes_for(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  for (char& byte : bytes) {
    state = state * 1'664'525 + 1'013'904'223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(home)

BOOST_AUTO_TEST_CASE(a_large_file_has_several_parts_and_only_changed_ones_are_uploaded) {
  const Place place;
  std::string large = bytes_for(2 * most_part_bytes + 1'000);
  const fs::path source = place.directory.path() / "source";
  const auto write = [&] { std::ofstream(source, std::ios::binary) << large; };
  write();
  CheckpointFile segment{"vector/2.segment", source, large.size()};
  CheckpointFile empty{"store/000003.log", {}, 0, ""};
  const auto home = place.open();
  must(home->checkpoint(must(home->ship("", 1)), 1, {segment, empty}));
  BOOST_TEST(place.sizes_of_parts().size() == 4U);
  for (const std::uint64_t size : place.sizes_of_parts()) BOOST_TEST(size <= most_part_bytes);
  // One byte of the second piece, and more at the end.
  large[most_part_bytes + 5] ^= 1;
  large += "longer";
  write();
  segment.bytes = large.size();
  must(home->checkpoint(must(home->ship("", 2)), 2, {segment, empty}));
  BOOST_TEST(place.sizes_of_parts().size() == 6U);
  // The checkpoint before the newest one needs the old pieces until the next one.
  must(home->checkpoint(must(home->ship("", 3)), 3, {segment, empty}));
  BOOST_TEST(place.sizes_of_parts().size() == 4U);

  const fs::path copy = place.directory.path() / "copy";
  fs::create_directory(copy);
  must(place.open()->fetch(copy));
  BOOST_TEST((bytes_of(copy / "vector/2.segment") == large));
  BOOST_TEST(fs::file_size(copy / "store/000003.log") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

#ifdef CAIRN_TEST_S3

BOOST_AUTO_TEST_SUITE(home_of_a_store_that_fails)

namespace {

struct Store {
  Store() { stub.set_environment(); }
  [[nodiscard]] std::unique_ptr<Home> open() const {
    Home::Wanted wanted;
    wanted.new_database_id = codec::database_id(1, 2);
    return must(Home::open("s3://bucket/homes", wanted, std::chrono::milliseconds(200)));
  }
  test::S3Stub stub;
};

/// The home is left, as nobody knows whether the commit happened, and nothing more is shipped.
void require_left(Home& home, const std::string& why) {
  BOOST_REQUIRE(home.is_owner());
  for (int i = 0; i < 2; ++i) {
    const auto shipped = home.ship("", 1);
    BOOST_REQUIRE(!shipped.has_value());
    BOOST_TEST((shipped.error().code == ErrorCode::io_error));
    for (const std::string& part :
         {std::string("s3://bucket/homes"), why, std::string("open the database again")})
      BOOST_TEST(has(shipped.error().message, part));
    BOOST_TEST(!home.is_owner());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_commit_that_the_store_does_not_answer_leaves_the_home) {
  Store store;
  const auto home = store.open();
  store.stub.takes_writes = 0;
  require_left(*home, "ServiceUnavailable");
  store.stub.takes_writes = -1;
  BOOST_TEST(must(store.open()->ship("", 1)).slot == 1U);
}

BOOST_AUTO_TEST_CASE(a_commit_that_the_store_refuses_does_not_wait_and_names_the_fix) {
  Store store;
  const auto home = store.open();
  store.stub.refuse_as("AccessDenied");
  const std::size_t before = store.stub.requests;
  require_left(*home, "must be allowed to get, put, delete and list objects");
  BOOST_TEST(store.stub.requests - before == 1U);
}

// The owner makes two checkpoints, and erases the commits, after the reader has read the head.
BOOST_AUTO_TEST_CASE(a_state_is_found_although_the_owner_erases_its_commits_meanwhile) {
  Store store;
  const auto home = store.open();
  for (const std::uint64_t commit : {1U, 2U}) must(home->ship("", commit));
  std::atomic<bool> is_begun = false;
  store.stub.before_request = [&](const test::HttpRequest& request) {
    if (request.method != "GET" || !has(request.path, "/log/") || is_begun.exchange(true)) return;
    must(home->checkpoint({1, 2}, 2, {}));
    must(home->checkpoint(must(home->ship("", 3)), 3, {}));
  };
  HomePoint point;
  point.commit = 2;
  const auto found = Home::look("s3://bucket/homes", point, std::chrono::milliseconds(200));
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(is_begun.load());
  BOOST_TEST((*found)->checkpoint_commit() == 2U);
}

BOOST_AUTO_TEST_CASE(an_opening_with_a_wrong_clock_names_both_times) {
  Store store;
  store.stub.refuse_as("RequestTimeTooSkewed");
  const auto home = Home::open("s3://bucket/homes", {}, std::chrono::milliseconds(200));
  BOOST_REQUIRE(!home.has_value());
  BOOST_TEST((home.error().code == ErrorCode::io_error));
  for (const char* part : {"s3://bucket/homes", "set the clock of this machine", "01 Jan 2026"})
    BOOST_TEST(has(home.error().message, part));
}

BOOST_AUTO_TEST_SUITE_END()

#endif

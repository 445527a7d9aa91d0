// The creation of a database is interrupted at each of its syncs. A reader gets an error that explains the state, and
// an open for writing completes the creation.
#include "engine/database/core.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <mutex>
#include <vector>

using namespace cairn;
using engine::Core;
using test::FaultFileSystem;
using test::must;

namespace fs = std::filesystem;

namespace {

/// True if a reader opens a complete database, or gets the error of an unfinished one.
bool is_told_or_read(const fs::path& path) {
  Options reading;
  reading.mode = OpenMode::read_only;
  const auto opened = Core::open(path, reading);
  if (opened) return (*opened)->statistics().nodes == 0;
  return opened.error().message.find("was never finished") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unfinished)

BOOST_AUTO_TEST_CASE(a_database_killed_while_it_is_made_says_so_to_readers) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  std::mutex mutex;
  std::vector<fs::path> copies;
  files->at_sync([&] {
    const std::lock_guard lock(mutex);
    copies.push_back(directory.path() / ("copy" + std::to_string(copies.size())));
    FaultFileSystem::copy_at_rest(directory.path() / "db", copies.back());
  });
  must(Core::open(directory.path() / "db", {}, files));
  files->at_sync(nullptr);
  BOOST_TEST_REQUIRE(copies.size() > 1);
  for (std::size_t i = 0; i < copies.size(); i += test::stride()) {
    const fs::path& copy = copies[i];
    BOOST_TEST(is_told_or_read(copy), copy);
    BOOST_TEST(must(Core::open(copy, {}))->statistics().nodes == 0U);
    BOOST_TEST(is_told_or_read(copy), copy);
  }
}

BOOST_AUTO_TEST_CASE(an_empty_store_is_no_database_yet) {
  const test::TemporaryDirectory directory;
  fs::create_directories(directory.path() / "db" / "store");
  BOOST_TEST(is_told_or_read(directory.path() / "db"));
}

BOOST_AUTO_TEST_SUITE_END()

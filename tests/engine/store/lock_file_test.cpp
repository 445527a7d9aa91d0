#include "engine/store/lock_file.hpp"

#include "engine/store/lock_place.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

using namespace cairn;
using engine::LockFile;
using test::must;

BOOST_AUTO_TEST_SUITE(lock_file)

BOOST_AUTO_TEST_CASE(one_writer_or_many_readers_hold_it) {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "LOCK";
  {
    const LockFile writer = must(LockFile::take(file, LockFile::Sharing::exclusive));
    BOOST_TEST(!LockFile::take(file, LockFile::Sharing::exclusive).has_value());
    BOOST_TEST(!LockFile::take(file, LockFile::Sharing::shared).has_value());
  }
  const LockFile reader = must(LockFile::take(file, LockFile::Sharing::shared));
  BOOST_TEST(LockFile::take(file, LockFile::Sharing::shared).has_value());
  BOOST_TEST(!LockFile::take(file, LockFile::Sharing::exclusive).has_value());
}

// A copy of a database may come without it.
BOOST_AUTO_TEST_CASE(a_reader_makes_one_that_is_missing) {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "LOCK";
  const LockFile reader = must(LockFile::take(file, LockFile::Sharing::shared));
  BOOST_TEST(LockFile::take(file, LockFile::Sharing::shared).has_value());
  BOOST_TEST(!LockFile::take(file, LockFile::Sharing::exclusive).has_value());
}

BOOST_AUTO_TEST_CASE(a_killed_process_leaves_it_free_and_is_not_named) {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "LOCK";
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = LockFile::take(file, LockFile::Sharing::exclusive);
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  const LockFile reader = must(LockFile::take(file, LockFile::Sharing::shared));
  const auto refused = LockFile::take(file, LockFile::Sharing::exclusive);
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().message.find(std::to_string(child)) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_symbolic_link_is_not_followed) {
  const test::TemporaryDirectory directory;
  std::ofstream(directory.path() / "elsewhere") << "precious";
  std::filesystem::create_symlink(directory.path() / "elsewhere", directory.path() / "LOCK");
  BOOST_TEST(!LockFile::take(directory.path() / "LOCK", LockFile::Sharing::exclusive).has_value());
  BOOST_TEST(std::filesystem::file_size(directory.path() / "elsewhere") == 8u);
}

BOOST_AUTO_TEST_CASE(its_place_is_lost_when_the_directory_is_moved_or_replaced) {
  const test::TemporaryDirectory directory;
  const auto place = directory.path() / "db", moved = directory.path() / "moved";
  std::filesystem::create_directory(place);
  const auto file = place / "LOCK";
  BOOST_TEST(!engine::LockPlace::of(file).has_value());
  {
    const LockFile lock = must(LockFile::take(file, LockFile::Sharing::exclusive));
    const auto noted = engine::LockPlace::of(file);
    BOOST_TEST_REQUIRE(noted.has_value());
    BOOST_TEST(noted->is_in_place());
    std::filesystem::rename(place, moved);
    BOOST_TEST(!noted->is_in_place());
    std::filesystem::create_directory(place);
    std::filesystem::copy_file(moved / "LOCK", file);
    BOOST_TEST(!noted->is_in_place());
    std::filesystem::remove_all(place);
    std::filesystem::rename(moved, place);
    BOOST_TEST(noted->is_in_place());
  }
  BOOST_TEST(!engine::LockPlace::of(file).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

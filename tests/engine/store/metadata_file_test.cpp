#include "engine/store/metadata_file.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

using namespace cairn;
using test::must;

namespace {

std::mutex synced_mutex;
bool notes_syncs = false;
std::vector<std::string> synced;  ///< names of what was synced, while it is noted

}  // namespace

/// In place of the C library's, to see what is waited for.
extern "C" int fsync(int descriptor) {
  {
    const std::lock_guard lock(synced_mutex);
    std::error_code problem;
    if (notes_syncs)
      synced.push_back(
          std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), problem)
              .string());
  }
  static const auto real = reinterpret_cast<int (*)(int)>(::dlsym(RTLD_NEXT, "fsync"));
  return real(descriptor);
}

BOOST_AUTO_TEST_SUITE(metadata_file)

BOOST_AUTO_TEST_CASE(what_was_written_is_read_back_and_replaced_whole) {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "FILE";
  BOOST_TEST(!must(engine::read_file(file)).has_value());
  const std::string large(10'000, 'x');
  must(engine::write_file(file, large));
  BOOST_TEST((must(engine::read_file(file)) == large));
  must(engine::write_file(file, "short"));
  BOOST_TEST((must(engine::read_file(file)) == "short"));
  must(engine::erase_file(file));
  must(engine::erase_file(file));
  BOOST_TEST(!must(engine::read_file(file)).has_value());
}

BOOST_AUTO_TEST_CASE(the_entry_of_a_new_database_is_on_disk_in_the_directory_above_it) {
  const test::TemporaryDirectory directory;
  for (const bool is_there : {false, true}) {
    const auto above = directory.path() / (is_there ? "made" : "new");
    std::filesystem::create_directory(above);
    if (is_there) std::filesystem::create_directory(above / "db");
    {
      const std::lock_guard lock(synced_mutex);
      synced.clear();
      notes_syncs = true;
    }
    const Database database = must(Database::open(above / "db"));
    const std::lock_guard lock(synced_mutex);
    notes_syncs = false;
    const auto is_synced = [&](const std::filesystem::path& path) {
      return std::ranges::count(synced, std::filesystem::canonical(path).string()) > 0;
    };
    BOOST_TEST(is_synced(above), above);
    BOOST_TEST(is_synced(above / "db"), above);
  }
}

BOOST_AUTO_TEST_CASE(a_place_that_cannot_be_written_is_named) {
  const auto written = engine::write_file("/proc/none/FILE", "x");
  BOOST_REQUIRE(!written);
  BOOST_TEST((written.error().code == ErrorCode::io_error));
  BOOST_TEST(written.error().message.find("/proc/none/FILE") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

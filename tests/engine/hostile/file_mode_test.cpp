// Whatever the process's umask is, what a database makes is for its owner alone, and nothing is made beside it.

#include "tests/engine/hostile/sample_database.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>

using namespace cairn;
using test::must;

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(file_modes)

BOOST_AUTO_TEST_CASE(files_of_a_new_and_of_a_repaired_database_are_for_their_owner_alone) {
  const test::TemporaryDirectory directory;
  const fs::path database = directory.path() / "db";
  const mode_t before = ::umask(0);
  test::make_sample_database(database, 0, true);
  Options options;
  options.repair = true;  // makes the vector file again, and writes every table
  must(must(Database::open(database, options)).close());
  ::umask(before);
  for (const auto& entry : fs::recursive_directory_iterator(directory.path())) {
    const fs::perms wanted = fs::perms::owner_read | fs::perms::owner_write |
                             (entry.is_directory() ? fs::perms::owner_exec : fs::perms::none);
    BOOST_TEST((entry.symlink_status().permissions() == wanted), entry.path());
  }
  BOOST_TEST(std::distance(fs::directory_iterator(directory.path()), {}) == 1);
  BOOST_TEST(fs::exists(database / "vector"));
}

BOOST_AUTO_TEST_SUITE_END()

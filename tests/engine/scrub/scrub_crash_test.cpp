// A scrub is killed at its steps: at some that are drawn, and with CAIRN_MODEL_LONG at each one. Then there is no
// receipt, the database is intact, and a second scrub completes the work.
#include "tests/engine/killed_child.hpp"
#include "tests/engine/scrub/file_scan.hpp"
#include "tests/engine/scrub/marked_database.hpp"
#include "tests/support/copy_tree.hpp"

#include <cairn/scrub.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn;
using test::must;

namespace {

/// What makes a step durable, or lets go of a file.
struct KillPoint {
  const char* call;
  std::size_t most;  ///< about how often a scrub comes there
};
constexpr auto kill_points = std::to_array<KillPoint>({{"write .log", 16},
                                                       {"write vector/", 12},
                                                       {"rename vector/", 1},
                                                       {"sync .sst", 21},
                                                       {"write .sst", 21},
                                                       {"write MANIFEST", 278},
                                                       {"rename CURRENT", 7},
                                                       {"rename OPTIONS", 23},
                                                       {"unlink .sst", 36},
                                                       {"unlink segment/", 1},
                                                       {"unlink .log", 7},
                                                       {"unlink MANIFEST", 7},
                                                       {"unlink OPTIONS", 23}});

std::string place_of(const KillPoint& point, std::size_t count, const char* moment) {
  return std::string(point.call) + " " + std::to_string(count) + " " + moment;
}

/// A write can be half done; other calls cannot.
std::vector<const char*> moments_of(const KillPoint& point) {
  if (std::string_view(point.call).starts_with("write ")) return {"before", "half", "after"};
  return {"before", "after"};
}

class ScrubCrash : public test::MarkedDatabase {
 public:
  ScrubCrash() {
    make_history();
    expected_ = rows();
    db.close();
  }

  /// Whether the process was killed at the point, and not after its receipt.
  bool kill_and_scrub_again(const std::string& point) {
    const test::TemporaryDirectory place;
    const auto path = place.path() / "db";
    test::copy_tree(db.path(), path);
    test::ChildRun run{path, 1, "scrub", point};
    const test::ChildEnd end = test::run_and_kill(run);
    BOOST_TEST(end.problem == "", point);
    const bool has_receipt = end.acknowledged[0] == 1;
    if (!has_receipt) complete(path, point);
    expect_nothing(path);
    return !has_receipt;
  }

  /// Draws one of the calls. Returns the number of kills.
  std::size_t kill_at_one(const KillPoint& point) {
    const char* const moment = std::array{"before", "half", "after"}[random() % 3];
    return kill_and_scrub_again(place_of(point, 1 + random() % point.most, moment)) ? 1 : 0;
  }

  /// Kills at the first call, at the second one, and so on, until a scrub comes to its end. Returns the number of kills.
  std::size_t kill_at_each(const KillPoint& point) {
    std::size_t killed = 0, before = 0;
    std::size_t count = 0;
    do {
      ++count;
      before = killed;
      for (const char* const moment : moments_of(point))
        killed += kill_and_scrub_again(place_of(point, count, moment)) ? 1 : 0;
    } while (killed > before);
    BOOST_TEST(killed > 0, point.call << " never comes");
    BOOST_TEST_MESSAGE(point.call << ": " << killed << " kills at " << count - 1 << " calls");
    return killed;
  }

 private:
  std::vector<std::string> rows() { return rows_in(*db); }
  static std::vector<std::string> rows_in(Database& database) {
    return test::sorted_rows(database, "MATCH (n) RETURN labels(n), n.content, n.number, n.kept");
  }
  void complete(const std::filesystem::path& path, const std::string& point) {
    Database database = must(Database::open(path));
    BOOST_TEST(must(database.check()).empty(), point);
    BOOST_TEST((rows_in(database) == expected_), point);
    must(database.scrub());
    BOOST_TEST((rows_in(database) == expected_), point);
    must(database.close());
  }

  std::vector<std::string> expected_;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(scrub_crash, ScrubCrash)

BOOST_AUTO_TEST_CASE(a_scrub_that_is_not_killed_gives_its_receipt) {
  BOOST_TEST(!kill_and_scrub_again(""));
}

BOOST_AUTO_TEST_CASE(a_second_scrub_completes_one_that_was_killed) {
  const bool at_each = std::getenv("CAIRN_MODEL_LONG") != nullptr;
  std::size_t killed = 0;
  for (const KillPoint& point : kill_points)
    killed += at_each ? kill_at_each(point) : kill_at_one(point);
  BOOST_TEST_MESSAGE(killed << " were killed");
  BOOST_TEST(killed >= kill_points.size() / 4);
}

BOOST_AUTO_TEST_SUITE_END()

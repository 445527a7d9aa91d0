// The host of an attached process dies while that process ingests or imports: everything is there once.
#include "tests/support/graph_builder.hpp"
#include "tests/support/host_process.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tools/ingest/ingest.hpp"

#include <cairn/embedder.hpp>
#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;

/// A database whose host dies at the `count`-th commit, and this process, which is attached to it.
struct DyingHost {
  explicit DyingHost(int count)
      : host(path, {}, {"dies_at=before_answer", "dies_after=" + std::to_string(count)}),
        database(must(Database::open(path, sharing()))) {
    BOOST_TEST(!must(database.role()).is_host);
  }
  static Options sharing() {
    Options options;
    options.share = Share::automatic;
    return options;
  }
  std::int64_t count(const std::string& pattern) {
    Rows rows = must(execute(database, "MATCH " + pattern + " RETURN count(*) AS n"));
    return (*must(rows.next()))["n"].as_integer();
  }

  TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  HostProcess host;
  Database database;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(work_of_a_dying_host)

// The death falls on the making of an index and on the commits of files.
BOOST_AUTO_TEST_CASE(each_file_is_ingested_once_whatever_becomes_of_the_host) {
  constexpr int files = 24;
  int deaths = 0;
  for (int count = 14; count < 26; count += 3) {
    BOOST_TEST_CONTEXT(count) {
      DyingHost world(count);
      const fs::path root = world.directory.path() / "files";
      fs::create_directories(root);
      for (int i = 0; i < files; ++i)
        std::ofstream(root / (std::to_string(i) + ".md"))
            << "moss " << i << std::string(1'200, 'x');
      const auto embedder = make_hashing_embedder(16);
      const auto report = must(tools::ingest_directory(world.database, root, *embedder, {}));
      BOOST_TEST(report.added == static_cast<std::uint64_t>(files));
      BOOST_TEST(world.count("(d:Document)") == files);
      const auto chunks = static_cast<std::int64_t>(report.chunks);
      BOOST_TEST(world.count("(c:Chunk) WHERE c.embedding IS NOT NULL") == chunks);
      BOOST_TEST(world.count("(d:Document)-[:HAS_CHUNK]->(c:Chunk)") == chunks);
      BOOST_TEST(must(world.database.check()).empty());
      deaths += must(world.database.role()).is_host ? 1 : 0;
      const auto again = must(tools::ingest_directory(world.database, root, *embedder, {}));
      BOOST_TEST(again.unchanged == static_cast<std::uint64_t>(files));
    }
  }
  BOOST_TEST(deaths >= 3);
}

// Relationships have no key, so that a batch that is stored twice would show.
BOOST_AUTO_TEST_CASE(each_line_is_imported_once_whatever_becomes_of_the_host) {
  constexpr int nodes = 40;
  int deaths = 0;
  for (int count = 14; count < 26; count += 2) {
    BOOST_TEST_CONTEXT(count) {
      DyingHost world(count);
      const fs::path lines = world.directory.path() / "lines.jsonl";
      std::ofstream out(lines);
      for (int i = 0; i < nodes; ++i)
        out << R"({"type":"node","id":")" << i << R"(","labels":["P"],"properties":{}})" << "\n";
      for (int i = 1; i < nodes; ++i)
        out << R"({"type":"relationship","id":"0","label":"R","start":{"id":")" << i - 1
            << R"("},"end":{"id":")" << i << "\"}}\n";
      out.close();
      const auto report = must(import_jsonl(world.database, lines, {.batch = 5}));
      BOOST_TEST(report.nodes == static_cast<std::uint64_t>(nodes));
      BOOST_TEST(report.relationships == static_cast<std::uint64_t>(nodes - 1));
      BOOST_TEST(world.count("(n:P)") == nodes);
      BOOST_TEST(world.count("(:P)-[:R]->(:P)") == nodes - 1);
      BOOST_TEST(must(world.database.check()).empty());
      deaths += must(world.database.role()).is_host ? 1 : 0;
    }
  }
  BOOST_TEST(deaths >= 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

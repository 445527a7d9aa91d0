// The statements in the documentation run: every block that is marked as Cypher, in the order of the page, on a small
// database with the data that the page mentions.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/statement.hpp>
#include <cairn/temporal.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::must;

struct Block {
  std::size_t line = 0;  ///< of its first statement
  std::string text;
  std::string chapter = {};  ///< the heading above it
};

std::vector<Block> cypher_blocks(const fs::path& page) {
  std::vector<Block> blocks;
  std::ifstream file(page);
  std::size_t number = 0;
  bool is_inside = false;
  std::string chapter;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line == "```cypher") {
      is_inside = true;
      blocks.push_back({number + 1, {}, chapter});
    } else if (line.starts_with("```")) {
      is_inside = false;
    } else if (is_inside) {
      blocks.back().text += line + "\n";
    } else if (line.starts_with("## ")) {
      chapter = line.substr(3);
    }
  }
  return blocks;
}

class Reader {
 public:
  /// A database with what most pages speak of, or an empty one.
  explicit Reader(bool is_filled = true) : database_(open(files_.path())) {
    if (!is_filled) return;
    std::ofstream(files_.path() / "people.csv") << "name;born\nAda;1815\n";
    for (const char* statement : {
             "CREATE VECTOR INDEX memories FOR (m:Memory) ON (m.embedding) "
             "OPTIONS {indexConfig: {`vector.dimensions`: 3}}",
             "CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.text]",
             "CREATE (:Memory:Episode {kind: 'episode', text: 'green tea', query: 'drift', "
             "content: 'drift', user: 'ada', conversation: 'c1', pinned: true, tags: ['decision'], "
             "created_at: toString(datetime()), embedding: [1.0, 0.0, 0.0]})-[:RELATED]->"
             "(:Memory {text: 'black tea', user: 'ada', embedding: [0.9, 0.1, 0.0]})",
         })
      must(execute(database_, statement));
  }

  /// Statements follow each other, and `$run` is what the last one before gave by this name.
  void run(const Block& block, const std::string& page) {
    for (const std::string_view text : split_statements(block.text)) {
      auto rows = execute(database_, text, parameters_);
      const std::string place = page + ", block at line " + std::to_string(block.line) + ": ";
      BOOST_TEST_REQUIRE(rows.has_value(), place << text << "\n"
                                                 << (rows ? "" : rows.error().message));
      const std::vector<std::string> columns = rows->columns();
      const auto all = rows->all();
      BOOST_TEST_REQUIRE(all.has_value(), place << (all ? "" : all.error().message));
      for (std::size_t i = 0; i < columns.size() && !all->empty(); ++i)
        if (columns[i] == "run") parameters_["run"] = all->front()[i];
      ++statements;
    }
  }

  std::size_t statements = 0;

 private:
  static Database open(const fs::path& directory) {
    Options options;
    options.file_root = directory;
    return must(Database::open(directory / "db", options));
  }

  test::TemporaryDirectory files_;
  Database database_;
  const Value q_ = list_of({1.0, 0.0, 0.0});
  Parameters parameters_ = {
      {"q", q_},
      {"text", "tea"},
      {"user", "ada"},
      {"question", "who drinks tea?"},
      {"questions", list_of({map_of({{"name", "one"}, {"vector", q_}, {"ef", 10}})})},
      {"day", DateTime{4'102'444'800, 0, 0, {}}},
      {"ids", list_of({"urn:ada"})},
      {"id", "urn:bob"},
      {"name", "Bob"},
      {"changes", map_of({{"born", 1912}})},
  };
};

}  // namespace

BOOST_AUTO_TEST_SUITE(golden_pages)

// The memory calls keep vectors of their own dimension.
BOOST_AUTO_TEST_CASE(statements_in_pages_run) {
  Reader reader;
  Reader memory(false);
  const fs::path root = fs::path(CAIRN_LANGUAGE_PAGE).parent_path().parent_path();
  for (const char* page : {"query/LANGUAGE.md", "query/TUTORIAL.md", "query/README.md", "README.md",
                           "tools/README.md", "include/README.md", "tools/bench/RESULTS.md"})
    for (const Block& block : cypher_blocks(root / page))
      (block.chapter == "Memory calls" ? memory : reader).run(block, page);
  BOOST_TEST(memory.statements >= 12U);
  BOOST_TEST(reader.statements >= 18U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn

#pragma once
// A database with segment files, and what tests do with it.

#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::test {

namespace fs = std::filesystem;
using Rows = std::vector<std::string>;

inline Options with(Segments segments, OpenMode mode = OpenMode::read_write) {
  Options options;
  options.segments = segments;
  options.share = Share::exclusive;
  options.mode = mode;
  return options;
}

inline std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// Statements that read two columns of nodes, one of relationships, and lists in both directions.
inline Rows answers(Database& database) {
  Rows all;
  for (const char* question : {"MATCH (n:N) RETURN n.v AS v, count(*) AS c, sum(n.k) AS s",
                               "MATCH (n:N) RETURN n.k AS k, n.w AS w",
                               "MATCH (a:N)-[r:R]->(b) RETURN a.k AS a, r.x AS x, b.k AS b",
                               "MATCH (a:N)<-[:R]-(b) RETURN a.k AS a, count(b) AS c"}) {
    const Rows rows = sorted_rows(database, question);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

/// A closed database with segment files, or an open one.
class Place {
 public:
  Place() {
    Database database = open();
    run_all(database, {"UNWIND range(0, 299) AS k CREATE (:N {k: k, v: k % 7, w: 'secret' + k})",
                       "MATCH (a:N), (b:N) WHERE b.k = a.k + 1 OR b.k = a.k * 2 CREATE (a)-[:R {x: "
                       "a.k % 5}]->(b)"});
    static_cast<void>(answers(database));
    BOOST_REQUIRE(database.close());
    BOOST_TEST_REQUIRE(files().size() >= 5U);
  }

  [[nodiscard]] fs::path path() const { return directory_.path() / "db"; }
  [[nodiscard]] fs::path segments() const { return path() / "segment"; }
  [[nodiscard]] Database open(Segments segments = Segments::always) {
    return std::move(Database::open(path(), logged(with(segments))).value());
  }
  /// The paths of the files, in the order of their names.
  [[nodiscard]] std::vector<fs::path> files() const {
    std::set<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(segments(), none)) found.insert(entry.path());
    return {found.begin(), found.end()};
  }
  /// Opens without segments and with them, and compares the answers.
  void compare() {
    Database database = open();
    const Rows read = answers(database);
    BOOST_REQUIRE(database.close());
    BOOST_TEST(read == answers_of_records(path()), boost::test_tools::per_element());
  }
  /// The answers of a copy without segment files.
  [[nodiscard]] static Rows answers_of_records(const fs::path& database) {
    const TemporaryDirectory other;
    copy_tree(database, other.path() / "db");
    Database records =
        std::move(Database::open(other.path() / "db", with(Segments::never)).value());
    return answers(records);
  }
  /// How many warnings about segments were reported while the database was open.
  [[nodiscard]] std::size_t told() const { return told_; }

 private:
  [[nodiscard]] Options logged(Options options) {
    options.log = [this](const LogMessage& message) {
      if (message.level == LogLevel::warning && message.text.find("segment") != std::string::npos)
        ++told_;
    };
    return options;
  }

  TemporaryDirectory directory_;
  std::size_t told_ = 0;
};

inline void change(Database& database, int from) {
  run_all(database,
          {"MATCH (n:N {k: " + std::to_string(from) + "}) SET n.v = 100, n.w = 'new'",
           "MATCH (n:N {k: " + std::to_string(from + 1) + "}) DETACH DELETE n",
           "MATCH (a:N {k: " + std::to_string(from + 2) +
               "}) CREATE (a)-[:R {x: 77}]->(:N {k: " + std::to_string(1'000 + from) + ", v: 3})"});
}

}  // namespace cairn::test

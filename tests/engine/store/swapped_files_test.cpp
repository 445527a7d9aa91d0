// Files of the database are missing, or are replaced by files of another database or of an older state. The open is
// refused, a call returns an error, a warning comes with right answers, or there is no effect.

#include "engine/store/metadata_file.hpp"
#include "tests/engine/store/damage_sample.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/model/random.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace cairn;
using engine::Family;
using test::answer;
using test::Answers;
using test::content;
using test::DamageSample;
using test::DamageTally;
using test::must;
using test::Random;
using test::TemporaryDirectory;
using test::write;

namespace fs = std::filesystem;
namespace metadata_file = engine::metadata_file;

namespace {

/// More than a vector index takes before it has a file.
constexpr int vectors = 8'300;

void add_vectors(Database& database, Random& random) {
  Transaction transaction = must(database.begin());
  const auto part = [&] { return static_cast<float>(1 + random.below(1'000)) / 1'000.0F; };
  for (int i = 0; i < vectors; ++i)
    must(transaction.create_node({{"M"}, {{"v", Vector({part(), part(), part(), part()})}}, ""}));
  must(transaction.commit());
}

void add_documents(Database& database, Random& random, int count) {
  static constexpr std::array words{"storm", "river", "stone", "light", "ember"};
  for (int i = 0; i < count; ++i) {
    Transaction transaction = must(database.begin());
    std::string text;
    for (int k = 0; k < 6; ++k) text.append(random.pick(words)).append(" ");
    const auto number = static_cast<std::int64_t>(random.below(1'000'000));
    const NodeId node =
        must(transaction.create_node({{"Doc"}, {{"i", number}, {"text", text}}, ""}));
    must(transaction.create_relationship({node, "SELF", node, {{"w", number}}}));
    must(transaction.commit());
  }
}

Answers ask(Database& database) {
  constexpr std::array<float, 4> question{0.3F, 0.1F, 0.7F, 0.2F};
  return {answer(database, "MATCH (n:Doc) RETURN n.i, n.text"),
          answer(database, "MATCH (n:Doc) WHERE n.i < 300000 RETURN count(n)"),
          answer(database, "MATCH (n:Doc)-[r:SELF]->(m) RETURN sum(r.w), count(m)"),
          answer(database,
                 "MATCH (n:Doc) SEARCH n IN (FULLTEXT INDEX texts FOR 'storm river' LIMIT 50) "
                 "RETURN n.i"),
          answer(database, "MATCH (n:M) RETURN count(n)"),
          test::nearest(database, "meanings", question)};
}

/// A database of a process that died, and an older state of it.
struct Pair {
  explicit Pair(std::uint64_t seed) {
    older.ask = newest.ask = ask;
    Random random(seed);
    const fs::path live = newest.directory.path() / "live";
    Database database = must(Database::open(live));
    test::run_all(database, {"CREATE INDEX numbers FOR (n:Doc) ON (n.i)",
                             "CREATE FULLTEXT INDEX texts FOR (n:Doc) ON EACH [n.text]",
                             "CREATE VECTOR INDEX meanings FOR (n:M) ON (n.v) OPTIONS "
                             "{indexConfig: {`vector.dimensions`: 4, "
                             "`vector.similarity_function`: 'cosine'}}"});
    add_vectors(database, random);
    add_documents(database, random, 4 + static_cast<int>(random.below(20)));
    must(database.checkpoint());
    add_documents(database, random, 1 + static_cast<int>(random.below(5)));
    older.take(database, live);
    add_documents(database, random, 1 + static_cast<int>(random.below(20)));
    must(database.checkpoint());
    add_documents(database, random, 1 + static_cast<int>(random.below(8)));
    newest.take(database, live);
  }
  DamageSample older;
  DamageSample newest;
};

using Source = const DamageSample&;

/// The one file of a database that begins or ends so.
fs::path file_in(const fs::path& database, std::string_view directory, std::string_view part) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(database / directory))
    if (entry.path().filename().string().find(part) != std::string::npos)
      found = std::max(found, entry.path());
  return found;
}

void replace(const fs::path& file, const fs::path& by) { write(file, content(by)); }

void replace_directory(const fs::path& copy, std::string_view name, Source by) {
  fs::remove_all(copy / name);
  fs::copy(by.path / name, copy / name, fs::copy_options::recursive);
}

/// A table of a family that both have; the newest of either.
void replace_table(const fs::path& copy, Source own, Source by, Random& random) {
  std::vector<Family> both;
  for (const auto& [family, tables] : own.tables)
    if (by.tables.contains(family)) both.push_back(family);
  const Family family = random.pick(both);
  const fs::path table = own.tables.at(family).back().lexically_relative(own.path);
  replace(copy / table, by.tables.at(family).back());
}

/// What is done to a copy of `own`, with `by`, another database or an older state.
struct Swap {
  const char* name;
  std::function<void(const fs::path& copy, Source own, Source by, Random& random)> apply;
};

const std::vector<Swap>& swaps() {
  static const auto metadata = [](std::string_view name) {
    return [name](const fs::path& copy, Source, Source by, Random&) {
      replace(copy / name, by.path / name);
    };
  };
  static const std::vector<Swap> all = {
      {"log", [](const fs::path& copy, Source, Source by,
                 Random&) { replace(test::newest_log(copy), test::newest_log(by.path)); }},
      {"table", [](const fs::path& copy, Source own, Source by,
                   Random& random) { replace_table(copy, own, by, random); }},
      {"manifest",
       [](const fs::path& copy, Source, Source by, Random&) {
         replace(file_in(copy, "store", "MANIFEST"), file_in(by.path, "store", "MANIFEST"));
       }},
      {"manifest and CURRENT",
       [](const fs::path& copy, Source, Source by, Random&) {
         const fs::path manifest = file_in(by.path, "store", "MANIFEST");
         fs::remove(file_in(copy, "store", "MANIFEST"));
         replace(copy / "store" / manifest.filename(), manifest);
         replace(copy / "store" / "CURRENT", by.path / "store" / "CURRENT");
       }},
      {"CURRENT",
       [](const fs::path& copy, Source, Source by, Random&) {
         replace(copy / "store" / "CURRENT", by.path / "store" / "CURRENT");
       }},
      {"COMMIT", metadata(metadata_file::commit)},
      {"TAIL", metadata(metadata_file::tail)},
      {"FORMAT", metadata(metadata_file::format)},
      {"COMMIT and TAIL",
       [](const fs::path& copy, Source, Source by, Random&) {
         replace(copy / metadata_file::commit, by.path / metadata_file::commit);
         replace(copy / metadata_file::tail, by.path / metadata_file::tail);
       }},
      {"file of vectors",
       [](const fs::path& copy, Source, Source by, Random&) {
         replace(file_in(copy, "vector", ".segment"), file_in(by.path, "vector", ".segment"));
       }},
      {"store", [](const fs::path& copy, Source, Source by,
                   Random&) { replace_directory(copy, metadata_file::store_directory, by); }},
      {"vector", [](const fs::path& copy, Source, Source by,
                    Random&) { replace_directory(copy, metadata_file::vector_directory, by); }},
  };
  return all;
}

/// Two tables of the same database in each other's place.
void exchange_tables(const fs::path& copy, Source own, Source, Random& random) {
  std::vector<fs::path> tables;
  for (const auto& [family, some] : own.tables)
    for (const fs::path& table : some) tables.push_back(table.lexically_relative(own.path));
  const fs::path first = random.pick(tables);
  const fs::path second = random.pick(tables);
  const std::string bytes = content(copy / first);
  replace(copy / first, copy / second);
  write(copy / second, bytes);
}

void expect_detected(Source own, Source by, const Swap& swap, Random& random, DamageTally& all) {
  const fs::path copy = own.directory.path() / "copy";
  fs::remove_all(copy);
  test::copy_tree(own.path, copy);
  swap.apply(copy, own, by, random);
  const OpenMode mode = random.one_in(4) ? OpenMode::read_only : OpenMode::read_write;
  const int wrong = all.wrong;
  test::judge(own, copy, mode, all);
  BOOST_TEST(all.wrong == wrong, swap.name << " gave wrong answers");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(swapped_files)

BOOST_AUTO_TEST_CASE(of_another_database_or_an_older_state_they_give_no_wrong_answer) {
  DamageTally foreign, older, missing;
  for (std::uint64_t seed = 1; seed <= test::rounds(1, 20); ++seed)
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      const Pair own(seed);
      const Pair other(seed + 1'000);
      for (const Swap& swap : swaps()) {
        expect_detected(own.newest, other.newest, swap, random, foreign);
        expect_detected(own.newest, own.older, swap, random, older);
      }
      expect_detected(own.newest, own.newest, {"two tables", exchange_tables}, random, foreign);
      for (const std::string_view part : {".log", ".sst", "MANIFEST", "CURRENT"}) {
        // The newest table of the directory may be one that nothing reads yet.
        const auto remove = [&](const fs::path& copy, Source source, Source, Random&) {
          const fs::path table = source.tables.begin()->second.back();
          fs::remove(part == ".sst" ? copy / table.lexically_relative(source.path)
                                    : file_in(copy, metadata_file::store_directory, part));
        };
        expect_detected(own.newest, own.newest, {"a missing file", remove}, random, missing);
      }
    }
  BOOST_TEST_MESSAGE("  files of another database: " << foreign.text());
  BOOST_TEST_MESSAGE("  files of an older state: " << older.text());
  BOOST_TEST_MESSAGE("  missing files: " << missing.text());
  BOOST_TEST(foreign.refused > 0);
  BOOST_TEST(missing.unharmed == 0);
}

// Each commit makes one node with its number.
BOOST_AUTO_TEST_CASE(a_copy_that_was_taken_while_it_was_written_has_whole_commits_or_is_refused) {
  const TemporaryDirectory directory;
  const fs::path live = directory.path() / "live";
  Options options;
  options.share = Share::exclusive;  // a socket cannot be copied
  Database database = must(Database::open(live, options));
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    for (int i = 0; !is_over; ++i) {
      test::commit_nodes(database, i, 1);
      if (i % 50 == 49) must(database.checkpoint());
    }
  });
  int refused = 0;
  const std::size_t copies = test::rounds(6, 200);
  for (std::size_t i = 0; i < copies; ++i) {
    const fs::path copy = directory.path() / "copy";
    std::error_code gone;  // a file that went meanwhile
    fs::remove_all(copy);
    fs::copy(live, copy, fs::copy_options::recursive, gone);
    const auto opened = Database::open(copy);
    if (!opened) {
      ++refused;
      continue;
    }
    const auto statistics = must(opened->statistics());
    BOOST_TEST(statistics.nodes == statistics.commits);
    BOOST_TEST(must(opened->check()).empty());
  }
  is_over = true;
  writer.join();
  BOOST_TEST_MESSAGE(copies << " copies, " << refused << " of them refused");
}

BOOST_AUTO_TEST_SUITE_END()

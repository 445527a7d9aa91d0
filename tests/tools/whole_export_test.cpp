// An export is the whole database: random databases with several namespaces, hidden records, external
// ids, valid times and indexes are written, read into a new database, and compared in all they tell.

#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/tools/random_database.hpp"
#include "tools/maintenance.hpp"
#include "tools/transfer/index_file.hpp"
#include "tools/transfer/transfer_report.hpp"

#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/transfer.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

using namespace cairn;
using namespace cairn::test;
using namespace cairn::tools;
namespace fs = std::filesystem;

namespace {

std::string exported(Database& database) {
  std::ostringstream out;
  must(export_jsonl(database, out, {}));
  return out.str();
}

/// Ids numbered by where they first stand, since an import gives new ones.
std::string with_ranks(std::string_view lines) {
  constexpr std::string_view mark = "\"id\":\"";
  std::map<std::string, std::size_t, std::less<>> nodes;
  std::string text;
  std::istringstream stream{std::string(lines)};
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line); ++number) {
    bool is_own = line.starts_with("{\"type\":\"relationship\"");
    std::size_t from = 0;
    for (std::size_t at = line.find(mark); at != std::string::npos; at = line.find(mark, from)) {
      const std::size_t end = line.find('"', at + mark.size());
      const std::string id = line.substr(at + mark.size(), end - at - mark.size());
      const std::size_t rank = is_own ? number : nodes.try_emplace(id, nodes.size()).first->second;
      text += line.substr(from, at + mark.size() - from) + std::to_string(rank);
      is_own = false;
      from = end;
    }
    text += line.substr(from) + "\n";
  }
  return text;
}

/// `cairn stats`, without what is of the directory and not of the data, and without paths of nothing.
std::string statistics(Database& database) {
  std::ostringstream out;
  must(print_statistics(database, out));
  std::istringstream stream(out.str());
  std::string text;
  for (std::string line; std::getline(stream, line);) {
    const bool is_of_directory =
        std::ranges::any_of(std::array{"commits ", "on disk ", "in memory ", "database id "},
                            [&](const char* name) { return line.starts_with(name); });
    if (is_of_directory || line.find(", 0 entries") != std::string::npos) continue;
    const std::size_t memory = line.find(" entries, ");
    text += line.substr(0, memory) + "\n";
  }
  return text;
}

/// By name: paths that nobody asked for are in the order in which they were met.
std::string sorted_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::ranges::sort(lines);
  std::string sorted;
  for (const std::string& line : lines) sorted += line + "\n";
  return sorted;
}

std::string checked(Database& database) {
  std::ostringstream out;
  const Status status = print_check(database, 100, out);
  BOOST_TEST(status.has_value(), out.str());
  return out.str();
}

std::string indexes_of(Database& database) {
  return must(index_statements(must(database.snapshot())));
}

void import_into(Database& copy, const fs::path& directory, const std::string& lines,
                 const std::string& indexes, std::size_t batch) {
  const fs::path file = directory / "lines.jsonl";
  std::ofstream(file, std::ios::binary) << lines;
  std::ofstream(index_file(file), std::ios::binary) << indexes;
  const ImportReport report = must(import_jsonl(copy, file, {.batch = batch}));
  BOOST_TEST(report.nodes + report.relationships ==
             static_cast<std::uint64_t>(std::ranges::count(lines, '\n')));
  static_cast<void>(must(run_index_file(copy, index_file(file))));
}

/// Of two texts that differ, the first lines that do.
void expect_same_text(const std::string& one, const std::string& other, const char* what) {
  std::istringstream ones(one), others(other);
  std::string a, b;
  for (std::size_t line = 1; one != other; ++line) {
    const bool has_one = static_cast<bool>(std::getline(ones, a));
    const bool has_other = static_cast<bool>(std::getline(others, b));
    const bool is_end = !has_one && !has_other;
    if (!is_end && a == b) continue;
    BOOST_ERROR(what << ", line " << line << ":\n" << a << "\n" << b);
    return;
  }
}

void expect_equal_copies(std::uint64_t seed, bool is_dense) {
  const test::TemporaryDirectory temporary;
  RandomDatabase original(temporary.path() / "db", seed);
  original.fill(is_dense);
  const std::string first = exported(original.database);
  const std::string indexes = indexes_of(original.database);
  const auto total = must(original.database.statistics());
  BOOST_TEST(total.nodes == original.nodes.size());
  BOOST_TEST(total.nodes + total.relationships ==
             static_cast<std::uint64_t>(std::ranges::count(first, '\n')));
  Database copy = must(Database::open(temporary.path() / "copy"));
  import_into(copy, temporary.path(), first, indexes, 1 + original.random.below(20));
  const std::string second = exported(copy);
  if (is_dense) expect_same_text(second, first, "the second export");
  expect_same_text(with_ranks(second), with_ranks(first), "the second export");
  expect_same_text(sorted_lines(statistics(copy)), sorted_lines(statistics(original.database)),
                   "statistics");
  BOOST_TEST(checked(copy) == checked(original.database));
  BOOST_TEST(indexes_of(copy) == indexes);
  Database again = must(Database::open(temporary.path() / "again"));
  import_into(again, temporary.path(), second, indexes, 1'000);
  expect_same_text(exported(again), second, "the third export");
  expect_same_text(statistics(again), statistics(copy), "statistics again");
}

/// What is written and what is left out are all records, and a statement sees what is written.
void expect_narrowed_adds_up(std::uint64_t seed) {
  const test::TemporaryDirectory temporary;
  RandomDatabase original(temporary.path() / "db", seed);
  original.fill(false);
  const auto total = must(original.database.statistics());
  for (const std::string& name : must(name_spaces(must(original.database.snapshot())))) {
    std::ostringstream out;
    const ExportReport report =
        must(export_jsonl(original.database, out, {.name_space = name, .visible_only = true}));
    const auto sum = [](const LeftOut& one) {
      return one.other_name_spaces + one.hidden + one.cut;
    };
    BOOST_TEST(report.nodes + sum(report.nodes_left_out) == total.nodes);
    BOOST_TEST(report.relationships + sum(report.relationships_left_out) == total.relationships);
    StatementOptions options;
    options.name_space = name;
    const auto count = [&](const char* text) {
      const auto rows = must(must(execute(original.database, text, {}, options)).all());
      return static_cast<std::uint64_t>(rows[0][0].as_integer());
    };
    BOOST_TEST(report.nodes == count("MATCH (n) RETURN count(n)"));
    BOOST_TEST(report.relationships == count("MATCH ()-[r]->() RETURN count(r)"));
    Database copy = must(Database::open(temporary.path() / ("copy" + std::to_string(name.size()))));
    import_into(copy, temporary.path(), out.str(), "", 10);
    expect_same_text(with_ranks(exported(copy)), with_ranks(out.str()), "a narrowed export");
  }
}

template <class Check>
void repeat(const Check& check) {
  const std::size_t rounds = test::rounds(10, 500);
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::uint64_t seed = test::test_seed() + round;
    BOOST_TEST_CONTEXT("CAIRN_TEST_SEED=" << seed) { check(seed); }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(whole_export)

BOOST_AUTO_TEST_CASE(an_import_of_an_export_is_the_same_database) {
  repeat([](std::uint64_t seed) { expect_equal_copies(seed, false); });
}

BOOST_AUTO_TEST_CASE(and_has_the_same_ids_where_they_have_no_gaps) {
  repeat([](std::uint64_t seed) { expect_equal_copies(seed, true); });
}

BOOST_AUTO_TEST_CASE(what_was_asked_for_and_what_is_left_out_is_all) {
  repeat(expect_narrowed_adds_up);
}

BOOST_AUTO_TEST_CASE(hidden_records_of_an_interrupted_import_are_not_doubled) {
  const test::TemporaryDirectory temporary;
  const fs::path file = temporary.path() / "lines.jsonl";
  const std::string lines =
      R"({"type":"node","id":"1","externalId":"x","system":{"namespace":"a","deletedAt":5}})"
      "\n"
      R"({"type":"node","id":"2","externalId":"x","system":{"created":1,"expiresAt":5}})"
      "\n"
      R"({"type":"relationship","id":"1","label":"R","start":{"id":"1"},"end":{"id":"2"},)"
      R"("system":{"namespace":"a","deletedAt":5}})"
      "\n";
  std::ofstream(file) << lines;
  Database database = must(Database::open(temporary.path() / "db"));
  const ImportOptions options{.skip_errors = true};
  BOOST_TEST(must(import_jsonl(database, file, options)).earlier == 0U);
  const std::string first = exported(database);
  BOOST_TEST(must(import_jsonl(database, file, options)).earlier == 3U);
  BOOST_TEST(exported(database) == first);
  // With another mark they are others: the nodes are refused, the relationship is a second one.
  std::string changed = lines;
  for (std::size_t at = 0; (at = changed.find("At\":5", at)) != std::string::npos; at += 5)
    changed[at + 4] = '6';
  std::ofstream(file) << changed;
  const ImportReport other = must(import_jsonl(database, file, options));
  BOOST_TEST(other.skipped == 2U);
  BOOST_TEST(other.relationships == 1U);
}

BOOST_AUTO_TEST_CASE(an_unknown_namespace_is_told_with_those_there_are) {
  const test::TemporaryDirectory temporary;
  Database database = must(Database::open(temporary.path() / "db"));
  StatementOptions options;
  options.name_space = "a";
  must(execute(database, "CREATE (:P)", {}, options));
  std::ostringstream out;
  const auto refused = export_jsonl(database, out, {.name_space = "b"});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().message ==
             "there is no namespace \"b\"; the namespaces are the default one, \"a\"");
}

BOOST_AUTO_TEST_CASE(what_is_left_out_is_told_by_number) {
  ExportReport report;
  BOOST_TEST(left_out_text(report) == "nothing was left out\n");
  report.nodes_left_out = {.other_name_spaces = 2, .hidden = 1};
  report.relationships_left_out = {.hidden = 3, .cut = 1};
  BOOST_TEST(left_out_text(report) ==
             "left out, as asked for:\n"
             "  of other namespaces: 2 nodes, 0 relationships\n"
             "  hidden (softly deleted or expired): 1 node, 3 relationships\n"
             "  with an end that is left out: 0 nodes, 1 relationship\n");
}

BOOST_AUTO_TEST_SUITE_END()

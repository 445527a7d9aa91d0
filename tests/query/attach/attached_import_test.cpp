// Lines of an import that are stored together have the same result as lines that are stored one by one, in the host and
// in an attached process, whichever lines are refused.
#include "tests/query/attach/attached_fixture.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/transfer.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>

namespace cairn::test {
namespace {

/// A file of nodes and relationships, of which some are refused.
std::string random_lines(std::uint64_t seed, bool has_system) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  std::ostringstream out;
  for (int line = 0; line < 200; ++line) {
    const std::string system =
        has_system && below(2) == 0 ? R"(,"system":{"namespace":"acme","created":5})" : "";
    const std::uint64_t kind = below(40);
    if (kind == 0)
      out << "{broken\n";
    else if (kind < 28)
      out << R"({"type":"node","id":")" << below(400) << R"(","labels":["P"],"properties":{"key":)"
          << below(1000) << R"(})" << system << "}\n";
    else
      out << R"({"type":"relationship","id":"0","label":"R","properties":{"line":)" << line
          << R"(},"start":{"id":")" << below(400) << R"("},"end":{"id":")" << below(400) << R"("})"
          << system << "}\n";
  }
  return out.str();
}

/// Ids of nodes that were undone are not given again, so that they differ.
std::string without_ids(const std::string& message) {
  return std::regex_replace(message, std::regex("node [0-9]+"), "node");
}

/// The report, or the error, and what the database has then.
std::string imported(Database& database, const std::string& file, const ImportOptions& options) {
  std::ostringstream out;
  const auto report = import_jsonl(database, file, options);
  if (report) {
    out << report->nodes << " " << report->relationships << " " << report->earlier << " "
        << report->skipped << "\n";
    for (const ImportProblem& one : report->problems)
      out << one.line << ": " << without_ids(one.reason) << "\n";
  } else {
    out << without_ids(report.error().message) << "\n";
  }
  for (const std::string name_space : {"", "acme"}) {
    StatementOptions place;
    place.name_space = name_space;
    for (const std::string statement :
         {"MATCH (n:P) RETURN n.key AS key ORDER BY key",
          "MATCH (a)-[r:R]->(b) RETURN a.key, r.line AS line, b.key ORDER BY line"})
      for (const auto& row : must(execute(database, statement, {}, place)))
        for (const Value& value : must(row)) out << value.to_text() << " ";
  }
  return out.str();
}

struct Places {
  Places() {
    lines = attached.directory.path() / "lines.jsonl";
    for (Database* database : {&*alone, &*together, &attached.database})
      must(execute(*database, "CREATE CONSTRAINT keys FOR (p:P) REQUIRE p.key IS UNIQUE"));
  }
  void write(const std::string& text) const { std::ofstream(lines) << text; }

  AttachedFixture attached;
  TemporaryDatabase alone;
  TemporaryDatabase together;
  std::string lines;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(attached_import)

BOOST_AUTO_TEST_CASE(lines_are_refused_as_they_are_one_by_one) {
  for (std::size_t round = 0; round < rounds(4, 200); ++round) {
    Places places;
    places.write(random_lines(round, round % 2 == 1));
    ImportOptions options{.skip_errors = true};
    const std::string there = imported(places.attached.database, places.lines, options);
    BOOST_TEST(imported(*places.together, places.lines, options) == there);
    options.batch = 1;  // one line a commit goes alone
    BOOST_TEST(imported(*places.alone, places.lines, options) == there);
    BOOST_TEST(there.find("was used by an earlier line") != there.npos, there);
  }
}

BOOST_AUTO_TEST_CASE(the_first_line_that_is_refused_is_named) {
  for (std::size_t round = 0; round < rounds(6, 200); ++round) {
    Places places;
    places.write(random_lines(round, false));
    const std::string there = imported(places.attached.database, places.lines, {});
    BOOST_TEST(imported(*places.together, places.lines, {}) == there, "round " << round);
    const std::string alone = imported(*places.alone, places.lines, {.batch = 1});
    BOOST_TEST(alone.substr(0, alone.find('\n')) == there.substr(0, there.find('\n')));
    BOOST_TEST(there.starts_with("line "), there);
  }
}

BOOST_AUTO_TEST_CASE(an_import_attached_is_stopped_between_two_batches) {
  Places places;
  std::ostringstream lines;
  for (int i = 0; i < 3000; ++i)
    lines << R"({"type":"node","id":")" << i << R"(","labels":["P"],"properties":{"key":)" << i
          << "}}\n";
  places.write(lines.str());
  std::stop_source stop;
  ImportOptions options{.batch = 100};
  options.cancel = stop.get_token();
  options.progress = [&](const TransferProgress& progress) {
    if (progress.records == 250) stop.request_stop();
  };
  const auto stopped = import_jsonl(places.attached.database, places.lines, options);
  BOOST_TEST_REQUIRE(!stopped.has_value());
  BOOST_TEST(stopped.error().message ==
             "the import was stopped: it committed 200 nodes and 0 relationships");
  BOOST_TEST(places.attached.count() == 200);
}

// The file is imported twice, so that the second time lines are matched with earlier records. In each import the host is
// killed within a batch.
BOOST_AUTO_TEST_CASE(a_batch_whose_host_ends_is_stored_again) {
  constexpr int lines_in_file = 200;
  for (std::size_t round = 0; round < rounds(4, 200); ++round) {
    Places places;
    HostProcess next(places.attached.path(), {}, {"prefers_to_host=1"});
    places.write(random_lines(round, round % 2 == 1));
    ImportOptions options{.batch = 50, .skip_errors = true};
    options.id_prefix = round % 4 < 2 ? "f" : "";
    const std::string once = imported(*places.together, places.lines, options);
    const std::string twice = imported(*places.together, places.lines, options);
    int lines = 0;
    options.progress = [&](const TransferProgress&) {
      ++lines;
      if (lines == 120) places.attached.host->kill();
      if (lines == lines_in_file + 130) next.kill();
    };
    BOOST_TEST(imported(places.attached.database, places.lines, options) == once);
    BOOST_TEST(imported(places.attached.database, places.lines, options) == twice);
    BOOST_TEST(lines == 2 * lines_in_file);
    BOOST_TEST(must(places.attached.database.check()).empty());
  }
}

BOOST_AUTO_TEST_CASE(lines_that_are_stored_together_are_stored_again) {
  Places places;
  std::ostringstream lines;
  for (int i = 0; i < 3000; ++i)
    lines << R"({"type":"node","id":")" << i << R"(","labels":["P"],"properties":{"key":)" << i
          << "}}\n";
  for (int i = 1; i < 3000; ++i)
    lines << R"({"type":"relationship","id":"0","label":"R","start":{"id":")" << i - 1
          << R"("},"end":{"id":")" << i << "\"}}\n";
  places.write(lines.str());
  ImportOptions options{.batch = 1000};
  options.progress = [&](const TransferProgress& progress) {
    if (progress.records == 1700) places.attached.host->kill();
  };
  const auto report = import_jsonl(places.attached.database, places.lines, options);
  BOOST_TEST_REQUIRE(outcome_text(report) == "success");
  BOOST_TEST(report->nodes == 3000U);
  BOOST_TEST(report->relationships == 2999U);
  BOOST_TEST(places.attached.count("(:P)") == 3000);
  BOOST_TEST(places.attached.count("(a:P)-[:R]->(b:P) WHERE b.key = a.key + 1") == 2999);
  BOOST_TEST(must(places.attached.database.check()).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test

// `cairn-bench retrieval`: its measures by hand, and a small folder end to end.
#include "tools/bench/retrieval.hpp"

#include "tests/support/graph_builder.hpp"
#include "tools/bench/retrieval_data.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

using namespace cairn::tools;
using cairn::test::must;

namespace {

constexpr const char* corpus =
    R"({"_id": "t1", "title": "", "text": "green tea", "metadata": {"conversation": "x", "session": 1, "turn": 1}}
{"_id": "t2", "title": "", "text": "how nice", "metadata": {"conversation": "x", "session": 1, "turn": 2}}

{"_id": "t3", "title": "on tea", "text": "lemon", "metadata": {"conversation": "y", "session": 1, "turn": 3}}
)";
constexpr const char* queries =
    R"({"_id": "q1", "text": "green tea?", "metadata": {"category": 1, "filter": {"conversation": "x"}}}
{"_id": "q2", "text": "lemon", "metadata": {"category": 2}}
{"_id": "q3", "text": "nobody judged this", "metadata": {"category": 2}}
)";
constexpr const char* relevance =
    "query-id\tcorpus-id\tscore\nq1\tt1\t1\nq1\tt2\t1\nq2\tt3\t2\nq2\tt1\t0\nq3\tt9\t1\n";

struct Folder {
  Folder() {
    write("corpus.jsonl", corpus);
    write("queries.jsonl", queries);
    std::filesystem::create_directory(temporary.path() / "qrels");
    write("qrels/test.tsv", relevance);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(temporary.path() / name, std::ios::binary) << text;
  }
  [[nodiscard]] RetrievalBench asked(const std::string& exclude) const {
    RetrievalBench bench;
    bench.directory = temporary.path().string();
    bench.exclude = exclude;
    return bench;
  }
  [[nodiscard]] std::string table(const std::string& exclude = "") const {
    std::ostringstream out;
    must(run_retrieval(asked(exclude), out));
    return out.str();
  }
  [[nodiscard]] std::string error(const std::string& exclude = "") const {
    std::ostringstream out;
    const auto status = run_retrieval(asked(exclude), out);
    return status ? "no error" : status.error().message;
  }

  cairn::test::TemporaryDirectory temporary;
};

// The row of a configuration without its time.
std::string row(const std::string& table, const std::string& name, const std::string& filter) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::erase(line, ' ');
    if (line.starts_with("|" + name + "|" + filter + "|"))
      return line.substr(0, line.rfind('|', line.size() - 2));
  }
  return "no such row";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(retrieval, Folder)

BOOST_AUTO_TEST_CASE(measures_are_those_of_the_books) {
  // Wanted 7 (gain 2), 8 and 9 (gain 1); found at ranks 2 and 6.
  const auto figures = judge({1, 9, 2, 3, 4, 7}, {{7, 2.0}, {8, 1.0}, {9, 1.0}});
  const double best = 2 + 1 / std::log2(3.0) + 1 / std::log2(4.0);
  BOOST_TEST(figures.ndcg10 == (1 / std::log2(3.0) + 2 / std::log2(7.0)) / best,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(figures.recall5 == 1 / 3.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(figures.recall10 == 2 / 3.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(figures.recall20 == 2 / 3.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(figures.reciprocal_rank == 0.5);
}

BOOST_AUTO_TEST_CASE(the_ends_of_the_measures_are_nought_and_one) {
  const auto all = judge({5, 6}, {{5, 1.0}, {6, 1.0}});
  BOOST_TEST(all.ndcg10 == 1);
  BOOST_TEST(all.recall5 == 1);
  BOOST_TEST(judge({}, {{5, 1.0}}).recall20 == 0);
  BOOST_TEST(judge({1}, {{5, 1.0}}).reciprocal_rank == 0);
  std::vector<std::uint64_t> late(10, 1);
  late.push_back(5);
  BOOST_TEST(judge(late, {{5, 1.0}}).recall10 == 0);
  BOOST_TEST(judge(late, {{5, 1.0}}).ndcg10 == 0);
  BOOST_TEST(judge(late, {{5, 1.0}}).recall20 == 1);
}

BOOST_AUTO_TEST_CASE(turns_of_one_session_are_joined_in_order) {
  cairn::test::TemporaryDatabase database;
  const auto nodes = must(load_corpus(temporary.path(), *database));
  BOOST_TEST(nodes.size() == 3U);
  cairn::Rows rows = must(cairn::execute(
      *database, "MATCH (a:Document)-[:NEXT]->(b) RETURN a.turn, b.turn, b.text, b.title"));
  const auto first = must(rows.next());
  BOOST_TEST_REQUIRE(first.has_value());
  BOOST_TEST((*first)[0].as_integer() == 1);
  BOOST_TEST((*first)[1].as_integer() == 2);
  BOOST_TEST(*(*first)[2].string() == "how nice");
  BOOST_TEST((*first)[3].is_null());
  BOOST_TEST(!must(rows.next()).has_value());
}

BOOST_AUTO_TEST_CASE(questions_without_a_relevant_document_are_left_out) {
  const auto read = must(read_queries(temporary.path(), {{"t1", 1}, {"t2", 2}, {"t3", 3}}));
  BOOST_TEST_REQUIRE(read.size() == 2U);
  BOOST_TEST(read[0].filter.size() == 1U);
  BOOST_TEST(read[0].wanted.size() == 2U);
  BOOST_TEST(read[1].filter.empty());
  BOOST_TEST((read[1].wanted == std::map<std::uint64_t, double>{{3, 2.0}}));
}

BOOST_AUTO_TEST_CASE(the_table_has_every_configuration_with_filter_and_without) {
  const std::string text = table();
  BOOST_TEST(text.starts_with("3 documents, 2 questions\n"));
  // q1 finds one of its two, q2 its one; nDCG of q1 is 1 / (1 + 1 / log2(3)) = 0.613.
  BOOST_TEST(row(text, "text", "yes") == "|text|yes|80.7|75.0|75.0|75.0|100.0");
  BOOST_TEST(row(text, "text+neighbours", "yes") ==
             "|text+neighbours|yes|100.0|100.0|100.0|100.0|100.0");
  for (const char* name :
       {"text+mentions", "text+authors", "text+dates", "text+group", "text+feedback", "default",
        "default+feedbackalways", "default+diversity0.3", "hashedvectors", "text+hashedvectors",
        "default+hashedvectors"})
    for (const char* filter : {"yes", "no"}) BOOST_TEST(row(text, name, filter) != "no such row");
}

BOOST_AUTO_TEST_CASE(changes_by_a_feature_have_intervals_by_kind_of_question) {
  RetrievalBench bench = asked("");
  bench.intervals = true;
  std::ostringstream out;
  must(run_retrieval(bench, out));
  const std::string text = out.str();
  // Of q1 and q2 only q1 gains by neighbours, half of its records: with both of them 25 in the mean, and 0 or 50 by
  // chance.
  BOOST_TEST(text.find("| text + neighbours | yes | all | 2 | +25.00 [+0.00, +50.00] | ") !=
             std::string::npos);
  BOOST_TEST(text.find("| text + neighbours | yes | category 1 | 1 | +50.00 [+50.00, +50.00] | ") !=
             std::string::npos);
  BOOST_TEST(text.find("| text + neighbours | yes | category 2 | 1 | +0.00 [+0.00, +0.00] | ") !=
             std::string::npos);
  BOOST_TEST(text.find("| default - dates | no | first half | ") != std::string::npos);
  BOOST_TEST(text.find("| text | yes | all |") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_interval_is_around_the_mean) {
  const Interval same = mean_interval({2, 2, 2});
  BOOST_TEST(same.mean == 2);
  BOOST_TEST(same.low == 2);
  BOOST_TEST(same.high == 2);
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(i % 2);
  const Interval half = mean_interval(values);
  BOOST_TEST(half.mean == 0.5);
  // 1.96 standard errors of 0.5 / 20.
  BOOST_TEST(half.low == 0.451, boost::test_tools::tolerance(0.02));
  BOOST_TEST(half.high == 0.549, boost::test_tools::tolerance(0.02));
  BOOST_TEST(mean_interval(values).low == half.low);
  BOOST_TEST(mean_interval({}).high == 0);
}

BOOST_AUTO_TEST_CASE(questions_can_be_left_out_by_their_metadata) {
  const std::string text = table("category=1");
  BOOST_TEST(text.starts_with("3 documents, 1 questions\n"));
  BOOST_TEST(row(text, "text", "no") == "|text|no|100.0|100.0|100.0|100.0|100.0");
  BOOST_TEST(row(text, "text", "yes") == "no such row");
}

BOOST_AUTO_TEST_CASE(what_leaves_nothing_out_by_mistake_is_an_error) {
  BOOST_TEST(error("nonsense") == "--exclude nonsense: write it as name=value");
  for (const char* wrong : {"=1", "Category=1", "nonsense=1"}) {
    const std::string message = error(wrong);
    BOOST_TEST(message.find("no question has the metadata") != std::string::npos, message);
    BOOST_TEST(message.find("category, filter") != std::string::npos, message);
  }
  BOOST_TEST(table("category=3").starts_with("3 documents, 2 questions\n"));
}

BOOST_AUTO_TEST_CASE(errors_name_the_file_and_the_line) {
  write("corpus.jsonl", "{}\n\n[1]\n");
  BOOST_TEST(error().find("corpus.jsonl: line 3") != std::string::npos);
  write("corpus.jsonl", "{\n");
  BOOST_TEST(error().find("corpus.jsonl: line 1") != std::string::npos);
  write("corpus.jsonl", corpus);
  std::filesystem::remove(temporary.path() / "qrels" / "test.tsv");
  BOOST_TEST(error().find("test.tsv") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

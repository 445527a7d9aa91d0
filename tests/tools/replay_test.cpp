// The workload commands of `cairn-bench`, end to end on small files.
#include "tools/bench/replay.hpp"

#include "tests/support/temporary_directory.hpp"
#include "tools/bench/number_file.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/json.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

using cairn::parse_json;
using cairn::Value;
using namespace cairn::tools;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t dimension = 4;
constexpr int nodes = 60;

// Angles grow faster and faster: nearest to node i is i - 1, then i + 1, and no two are as near.
std::vector<float> direction(int i) {
  const double angle = 0.02 * i + 0.0005 * i * i;
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0, 0};
}

struct Fixture {
  cairn::test::TemporaryDirectory temporary;

  [[nodiscard]] std::string path(const std::string& name) const {
    return (temporary.path() / name).string();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  void write_vectors(const std::string& name, const std::vector<int>& which) const {
    std::ofstream out(path(name), std::ios::binary);
    for (const int i : which) {
      const auto row = direction(i);
      out.write(reinterpret_cast<const char*>(row.data()), sizeof(float) * dimension);
    }
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream input(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(input), {}};
  }
  [[nodiscard]] Value report(const std::string& name) const {
    return parse_json(read(name)).value();
  }

  [[nodiscard]] LoadReplay load_work() const {
    LoadReplay work;
    work.database = path("db");
    work.nodes = path("nodes.jsonl");
    work.vectors = path("vectors.f32");
    work.dimension = dimension;
    work.label = "Word";
    work.property = "Embedding";
    work.report = path("load.json");
    return work;
  }
  void load() const {
    std::string lines;
    std::vector<int> all;
    for (int i = 0; i < nodes; ++i) {
      lines += "{\"number\": " + std::to_string(1'000 + i) +
               ", \"even\": " + (i % 2 == 0 ? "true" : "false") + "}\n";
      all.push_back(i);
    }
    write("nodes.jsonl", lines);
    write_vectors("vectors.f32", all);
    const auto done = replay(load_work());
    BOOST_REQUIRE_MESSAGE(done.has_value(), (done ? "" : done.error().message));
  }
  [[nodiscard]] SearchReplay search_work() const {
    write_vectors("queries.f32", {10, 20, 30});
    SearchReplay work;
    work.database = path("db");
    work.index = "word_embedding";
    work.queries = path("queries.f32");
    work.k = 3;
    work.ids = path("ids.i32");
    work.report = path("search.json");
    return work;
  }
  [[nodiscard]] std::vector<std::int32_t> search(const SearchReplay& work) const {
    const auto done = replay(work);
    BOOST_REQUIRE_MESSAGE(done.has_value(), (done ? "" : done.error().message));
    return read_numbers(path("ids.i32")).value();
  }
};

using Numbers = std::vector<std::int32_t>;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(replays, Fixture)

BOOST_AUTO_TEST_CASE(a_load_reports_what_it_made) {
  load();
  const Value report = this->report("load.json");
  const auto& figures = report.as_map();
  BOOST_TEST(figures.at("nodes").as_integer() == nodes);
  BOOST_TEST(figures.at("index").as_string() == "word_embedding");
  BOOST_TEST(figures.at("peak_rss_bytes").as_integer() > 1'000'000);
  BOOST_TEST(figures.at("disk_bytes").as_integer() > 1'000);
  for (const char* phase : {"load_seconds", "index_seconds", "save_seconds"})
    BOOST_TEST(figures.at(phase).as_float() > 0);
  // Wherever they are, vectors are somewhere whole.
  const auto& memory = figures.at("index_memory").as_map();
  std::int64_t bytes = 0;
  for (const auto& [part, own] : memory.at("bytes").as_map()) {
    bytes += own.as_integer();
    const double each = memory.at("bytes_a_vector").as_map().at(part).as_float();
    BOOST_TEST(each == static_cast<double>(own.as_integer()) / nodes, part);
  }
  BOOST_TEST(bytes >= std::int64_t{nodes} * dimension * 4);
}

BOOST_AUTO_TEST_CASE(a_load_into_a_directory_that_exists_is_refused) {
  fs::create_directory(path("db"));
  BOOST_CHECK(replay(load_work()).error().code == cairn::ErrorCode::already_exists);
}

BOOST_AUTO_TEST_CASE(lines_and_rows_must_be_as_many) {
  write_vectors("vectors.f32", {1, 2});
  write("nodes.jsonl", "{}\n");
  const auto fewer = replay(load_work());
  BOOST_REQUIRE(!fewer.has_value());
  BOOST_TEST(fewer.error().message == "1 lines of nodes, but 2 rows of vectors");
  fs::remove_all(path("db"));
  write("nodes.jsonl", "{}\n{}\n{}\n");
  const auto more = replay(load_work());
  BOOST_REQUIRE(!more.has_value());
  BOOST_TEST(more.error().message == "line 3: there are only 2 rows of vectors");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_whole_number_of_rows_is_refused) {
  write("vectors.f32", "12345");
  BOOST_CHECK(VectorFile::open(path("vectors.f32"), 2).error().code ==
              cairn::ErrorCode::invalid_argument);
  BOOST_CHECK(read_numbers(path("vectors.f32")).error().code == cairn::ErrorCode::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_node_is_a_map_of_properties_or_a_record) {
  BOOST_TEST(parse_node(R"({"type": "x", "id": 7})")->properties.size() == 2U);
  const auto record = parse_node(R"({"labels": ["A"], "properties": {"x": 1}})");
  BOOST_TEST(record->labels.at(0) == "A");
  BOOST_TEST(record->properties.at("x").as_integer() == 1);
  const auto apoc = parse_node(
      R"({"type":"node","id":"4","labels":["B"],"properties":{"d":[1]},"types":{"d":"vector"}})");
  BOOST_REQUIRE(apoc.has_value());
  BOOST_TEST(apoc->labels.at(0) == "B");
  BOOST_CHECK(apoc->properties.at("d").type() == cairn::ValueType::vector);
  BOOST_CHECK(!parse_node("[1]").has_value());
  BOOST_CHECK(!parse_node(R"({"type":"relationship","id":"1","properties":{}})").has_value());
}

BOOST_AUTO_TEST_CASE(hits_are_named_by_the_order_of_import) {
  load();
  BOOST_TEST(search(search_work()) == (Numbers{10, 9, 11, 20, 19, 21, 30, 29, 31}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(hits_are_named_by_a_property_under_a_filter_with_parameters) {
  load();
  SearchReplay work = search_work();
  work.where = "w.even = $even AND w.number > 1000 + $row";
  work.parameters["even"] = false;
  work.id_property = "number";
  work.efs = {16, 0};
  work.recalls = {"exact"};
  write("rows.i32", std::string("\2\0\0\0\0\0\0\0", 8));
  work.rows = path("rows.i32");
  const Numbers once{1029, 1031, 1027, 1009, 1011, 1007};
  Numbers wanted;
  for (int setting = 0; setting < 3; ++setting)
    wanted.insert(wanted.end(), once.begin(), once.end());
  BOOST_TEST(search(work) == wanted, boost::test_tools::per_element());
  const Value report = this->report("search.json");
  for (const char* time : {"open_ms", "first_answer_ms"})
    BOOST_TEST(report.as_map().at(time).as_float() > 0, time);
  const auto& settings = report.as_map().at("settings").as_list();
  BOOST_TEST(settings.size() == 3U);
  BOOST_TEST(settings[0].as_map().at("ef").as_integer() == 16);
  BOOST_TEST(settings[0].as_map().at("returned").as_integer() == 6);
  BOOST_TEST(settings[0].as_map().at("qps").as_float() > 0);
  BOOST_TEST(settings[2].as_map().at("recall").as_string() == "exact");
}

BOOST_AUTO_TEST_CASE(a_filter_is_one_expression) {
  load();
  SearchReplay work = search_work();
  for (const char* where :
       {"n.number < 5 LIMIT 2) RETURN n //", "n.number < 5 LIMIT 2) RETURN 'text' AS id //",
        "n.even LIMIT 2) RETURN 1 AS id UNION MATCH (n) RETURN n.number AS id //",
        "n.even) AND (n.even", "n.even] + [n.even", "n.even, n.even", "n.even AS x",
        "n.even RETURN n", "n.even /*", "'", "count(n.even) = 1", "n.even OR o.even", " "}) {
    work.where = where;
    const auto refused = replay(work);
    BOOST_REQUIRE_MESSAGE(!refused.has_value(), where);
    BOOST_TEST(refused.error().message.starts_with("--where: "), refused.error().message);
    BOOST_TEST(refused.error().message.find("one expression") != std::string::npos);
    BOOST_TEST(refused.error().message.find("column") == std::string::npos);
    BOOST_TEST(refused.error().message.find('\n') == std::string::npos);
  }
  work.where = "(n.even OR n.number IN [1009]) AND n.number < 1011 // ) and so on";
  work.k = 2;
  BOOST_TEST(search(work) == (Numbers{10, 9, 10, 9, 10, 9}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_class_of_recall_can_be_searched_with) {
  load();
  SearchReplay work = search_work();
  work.recalls = {"fast", "default", "high", "exact"};
  BOOST_TEST(search(work).size() == 4U * 3U * work.k);
  const Value report = this->report("search.json");
  const auto& settings = report.as_map().at("settings").as_list();
  BOOST_TEST_REQUIRE(settings.size() == 4U);
  const std::array wanted{" accuracy fast ", " accuracy default ", " accuracy high ", " exactly "};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& setting = settings[i].as_map();
    BOOST_TEST(setting.at("recall").as_string() == work.recalls[i]);
    const std::string& plan = setting.at("plan").as_string();
    BOOST_TEST((plan.find(wanted[i]) != std::string::npos), plan);
  }
}

BOOST_AUTO_TEST_CASE(missing_hits_are_minus_one) {
  load();
  SearchReplay work = search_work();
  work.where = "w.number = 1010";
  BOOST_TEST(search(work) == (Numbers{10, -1, -1, 10, -1, -1, 10, -1, -1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_index_is_found_by_name_label_or_property) {
  load();
  SearchReplay work = search_work();
  for (const char* name : {"word_embedding", "Word", "Embedding"}) {
    work.index = name;
    BOOST_TEST(search(work).front() == 10);
  }
  work.index = "other";
  BOOST_CHECK(replay(work).error().code == cairn::ErrorCode::not_found);
  BOOST_TEST(replay(work).error().message.find("did you mean") == std::string::npos);
  work.index = "word_embeding";
  BOOST_TEST(replay(work).error().message.find("did you mean \"word_embedding\"?") !=
             std::string::npos);
  {
    cairn::Database database = cairn::Database::open(path("db")).value();
    BOOST_REQUIRE(cairn::execute(database, "DROP INDEX word_embedding").has_value());
    BOOST_REQUIRE(database.close().has_value());
  }
  BOOST_TEST(replay(work).error().message.find("CREATE VECTOR INDEX `word_embeding` FOR") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(rows_beyond_the_queries_are_refused) {
  load();
  SearchReplay work = search_work();
  write("rows.i32", std::string("\3\0\0\0", 4));
  work.rows = path("rows.i32");
  BOOST_CHECK(replay(work).error().code == cairn::ErrorCode::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_variable_of_a_filter_is_the_first_name_before_a_dot) {
  BOOST_TEST(variable_of("m.kind = 'a.b' AND x.y") == "m");
  BOOST_TEST(variable_of("'it\\'s q.r' = $p.q OR toLower(doc.title) = 'x'") == "doc");
  BOOST_TEST(variable_of("1.5 < 2") == "n");
  BOOST_TEST(variable_of("") == "n");
}

BOOST_AUTO_TEST_CASE(statements_run_in_order_and_are_timed_each) {
  load();
  write("work.jsonl",
        R"json({"statement": "MERGE (p:Person {name: $name})", "parameters": {"name": "Ada"}}

{"query": "MATCH (p:Person) RETURN p.name AS name"}
{"statement": "MERGE (p:Person {name: $name})", "params": {"name": "Bob"}}
{"statement": "RETURN 1 / $zero AS x", "parameters": {"zero": 0}}
)json");
  const StatementsReplay work{path("db"), path("work.jsonl"), 0.01, path("out.json"),
                              path("results.jsonl")};
  const auto done = replay(work);
  BOOST_REQUIRE(!done.has_value());  // when all is run
  BOOST_TEST(done.error().message == "1 of 4 lines failed; line 5: division by zero: 1 / 0");
  const Value report = this->report("out.json");
  const auto& statements = report.as_map().at("statements").as_list();
  BOOST_REQUIRE(statements.size() == 3U);
  BOOST_TEST(statements[0].as_map().at("lines").as_integer() == 2);
  BOOST_TEST(statements[0].as_map().at("writes").as_bool());
  BOOST_TEST(statements[1].as_map().at("rate").as_float() > 0);
  BOOST_TEST(statements[2].as_map().at("errors").as_integer() > 0);
  std::istringstream results(read("results.jsonl"));
  std::string line;
  std::getline(results, line);
  std::getline(results, line);
  BOOST_TEST(line == R"({"columns":["name"],"line":2,"rows":[["Ada"]]})");
}

BOOST_AUTO_TEST_CASE(a_broken_line_of_statements_is_named) {
  load();
  write("work.jsonl", "{\"statement\": \"RETURN 1\"}\n{\"statement\": \"RETRUN\"}\n");
  const auto done = replay(StatementsReplay{path("db"), path("work.jsonl"), 0, "-", ""});
  BOOST_REQUIRE(!done.has_value());
  BOOST_TEST(done.error().message.find("line 2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_member_that_is_not_known_is_named) {
  load();
  write("work.jsonl", R"({"statement": "RETURN $x", "paramters": {"x": 1}})");
  const auto done = replay(StatementsReplay{path("db"), path("work.jsonl"), 0, "-", ""});
  BOOST_REQUIRE(!done.has_value());
  BOOST_TEST(done.error().message.find("line 1: \"paramters\" is not one of") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(warnings_of_statements_are_told_once) {
  load();
  const std::string line = R"({"statement": "MATCH (w:Word) WHERE w.numbr > $least RETURN w",)"
                           R"( "parameters": {"least": 1}})";
  write("work.jsonl", line + "\n" + line + "\n");
  std::ostringstream told;
  std::streambuf* const before = std::cerr.rdbuf(told.rdbuf());
  const auto done =
      replay(StatementsReplay{path("db"), path("work.jsonl"), 0, path("out.json"), ""});
  std::cerr.rdbuf(before);
  BOOST_TEST(done.has_value());
  BOOST_TEST(told.str().starts_with("warning: line 1: "), told.str());
  BOOST_TEST(told.str().find("did you mean number?") != std::string::npos, told.str());
  BOOST_TEST(told.str().find("line 2") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_row_of_vectors_that_is_no_vector_is_named) {
  load();
  const auto nan_row = [&](const std::string& name) {
    std::fstream file(path(name), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(sizeof(float) * dimension);
    const float nan = std::nanf("");
    file.write(reinterpret_cast<const char*>(&nan), sizeof nan);
  };
  SearchReplay work = search_work();
  nan_row("queries.f32");
  const auto searched = replay(work);
  BOOST_REQUIRE(!searched.has_value());
  BOOST_TEST(searched.error().message.starts_with("row 1 of " + work.queries + ": "));
  fs::remove_all(path("db"));
  nan_row("vectors.f32");
  const auto loaded = replay(load_work());
  BOOST_REQUIRE(!loaded.has_value());
  BOOST_TEST(loaded.error().message.starts_with("line 2 with its row of vectors: "),
             loaded.error().message);
}

BOOST_AUTO_TEST_CASE(a_stopwatch_without_a_lap_has_zeros) {
  const auto figures = Stopwatch().figures();
  BOOST_TEST(figures.at("runs").as_integer() == 0);
  BOOST_TEST(figures.at("p99_us").as_float() == 0);
}

BOOST_AUTO_TEST_CASE(changes_are_searched_beside_and_behind) {
  std::vector<int> all;
  for (int i = 0; i < nodes; ++i) all.push_back(i);
  write_vectors("vectors.f32", all);
  ChangesReplay work;
  work.database = path("changing");
  work.vectors = path("vectors.f32");
  work.dimension = dimension;
  work.questions = 5;
  work.changes = 40;
  work.seconds = 0.05;
  work.report = path("changes.json");
  BOOST_TEST_REQUIRE(replay(work).has_value());
  const Value report = this->report("changes.json");
  const auto& figures = report.as_map();
  BOOST_TEST(figures.at("vectors").as_integer() == nodes - 5);
  for (const char* when : {"recall_before", "recall_after_changes", "recall_when_settled"})
    BOOST_TEST(figures.at(when).as_map().at("high").as_float() == 1);
  for (const char* when : {"idle", "beside_inserts", "when_settled"})
    BOOST_TEST(figures.at(when).as_map().at("runs").as_integer() > 0);
  BOOST_TEST(figures.at("beside_inserts").as_map().at("inserts_per_second").as_float() > 0);
  for (const char* statement :
       {"search", "filters", "count", "newest", "facets", "hop2", "reach3", "group", "linked"}) {
    const auto& measured = figures.at("statements").as_map().at(statement).as_map();
    BOOST_TEST(measured.at("commits_per_second").as_float() > 0);
    BOOST_TEST(measured.at("rate_beside_to_idle").as_float() > 0);
    BOOST_TEST(measured.at("p50_beside_to_idle").as_float() > 0);
    BOOST_TEST(measured.at("cpu_beside_to_idle").as_float() > 0);
  }
  BOOST_TEST(!fs::exists(path("changing")));
  work.changes = 4 * nodes;
  BOOST_CHECK(replay(work).error().code == cairn::ErrorCode::invalid_argument);
  work.changes = 40;
  work.questions = nodes;
  BOOST_CHECK(replay(work).error().code == cairn::ErrorCode::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

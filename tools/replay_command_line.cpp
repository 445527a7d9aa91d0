// The `cairn bench load|search|statements|changes|retrieval` commands: words behind `bench` that
// are no database.
#include "tools/replay_command_line.hpp"

#include "tools/options.hpp"

#include <CLI/CLI.hpp>

#include <string_view>

namespace cairn::tools {
namespace {

void define_report(CLI::App& app, std::string& report) {
  app.add_option("--json", report, "File for the figures; - is standard output")->default_val("-");
}

void define_metric(CLI::App& app, std::string& metric) {
  app.add_option("--metric", metric, "How vectors are compared")
      ->check(CLI::IsMember({"cosine", "euclidean", "dot_product"}))
      ->capture_default_str();
}

void define_load(CLI::App& app, LoadReplay& work) {
  app.add_option("--db", work.database, "Directory to make the database in")->required();
  app.add_option("--nodes", work.nodes, "JSON Lines: properties, or nodes as APOC exports them")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--vectors", work.vectors, "32-bit floats; row i belongs to line i")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--dimension", work.dimension, "Floats a row")
      ->required()
      ->check(CLI::Range(1U, 4'096U));
  app.add_option("--label", work.label, "Label of every node")->required();
  app.add_option("--property", work.property, "Property that holds the vector")->required();
  define_metric(app, work.metric);
  app.add_option("--index", work.index, "Name of the index; label_property if left out");
  app.add_option("--threads", work.threads, "Background threads; one of them builds the index")
      ->capture_default_str();
  define_report(app, work.report);
}

void define_search(CLI::App& app, SearchReplay& work) {
  app.add_option("--db", work.database, "Directory of the database")->required();
  app.add_option("--index", work.index, "Vector index: its name, or its label or property")
      ->required();
  app.add_option("--queries", work.queries, "32-bit floats, a query a row")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--rows", work.rows, "32-bit integers: rows of --queries to search for")
      ->check(CLI::ExistingFile);
  require_at_least(app.add_option("--k", work.k, "Hits a query"), 1);
  require_at_least(app.add_option("--ef", work.efs, "Candidates a search keeps, a list; 0: chosen")
                       ->delimiter(','),
                   0);
  app.add_option("--recall", work.recalls, "Classes of recall, a list")
      ->delimiter(',')
      ->check(CLI::IsMember({"fast", "default", "high", "exact"}));
  app.add_option("--where", work.where, "Filter, for instance 'm.user = $user AND m.year > 2020'");
  define_parameters(app, "--param", work.parameters, "A parameter of the filter");
  app.add_option("--seconds", work.seconds, "Least time a setting; at least one pass")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--id-property", work.id_property,
                 "Integer property to name hits by; order of import if left out");
  app.add_option("--ids", work.ids,
                 "File for k 32-bit integers a query, -1 where there is no hit; setting after "
                 "setting: first those of --ef, then those of --recall");
  define_report(app, work.report);
}

void define_statements(CLI::App& app, StatementsReplay& work) {
  app.add_option("--db", work.database, "Directory of the database")->required();
  app.add_option("--file", work.file, R"(JSON Lines: {"statement": TEXT, "parameters": {...}})")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option(
         "--seconds", work.seconds,
         "Least time a statement, behind the first run of all; what writes is run again, too")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--results", work.results, "File for the rows of the first run, a line a line");
  define_report(app, work.report);
}

void define_changes(CLI::App& app, ChangesReplay& work) {
  app.add_option("--db", work.database, "Directory to make the database in; removed at the end")
      ->required();
  app.add_option("--vectors", work.vectors, "32-bit floats; the last rows are the questions")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--dimension", work.dimension, "Floats a row")
      ->required()
      ->check(CLI::Range(1U, 4'096U));
  define_metric(app, work.metric);
  require_at_least(app.add_option("--questions", work.questions, "Rows to search for"), 1);
  require_at_least(app.add_option("--inserts", work.inserts_per_second, "Vectors a second"), 1);
  app.add_option("--changes", work.changes, "Updates and deletions, three to one")
      ->capture_default_str();
  app.add_option("--seconds", work.seconds, "Time of each measurement")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--seed", work.seed, "What is drawn")->capture_default_str();
  define_report(app, work.report);
}

void define_retrieval(CLI::App& app, RetrievalBench& work) {
  app.add_option("DIR", work.directory,
                 "Folder with corpus.jsonl, queries.jsonl and qrels/test.tsv")
      ->required()
      ->check(CLI::ExistingDirectory);
  app.add_option("--exclude", work.exclude, "name=value: leave out questions with this metadata");
  app.add_option("--word-vectors", work.word_vectors,
                 "File of cairn convert-vectors, instead of hashed vectors")
      ->check(CLI::ExistingFile);
  app.add_flag("--hybrid", work.hybrid, "Hybrid searches of the language as well, by fusion");
}

constexpr std::string_view names[] = {"load", "search", "statements", "changes", "retrieval"};

}  // namespace

bool names_replay(int argc, char** argv) {
  if (argc < 3 || std::string_view("bench") != argv[1]) return false;
  for (const std::string_view name : names)
    if (name == argv[2]) return true;
  return false;
}

CommandLine parse_replay(CLI::App& app, int argc, char** argv) {
  CommandLine line;
  LoadReplay loading;
  SearchReplay searching;
  StatementsReplay running;
  ChangesReplay changing;
  RetrievalBench retrieving;
  CLI::App* bench = app.add_subcommand("bench", "Replay and measure a workload");
  bench->require_subcommand(1);
  CLI::App* load = bench->add_subcommand("load", "Make a database of nodes and vectors");
  define_load(*load, loading);
  CLI::App* search = bench->add_subcommand("search", "Search a vector index, one query at a time");
  define_search(*search, searching);
  CLI::App* statements = bench->add_subcommand("statements", "Run statements of a file");
  define_statements(*statements, running);
  CLI::App* changes = bench->add_subcommand("changes", "Search vectors while they change");
  define_changes(*changes, changing);
  CLI::App* retrieval = bench->add_subcommand("retrieval", "Judge the answers of recall");
  define_retrieval(*retrieval, retrieving);
  app.parse(argc, argv);
  if (changes->parsed()) line.command = changing;
  if (retrieval->parsed()) line.command = retrieving;
  if (load->parsed()) line.command = loading;
  if (search->parsed()) line.command = searching;
  if (statements->parsed()) line.command = running;
  return line;
}

}  // namespace cairn::tools

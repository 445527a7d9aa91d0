// The program `cairn-bench`: each verb runs one benchmark. Exits with status 0, or 1 after an
// error.

#include "tools/arguments/command_parser.hpp"
#include "tools/bench/benchmarks.hpp"
#include "tools/bench/replay.hpp"
#include "tools/bench/retrieval.hpp"
#include "tools/bench/text.hpp"
#include "tools/parameter_options.hpp"
#include "tools/program.hpp"

#include <iostream>
#include <string>
#include <variant>

namespace cairn::tools {
namespace {

// The command that was read from the command line of `cairn-bench`.
//
// The parser checks numbers, files and names, so that the benchmarks do not have to.

using BenchCommand = std::variant<MetadataBench, FacetsBench, TextBench, LoadReplay, SearchReplay,
                                  StatementsReplay, ChangesReplay, RetrievalBench, AttachBench,
                                  GraphBench, HomeBench, McpBench, SimilarityBench>;

constexpr auto description =
    "Benchmarks of Cairn: on generated data in a new database (metadata, facets, text, graph,\n"
    "attach, home, mcp, similarity), of a workload that you bring (load, search, statements,\n"
    "changes), and of answers (retrieval).";

constexpr WholeRange dimensions{1, 4'096};

void define_new_directory(OptionSet options, std::string& directory) {
  options.text("DIR", directory, "Directory to make the database in").required();
}

void define_seed(OptionSet options, std::uint64_t& seed) {
  options.whole_number("--seed", seed, "Seed of the generated data");
}

void define_report(OptionSet options, std::string& report) {
  report.assign(1, '-');
  options.text("--json", report, "File for the figures; - is standard output");
}

void define_metric(OptionSet options, std::string& metric) {
  options.text("--metric", metric, "How vectors are compared")
      .one_of({"cosine", "euclidean", "dot_product"});
}

void define_metadata(OptionSet options, MetadataBench& bench) {
  define_new_directory(options, bench.directory);
  options.whole_number("--nodes", bench.nodes, "Nodes to load", {1});
  options.whole_number("--updates", bench.updates, "Updates of one hot value");
  define_seed(options, bench.seed);
}

void define_facets(OptionSet options, FacetsBench& bench) {
  define_new_directory(options, bench.directory);
  options.whole_number("--nodes", bench.nodes, "Nodes to load", {1});
  options.whole_number("--tags", bench.tags, "Distinct tags", {1});
  define_seed(options, bench.seed);
}

void define_home(OptionSet options, HomeBench& bench) {
  define_new_directory(options, bench.directory);
  options.text("--home", bench.home,
               "The store, dir:PATH or s3://BUCKET/PREFIX; DIR/store if left out");
  options.whole_number("--memories", bench.memories, "Memories in the home", {1});
  options.whole_number("--dimension", bench.dimension, "Floats of a vector", dimensions);
  options.whole_number("--commits", bench.commits, "Commits, creates and searches", {1});
  options.whole_number("--openings", bench.openings, "Openings of each kind", {1});
  options.whole_number("--homes", bench.homes, "Homes that are open at once", {1});
  define_seed(options, bench.seed);
}

void define_text(OptionSet options, TextBench& bench) {
  define_new_directory(options, bench.directory);
  options.whole_number("--texts", bench.workload.texts, "Texts to index", {1});
  options.whole_number("--questions", bench.workload.questions, "Questions of each kind", {1});
  options.text("--file", bench.workload.file, "Texts, one a line, instead of generated ones")
      .existing_file();
  options.text("--analyzer", bench.workload.analyzer, "english or none: stems or whole words")
      .one_of({"english", "none"});
  define_seed(options, bench.workload.seed);
}

void define_load(OptionSet options, LoadReplay& work) {
  options.text("--db", work.database, "Directory to make the database in").required();
  options.text("--nodes", work.nodes, "JSON Lines: properties, or nodes as APOC exports them")
      .required()
      .existing_file();
  options.text("--vectors", work.vectors, "32-bit floats; row i belongs to line i")
      .required()
      .existing_file();
  options.whole_number("--dimension", work.dimension, "Floats a row", dimensions).required();
  options.text("--label", work.label, "Label of every node").required();
  options.text("--property", work.property, "Property that holds the vector").required();
  define_metric(options, work.metric);
  options.text("--index", work.index, "Name of the index; label_property if left out");
  options.whole_number("--threads", work.threads,
                       "Background threads; one of them builds the index");
  define_report(options, work.report);
}

void define_search(OptionSet options, SearchReplay& work) {
  options.text("--db", work.database, "Directory of the database").required();
  options.text("--index", work.index, "Vector index: its name, or its label or property")
      .required();
  options.text("--queries", work.queries, "32-bit floats, a query a row")
      .required()
      .existing_file();
  options.text("--rows", work.rows, "32-bit integers: rows of --queries to search for")
      .existing_file();
  options.whole_number("--k", work.k, "Hits a query", {1});
  options.whole_numbers("--ef", work.efs, "Candidates of a search, a list; 0: the engine chooses")
      .separated_by_commas();
  options.texts("--accuracy", work.recalls, "Classes of accuracy, a list")
      .separated_by_commas()
      .one_of({"fast", "default", "high", "exact"});
  options.text("--where", work.where, "Filter, for instance 'm.user = $user AND m.year > 2020'");
  define_parameters(options, "--param", work.parameters, "A parameter of the filter");
  options.amount("--seconds", work.seconds, "Least time a setting; at least one pass");
  options.text("--id-property", work.id_property,
               "Integer property that identifies hits in --ids; their import order if left out");
  options.text("--ids", work.ids,
               "File for k 32-bit integers a query, -1 for no hit; setting by setting: first those "
               "of --ef, then those of --accuracy");
  define_report(options, work.report);
}

void define_statements(OptionSet options, StatementsReplay& work) {
  options.text("--db", work.database, "Directory of the database").required();
  options.text("--file", work.file, R"(JSON Lines: {"statement": TEXT, "parameters": {...}})")
      .required()
      .existing_file();
  options.amount(
      "--seconds", work.seconds,
      "Least time a statement, after the first run of all; also repeats statements that write");
  options.text("--results", work.results, "File for the rows of the first run, one line per line");
  define_report(options, work.report);
}

void define_changes(OptionSet options, ChangesReplay& work) {
  options.text("--db", work.database, "Directory to make the database in; removed at the end")
      .required();
  options.text("--vectors", work.vectors, "32-bit floats; the last rows are the questions")
      .required()
      .existing_file();
  options.whole_number("--dimension", work.dimension, "Floats a row", dimensions).required();
  define_metric(options, work.metric);
  options.whole_number("--questions", work.questions, "Rows to search for", {1});
  options.whole_number("--inserts", work.inserts_per_second, "Vectors a second", {1});
  options.whole_number("--changes", work.changes, "Updates and deletions, three to one");
  options.amount("--seconds", work.seconds, "Time of each measurement");
  options.whole_number("--seed", work.seed, "Seed of the changes");
  define_report(options, work.report);
}

void define_mcp(OptionSet options, McpBench& bench) {
  define_new_directory(options, bench.directory);
  options.text("--program", bench.program, "cairn; the one beside this program if left out");
  options.whole_number("--memories", bench.memories, "Memories to store", {1});
  options.whole_number("--starts", bench.starts, "Processes to start, of each kind");
  options.whole_number("--calls", bench.calls, "Calls of each kind", {1});
  define_seed(options, bench.seed);
}

void define_attach(OptionSet options, AttachBench& bench) {
  define_new_directory(options, bench.directory);
  options.whole_number("--nodes", bench.nodes, "Nodes to load, and to import", {1});
  options.whole_number("--dimension", bench.dimension, "Dimension of their vectors", dimensions);
  options.amount("--seconds", bench.seconds, "Time of each throughput measurement");
  options.whole_number("--takeovers", bench.takeovers, "Hosts to kill");
  define_seed(options, bench.seed);
}

void define_similarity(OptionSet options, SimilarityBench& bench) {
  define_new_directory(options, bench.directory);
  options.whole_number("--entities", bench.entities, "Nodes, and relationships between them", {1});
  options.whole_number("--dimension", bench.dimension, "Dimension of their vectors", dimensions);
  options.whole_number("--calls", bench.calls, "Calls of each statement", {1});
  define_seed(options, bench.seed);
}

void define_graph(OptionSet options, GraphBench& bench) {
  define_new_directory(options, bench.directory);
  options.whole_number("--persons", bench.size.persons,
                       "Persons, each with 20 KNOWS and 10 messages", {100});
  options.texts("--questions", bench.questions, "Only these questions, a list of names")
      .separated_by_commas();
  options.amount("--seconds", bench.seconds, "Time limit per question and engine, after 20 runs");
  options.whole_number("--threads", bench.threads,
                       "Threads of a statement of Cairn; 0: as many as cores, at most 4", {0});
  options.flag("--sqlite", bench.sqlite, "Also measure SQLite");
  options.text("--duckdb", bench.duckdb, "Also measure DuckDB, with this libduckdb.so")
      .existing_file();
  options.text("--kuzu", bench.kuzu, "Also measure Kuzu, from this directory of its npm package")
      .existing_directory();
  define_seed(options, bench.size.seed);
}

void define_retrieval(OptionSet options, RetrievalBench& bench) {
  options.text("DIR", bench.directory, "Folder with corpus.jsonl, queries.jsonl and qrels/test.tsv")
      .required()
      .existing_directory();
  options.text("--exclude", bench.exclude, "name=value: leave out questions with this metadata");
  options
      .text("--word-vectors", bench.word_vectors,
            "File of cairn convert-vectors, instead of hashed vectors")
      .existing_file();
  options.text("--embedder", bench.embedder,
               "Makes the vectors, as for cairn ingest, instead of hashed vectors");
  options.flag("--hybrid", bench.hybrid, "Hybrid searches of the language as well, by fusion");
  options.flag("--intervals", bench.intervals,
               "What each feature gains, by kind of question, with confidence intervals");
  options.flag("--changes", bench.changes,
               "Instead: what it costs to store or to ask in other ways");
}

/// Returns the command, or the exit status after help, the version or an error was printed. All
/// verbs are defined, and one is parsed.
std::variant<BenchCommand, int> parse_bench_command(int argc, char** argv) {
  CommandParser parser("cairn-bench", description);
  MetadataBench metadata;
  FacetsBench facets;
  TextBench text;
  LoadReplay load;
  SearchReplay search;
  StatementsReplay statements;
  ChangesReplay changes;
  RetrievalBench retrieval;
  AttachBench attach;
  HomeBench home;
  McpBench mcp;
  SimilarityBench similarity;
  GraphBench graph;
  define_metadata(parser.add_verb("metadata", "Filters over generated nodes"), metadata);
  define_facets(parser.add_verb("facets", "Faceted searches over generated nodes"), facets);
  define_text(parser.add_verb("text", "Full-text indexes, beside other engines"), text);
  define_load(parser.add_verb("load", "Make a database of nodes and vectors"), load);
  define_search(parser.add_verb("search", "Search a vector index, one query at a time"), search);
  define_statements(parser.add_verb("statements", "Run statements of a file"), statements);
  define_changes(parser.add_verb("changes", "Search vectors while they change"), changes);
  define_attach(parser.add_verb("attach", "Processes that share a database"), attach);
  define_home(parser.add_verb("home", "A database in an object store, and a replica"), home);
  define_mcp(parser.add_verb("mcp", "The memory of agents, through `cairn mcp`"), mcp);
  define_similarity(parser.add_verb("similarity", "Sorts by a similarity, without SEARCH"),
                    similarity);
  define_graph(parser.add_verb("graph", "Questions about a network, beside other engines"), graph);
  define_retrieval(parser.add_verb("retrieval", "Judge the answers of recall"), retrieval);
  if (const auto status = parser.parse(argc, argv)) return *status;
  const std::string verb = parser.verb();
  if (verb == "metadata") return metadata;
  if (verb == "facets") return facets;
  if (verb == "text") return text;
  if (verb == "load") return load;
  if (verb == "search") return search;
  if (verb == "statements") return statements;
  if (verb == "changes") return changes;
  if (verb == "attach") return attach;
  if (verb == "home") return home;
  if (verb == "mcp") return mcp;
  if (verb == "similarity") return similarity;
  if (verb == "graph") return graph;
  return retrieval;
}

Status run(const MetadataBench& bench) { return bench_metadata(bench, std::cout); }
Status run(const FacetsBench& bench) { return bench_facets(bench, std::cout); }
Status run(const TextBench& bench) { return bench_text(bench, std::cout); }
Status run(const LoadReplay& work) { return replay(work); }
Status run(const SearchReplay& work) { return replay(work); }
Status run(const StatementsReplay& work) { return replay(work); }
Status run(const ChangesReplay& work) { return replay(work); }
Status run(const AttachBench& bench) { return bench_attach(bench, std::cout); }
Status run(const HomeBench& bench) { return bench_home(bench, std::cout); }
Status run(const McpBench& bench) { return bench_mcp(bench, std::cout); }
Status run(const SimilarityBench& bench) { return bench_similarity(bench, std::cout); }
Status run(const GraphBench& bench) { return bench_graph(bench, std::cout); }
Status run(const RetrievalBench& bench) { return run_retrieval(bench, std::cout); }

int run(int argc, char** argv) {
  const auto parsed = parse_bench_command(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  return exit_status(
      std::visit([](const auto& command) { return run(command); }, std::get<BenchCommand>(parsed)));
}

}  // namespace

}  // namespace cairn::tools

int main(int argc, char** argv) { return cairn::tools::run_main(argc, argv, cairn::tools::run); }

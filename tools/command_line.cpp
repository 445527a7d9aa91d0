// Two forms share one program: `cairn DB ...` opens the shell and `cairn VERB DB ...` does
// something. The first word decides. CLI11 throws for mistakes and for --help; both end here as an
// exit status.
#include "tools/command_line.hpp"

#include "tools/options.hpp"
#include "tools/replay_command_line.hpp"
#include "tools/text/near_name.hpp"

#include <cairn/version.hpp>

#include <CLI/CLI.hpp>

#include <array>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::array<std::string_view, 7> verbs{"import", "export", "ingest",         "stats",
                                                "check",  "bench",  "convert-vectors"};

constexpr auto description =
    "Cairn, a memory engine: a graph with metadata filters and vectors in one directory.\n"
    "\n"
    "  cairn DB                  open the shell on the database directory DB\n"
    "  cairn DB -c STATEMENT     run statements and leave; or: cairn DB < file.cypher\n"
    "  cairn ingest DB DIR       text files to searchable chunks";

void define_shell(CLI::App& app, ShellCommand& command) {
  app.add_option("-c,--command", command.statements,
                 "Run these statements and leave; several may share a transaction");
  app.add_flag("--keep-going", command.keep_going,
               "Run what follows a statement that fails; the exit status is 1 all the same");
  // In this order, which is the one they are evaluated in: the single parameter wins over the file.
  define_parameter_file(app, "--params", command.parameters,
                        "A file with a JSON object of parameters");
  define_parameters(app, "--param", command.parameters, "A parameter, instead of the file's,");
  app.add_option_function<std::string>(
      "--format",
      [&](const std::string& name) {
        const auto format = find_format(name);
        if (!format)
          throw CLI::ValidationError("--format", "one of " + std::string(format_names()));
        command.format = *format;
        command.is_format_given = true;
      },
      "Format of results: " + std::string(format_names()) + " [" +
          std::string(to_string(command.format)) + "]");
  app.add_flag("--read-only", command.read_only, "Refuse to write");
  require_at_least(app.add_option("--transaction-mib", command.transaction_mebibytes,
                                  "MiB of changes that a transaction may hold"),
                   1);
  app.add_flag("--timer", command.timer, "Show how long each statement takes");
}

void define_import(CLI::App& app, ImportCommand& command) {
  // Checked here, before a database is made for a file that is not there.
  app.add_option("FILE", command.file,
                 "JSON Lines as APOC exports them, nodes before their relationships")
      ->required()
      ->check(CLI::ExistingFile);
  require_at_least(app.add_option("--batch", command.options.batch, "Lines a commit"), 1);
  app.add_flag("--skip-errors", command.options.skip_errors,
               "Leave broken lines out and report them");
  app.add_flag("--bulk", command.bulk, "Load a new database without a log: faster, all or nothing");
  app.add_option("--id-property", command.options.id_property,
                 "Property that becomes the external id");
  app.add_option("--id-prefix", command.options.id_prefix,
                 "Make PREFIX + id of the file the external id");
}

void define_ingest(CLI::App& app, IngestCommand& command) {
  app.add_option("DIRECTORY", command.directory, "Directory of text files")
      ->required()
      ->check(CLI::ExistingDirectory);
  require_at_least(
      app.add_option("--chunk-size", command.options.chunks.size, "Code points a chunk, at most"),
      1);
  require_at_least(app.add_option("--chunk-overlap", command.options.chunks.overlap,
                                  "Code points shared by neighbours"),
                   0);
  app.add_option("--exclude", command.options.exclude,
                 "File or directory name to leave out; may be repeated")
      ->allow_extra_args(false);
  define_parameters(app, "--set", command.options.extra, "Property of every document and chunk");
}

void define_check(CLI::App& app, CheckCommand& command) {
  require_at_least(app.add_option("--limit", command.limit, "Findings to stop after"), 1);
  app.add_flag("--repair", command.repair,
               "First drop what a damaged log ends in and rebuild the indexes");
}

/// Numbers are checked here, so that the benchmarks themselves need no messages.
void define_bench(CLI::App& app, BenchCommand& command) {
  app.add_option("NAME", command.name, "metadata, facets or text")
      ->required()
      ->check(CLI::IsMember({"metadata", "facets", "text"}));
  require_at_least(app.add_option("--nodes", command.nodes, "Nodes to load"), 1);
  require_at_least(app.add_option("--updates", command.updates, "Updates of one hot value"), 0);
  require_at_least(app.add_option("--tags", command.tags, "Distinct tags of facets"), 1);
  require_at_least(app.add_option("--seed", command.seed, "Of the generated data"), 0);
  require_at_least(app.add_option("--texts", command.text.texts, "Texts to index"), 1);
  require_at_least(app.add_option("--questions", command.text.questions, "Of each kind"), 1);
  app.add_option("--file", command.text.file, "Texts, one a line, instead of generated ones")
      ->check(CLI::ExistingFile);
  app.add_option("--analyzer", command.text.analyzer, "english or none: stems or whole words")
      ->check(CLI::IsMember({"english", "none"}));
}

bool names_verb(int argc, char** argv) {
  if (argc < 2) return false;
  for (std::string_view verb : verbs)
    if (verb == argv[1]) return true;
  return false;
}

/// The verb that a mistyped word may stand for, or nothing.
std::string_view likely_verb(std::string_view word, std::size_t most_edits) {
  for (const std::string_view verb : verbs)
    if (edits_between(word, verb) <= most_edits) return verb;
  return {};
}

/// `cairn stat DB` reads as a database named stat and an argument too many.
void suggest_verb(std::string_view word) {
  if (const std::string_view verb = likely_verb(word, 2); !verb.empty())
    std::cerr << "There is no command " << word << ": did you mean " << verb << "?\n";
}

/// `cairn stat` would make a database of that name, which nobody wants who mistyped a verb. `report` is near
/// to a verb, too, and a good name.
void check_new_name(const std::string& database) {
  std::error_code problem;
  const std::string_view verb = likely_verb(database, 1);
  if (verb.empty() || std::filesystem::exists(database, problem)) return;
  throw CLI::ValidationError("There is no database " + database + ": did you mean the command " +
                             std::string(verb) + "? A new database of that name is ./" + database);
}

void add_database(CLI::App& app, std::string& database) {
  app.add_option("DB", database, "Directory of the database")->required();
}

void define_convert_vectors(CLI::App& app, ConvertVectorsCommand& command) {
  app.add_option("TEXT", command.text, "Lines of a word and its numbers: GloVe, word2vec, fastText")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("FILE", command.file, "File to write, for WordVectors::open")->required();
}

/// `cairn VERB DB ...`
/// All commands are defined, one is parsed. Values are checked as they are read: numbers, files,
/// names.
CommandLine parse_verb(CLI::App& app, int argc, char** argv) {
  CommandLine line;
  ImportCommand importing;
  ExportCommand exporting;
  IngestCommand ingesting;
  CheckCommand checking;
  BenchCommand benching;
  const auto add = [&](const char* verb, const char* summary) {
    CLI::App* sub = app.add_subcommand(verb, summary);
    add_database(*sub, line.database);
    return sub;
  };
  CLI::App* import_app = add("import", "Load JSON Lines in the shape of APOC's export");
  define_import(*import_app, importing);
  CLI::App* export_app = add("export", "Write the database as JSON Lines");
  export_app->add_option("FILE", exporting.file, "File to write; standard output if left out");
  export_app->add_flag("--skip-damaged", exporting.skip_damaged,
                       "Leave out what cannot be read, and say what that is");
  CLI::App* ingest_app = add("ingest", "Turn a directory of text files into documents and chunks");
  define_ingest(*ingest_app, ingesting);
  CLI::App* stats_app = add("stats", "What the database holds and costs");
  CLI::App* check_app = add("check", "Compare indexes, adjacency and vectors with the records");
  define_check(*check_app, checking);
  CLI::App* bench_app = add("bench", "Measure on generated data in a new database");
  define_bench(*bench_app, benching);
  ConvertVectorsCommand converting;
  CLI::App* convert_app =
      app.add_subcommand("convert-vectors", "Make a file of word vectors of their text form");
  define_convert_vectors(*convert_app, converting);
  app.parse(argc, argv);
  if (import_app->parsed()) line.command = importing;
  if (export_app->parsed()) line.command = exporting;
  if (ingest_app->parsed()) line.command = ingesting;
  if (stats_app->parsed()) line.command = StatsCommand{};
  if (check_app->parsed()) line.command = checking;
  if (bench_app->parsed()) line.command = benching;
  if (convert_app->parsed()) line.command = converting;
  return line;
}

/// `cairn DB ...`
CommandLine parse_shell(CLI::App& app, int argc, char** argv) {
  CommandLine line;
  ShellCommand command;
  app.footer(
      "Other uses: cairn import|export|ingest|stats|check|bench DB ..., and\n"
      "cairn bench load|search|statements|changes|retrieval ..., cairn convert-vectors; each has "
      "--help.\n"
      "In the shell, .help lists its commands.");
  add_database(app, line.database);
  define_shell(app, command);
  app.parse(argc, argv);
  check_new_name(line.database);
  line.command = std::move(command);
  return line;
}

}  // namespace

// A first word that is a verb makes the line a command, any other the shell on that directory, so
// that the kind of line is told before it is parsed. An int is the exit code: 0 for help and
// version, which are exceptions of CLI11, else 1.
std::variant<CommandLine, int> parse_command_line(int argc, char** argv) {
  CLI::App app(description, "cairn");
  app.set_version_flag("--version", std::string(version()));
  try {
    if (names_replay(argc, argv)) return parse_replay(app, argc, argv);
    if (!names_verb(argc, argv)) return parse_shell(app, argc, argv);
    app.require_subcommand(1);
    return parse_verb(app, argc, argv);
  } catch (const CLI::ExtrasError& error) {
    if (!names_verb(argc, argv)) suggest_verb(argv[1]);
    return app.exit(error) == 0 ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
}

}  // namespace cairn::tools

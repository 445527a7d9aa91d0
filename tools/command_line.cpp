#include "tools/command_line.hpp"

#include "tools/replay_command_line.hpp"

#include <cairn/json.hpp>
#include <cairn/version.hpp>

#include <CLI/CLI.hpp>

#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

namespace cairn::tools {
namespace {

constexpr std::array<std::string_view, 6> verbs{"import", "export", "ingest",
                                                "stats",  "check",  "bench"};

constexpr auto description =
    "Cairn, a memory engine: a graph with metadata filters and vectors in one directory.\n"
    "\n"
    "  cairn DB                  open the shell on the database directory DB\n"
    "  cairn DB -c STATEMENT     run statements and leave; or: cairn DB < file.cypher\n"
    "  cairn ingest DB DIR       text files to searchable chunks";

void throw_on(const Error& error, const std::string& option) {
  throw CLI::ValidationError(option, error.message);
}

/// name=JSON
void add_parameter(Parameters& parameters, const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw CLI::ValidationError(option, "expected name=JSON, got '" + text + "'");
  auto value = parse_json(std::string_view(text).substr(equals + 1));
  if (!value) throw_on(value.error(), option + " " + text);
  parameters[text.substr(0, equals)] = *std::move(value);
}

void add_parameter_file(Parameters& parameters, const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(input), {}};
  auto value = parse_json(text);
  if (!value) throw_on(value.error(), "--params " + file);
  if (value->map() == nullptr)
    throw CLI::ValidationError("--params", file + " holds no JSON object");
  for (const auto& [name, parameter] : *value->map()) parameters[name] = parameter;
}

void define_shell(CLI::App& app, ShellCommand& command) {
  app.add_option("-c,--command", command.statements, "Run these statements and leave");
  app.add_option_function<std::vector<std::string>>(
         "--param",
         [&](const std::vector<std::string>& all) {
           for (const std::string& text : all) add_parameter(command.parameters, text, "--param");
         },
         "A parameter as name=JSON; may be repeated")
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--params", [&](const std::string& file) { add_parameter_file(command.parameters, file); },
         "A file with a JSON object of parameters")
      ->check(CLI::ExistingFile);
  app.add_option_function<std::string>(
      "--format",
      [&](const std::string& name) {
        const auto format = find_format(name);
        if (!format)
          throw CLI::ValidationError("--format", "one of " + std::string(format_names()));
        command.format = *format;
        command.is_format_given = true;
      },
      "Format of results: " + std::string(format_names()));
  app.add_flag("--read-only", command.read_only, "Refuse to write");
  app.add_flag("--timer", command.timer, "Show how long each statement takes");
}

void define_import(CLI::App& app, ImportCommand& command) {
  app.add_option("FILE", command.file, "JSON Lines as APOC exports them")->required();
  app.add_option("--batch", command.options.batch, "Lines a commit")->check(CLI::PositiveNumber);
  app.add_flag("--skip-errors", command.options.skip_errors,
               "Leave broken lines out and report them");
  app.add_flag("--bulk", command.bulk, "Load without a log: faster, all or nothing");
  app.add_option("--id-property", command.options.id_property,
                 "Property that becomes the external id");
  app.add_option("--id-prefix", command.options.id_prefix,
                 "Make PREFIX + id of the file the external id");
}

void define_ingest(CLI::App& app, IngestCommand& command) {
  app.add_option("DIRECTORY", command.directory, "Directory of text files")->required();
  app.add_option("--chunk-size", command.options.chunks.size, "Code points a chunk, at most")
      ->check(CLI::PositiveNumber);
  app.add_option("--chunk-overlap", command.options.chunks.overlap,
                 "Code points shared by neighbours");
  app.add_option("--exclude", command.options.exclude,
                 "File or directory name to leave out; may be repeated")
      ->allow_extra_args(false);
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [&](const std::vector<std::string>& all) {
           for (const std::string& text : all) add_parameter(command.options.extra, text, "--set");
         },
         "Property of every document and chunk as name=JSON; may be repeated")
      ->allow_extra_args(false);
}

void define_bench(CLI::App& app, BenchCommand& command) {
  app.add_option("NAME", command.name, "metadata or facets")
      ->required()
      ->check(CLI::IsMember({"metadata", "facets"}));
  app.add_option("--nodes", command.nodes, "Nodes to load")->check(CLI::PositiveNumber);
  app.add_option("--updates", command.updates, "Updates of one hot value");
  app.add_option("--tags", command.tags, "Distinct tags of facets")->check(CLI::PositiveNumber);
  app.add_option("--seed", command.seed, "Of the generated data");
}

bool names_verb(int argc, char** argv) {
  if (argc < 2) return false;
  for (std::string_view verb : verbs)
    if (verb == argv[1]) return true;
  return false;
}

void add_database(CLI::App& app, std::string& database) {
  app.add_option("DB", database, "Directory of the database")->required();
}

/// `cairn VERB DB ...`
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
  CLI::App* ingest_app = add("ingest", "Turn a directory of text files into documents and chunks");
  define_ingest(*ingest_app, ingesting);
  CLI::App* stats_app = add("stats", "What the database holds and costs");
  CLI::App* check_app = add("check", "Compare indexes, adjacency and vectors with the records");
  check_app->add_option("--limit", checking.limit, "Findings to stop after");
  check_app->add_flag("--repair", checking.repair,
                      "First drop what a damaged log ends in and rebuild the indexes");
  CLI::App* bench_app = add("bench", "Measure on generated data in a new database");
  define_bench(*bench_app, benching);
  app.parse(argc, argv);
  if (import_app->parsed()) line.command = importing;
  if (export_app->parsed()) line.command = exporting;
  if (ingest_app->parsed()) line.command = ingesting;
  if (stats_app->parsed()) line.command = StatsCommand{};
  if (check_app->parsed()) line.command = checking;
  if (bench_app->parsed()) line.command = benching;
  return line;
}

/// `cairn DB ...`
CommandLine parse_shell(CLI::App& app, int argc, char** argv) {
  CommandLine line;
  ShellCommand command;
  app.footer(
      "Other uses: cairn import|export|ingest|stats|check|bench DB ..., and\n"
      "cairn bench load|search|statements --db DB ...; each has --help.\n"
      "In the shell, .help lists its commands.");
  add_database(app, line.database);
  define_shell(app, command);
  app.parse(argc, argv);
  line.command = std::move(command);
  return line;
}

}  // namespace

std::variant<CommandLine, int> parse_command_line(int argc, char** argv) {
  CLI::App app(description, "cairn");
  app.set_version_flag("--version", std::string(version()));
  try {
    if (names_replay(argc, argv)) return parse_replay(app, argc, argv);
    if (!names_verb(argc, argv)) return parse_shell(app, argc, argv);
    app.require_subcommand(1);
    return parse_verb(app, argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }
}

}  // namespace cairn::tools

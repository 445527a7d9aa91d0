// Defines and parses the command line of `cairn`. `cairn DB ...` opens the shell, and `cairn VERB
// DB ...` runs a command; the first word decides.
#include "tools/command_line.hpp"

#include "tools/arguments/command_parser.hpp"
#include "tools/embed/database_embedder.hpp"
#include "tools/parameter_options.hpp"
#include "tools/shell/command_words.hpp"
#include "tools/shell/statement_settings.hpp"
#include "tools/text/near_name.hpp"

#include <cairn/language_grammar.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::array<std::string_view, 15> verbs{
    "import",          "export",  "ingest", "embed", "stats", "check", "backup", "restore",
    "convert-vectors", "grammar", "token",  "serve", "mcp",   "scrub", "home"};

constexpr auto description =
    "Cairn, a memory engine: a graph with metadata filters and vectors in one directory.\n"
    "\n"
    "  cairn DB                  open the shell on the database directory DB\n"
    "  cairn DB STATEMENT        run statements and leave; or: cairn DB -f file.cypher\n"
    "  cairn bolt://HOST:PORT    the same over the network, with a token in CAIRN_TOKEN\n"
    "  cairn ingest DB DIR       texts, PDF, office files and HTML to searchable chunks\n"
    "  cairn serve DB            the database for drivers of Neo4j\n"
    "  cairn mcp DB              a memory for agents, by the Model Context Protocol";

/// Adds options for all settings. The default namespace is not shown as a default.
void define_settings(OptionSet options, StatementOptions& limits) {
  for (const StatementSetting& setting : statement_settings()) {
    const std::string present = setting.show(limits);
    options.word(
        option_of(setting),
        [&limits, &setting](const std::string& text) {
          const Status status = setting.set(limits, text);
          return status ? std::string() : status.error().message;
        },
        std::string(setting.summary) + (present == "''" ? "" : " [" + present + "]"));
  }
}

/// Statements and files to run, by the option that gave them.
struct GivenStatements {
  std::vector<std::string> files;
  std::vector<std::string> commands;
  std::vector<std::string> words;

  [[nodiscard]] std::vector<std::string> all() const {
    std::vector<std::string> statements;
    for (const std::string& file : files) statements.push_back(".read " + as_word(file));
    for (const auto* given : {&commands, &words})
      statements.insert(statements.end(), given->begin(), given->end());
    return statements;
  }
};

void define_statements(OptionSet options, GivenStatements& given) {
  options.texts("STATEMENT", given.words, "Statements to run, as with -c");
  options
      .texts("-f,--file", given.files, "Run the statements and commands of these files, and leave")
      .repeatable();
  options.texts("-c,--command", given.commands,
                "Run these statements and leave; several may share a transaction");
}

std::string take_rows(std::optional<std::size_t>& rows, const std::string& text) {
  std::size_t count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool is_number = problem == std::errc() && end == text.data() + text.size() && count > 0;
  if (!is_number && text != "all") return "expected a number of rows, or all, got " + text;
  rows = count;
  return {};
}

void define_shell(OptionSet options, ShellCommand& command) {
  options.flag("--keep-going", command.keep_going,
               "Go on after a statement that fails; the exit status is still 1");
  // Options are evaluated in the order of definition, so a single parameter overrides the file.
  define_parameter_file(options, "--params", command.parameters,
                        "A file with a JSON object of parameters");
  define_parameters(options, "--param", command.parameters,
                    "A parameter, which overrides that of the file,");
  const std::string formats(format_names());
  options.word(
      "--format",
      [&command, formats](const std::string& name) {
        const auto format = find_format(name);
        if (!format) return "one of " + formats;
        command.format = *format;
        command.is_format_given = true;
        return std::string();
      },
      "Format of results: " + formats + " [" + std::string(to_string(command.format)) + "]");
  options.flag("--read-only", command.read_only, "Refuse to write");
  options.whole_number("--transaction-mib", command.transaction_mebibytes,
                       "MiB of changes that a transaction may hold", {1});
  options.flag("--timer", command.timer, "Show how long each statement takes");
  define_settings(options, command.limits);
  options.word(
      "--rows", [&command](const std::string& text) { return take_rows(command.rows, text); },
      "Rows that a terminal shows of a table: a number, or all [40 at the prompt, else all]");
  options.flag("--create", command.create, "Make a new database without asking");
  options.text("--embedder", command.embedder, embedder_help);
  options.text("--file-root", command.file_root,
               "Directory of the files of statements, in place of the working directory");
  const OptionRules home =
      options.text("--home", command.home,
                   "Object store in which the database lives, dir:PATH or s3://BUCKET/PREFIX; its "
                   "directory is a copy then, and may be empty");
  options
      .days("--keep-days", command.home_history,
            "With --home: days that it keeps older states for `cairn home restore`; 0: only the "
            "one before the newest [as the home was told last]")
      .needs(home);
  options.text("--token-file", command.token_file,
               "File with the token for bolt://HOST:PORT [CAIRN_TOKEN in the environment]");
  options.text("--tls-ca", command.authorities,
               "PEM file of the authority that signed the certificate of bolt+s://HOST:PORT");
  options.flag("--no-color", command.no_color, "No colours on a terminal");
}

void define_import(OptionSet options, ImportCommand& command) {
  // The file is checked here, before a database is created for a missing file.
  options
      .text("FILE", command.file,
            "JSON Lines as APOC exports them, nodes before their relationships; or CSV; - is "
            "standard input")
      .required()
      .existing_file_or_input();
  options.whole_number("--batch", command.options.batch, "Lines a commit", {1});
  options.whole_number("--max-line-mib", command.max_line_mebibytes, "MiB that a line may have",
                       {1});
  options.flag("--skip-errors", command.options.skip_errors,
               "Leave out lines with errors and report them");
  options.text("--embedder", command.embedder,
               "Then make the vectors that are pending, as cairn embed --pending");
  options.flag("--bulk", command.bulk, "Load a new database without a log: faster, all or nothing");
  options.text("--id-property", command.options.id_property,
               "Property, or column of a CSV file, that becomes the external id");
  options.text("--id-prefix", command.options.id_prefix,
               "Make PREFIX + id of the file the external id");
  options.text("--namespace", command.options.name_space,
               "Namespace of the nodes of a CSV file, and of lines that name none");
  options.texts("--label", command.csv.labels, "Label of the nodes of a CSV file; may be repeated")
      .repeatable();
  options.text("--id", command.csv.id_column, "Column of a CSV file that becomes the external id");
  options.word(
      "--delimiter",
      [&command](const std::string& word) {
        const auto delimiter = parse_delimiter(word);
        if (delimiter) command.csv.delimiter = *delimiter;
        return delimiter ? std::string() : delimiter.error().message;
      },
      "Separates the fields of a CSV file [a comma, or a tab in FILE.tsv]");
}

void define_export(OptionSet options, ExportCommand& command) {
  options.text("FILE", command.file, "File to write; standard output if left out");
  options.word(
      "--namespace",
      [&command](const std::string& name) {
        command.options.name_space = name;
        return std::string();
      },
      "This namespace alone; '' is the default one");
  options.flag("--visible-only", command.options.visible_only,
               "Leave out what is softly deleted or has expired");
  options.flag("--skip-damaged", command.options.skip_damaged,
               "Leave out records that cannot be read, and list them");
}

void define_ingest(OptionSet options, IngestCommand& command) {
  options.text("DIRECTORY", command.directory, "Directory of the files")
      .required()
      .existing_directory();
  options.whole_number("--chunk-size", command.options.chunks.size, "Code points a chunk, at most",
                       {1});
  options.whole_number("--chunk-overlap", command.options.chunks.overlap,
                       "Code points shared by neighbours");
  options
      .texts("--exclude", command.options.exclude,
             "File or directory name to leave out; may be repeated")
      .repeatable();
  define_parameters(options, "--set", command.options.extra,
                    "Property of every document and chunk");
  options.text("--expires", command.expires,
               "When the documents expire: a duration such as 30d or P30D, or a point in time");
  options.text("--embedder", command.embedder,
               "Makes the vectors: hash, words:FILE, static:DIRECTORY, command:PROGRAM or "
               "\"http:URL model=NAME\"");
}

void define_stats(OptionSet options, StatsCommand& command) {
  options.word(
      "--format",
      [&command](const std::string& name) {
        if (name != "text" && name != "prometheus") return std::string("text or prometheus");
        command.for_prometheus = name == "prometheus";
        return std::string();
      },
      "text, for people, or prometheus, for programs that collect metrics [text]");
}

void define_check(OptionSet options, CheckCommand& command) {
  options.whole_number("--limit", command.limit, "Findings to stop after", {1});
  options.flag("--repair", command.repair,
               "First drop the damaged end of the log and rebuild the indexes");
}

void define_backup(OptionSet options, std::string& database, BackupCommand& command) {
  options.text("DB", database, "Directory of the database; none with --verify");
  options.text(
      "DIR", command.directory,
      "Directory of the backup; an earlier one of the same database is brought up to date");
  options.flag("--verify", command.verify,
               "Read a backup and compare each of its files with its checksum");
}

/// Assigns the words: --verify takes one word, a backup takes two. Returns a message if a word is
/// missing or unexpected; otherwise an empty text.
std::string settle_backup(std::string& database, BackupCommand& command) {
  if (command.verify && command.directory.empty()) std::swap(database, command.directory);
  if (command.directory.empty() || database.empty() != command.verify)
    return command.verify ? "backup --verify takes the directory of the backup, DIR"
                          : "backup takes the database and the directory of the backup: DB DIR";
  return {};
}

void define_scrub(OptionSet options, ScrubCommand& command) {
  const char* const user = std::getenv("USER");
  command.by = user == nullptr ? "" : user;
  options.text("--by", command.by, "Name for the receipt of the person who requests it");
  options.whole_number("--wait", command.wait_seconds,
                       "Seconds to wait for readers that still see what was erased", {0});
}

void define_convert_vectors(OptionSet options, ConvertVectorsCommand& command) {
  options.text("TEXT", command.text, "Lines of a word and its numbers: GloVe, word2vec, fastText")
      .required()
      .existing_file();
  options.text("FILE", command.file, "File to write, for WordVectors::open").required();
}

void define_grammar(OptionSet options, GrammarCommand& command) {
  options.word(
      "--format",
      [&command](const std::string& name) {
        command.format = name;
        const bool is_known = std::ranges::find(grammar_formats, name) != std::end(grammar_formats);
        return std::string(is_known ? "" : "one of ebnf, gbnf");
      },
      "ebnf, for people, or gbnf, for constrained decoding by a language model [ebnf]");
}

bool names_verb(int argc, char** argv) {
  if (argc < 2) return false;
  for (std::string_view verb : verbs)
    if (verb == argv[1]) return true;
  return false;
}

/// Returns the verb that a mistyped word may mean; empty if no verb is similar.
std::string_view likely_verb(std::string_view word, std::size_t most_edits) {
  for (const std::string_view verb : verbs)
    if (edits_between(word, verb) <= most_edits) return verb;
  return {};
}

/// `cairn stat DB` is parsed as a database named stat with an additional argument.
void suggest_verb(std::string_view word) {
  if (const std::string_view verb = likely_verb(word, 2); !verb.empty())
    std::cerr << "There is no command " << word << ": did you mean " << verb << "?\n";
}

/// Returns why a database with this name should not be created; empty if it may be.
///
/// `cairn stat` would create a database named stat, although the user probably mistyped a verb.
/// `report` is similar to a verb too, but is a plausible name. With further words, as in `cairn
/// stat notes.db`, a mistyped verb is more likely, so callers allow more edits.
std::string new_name_problem(const std::string& database, std::size_t most_edits) {
  std::error_code problem;
  const std::string_view verb = likely_verb(database, most_edits);
  if (verb.empty() || std::filesystem::exists(database, problem)) return {};
  return "There is no database " + database + ": did you mean the command " + std::string(verb) +
         "? A new database of that name is ./" + database;
}

OptionSet with_database(OptionSet options, std::string& database) {
  options.text("DB", database, "Directory of the database").required();
  return options;
}

/// All verbs with their options, one of which is parsed.
class Verbs {
 public:
  explicit Verbs(CommandParser& parser) : parser_(parser) {}

  /// Parses `cairn VERB DB ...`. Numbers, files and names are checked while they are read.
  std::variant<CommandLine, int> parse(int argc, char** argv) {
    define_data();
    define_copies();
    define_others();
    if (const auto status = parser_.parse(argc, argv)) return *status;
    return chosen(parser_.verb());
  }

 private:
  OptionSet add(const char* verb, const char* summary) {
    return with_database(parser_.add_verb(verb, summary), line_.database);
  }

  void define_data() {
    define_import(add("import", "Load JSON Lines in the shape of APOC's export, or CSV"),
                  importing_);
    define_export(add("export", "Write the whole database as JSON Lines"), exporting_);
    define_ingest(
        add("ingest",
            "Turn a directory of texts, PDF, office files and HTML into documents and chunks"),
        ingesting_);
    define_embed(add("embed", "Make the vectors of texts that were written without their model"),
                 embedding_);
    define_stats(add("stats", "What the database holds and costs"), showing_);
    define_check(add("check", "Compare indexes, adjacency and vectors with the records"),
                 checking_);
  }

  void define_copies() {
    define_backup(parser_.add_verb("backup", "Write a backup, or --verify one"), line_.database,
                  backing_up_);
    OptionSet restoration = parser_.add_verb("restore", "Make a database of a backup");
    restoration.text("DIR", restoring_.directory, "Directory of the backup")
        .required()
        .existing_directory();
    with_database(restoration, line_.database);
  }

  void define_others() {
    define_scrub(add("scrub", "Erase from the files what was erased or replaced, with a receipt"),
                 scrubbing_);
    define_convert_vectors(
        parser_.add_verb("convert-vectors", "Make a file of word vectors of their text form"),
        converting_);
    define_grammar(parser_.add_verb("grammar", "Print the grammar of the query language"),
                   telling_);
    define_token(parser_.add_verb("token", "Create, list or revoke what drivers log in with"),
                 line_.database, admitting_);
    define_serve(add("serve", "Let drivers of Neo4j use the database, until Ctrl-C"), serving_);
    define_home(parser_.add_verb("home", "States of a database in an object store, and copies"),
                housing_);
    OptionSet agents =
        parser_.add_verb("mcp", "Be the memory of an agent, by the Model Context Protocol");
    agents.text("DB", line_.database,
                "Directory of the database, which is created if it does not exist");
    define_mcp(agents, remembering_);
  }

  /// Returns the command of a verb with its options. Checks what depends on several options;
  /// returns an exit status after printing a problem.
  std::variant<CommandLine, int> chosen(const std::string& verb) {
    if (verb == "import") line_.command = importing_;
    if (verb == "export") line_.command = exporting_;
    if (verb == "ingest") line_.command = ingesting_;
    if (verb == "embed") line_.command = embedding_;
    if (verb == "stats") line_.command = showing_;
    if (verb == "check") line_.command = checking_;
    if (verb == "backup") {
      if (const std::string problem = settle_backup(line_.database, backing_up_); !problem.empty())
        return parser_.refuse(problem);
      line_.command = backing_up_;
    }
    if (verb == "restore") line_.command = restoring_;
    if (verb == "scrub") line_.command = scrubbing_;
    if (verb == "convert-vectors") line_.command = converting_;
    if (verb == "grammar") line_.command = telling_;
    if (verb == "serve") line_.command = serving_;
    if (verb == "mcp") {
      if (line_.database.empty() && remembering_.client.empty())
        return parser_.refuse("mcp takes the database: cairn mcp DB");
      if (remembering_.http && !remembering_.client.empty())
        return parser_.refuse(
            "--print-config is for clients that start a server, and not for --http");
      if (const std::string problem = check_mcp(remembering_); !problem.empty())
        return parser_.refuse(problem);
      line_.command = remembering_;
    }
    if (verb.starts_with("token ")) {
      admitting_.action = token_action(verb);
      line_.command = admitting_;
    }
    if (verb.starts_with("home ")) {
      housing_.action = home_action(verb);
      line_.command = housing_;
    }
    return line_;
  }

  CommandParser& parser_;
  CommandLine line_;
  ImportCommand importing_;
  ExportCommand exporting_;
  IngestCommand ingesting_;
  EmbedCommand embedding_;
  StatsCommand showing_;
  CheckCommand checking_;
  BackupCommand backing_up_;
  RestoreCommand restoring_;
  ScrubCommand scrubbing_;
  ConvertVectorsCommand converting_;
  GrammarCommand telling_;
  TokenCommand admitting_;
  ServeCommand serving_;
  McpCommand remembering_;
  HomeCommand housing_;
};

/// Parses `cairn DB ...`.
std::variant<CommandLine, int> parse_shell(CommandParser& parser, int argc, char** argv) {
  CommandLine line;
  ShellCommand command;
  parser.set_footer(
      "Other uses: cairn import|export|ingest|embed|stats|check|backup|scrub DB ..., cairn restore "
      "DIR "
      "DB, "
      "cairn token create|list|revoke DB ..., cairn home history|restore|fork|delete|probe "
      "ADDRESS ..., cairn serve DB, cairn mcp DB, cairn convert-vectors and cairn grammar; cairn "
      "help VERB tells of one.\n"
      "Benchmarks are a program of their own: cairn-bench --help.\n"
      "In the shell, .help lists its commands.");
  GivenStatements given;
  OptionSet options = with_database(parser.options(), line.database);
  define_statements(options, given);
  define_shell(options, command);
  if (const auto status = parser.parse(argc, argv, [&] { suggest_verb(argv[1]); })) return *status;
  const std::size_t most_edits = given.words.empty() ? 1 : 2;
  if (const std::string problem = new_name_problem(line.database, most_edits); !problem.empty())
    return parser.refuse(problem);
  command.statements = given.all();
  line.command = std::move(command);
  return line;
}

std::variant<CommandLine, int> parse_words(CommandParser& parser, int argc, char** argv) {
  return names_verb(argc, argv) ? Verbs(parser).parse(argc, argv) : parse_shell(parser, argc, argv);
}

}  // namespace

// The first word decides before parsing: a verb makes the line a command, any other word is a
// database for the shell. `cairn help VERB` is `cairn VERB --help`.
std::variant<CommandLine, int> parse_command_line(int argc, char** argv) {
  CommandParser parser("cairn", description);
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    std::string option = "--help";
    std::vector<char*> words(argv, argv + argc);
    words.erase(words.begin() + 1);
    words.push_back(option.data());
    return parse_words(parser, static_cast<int>(words.size()), words.data());
  }
  return parse_words(parser, argc, argv);
}

}  // namespace cairn::tools

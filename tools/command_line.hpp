#pragma once
// The parsed command line of `cairn`.

#include "tools/embed/embed_command.hpp"
#include "tools/home/home_command.hpp"
#include "tools/ingest/ingest.hpp"
#include "tools/mcp/mcp.hpp"
#include "tools/serve/serve.hpp"
#include "tools/text/row_writer.hpp"
#include "tools/transfer/csv_import.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/transfer.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cairn::tools {

/// `cairn DB [-f FILE] [-c STATEMENTS] [STATEMENTS]`, where DB is a directory or the address of a
/// server
struct ShellCommand {
  std::vector<std::string> statements;  ///< also commands; first those that read files
  Parameters parameters;
  Format format = Format::table;
  bool is_format_given = false;
  bool read_only = false;
  bool timer = false;
  StatementOptions limits = {};               ///< of each statement, with its namespace
  bool keep_going = false;                    ///< continue after a failed statement
  std::uint64_t transaction_mebibytes = 256;  ///< limit of changes
  bool create = false;                        ///< create a missing database without asking
  bool no_color = false;
  std::string file_root;  ///< for files of statements; empty: the working directory
  std::string home;       ///< object store of the database, see Options::home; empty: none
  std::optional<std::chrono::seconds> home_history;  ///< see Options::home_history
  std::string token_file;           ///< file with the token for an address; empty: CAIRN_TOKEN
  std::string authorities;          ///< PEM file with the signers of a server's certificate
  std::optional<std::size_t> rows;  ///< rows of a result on a terminal; 0: all
  std::string embedder;             ///< of the texts of statements; empty: none
};

struct ImportCommand {
  std::string file;
  ImportOptions options;
  CsvImportOptions csv;  ///< for a CSV file
  std::uint64_t max_line_mebibytes = 64;
  bool bulk = false;
  std::string embedder;  ///< makes the vectors that are pending; empty: none
};

struct ExportCommand {
  std::string file;  ///< empty or "-": standard output
  ExportOptions options;
};

struct IngestCommand {
  std::string directory;
  std::string expires;  ///< a duration or a time; empty: never
  std::string embedder = "hash";
  IngestOptions options;
};

struct StatsCommand {
  bool for_prometheus = false;
};

struct CheckCommand {
  std::size_t limit = 1'000;
  bool repair = false;
};

/// `cairn backup DB DIR` and, with `verify`, `cairn backup --verify DIR`, which needs no database.
struct BackupCommand {
  std::string directory;
  bool verify = false;
};

/// `cairn restore DIR DB`
struct RestoreCommand {
  std::string directory;
};

/// `cairn scrub DB`
struct ScrubCommand {
  std::string by;                 ///< for the receipt
  std::size_t wait_seconds = 30;  ///< for readers
};

/// `cairn convert-vectors TEXT FILE`
struct ConvertVectorsCommand {
  std::string text;
  std::string file;
};

/// `cairn grammar`
struct GrammarCommand {
  std::string format = "ebnf";  ///< one of cairn::grammar_formats
};

using Command = std::variant<ShellCommand, ImportCommand, ExportCommand, IngestCommand,
                             EmbedCommand, StatsCommand, CheckCommand, BackupCommand,
                             RestoreCommand, ScrubCommand, ConvertVectorsCommand, GrammarCommand,
                             TokenCommand, ServeCommand, McpCommand, HomeCommand>;

struct CommandLine {
  std::string database;
  Command command;
};

/// Parses the command line. Returns the exit status instead if help, version or an error was
/// printed.
[[nodiscard]] std::variant<CommandLine, int> parse_command_line(int argc, char** argv);

// The database of a command, at the address of a server or in a directory.

/// Refuses options for a server address if the database is a directory.
[[nodiscard]] Status check_local(const CommandLine& line, const ShellCommand& command);

/// Connects to a server with the token of the command. Errors: invalid_argument for options that are
/// for a directory; those of open_remote().
[[nodiscard]] Result<Database> open_address(const CommandLine& line, const ShellCommand& command);

}  // namespace cairn::tools

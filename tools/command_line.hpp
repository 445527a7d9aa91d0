#pragma once
// What was asked on the command line of `cairn`.

#include "tools/ingest/ingest.hpp"
#include "tools/mcp/mcp.hpp"
#include "tools/serve/serve.hpp"
#include "tools/text/row_writer.hpp"
#include "tools/transfer/csv_import.hpp"

#include <cairn/options.hpp>
#include <cairn/transfer.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cairn::tools {

/// `cairn DB [-f FILE] [-c STATEMENTS] [STATEMENTS]`, where DB may be an address of a server as well
struct ShellCommand {
  std::vector<std::string> statements;  ///< and commands, those that read files first
  Parameters parameters;
  Format format = Format::table;
  bool is_format_given = false;
  bool read_only = false;
  bool timer = false;
  StatementOptions limits = {};               ///< of each statement, and its namespace
  bool keep_going = false;                    ///< behind a statement that fails
  std::uint64_t transaction_mebibytes = 256;  ///< of changes, at most
  bool create = false;                        ///< a missing database, unasked
  bool no_color = false;
  std::string file_root;   ///< of statements; empty: the working directory
  std::string home;        ///< where the database lives, see Options::home; empty: in its directory
  std::string token_file;  ///< with the token for an address; empty: CAIRN_TOKEN
  std::string authorities;          ///< PEM file of who signed a server's certificate
  std::optional<std::size_t> rows;  ///< a terminal shows of a result, at most; 0 for all
};

struct ImportCommand {
  std::string file;
  ImportOptions options;
  CsvImportOptions csv;  ///< of a CSV file
  std::uint64_t max_line_mebibytes = 64;
  bool bulk = false;
};

struct ExportCommand {
  std::string file;  ///< empty or "-": standard output
  ExportOptions options;
};

struct IngestCommand {
  std::string directory;
  std::string expires;  ///< a duration or a moment; empty: never
  IngestOptions options;
};

struct StatsCommand {
  bool for_prometheus = false;
};

struct CheckCommand {
  std::size_t limit = 1'000;
  bool repair = false;
};

/// `cairn backup DB DIR` and, with `verify`, `cairn backup --verify DIR`, where the directory is all there is.
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

using Command =
    std::variant<ShellCommand, ImportCommand, ExportCommand, IngestCommand, StatsCommand,
                 CheckCommand, BackupCommand, RestoreCommand, ScrubCommand, ConvertVectorsCommand,
                 GrammarCommand, TokenCommand, ServeCommand, McpCommand>;

struct CommandLine {
  std::string database;
  Command command;
};

/// The command line, or the exit status after help, version or an error was printed.
[[nodiscard]] std::variant<CommandLine, int> parse_command_line(int argc, char** argv);

}  // namespace cairn::tools

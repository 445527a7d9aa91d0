// The program `cairn`: maps commands to calls of the library. The exit status is 0, or 1 after an
// error. Results go to standard output; errors, warnings and progress go to standard error.
#include "tools/command_line.hpp"
#include "tools/embed/database_embedder.hpp"
#include "tools/embed/embed_command.hpp"
#include "tools/home/home_command.hpp"
#include "tools/maintenance.hpp"
#include "tools/mcp/mcp.hpp"
#include "tools/program.hpp"
#include "tools/serve/serve.hpp"
#include "tools/shell/interrupt.hpp"
#include "tools/shell/pager.hpp"
#include "tools/shell/script.hpp"
#include "tools/shell/session.hpp"
#include "tools/shell/session_commands.hpp"
#include "tools/shell/shell.hpp"
#include "tools/shell/transfer_commands.hpp"
#include "tools/text/palette.hpp"
#include "tools/text/wrapped_text.hpp"
#include "tools/transfer/backup.hpp"
#include "tools/transfer/csv_import.hpp"
#include "tools/transfer/export_files.hpp"
#include "tools/transfer/index_file.hpp"
#include "tools/transfer/transfer_report.hpp"

#include <cairn/check_files.hpp>
#include <cairn/database.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/language_grammar.hpp>
#include <cairn/remote.hpp>
#include <cairn/word_vectors.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

namespace cairn::tools {
namespace {

std::filesystem::path history_file() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? std::filesystem::path() : std::filesystem::path(home) / ".cairn_history";
}

/// The group whose users may attach to each other's databases; empty: only this user.
std::string share_group() {
  const char* const group = std::getenv("CAIRN_SHARE_GROUP");
  return group == nullptr ? "" : group;
}

/// Warnings go to standard error, so that results can be piped.
Result<Database> open(const CommandLine& line, const Options& given) {
  if (is_remote_address(line.database))
    return Error{ErrorCode::unsupported,
                 "this command needs a directory, but " + line.database +
                     " is an address: run the command on the machine that has the database",
                 {}};
  Options options = given;
  options.share_group = share_group();
  CAIRN_ASSIGN(Database database, Database::open(line.database, options));
  for (const std::string& warning : database.warnings()) {
    std::cerr << "warning: " << warning << "\n";
  }
  return database;
}

/// A database that is open elsewhere is used through the process that has it open.
Result<Database> open(const CommandLine& line, OpenMode mode, bool create,
                      HostPreference preference = HostPreference::low) {
  Options options;
  options.mode = mode;
  options.share = Share::automatic;
  options.host_preference = preference;
  options.create_if_missing = create;
  return open(line, options);
}

/// Opens the database read-only, or attaches to the process that has it open.
Result<Database> open_to_read(const CommandLine& line) {
  Options options;
  options.mode = OpenMode::read_only;
  options.share = Share::automatic;
  options.attach_timeout = std::chrono::milliseconds(1'000);
  return open(line, options);
}

/// Removes the files that a failed first load left. If the directory existed before, it stays and
/// is empty.
void clear(const std::filesystem::path& directory, bool with_directory) {
  std::error_code ignored;
  if (with_directory) std::filesystem::remove_all(directory, ignored);
  std::filesystem::directory_iterator entry(directory, ignored), end;
  for (std::error_code problem; !problem && entry != end; entry.increment(problem))
    std::filesystem::remove_all(entry->path(), ignored);
}

/// Runs `work` on the database. If `work` fails, removes a database that was created for it, unless
/// nodes were stored. A failed bulk load stores nothing.
template <class Work>
Status fill(const CommandLine& line, OpenMode mode, const Work& work) {
  const bool is_new = is_vacant(line.database);
  std::error_code ignored;
  const bool is_made = !std::filesystem::exists(line.database, ignored);
  Status status;
  {
    CAIRN_ASSIGN(Database database, open(line, mode, true));
    status = work(database);
    if (status) return database.close();
    if (mode == OpenMode::bulk_load && status.error().code == ErrorCode::cancelled)
      status = Error{ErrorCode::cancelled, "the load was stopped: nothing of it is stored",
                     std::nullopt};
    const auto statistics = database.statistics();
    const bool is_kept = mode != OpenMode::bulk_load && statistics && statistics->nodes != 0;
    if (!is_new || is_kept) return status;
  }
  clear(line.database, is_made);
  return status;
}

/// Stops at the first error; earlier statements stay. `begin` was read from the input already.
bool run_script(Session& session, const ShellCommand& command, std::string begin) {
  if (!command.statements.empty()) return session.run_each(command.statements);
  if (begin.empty()) return session.run_stream(std::cin);
  BegunInput buffer(std::move(begin), std::cin);
  std::istream input(&buffer);
  return session.run_stream(input);
}

bool is_interactive(const ShellCommand& command) {
  return command.statements.empty() && isatty(STDIN_FILENO) == 1;
}

/// Returns whether a missing database may be created. On a terminal, asks the user. Otherwise, true
/// if a statement of the command line writes, or if the script on standard input writes first; the
/// part of the script that was read is in `begin`.
bool may_make(const CommandLine& line, const ShellCommand& command, std::string& begin) {
  if (command.create) return true;
  if (is_interactive(command)) return confirm_on_terminal(make_question(line.database));
  if (!command.statements.empty()) return std::ranges::any_of(command.statements, writes);
  begin = read_begin(std::cin);
  return first_kind(begin, true) == ScriptKind::writes;
}

/// Adapts the output to a terminal, and allows questions to the user.
void adapt_to_terminal(SessionOptions& options, const ShellCommand& command) {
  options.is_terminal = isatty(STDOUT_FILENO) == 1;
  if (!options.is_terminal) return;
  constexpr std::size_t usual_rows = 40;
  options.measure_width = terminal_width;
  options.has_colours =
      !command.no_color && environment_has_colours() && isatty(STDERR_FILENO) == 1;
  const bool has_prompt = is_interactive(command);
  options.shown_rows = command.rows.value_or(has_prompt ? usual_rows : 0);
  options.has_prompt = has_prompt;
  if (!has_prompt) return;
  if (can_start_pager(default_pager())) options.pager = default_pager();
  options.confirm = confirm_on_terminal;
}

/// An error that the session has printed already.
Error told_already() { return {ErrorCode::invalid_argument, "", std::nullopt}; }

/// Limits the number to more than any machine has.
std::uint64_t bytes_of_mebibytes(std::uint64_t count) {
  constexpr std::uint64_t most_mebibytes = std::uint64_t{1} << 40;
  return std::min(count, most_mebibytes) << 20;
}

/// Runs statements of the command line, of a pipe, or of a user. There is no prompt with -c, nor if
/// input comes from a pipe.
Status converse(Database& database, const ShellCommand& command, SessionOptions options,
                const std::string& title, std::string begin) {
  adapt_to_terminal(options, command);
  Session session(database, command.parameters, std::move(options), std::cout, std::cerr);
  if (is_interactive(command)) {
    std::cout << title << ". Type .help for help, .quit to leave.\n" << std::flush;
    run_shell(session, history_file());
    return database.close();
  }
  const bool is_done = run_script(session, command, std::move(begin));
  CAIRN_TRY(database.close());
  if (!is_done) return told_already();
  return {};
}

SessionOptions session_options(const ShellCommand& command) {
  return {command.format, command.timer, 0, true, command.keep_going, command.limits};
}

Status run(const CommandLine& line, const ShellCommand& command) {
  CAIRN_TRY(check_local(line, command));
  if (is_remote_address(line.database)) {
    CAIRN_ASSIGN(Database database, open_address(line, command));
    SessionOptions options = session_options(command);
    options.path = line.database;
    return converse(database, command, std::move(options), "Cairn at " + line.database, {});
  }
  Options opening;
  opening.mode = command.read_only ? OpenMode::read_only : OpenMode::read_write;
  opening.share = Share::automatic;
  if (!command.statements.empty()) opening.host_preference = HostPreference::low;
  opening.share_group = share_group();
  opening.transaction_bytes = bytes_of_mebibytes(command.transaction_mebibytes);
  opening.home = command.home;
  opening.home_history = command.home_history;
  std::error_code problem;  // then statements have no files
  opening.file_root = command.file_root.empty() ? std::filesystem::current_path(problem)
                                                : std::filesystem::path(command.file_root);
  const bool is_new = is_vacant(line.database);
  std::string begin;
  if (is_new && !command.read_only && command.home.empty() && !may_make(line, command, begin))
    return no_database(line.database);
  // The path is made absolute, because the working directory may change later.
  const CommandLine absolute{std::filesystem::absolute(line.database, problem).string(), command};
  CAIRN_ASSIGN(Database database, open(problem ? line : absolute, opening));
  CAIRN_TRY(use_embedder(database, command.embedder, std::cerr));
  SessionOptions options = session_options(command);
  options.opening = opening;
  options.path = absolute.database;
  return converse(database, command, std::move(options),
                  "Cairn on " + line.database + (is_new ? ", a new database" : ""),
                  std::move(begin));
}

/// Imports a CSV file, then makes the vectors of the new records if an embedder is given.
Status run_csv(const CommandLine& line, const ImportCommand& command,
               const InterruptScope& interrupt) {
  ImportOptions shared = command.options;
  shared.cancel = interrupt.token();
  CsvImportOptions options = command.csv;
  CAIRN_TRY(take_options(shared, options));
  options.progress = true;
  options.tell = [](const std::string& remark) { std::cerr << "warning: " << remark << "\n"; };
  ImportReport report;
  std::string embedded;
  const OpenMode mode = command.bulk ? OpenMode::bulk_load : OpenMode::read_write;
  CAIRN_TRY(fill(line, mode, [&](Database& database) -> Status {
    CAIRN_ASSIGN(report, import_csv(database, command.file, options));
    CAIRN_ASSIGN(embedded, embed_imported(database, command.embedder, interrupt.token()));
    return {};
  }));
  std::cout << to_text(report) << embedded;
  return {};
}

Status run(const CommandLine& line, const ImportCommand& given) {
  ImportCommand command = given;
  if (command.file == "-") command.file = "/dev/stdin";
  // An interrupted bulk load leaves an unusable database, so an existing database is refused.
  if (command.bulk && !is_vacant(line.database))
    return Error{ErrorCode::already_exists,
                 line.database +
                     " exists: --bulk loads into a new database only, because an interrupted load "
                     "leaves no usable data; remove that directory, or leave out --bulk to add to "
                     "the database",
                 std::nullopt};
  if (command.bulk && !command.embedder.empty())
    return Error{
        ErrorCode::invalid_argument,
        "--embedder cannot make vectors during --bulk; run cairn embed --pending afterwards",
        std::nullopt};
  const InterruptCatcher interrupts;
  const InterruptScope interrupt(interrupts);
  if (is_csv_file(command.file) || !command.csv.labels.empty())
    return run_csv(line, command, interrupt);
  ImportOptions options = command.options;
  options.cancel = interrupt.token();
  options.max_line_bytes = bytes_of_mebibytes(command.max_line_mebibytes);
  ImportReport report;
  std::string indexes;   // what their file has created
  std::string embedded;  // what was made of pending vectors
  Status made;           // reported separately, because the loaded records stay in any case
  CAIRN_TRY(fill(
      line, command.bulk ? OpenMode::bulk_load : OpenMode::read_write,
      [&](Database& database) -> Status {
        auto done = import_shown(database, command.file, options, true);
        if (!done)
          return Error{done.error().code, command.file + ": " + done.error().message, std::nullopt};
        report = *std::move(done);
        const auto ran = run_index_file(database, index_file(command.file), interrupt.token());
        if (ran)
          indexes = to_text(*ran, index_file(command.file));
        else
          made = Error{ran.error().code,
                       "the records are loaded, but their indexes failed: " + ran.error().message,
                       std::nullopt};
        CAIRN_ASSIGN(embedded, embed_imported(database, command.embedder, interrupt.token()));
        return {};
      }));
  std::cout << to_text(report);
  std::cout << indexes << embedded;
  return made;
}

/// Lost records are an error, reported after everything else is written; records omitted on request
/// are not.
Status tell_left_out(const ExportCommand& command, const ExportReport& report) {
  if (command.options.is_narrowed()) std::cerr << left_out_text(report);
  if (report.is_whole()) return {};
  std::cerr << lost_text(report);
  return Error{ErrorCode::corruption, "records that cannot be read are missing from the export",
               std::nullopt};
}

/// Opens read-only, so an export can run while another program has the database open.
Status run(const CommandLine& line, const ExportCommand& command) {
  CAIRN_ASSIGN(Database database, open_to_read(line));
  const InterruptCatcher interrupts;
  const InterruptScope interrupt(interrupts);
  ExportOptions options = command.options;
  options.cancel = interrupt.token();
  if (command.file.empty() || command.file == "-") {
    CAIRN_ASSIGN(const ExportReport report, export_jsonl(database, std::cout, options));
    return tell_left_out(command, report);
  }
  CAIRN_ASSIGN(const ExportedFiles files, export_to_files(database, command.file, options, true));
  std::cout << to_text(files, command.file);
  return tell_left_out(command, files.report);
}

Status run(const CommandLine& line, const IngestCommand& command) {
  IngestOptions options = command.options;
  options.progress = true;
  IngestReport report;
  CAIRN_TRY(fill(line, OpenMode::read_write, [&](Database& database) -> Status {
    CAIRN_ASSIGN(const auto embedder, make_shared_embedder(database, command.embedder));
    if (!command.expires.empty()) {
      CAIRN_ASSIGN(options.expires_at, expiry_moment(database, command.expires));
    }
    CAIRN_ASSIGN(report, ingest_directory(database, command.directory, *embedder, options));
    return note_embedder(database, embedder->model(), storable_spec(command.embedder));
  }));
  std::cout << to_text(report);
  return {};
}

Status run(const CommandLine& line, const EmbedCommand& command) {
  const InterruptCatcher interrupts;
  const InterruptScope interrupt(interrupts);
  CAIRN_ASSIGN(Database database, open(line, OpenMode::read_write, false));
  CAIRN_TRY(run_embed(database, command, std::cout, interrupt.token()));
  return database.close();
}

Status run(const CommandLine& line, const StatsCommand& command) {
  CAIRN_ASSIGN(Database database, open_to_read(line));
  return command.for_prometheus ? print_metrics(database, std::cout)
                                : print_statistics(database, std::cout);
}

/// A repair needs exclusive access.
Result<Database> open_to_check(const CommandLine& line, const CheckCommand& command) {
  if (!command.repair) return open_to_read(line);
  Options options;
  options.create_if_missing = false;
  options.repair = true;
  return open(line, options);
}

Status run(const CommandLine& line, const CheckCommand& command) {
  auto database = open_to_check(line, command);
  // If a damaged file prevents opening, that is reported as a finding.
  if (!database && database.error().code != ErrorCode::busy) {
    const auto findings = check_files(line.database, command.limit);
    if (findings && !findings->empty()) print_findings(*findings, std::cout);
  }
  if (!database) return database.error();
  return print_check(*database, command.limit, std::cout);
}

Status run(const CommandLine& line, const BackupCommand& command) {
  if (command.verify) return print_verification(command.directory, std::cout);
  const InterruptCatcher interrupts;
  const InterruptScope interrupt(interrupts);
  CAIRN_ASSIGN(Database database, open(line, OpenMode::read_write, false));
  CAIRN_TRY(print_backup(database, command.directory, std::cout, interrupt.token()));
  return database.close();
}

Status run(const CommandLine& line, const RestoreCommand& command) {
  return print_restoration(command.directory, line.database, std::cout);
}

Status run(const CommandLine& line, const ScrubCommand& command) {
  const InterruptCatcher interrupts;
  const InterruptScope interrupt(interrupts);
  CAIRN_ASSIGN(Database database, open(line, OpenMode::read_write, false));
  ScrubOptions options;
  options.by = command.by;
  options.wait_for_readers = std::chrono::seconds(command.wait_seconds);
  CAIRN_TRY(print_scrub(database, options, std::cout, interrupt.token()));
  return database.close();
}

Status run(const CommandLine& line, const TokenCommand& command) {
  if (is_store_address(line.database))
    return run_cluster_token(line.database, command, std::cout, std::cerr);
  const bool only_reads = command.action == TokenCommand::Action::list;
  CAIRN_ASSIGN(Database database,
               only_reads ? open_to_read(line) : open(line, OpenMode::read_write, false));
  CAIRN_TRY(run_token(database, command, std::cout, std::cerr));
  return database.close();
}

Status run(const CommandLine&, const HomeCommand& command) { return run_home(command, std::cout); }

Status run(const CommandLine& line, const ServeCommand& command) {
  const EndSignals signals;  // before threads start, which inherit it
  if (!command.homes.empty()) return run_cluster_node(line.database, command, signals, std::cout);
  CAIRN_ASSIGN(Database database, open(line, OpenMode::read_write, false, HostPreference::high));
  CAIRN_TRY(use_embedder(database, command.embedder, std::cerr));
  CAIRN_TRY(run_serve(database, line.database, command, signals, std::cout));
  return database.close();
}

/// Clients start one process per session. The first process is the host, and the others attach to
/// it.
Status run(const CommandLine& line, const McpCommand& command) {
  if (!command.client.empty()) {
    const char* const home = std::getenv("HOME");
    const std::string usual = std::string(home == nullptr ? "." : home) + "/memory.cairn";
    print_mcp_config(command, line.database.empty() ? usual : line.database, std::cout, std::cerr);
    return {};
  }
  if (is_vacant(line.database)) CAIRN_TRY(check_new_mcp(line.database, command));
  std::optional<EndSignals> signals;  // before threads start, which inherit it
  if (command.http) signals.emplace();
  // A reading process shares the database too, so that it does not keep others from writing.
  Options options;
  options.share = Share::automatic;
  options.create_if_missing = !command.read_only;
  // Vectors are mapped instead of loaded, because a client waits for the start and many programs
  // run on its machine.
  options.vector_memory_bytes = 0;
  auto opened = open(line, options);
  const bool is_of_others = !opened && opened.error().code == ErrorCode::io_error;
  if (command.read_only && is_of_others) opened = open_to_read(line);
  CAIRN_ASSIGN(Database database, std::move(opened));
  CAIRN_TRY(signals ? run_mcp_http(database, line.database, command, *signals, std::cout)
                    : run_mcp(database, command));
  return database.close();
}

Status run(const CommandLine&, const ConvertVectorsCommand& command) {
  CAIRN_ASSIGN(const std::uint64_t words, WordVectors::convert(command.text, command.file));
  std::cout << words << " words\n";
  return {};
}

Status run(const CommandLine&, const GrammarCommand& command) {
  CAIRN_ASSIGN(const std::string text, language_grammar(command.format));
  std::cout << text;
  return {};
}

int run(int argc, char** argv) {
  const auto parsed = parse_command_line(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  const CommandLine& line = std::get<CommandLine>(parsed);
  return exit_status(
      std::visit([&](const auto& command) { return run(line, command); }, line.command));
}

}  // namespace
}  // namespace cairn::tools

int main(int argc, char** argv) { return cairn::tools::run_main(argc, argv, cairn::tools::run); }

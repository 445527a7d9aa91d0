#pragma once
// Session: runs the statements of a person or a script on a database. Has the open transaction, the
// parameters, and the format of results.

#include "tools/text/error_text.hpp"
#include "tools/text/row_writer.hpp"
#include "tools/text/standard_output.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace cairn::tools {

// ResultTarget: a file or the input of a program, for results that are not shown.

class ResultTarget {
 public:
  /// Opens a file, which is overwritten, or "|COMMAND" for sh. Errors: io_error.
  [[nodiscard]] static Result<std::unique_ptr<ResultTarget>> open(const std::string& name);
  ResultTarget(const ResultTarget&) = delete;
  ResultTarget& operator=(const ResultTarget&) = delete;
  ~ResultTarget();

  [[nodiscard]] std::ostream& stream() noexcept { return stream_; }
  /// True if it is a program, which may stop reading.
  [[nodiscard]] bool is_program() const;
  /// Writes buffered output and waits for the program. Errors: io_error if not everything was
  /// accepted.
  [[nodiscard]] Status close();

 private:
  ResultTarget(std::FILE* file, std::string name);

  std::FILE* file_;  // null after close()
  std::string name_;
  DescriptorBuffer buffer_;
  std::ostream stream_;
  void (*before_)(int) = nullptr;  // handler of SIGPIPE before
};

/// Settings of a session.
struct SessionOptions {
  Format format = Format::table;
  bool timer = false;
  std::size_t width = 0;         ///< of tables, in columns; 0: no limit
  bool show_changes = false;     ///< show a line with the changes of a writing statement
  bool keep_going = false;       ///< continue after an error; the input fails as a whole anyway
  StatementOptions limits = {};  ///< of each statement; run() adds the stop token
  std::optional<std::string> null_text = std::nullopt;  ///< shown for null
  bool is_terminal = false;                             ///< results go to a terminal
  bool has_colours = false;                             ///< use colours for results and errors
  std::size_t shown_rows = 0;                           ///< most rows shown on a terminal; 0: all
  std::string pager = {};                               ///< command for tall output; empty: none
  Options opening = {};                                 ///< for open()
  std::string path = {};                                ///< of the database, as the user wrote it
  bool has_headers = true;                              ///< write column names in tables and csv
  bool has_echo = false;    ///< show statements of files before they run
  bool has_prompt = false;  ///< hints name dot commands instead of options
  /// Returns the current width of the terminal, for each output; if empty, `width` is used.
  std::function<std::size_t()> measure_width = {};
  /// Asks the user whether to continue; if empty, the answer is no.
  std::function<bool(const std::string& question)> confirm = {};
};

/// One session. Threads: one.
class Session {
 public:
  Session(Database& database, Parameters parameters, SessionOptions options, std::ostream& out,
          std::ostream& err)
      : database_(database),
        parameters_(std::move(parameters)),
        options_(std::move(options)),
        out_(out),
        err_(err) {}

  /// Runs one statement, BEGIN, COMMIT or ROLLBACK, and prints its rows. Prints an error to the
  /// error stream and returns false.
  bool run(std::string_view text);
  /// Ends running statements, transfers and files when a stop of this token is requested.
  void stop_with(std::stop_token stop) noexcept { stop_ = std::move(stop); }
  [[nodiscard]] const std::stop_token& stop() const noexcept { return stop_; }
  /// Runs all statements and dot commands of `text`. Stops at .quit and at the first error; with
  /// `keep_going`, only after a failed BEGIN and at a requested stop. Returns false after any
  /// error, which is shown with its line. A dot command is a line of its own between statements. A
  /// transaction that is open at the end is rolled back, which is an error.
  bool run_all(std::string_view text);
  /// Runs several texts like run_all(); they may share a transaction. Line numbers in errors count
  /// within the statement.
  bool run_each(std::span<const std::string> texts);
  /// Runs a stream like run_all(), each statement as soon as its last line arrives.
  bool run_stream(std::istream& input);
  /// Runs a file as if its content were entered here; an open transaction continues. Errors:
  /// io_error for a file that cannot be read; conflict if files read each other too deeply. Errors
  /// within the file are printed; the returned error only says that there were any.
  [[nodiscard]] Status run_file(const std::string& path);
  /// Sends results to a file, which is overwritten, or to a program ("|COMMAND"); an empty `target`
  /// means the usual output. With `is_once` only for the next result. Rows are not cut. Errors:
  /// io_error for a file that cannot be written or did not accept everything.
  [[nodiscard]] Status redirect(const std::string& target, bool is_once = false);
  /// Ends a redirection that is for one result only. Called after each command or statement.
  /// Errors: io_error.
  [[nodiscard]] Status end_result();
  /// Closes the database and opens another one. If that does not exist, creates it if `confirm`
  /// agrees. If opening fails, the current database remains open. Errors: conflict in a
  /// transaction; not_found; those of Database::open() and close().
  [[nodiscard]] Status open(const std::string& path);
  /// Runs one statement and prints its rows, but returns its error.
  [[nodiscard]] Status execute(std::string_view text);
  /// Returns the rows of a statement in the session's namespace and transaction, for commands and
  /// completion.
  [[nodiscard]] Result<Rows> rows_of(std::string_view text);
  /// Ends the session after .quit.
  void quit() noexcept { is_over_ = true; }
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }
  /// Rolls back an open transaction and reports that.
  void end();

  [[nodiscard]] bool in_transaction() const noexcept { return transaction_.has_value(); }
  [[nodiscard]] SessionOptions& options() noexcept { return options_; }
  [[nodiscard]] Parameters& parameters() noexcept { return parameters_; }
  [[nodiscard]] Database& database() noexcept { return database_; }
  [[nodiscard]] std::ostream& out() noexcept { return target_ ? target_->stream() : out_; }
  /// Width of the terminal for results, in columns; 0: no limit.
  [[nodiscard]] std::size_t width() const;
  /// Makes a writer for one result, to the current target, in the session's format.
  [[nodiscard]] std::unique_ptr<RowWriter> make_writer();
  /// Prints a remark on its own line of the error stream.
  void tell(std::string_view remark);
  /// Prints an error, with its place in `statement` if it has one; returns false.
  bool report(const Error& error, std::string_view statement = {});

 private:
  /// Returns whether to continue after a piece, given whether it succeeded.
  bool goes_on(bool is_done);
  bool run_statements(std::string_view text);
  /// Runs the last text of an input.
  bool run_last(std::string_view text);
  bool run_pieces(std::string_view text);
  /// Rolls back an open transaction, reports that and returns false.
  bool end_of_input();
  bool run_command(std::string_view line);
  /// Advances the current place in the text by the passed part.
  void advance(std::string_view passed);
  void echo(std::string_view text);
  [[nodiscard]] Result<Rows> run_within(StatementOptions options, std::string_view text);
  [[nodiscard]] Status begin();
  [[nodiscard]] Status commit();
  [[nodiscard]] Status rollback();
  [[nodiscard]] Status print(Rows& rows);
  void print_remarks(const Rows& rows, std::size_t row_count);
  /// The stream for remarks: with tables the output, with other formats the error stream.
  [[nodiscard]] std::ostream& remarks();
  [[nodiscard]] bool is_read_by_people() const;
  /// Maximal number of rows shown; 0: all.
  [[nodiscard]] std::size_t shown_rows(const Rows& rows) const;

  Database& database_;
  Parameters parameters_;
  SessionOptions options_;
  std::ostream& out_;
  std::ostream& err_;
  std::unique_ptr<ResultTarget> target_;  // target of results; null: out_
  bool is_once_ = false;                  // ends after one result
  bool has_result_ = false;               // has received a result
  std::stop_token stop_;
  std::optional<SourcePlace> place_;  // within a longer text, if this is part of one
  std::optional<Transaction> transaction_;
  std::size_t open_files_ = 0;  // nested files that are being run
  bool is_over_ = false;
  bool has_failed_ = false;         // the current input had an error
  bool lacks_transaction_ = false;  // the last BEGIN failed
};

// Prints the rows of a statement by a writer.

/// Writes at most `most` rows (0: all) and returns how many were written. Prints nothing if the
/// statement fails before its first row. Counts the remaining rows for a short time. Ends early if
/// `out`, the stream of the writer, fails. Errors: those of the statement.
[[nodiscard]] Result<std::size_t> print_rows(Rows& rows, RowWriter& writer, const std::ostream& out,
                                             std::size_t most);

}  // namespace cairn::tools

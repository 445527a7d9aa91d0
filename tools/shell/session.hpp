#pragma once
// Session: one open database as a person or a script uses it: statements one after the other, the
// transaction they may be in, parameters, the format of results.

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

// Where results go that are not shown: a file, or the input of a program.

class ResultTarget {
 public:
  /// A file, which is rebuilt, or "|COMMAND" of sh. Errors: io_error.
  [[nodiscard]] static Result<std::unique_ptr<ResultTarget>> open(const std::string& name);
  ResultTarget(const ResultTarget&) = delete;
  ResultTarget& operator=(const ResultTarget&) = delete;
  ~ResultTarget();

  [[nodiscard]] std::ostream& stream() noexcept { return stream_; }
  /// Then it may stop reading when it likes.
  [[nodiscard]] bool is_program() const;
  /// Write out what is held, and wait for the program. Errors: io_error where not all was taken.
  [[nodiscard]] Status close();

 private:
  ResultTarget(std::FILE* file, std::string name);

  std::FILE* file_;  // none once it is closed
  std::string name_;
  DescriptorBuffer buffer_;
  std::ostream stream_;
  void (*before_)(int) = nullptr;  // what a broken pipe did before there was a program
};

/// How a session shows what it does.
struct SessionOptions {
  Format format = Format::table;
  bool timer = false;
  std::size_t width = 0;         ///< of tables in columns; 0 for no bound
  bool show_changes = false;     ///< a line on what a writing statement changed
  bool keep_going = false;       ///< an error ends no input; it still fails as a whole
  StatementOptions limits = {};  ///< of each statement; its runner gives the token to stop it
  std::optional<std::string> null_text = std::nullopt;  ///< what is shown for null
  bool is_terminal = false;                             ///< results go to one
  bool has_colours = false;                             ///< results and errors have
  std::size_t shown_rows = 0;  ///< of a result, at most, on a terminal; 0 for all
  std::string pager = {};      ///< command for what is taller than the terminal; none if empty
  Options opening = {};        ///< how open() opens
  std::string path = {};       ///< of the database, as its user wrote it
  bool has_headers = true;     ///< tables and csv begin with the names of the columns
  bool has_echo = false;       ///< what comes from a file is shown before it is run
  bool has_prompt = false;     ///< a person types: hints name commands in place of options
  /// The width of the terminal now, asked before each result; without it `width` holds.
  std::function<std::size_t()> measure_width = {};
  /// Ask whether to go on; without it nobody is asked, and the answer is no.
  std::function<bool(const std::string& question)> confirm = {};
};

class Session {
 public:
  Session(Database& database, Parameters parameters, SessionOptions options, std::ostream& out,
          std::ostream& err)
      : database_(database),
        parameters_(std::move(parameters)),
        options_(std::move(options)),
        out_(out),
        err_(err) {}

  /// Run one statement, BEGIN, COMMIT or ROLLBACK, and print its rows. Errors are printed to the
  /// error stream; false after one.
  bool run(std::string_view text);
  /// From now on statements and transfers end when a stop of this token is requested, and so does a file that is run.
  void stop_with(std::stop_token stop) noexcept { stop_ = std::move(stop); }
  [[nodiscard]] const std::stop_token& stop() const noexcept { return stop_; }
  /// Run every statement and dot command of `text`, stopping at .quit and at the first error; with
  /// `keep_going` only at a BEGIN that failed, and where a stop was requested. False after any error, which is shown
  /// with its line of the text. A dot command is a line of its own where no statement is open. An open transaction at
  /// the end is rolled back and an error.
  bool run_all(std::string_view text);
  /// The same for several texts, which may share a transaction. Lines are those of the statement.
  bool run_each(std::span<const std::string> texts);
  /// The same for what comes in, each as soon as its last line is there.
  bool run_stream(std::istream& input);
  /// Run the statements and dot commands of a file as if they stood here; an open transaction goes on.
  /// Errors: io_error for a file that cannot be read; conflict where files that read each other are nested
  /// too deep. What goes wrong within the file is printed, and the error says only that it did.
  [[nodiscard]] Status run_file(const std::string& path);
  /// Send results to a file, which is rebuilt, or to a program for "|COMMAND"; to the output again where `target` is
  /// empty. With `is_once` only the next result. Rows are not cut to a terminal there. Errors: io_error for a file that
  /// cannot be written, or that took not all.
  [[nodiscard]] Status redirect(const std::string& target, bool is_once = false);
  /// After a command or a statement: a target that was for one result has had it. Errors: io_error.
  [[nodiscard]] Status end_result();
  /// Close the database and open another, which is made only if `confirm` allows it. After an error of opening the
  /// first one is still open. Errors: conflict in a transaction; not_found; those of Database::open() and close().
  [[nodiscard]] Status open(const std::string& path);
  /// Run one statement and print its rows, but not its error.
  [[nodiscard]] Status execute(std::string_view text);
  /// Rows of a statement in the session's namespace and transaction, for commands and completion.
  [[nodiscard]] Result<Rows> rows_of(std::string_view text);
  /// Nothing more is to be run: .quit was.
  void quit() noexcept { is_over_ = true; }
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }
  /// Roll an open transaction back, and say so.
  void end();

  [[nodiscard]] bool in_transaction() const noexcept { return transaction_.has_value(); }
  [[nodiscard]] SessionOptions& options() noexcept { return options_; }
  [[nodiscard]] Parameters& parameters() noexcept { return parameters_; }
  [[nodiscard]] Database& database() noexcept { return database_; }
  [[nodiscard]] std::ostream& out() noexcept { return target_ ? target_->stream() : out_; }
  /// Of the terminal that results go to, in columns; 0 without a bound.
  [[nodiscard]] std::size_t width() const;
  /// Writes one result to where results go, in the session's format.
  [[nodiscard]] std::unique_ptr<RowWriter> make_writer();
  /// A remark on the error stream, on a line of its own.
  void tell(std::string_view remark);
  /// Print an error, with its place in `statement` where it has one; always false.
  bool report(const Error& error, std::string_view statement = {});

 private:
  /// Whether to go on behind a piece that was done or not.
  bool goes_on(bool is_done);
  bool run_statements(std::string_view text);
  /// run_pieces() on the last text of an input.
  bool run_last(std::string_view text);
  bool run_pieces(std::string_view text);
  /// False, and says so, where a transaction is open: it is rolled back.
  bool end_of_input();
  bool run_command(std::string_view line);
  /// What was passed of the text that is run.
  void advance(std::string_view passed);
  void echo(std::string_view text);
  [[nodiscard]] Result<Rows> run_within(StatementOptions options, std::string_view text);
  [[nodiscard]] Status begin();
  [[nodiscard]] Status commit();
  [[nodiscard]] Status rollback();
  [[nodiscard]] Status print(Rows& rows);
  void print_remarks(const Rows& rows, std::size_t row_count);
  /// Where what is not a row goes to: below a table, but beside any other format.
  [[nodiscard]] std::ostream& remarks();
  [[nodiscard]] bool is_read_by_people() const;
  /// How many rows of a result are shown, at most; 0 for all.
  [[nodiscard]] std::size_t shown_rows(const Rows& rows) const;

  Database& database_;
  Parameters parameters_;
  SessionOptions options_;
  std::ostream& out_;
  std::ostream& err_;
  std::unique_ptr<ResultTarget> target_;  // where results go, if not to out_
  bool is_once_ = false;                  // it takes one result
  bool has_result_ = false;               // it had one
  std::stop_token stop_;
  std::optional<SourcePlace> place_;  // of what is run, where that is part of a longer text
  std::optional<Transaction> transaction_;
  std::size_t open_files_ = 0;  // that are being run, one within the other
  bool is_over_ = false;
  bool has_failed_ = false;         // of the input at hand
  bool lacks_transaction_ = false;  // that the last BEGIN asked for
};

// The rows of a statement through a writer, all or the first ones.

/// Write at most `most` rows, all with 0, and say how many were written. Nothing is printed of a statement that
/// fails before its first row. Those behind the last one written are counted as long as that takes next to no
/// time. Ends early where `out`, the writer's stream, takes no more. Errors: those of the statement.
[[nodiscard]] Result<std::size_t> print_rows(Rows& rows, RowWriter& writer, const std::ostream& out,
                                             std::size_t most);

}  // namespace cairn::tools

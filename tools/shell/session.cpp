// One connection, as it were: format, parameters, an open transaction. Statements come from the
// prompt, from -c or from a stream, and all end in execute(). BEGIN, COMMIT and ROLLBACK are the
// session's and not the language's.
#include "tools/shell/session.hpp"

#include "tools/shell/new_database.hpp"
#include "tools/shell/print_rows.hpp"
#include "tools/shell/remark_text.hpp"
#include "tools/shell/script.hpp"
#include "tools/shell/shell.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/error_text.hpp"
#include "tools/text/palette.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <istream>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

/// Whether the rows were the plan already, as those of EXPLAIN are: one a line.
bool are_lines_of(const std::string& plan, const Rows& rows, std::size_t row_count) {
  const auto breaks = std::count(plan.begin(), plan.end(), '\n');
  const auto lines = static_cast<std::size_t>(breaks) + (plan.ends_with('\n') ? 0 : 1);
  return rows.columns() == std::vector<std::string>{"plan"} && row_count == lines;
}

}  // namespace

bool Session::report(const Error& error, std::string_view statement) {
  const std::string text = error_text(error, statement);
  err_ << (options_.has_colours ? painted_error(text) : text) << std::flush;
  return false;
}

void Session::tell(std::string_view remark) { err_ << remark << "\n" << std::flush; }

// The time is that of statement and printing together. Errors are printed here and not given on,
// since a session goes on after them; the result tells a script to stop. So does an output that takes no
// more, which the program tells of at its end.
bool Session::run(std::string_view text, std::stop_token cancel) {
  const auto begin_time = std::chrono::steady_clock::now();
  const Status status = execute(text, std::move(cancel));
  if (!status) report(status.error(), text);
  if (options_.timer)
    remarks() << "time: " << time_text(std::chrono::steady_clock::now() - begin_time) << "\n";
  out() << std::flush;
  return status.has_value() && out().good();
}

Status Session::run_file(const std::string& path) {
  constexpr std::size_t most_open = 16;
  if (open_files_ >= most_open)
    return Error{ErrorCode::conflict,
                 "files that read each other are nested too deep at " + path + ": at most " +
                     std::to_string(most_open),
                 std::nullopt};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  const bool is_empty = file.is_open() && file.peek() == std::ifstream::traits_type::eof();
  if (!is_empty) text << file.rdbuf();
  if (!file.is_open() || file.bad() || !text)
    return Error{ErrorCode::io_error, path + " cannot be read", std::nullopt};
  ++open_files_;
  const bool is_done = run_pieces(text.view());
  --open_files_;
  if (is_done) return {};
  return Error{ErrorCode::conflict, path + " was not run to its end", std::nullopt};
}

Status Session::redirect(const std::string& path) {
  const bool was_open = file_.is_open();
  file_.close();
  const bool has_failed_to_write = was_open && !file_;
  file_.clear();
  if (has_failed_to_write)
    return Error{ErrorCode::io_error, "the file of .output did not take all results", std::nullopt};
  if (path.empty()) return {};
  file_.open(path, std::ios::binary | std::ios::trunc);
  if (file_) return {};
  return Error{ErrorCode::io_error, path + " cannot be written; results are shown here",
               std::nullopt};
}

std::unique_ptr<RowWriter> Session::make_writer() {
  if (file_.is_open()) return make_row_writer(options_.format, out(), {0, options_.null_text});
  return make_row_writer(options_.format, out(),
                         {options_.width, options_.null_text, options_.has_colours});
}

// What programs read, and a plan, is never cut.
std::size_t Session::shown_rows(const Rows& rows) const {
  const bool is_cut = options_.is_terminal && !file_.is_open() && is_read_by_people();
  return is_cut && rows.plan().empty() ? options_.shown_rows : 0;
}

bool Session::goes_on(bool is_done) {
  has_failed_ = has_failed_ || !is_done;
  return is_done || (options_.keep_going && !lacks_transaction_);
}

bool Session::run_statements(std::string_view text) {
  for (std::string_view statement : split_statements(text))
    if (!goes_on(run(statement))) return false;
  return true;
}

// Statements and dot commands in turn; the first that fails ends it.
bool Session::run_pieces(std::string_view text) {
  while (!text.empty() && !is_over_) {
    const auto [begin, end] = find_dot_line(text);
    if (!run_statements(text.substr(0, begin))) return false;
    if (begin != end &&
        !goes_on(run_dot_command(*this, std::string(text.substr(begin, end - begin)))))
      return false;
    text.remove_prefix(end);
  }
  return true;
}

bool Session::run_all(std::string_view text) {
  const bool is_done = run_pieces(text) && end_of_input();
  return !std::exchange(has_failed_, false) && is_done;
}

// The end of one text may stand within a transaction, that of the last may not.
bool Session::run_each(std::span<const std::string> texts) {
  for (const std::string& text : texts)
    if (!run_pieces(text)) return !std::exchange(has_failed_, false);
  return run_all({});
}

// Runs a statement as soon as it is whole, for programs that wait for its answer; looks at the text
// again only when it may have ended and has doubled, so that a long script costs no square.
bool Session::run_stream(std::istream& input) {
  std::string open;
  std::size_t looked_at = 0;  // bytes of it that were seen to be open
  bool may_end = false;       // the last line of it may be the end of a statement
  for (std::string line; !is_over_ && std::getline(input, line);) {
    // A command is a line of its own, whatever quotes are in it.
    const bool is_command =
        line.starts_with('.') && (open.empty() || (may_end && !ends_inside_statement(open)));
    may_end =
        open.empty() || line.find(';') != std::string::npos || line.find("*/") != std::string::npos;
    open += line + "\n";
    if (!is_command) {
      // Looking is reading all of it. Nobody waits for an answer who has sent more already.
      const bool is_waiting = input.rdbuf()->in_avail() <= 0;
      if (!may_end || (!is_waiting && open.size() < 2 * looked_at)) continue;
      looked_at = open.size();
      if (ends_inside_statement(open)) continue;
    }
    if (!run_pieces(open)) return !std::exchange(has_failed_, false);
    open.clear();
    looked_at = 0;
  }
  return run_all(open);
}

// An open transaction is an error: half of a script must not be kept.
bool Session::end_of_input() {
  if (!in_transaction()) return true;
  transaction_.reset();
  return report({ErrorCode::conflict,
                 "the input ended inside a transaction, which was rolled back: end it with COMMIT",
                 std::nullopt});
}

void Session::end() {
  if (!in_transaction()) return;
  transaction_.reset();
  err_ << "the open transaction was rolled back: COMMIT would have kept it\n" << std::flush;
}

Status Session::execute(std::string_view text, std::stop_token cancel) {
  if (is_control(text, "begin")) return begin();
  if (is_control(text, "commit")) return commit();
  if (is_control(text, "rollback")) return rollback();
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  StatementOptions options = options_.limits;
  options.cancel = std::move(cancel);
  if (transaction_) {
    CAIRN_ASSIGN(Rows rows, statement.run(*transaction_, parameters_, options));
    return print(rows);
  }
  CAIRN_ASSIGN(Rows rows, statement.run(database_, parameters_, options));
  return print(rows);
}

Status Session::begin() {
  if (transaction_)
    return Error{ErrorCode::conflict, "a transaction is open already: COMMIT or ROLLBACK it first",
                 std::nullopt};
  auto begun = database_.begin();
  // What follows was meant to stand or fall as one: alone, each statement of it would be kept.
  lacks_transaction_ = !begun;
  if (!begun) return begun.error();
  transaction_ = *std::move(begun);
  return {};
}

// The transaction is over, whatever comes of it.
Status Session::commit() {
  if (!transaction_)
    return Error{ErrorCode::conflict, "no transaction is open: start one with BEGIN", std::nullopt};
  Transaction ending = std::move(*transaction_);
  transaction_.reset();
  return ending.commit();
}

Status Session::rollback() {
  if (!transaction_)
    return Error{ErrorCode::conflict, "no transaction is open: start one with BEGIN", std::nullopt};
  transaction_.reset();
  return {};
}

Status Session::print(Rows& rows) {
  const auto writer = make_writer();
  CAIRN_ASSIGN(const std::size_t count, print_rows(rows, *writer, out(), shown_rows(rows)));
  print_remarks(rows, count);
  return {};
}

// The one that is open stays so until the other one is.
Status Session::open(const std::string& path) {
  if (transaction_)
    return Error{ErrorCode::conflict, "a transaction is open: COMMIT or ROLLBACK it first",
                 std::nullopt};
  Options options = options_.opening;
  const bool is_new = is_vacant(path);
  options.create_if_missing = is_new && options_.confirm && options_.confirm(make_question(path));
  if (is_new && !options.create_if_missing) return no_database(path);
  CAIRN_ASSIGN(Database next, Database::open(path, options));
  for (const std::string& warning : next.warnings())
    err_ << "warning: " << make_visible(warning) << "\n";
  const Status closed = database_.close();
  database_ = std::move(next);
  return closed;
}

// Programs read all other formats, and would take a remark for a row.
bool Session::is_read_by_people() const {
  return options_.format == Format::table || options_.format == Format::vertical;
}

std::ostream& Session::remarks() { return is_read_by_people() ? out() : err_; }

void Session::print_remarks(const Rows& rows, std::size_t row_count) {
  for (const std::string& warning : rows.warnings())
    err_ << "warning: " << make_visible(warning) << "\n";
  if (options_.show_changes && rows.columns().empty() && row_count == 0 && rows.plan().empty())
    remarks() << "(" << change_text(rows.changes()) << ")\n";
  if (const std::string plan = rows.plan(); !plan.empty() && !are_lines_of(plan, rows, row_count))
    remarks() << plan << "\n";
}

}  // namespace cairn::tools

// A session runs statements, from the prompt, the command line or a stream, through execute(). A
// session has an output format, parameters and possibly an open transaction. BEGIN, COMMIT and
// ROLLBACK are statements of the session and not of the language.
#include "tools/shell/session.hpp"

#include "tools/shell/command_words.hpp"
#include "tools/shell/script.hpp"
#include "tools/shell/transfer_commands.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/error_text.hpp"
#include "tools/text/palette.hpp"

#include <cairn/remote.hpp>

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

/// True if the rows are the lines of the plan, as for EXPLAIN.
bool are_lines_of(const std::string& plan, const Rows& rows, std::size_t row_count) {
  const auto breaks = std::count(plan.begin(), plan.end(), '\n');
  const auto lines = static_cast<std::size_t>(breaks) + (plan.ends_with('\n') ? 0 : 1);
  return rows.columns() == std::vector<std::string>{"plan"} && row_count == lines;
}

/// Returns the path unchanged if the current directory is unknown.
std::filesystem::path absolute_path(const std::filesystem::path& path) {
  std::error_code problem;
  auto absolute = std::filesystem::absolute(path, problem);
  return problem ? path : absolute;
}

bool is_same_place(const std::string& path, const std::string& other) {
  std::error_code problem;
  return std::filesystem::equivalent(path, other, problem) && !problem;
}

}  // namespace

bool Session::report(const Error& given, std::string_view statement) {
  const Error error{given.code, user_words(given.message, options_.has_prompt), given.where};
  const std::string text = error_text(error, statement, place_ ? &*place_ : nullptr);
  err_ << (options_.has_colours ? painted_error(text) : text) << std::flush;
  return false;
}

void Session::tell(std::string_view remark) { err_ << remark << "\n" << std::flush; }

// The measured time includes printing. Errors are printed here and not returned, because a session
// continues after them; a script stops at the result false. A failed write to the output gives
// false too; the program reports that failure at its end.
bool Session::run(std::string_view given) {
  const std::string_view text = without_auto(given);
  const auto begin_time = std::chrono::steady_clock::now();
  const Status status = execute(text);
  if (!status) report(status.error(), text);
  if (options_.timer)
    remarks() << "time: " << time_text(std::chrono::steady_clock::now() - begin_time) << "\n";
  out() << std::flush;
  const bool is_taken = out().good() || (target_ && target_->is_program());
  const Status ended = end_result();
  return (ended || report(ended.error())) && status && is_taken;
}

Status Session::redirect(const std::string& target, bool is_once) {
  const auto earlier = std::exchange(target_, nullptr);
  is_once_ = false;
  has_result_ = false;
  if (earlier) CAIRN_TRY(earlier->close());
  if (target.empty()) return {};
  out_ << std::flush;  // a program may write to the same terminal
  CAIRN_ASSIGN(target_, ResultTarget::open(target));
  is_once_ = is_once;
  return {};
}

Status Session::end_result() { return is_once_ && has_result_ ? redirect({}) : Status(); }

std::size_t Session::width() const {
  if (target_) return 0;
  return options_.measure_width ? options_.measure_width() : options_.width;
}

std::unique_ptr<RowWriter> Session::make_writer() {
  has_result_ = true;
  RowLook look{.null_text = options_.null_text,
               .has_headers = options_.has_headers,
               .has_prompt = options_.has_prompt};
  look.width = width();
  look.has_colours = !target_ && options_.has_colours;
  return make_row_writer(options_.format, out(), look);
}

// Output for programs, and plans, are never cut.
std::size_t Session::shown_rows(const Rows& rows) const {
  const bool is_cut = options_.is_terminal && !target_ && is_read_by_people();
  return is_cut && rows.plan().empty() ? options_.shown_rows : 0;
}

void Session::end() {
  if (!in_transaction()) return;
  transaction_.reset();
  err_ << "the open transaction was rolled back, because there was no COMMIT\n" << std::flush;
}

Status Session::execute(std::string_view text) {
  if (is_control(text, "begin")) return begin();
  if (is_control(text, "commit")) return commit();
  if (is_control(text, "rollback")) return rollback();
  CAIRN_ASSIGN(Rows rows, run_within(options_.limits, text));
  return print(rows);
}

// Uses the limits of the user's own statements.
Result<Rows> Session::rows_of(std::string_view text) {
  StatementOptions options;
  options.name_space = options_.limits.name_space;
  return run_within(std::move(options), text);
}

Result<Rows> Session::run_within(StatementOptions options, std::string_view text) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  options.cancel = stop_;
  if (transaction_) return statement.run(*transaction_, parameters_, options);
  return statement.run(database_, parameters_, options);
}

Status Session::begin() {
  if (transaction_)
    return Error{ErrorCode::conflict, "a transaction is open already: COMMIT or ROLLBACK it first",
                 std::nullopt};
  auto begun = database_.begin();
  // The following statements were meant to be one transaction; without it, each would be committed
  // alone.
  lacks_transaction_ = !begun;
  if (!begun) return begun.error();
  transaction_ = *std::move(begun);
  return {};
}

// The transaction has ended, even after an error.
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

// The current database stays open until the new one is open.
Status Session::open(const std::string& path) {
  if (is_remote_address(path))
    return Error{ErrorCode::unsupported,
                 ".open opens directories only; leave the shell and run cairn " + path,
                 std::nullopt};
  if (transaction_)
    return Error{ErrorCode::conflict, "a transaction is open: COMMIT or ROLLBACK it first",
                 std::nullopt};
  Options options = options_.opening;
  options.home.clear();  // only for the first database
  const bool is_new = is_vacant(path);
  if (!is_new && is_same_place(path, options_.path)) return {};
  const bool is_asked = is_new && options_.confirm;
  options.create_if_missing = is_asked && options_.confirm(make_question(path));
  if (is_new && !options.create_if_missing) return no_database(path, is_asked);
  CAIRN_ASSIGN(Database next, Database::open(absolute_path(path), options));
  for (const std::string& warning : next.warnings())
    err_ << "warning: " << make_visible(warning) << "\n";
  const Status closed = database_.close();
  database_ = std::move(next);
  options_.path = absolute_path(path).string();
  return closed;
}

// Other formats are read by programs, which would take a remark for a row.
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

// SIGPIPE is ignored: a program that stops reading early must not end the shell.

namespace {

bool names_program(const std::string& name) { return name.starts_with('|'); }

Error target_error(const std::string& name, const std::string& problem) {
  return {ErrorCode::io_error, name + " " + problem, std::nullopt};
}

}  // namespace

Result<std::unique_ptr<ResultTarget>> ResultTarget::open(const std::string& name) {
  std::FILE* file =
      names_program(name) ? popen(name.c_str() + 1, "we") : std::fopen(name.c_str(), "wbe");
  if (file == nullptr)
    return target_error(name, std::string("cannot be written: ") + std::strerror(errno) +
                                  "; results are shown here");
  return std::unique_ptr<ResultTarget>(new ResultTarget(file, name));
}

ResultTarget::ResultTarget(std::FILE* file, std::string name)
    : file_(file), name_(std::move(name)), buffer_(fileno(file)), stream_(&buffer_) {
  if (is_program()) before_ = std::signal(SIGPIPE, SIG_IGN);
}

bool ResultTarget::is_program() const { return names_program(name_); }

ResultTarget::~ResultTarget() { static_cast<void>(close()); }

Status ResultTarget::close() {
  if (file_ == nullptr) return {};
  const int failure = buffer_.finish();
  std::FILE* const file = std::exchange(file_, nullptr);
  if (is_program()) {
    const int status = pclose(file);
    std::signal(SIGPIPE, before_);
    // A program that stops reading early, like head, has what it wanted.
    if (status == 0 || failure == EPIPE) return {};
    return target_error(name_, WIFEXITED(status)
                                   ? "ended with status " + std::to_string(WEXITSTATUS(status))
                                   : std::string("was ended by a signal"));
  }
  if (std::fclose(file) == 0 && failure == 0) return {};
  return target_error(name_, std::string("did not take all results: ") + std::strerror(failure));
}

namespace {

using Clock = std::chrono::steady_clock;

/// A delay that is not noticeable at a prompt.
constexpr auto patience = std::chrono::milliseconds(250);

/// True if counting further rows was stopped or reached a limit. The requested rows were already
/// printed.
bool is_given_up(const Error& error) {
  return error.code == ErrorCode::cancelled || error.code == ErrorCode::resource_limit;
}

/// Counts the remaining rows. `seen` rows were read; the last of them was not printed. If the rows
/// so far used up the time for counting, no further row is read, because its time is unknown in
/// advance.
Result<RowTotal> count_rest(Rows& rows, std::uint64_t seen, Clock::duration spent) {
  RowTotal total{seen, false};
  const auto until = Clock::now() + patience - spent;
  while (Clock::now() < until) {
    const auto next = rows.next();
    if (!next && is_given_up(next.error())) break;
    if (!next) return next.error();
    total.is_exact = !next.value();
    if (total.is_exact) return total;
    ++total.rows;
  }
  --total.rows;  // the result is "more than" this
  return total;
}

}  // namespace

Result<std::size_t> print_rows(Rows& rows, RowWriter& writer, const std::ostream& out,
                               std::size_t most) {
  auto next = rows.next();
  if (!next) return std::move(next).error();
  writer.begin(rows.columns());
  const auto begin = Clock::now();
  std::size_t count = 0;
  for (; out && next && next.value() && (most == 0 || count < most); next = rows.next()) {
    writer.row(*next.value());
    ++count;
  }
  if (!next) {
    writer.finish_failed();
    return std::move(next).error();
  }
  if (!out || !next.value()) {
    writer.finish();
    return count;
  }
  const auto total = count_rest(rows, count + 1, Clock::now() - begin);
  writer.finish_cut(total ? *total : RowTotal{count, false});
  if (!total) return total.error();
  return count;
}

}  // namespace cairn::tools

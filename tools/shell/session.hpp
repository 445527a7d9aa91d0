#pragma once
// Session: one open database as a person or a script uses it: statements one after the other, the
// transaction they may be in, parameters, the format of results.

#include "tools/text/row_writer.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace cairn::tools {

/// How a session shows what it does.
struct SessionOptions {
  Format format = Format::table;
  bool timer = false;
  std::size_t width = 0;      ///< of the terminal in columns; 0 for no bound
  bool show_changes = false;  ///< a line on what a writing statement changed
};

class Session {
 public:
  Session(Database& database, Parameters parameters, SessionOptions options, std::ostream& out,
          std::ostream& err)
      : database_(database),
        parameters_(std::move(parameters)),
        options_(options),
        out_(out),
        err_(err) {}

  /// Run one statement, BEGIN, COMMIT or ROLLBACK, and print its rows. Errors are printed to the
  /// error stream; false after one.
  bool run(std::string_view text, std::stop_token cancel = {});
  /// Run every statement of `text`, stopping at the first error.
  bool run_all(std::string_view text);

  [[nodiscard]] bool in_transaction() const noexcept { return transaction_.has_value(); }
  [[nodiscard]] SessionOptions& options() noexcept { return options_; }
  [[nodiscard]] Parameters& parameters() noexcept { return parameters_; }
  [[nodiscard]] Database& database() noexcept { return database_; }
  [[nodiscard]] std::ostream& out() noexcept { return out_; }
  bool report(const Error& error);  ///< print it; always false

 private:
  [[nodiscard]] Status execute(std::string_view text, std::stop_token cancel);
  [[nodiscard]] Status begin();
  [[nodiscard]] Status commit();
  [[nodiscard]] Status rollback();
  [[nodiscard]] Status print(Rows& rows);
  void print_remarks(const Rows& rows, std::size_t row_count);

  Database& database_;
  Parameters parameters_;
  SessionOptions options_;
  std::ostream& out_;
  std::ostream& err_;
  std::optional<Transaction> transaction_;
};

}  // namespace cairn::tools

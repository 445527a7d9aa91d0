// Runs a script of statements and dot commands as one text and line by line: the output must be
// equal. Tables and errors must not contain control characters for the terminal, and no transaction
// may outlive the session.

#include "fuzz/support/emptied_database.hpp"
#include "fuzz/support/expect.hpp"
#include "fuzz/support/outcome.hpp"
#include "fuzz/support/small_database.hpp"
#include "tools/shell/script.hpp"
#include "tools/shell/session.hpp"
#include "tools/shell/shell.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

/// What a script printed.
struct Printed {
  std::string out;
  std::string err;
  bool succeeded = false;
};

enum class Way { text, lines };

Printed run(Database& database, const std::string& script, Way way) {
  std::ostringstream out, err;
  tools::SessionOptions options;
  options.width = 80;
  options.show_changes = true;
  options.keep_going = script.size() % 2 == 0;
  options.limits = tight_limits();
  tools::Session session(database, sample_parameters(), options, out, err);
  Printed printed;
  if (way == Way::text) {
    printed.succeeded = session.run_all(script);
  } else {
    std::istringstream lines(script);
    printed.succeeded = session.run_stream(lines);
  }
  session.end();
  expect(!session.in_transaction());
  return {out.str(), err.str(), printed.succeeded};
}

/// True if the script could access other files than those next to it. Such scripts are skipped,
/// because they could read or write any file of the user. Commands may be abbreviated or have other
/// names.
bool names_a_file_elsewhere(std::string_view script) {
  constexpr std::array forbidden{".output", ".once", ".dump", ".open", ".backup", ".cd", ".pager"};
  std::istringstream lines{std::string(script)};
  for (std::string line; std::getline(lines, line);) {
    if (!tools::is_command_line(line)) continue;
    const std::string_view command = tools::dot_command_of(line);
    if (std::ranges::find(forbidden, command) != forbidden.end()) return true;
    const bool reads = command == ".import" || command == ".read";
    if (reads && line.find_first_of("/~") != std::string::npos) return true;
  }
  return false;
}

/// True if the output is a table or an error. Other formats are read by programs and may have
/// control characters.
bool is_for_people(std::string_view script) {
  std::istringstream lines{std::string(script)};
  for (std::string line; std::getline(lines, line);)
    if (tools::is_command_line(line) && tools::dot_command_of(line) == ".mode") return false;
  return true;
}

bool is_plain(std::string_view text) {
  return std::ranges::none_of(text,
                              [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; });
}

Database& fresh(EmptiedDatabase& emptied) {
  emptied.empty();
  return emptied.get();
}

/// Replaces both databases: by chance or by a limit, one may have created more records, so their
/// ids differ from then on.
void abandon_both() {
  emptied_database<0>().abandon();
  emptied_database<1>().abandon();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Ends the last line too, because line by line every line has an end.
  const std::string script = std::string(text_of(data, size)) + "\n";
  if (size > most_statement_bytes || names_a_file_elsewhere(script)) return -1;
  // Two databases with the same history, so that they assign the same ids.
  const Printed text = run(fresh(emptied_database<0>()), script, Way::text);
  const Printed lines = run(fresh(emptied_database<1>()), script, Way::lines);
  if (is_for_people(script)) expect(is_plain(text.out), text.out);
  expect(is_plain(text.err), text.err);
  const bool is_limited = (text.err + lines.err).find("resource_limit") != std::string::npos;
  if (!is_repeatable(script) || is_limited) {
    abandon_both();
    return 0;
  }
  expect(text.out == lines.out, text.out + "\n---\n" + lines.out);
  expect(text.err == lines.err, text.err + "\n---\n" + lines.err);
  expect(text.succeeded == lines.succeeded);
  return 0;
}

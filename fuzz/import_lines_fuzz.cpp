// Imports lines and, after a line "%%", the statements of an index file. Each line is loaded or
// skipped with a reason. The export of the result is imported again and must export the same.
// Indexes are exported as statements that recreate them.
//
// input := line* ["%%" newline statements]

#include "fuzz/support/emptied_database.hpp"
#include "fuzz/support/expect.hpp"
#include "fuzz/support/scratch_file.hpp"
#include "tools/transfer/index_file.hpp"

#include <cairn/transfer.hpp>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

namespace {

using namespace cairn;
using namespace cairn::fuzz;
using namespace cairn::tools;

constexpr std::size_t most_bytes = 2'048;

std::uint64_t count_lines(const std::string& lines) {
  std::istringstream stream(lines);
  std::uint64_t count = 0;
  for (std::string line; std::getline(stream, line);)
    count += line.find_first_not_of(" \t\r") != std::string::npos ? 1 : 0;
  return count;
}

std::string export_of(Database& database) {
  std::ostringstream out;
  expect(export_jsonl(database, out, {}).has_value());
  return out.str();
}

/// Removes ids from lines, because an import assigns new ids.
std::string without_ids(std::string_view lines) {
  constexpr std::string_view id = "\"id\":\"";
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find(id), lines.size());
    text += lines.substr(0, end);
    lines.remove_prefix(end);
    if (lines.empty()) break;
    lines.remove_prefix(id.size());
    while (!lines.empty() && std::isdigit(static_cast<unsigned char>(lines.front())) != 0)
      lines.remove_prefix(1);
  }
  return text;
}

/// Imports, exports, and imports the export.
void check_lines(EmptiedDatabase& emptied, ScratchFile& file, const std::string& lines) {
  Database& database = emptied.get();
  const auto report = import_jsonl(database, file.write(lines), {.skip_errors = true});
  if (!report) return;  // the whole batch was refused
  expect(report->nodes + report->relationships + report->earlier + report->skipped ==
         count_lines(lines));
  expect(report->problems.size() == std::min<std::uint64_t>(report->skipped, 100));
  const std::string exported = export_of(database);
  expect(count_lines(exported) == report->nodes + report->relationships, exported);
  emptied.empty();
  const auto again = import_jsonl(database, file.write(exported), {});
  expect(again.has_value(), exported + (again ? "" : again.error().message));
  expect(without_ids(export_of(database)) == without_ids(exported), exported);
}

std::uint64_t made_count(const MadeSchema& made) { return made.constraints + made.indexes; }

/// Creates indexes by statements, exports them and creates them again.
void check_indexes(EmptiedDatabase& emptied, ScratchFile& file, const std::string& statements) {
  Database& database = emptied.get();
  const auto made = run_index_file(database, file.write(statements));
  const std::string written = index_statements(database.snapshot().value()).value();
  if (made) expect(made_count(*made) <= count_lines(written), written);
  if (written.empty()) return;
  emptied.drop_indexes();
  const auto again = run_index_file(database, file.write(written));
  expect(again.has_value() && made_count(*again) == count_lines(written),
         written + (again ? "" : again.error().message));
  expect(index_statements(database.snapshot().value()).value() == written, written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_bytes) return -1;
  EmptiedDatabase& emptied = emptied_database<0>();
  static ScratchFile file;
  const std::string text(text_of(data, size));
  const std::size_t mark = std::min(text.find("%%\n"), text.size());
  emptied.empty();
  check_lines(emptied, file, text.substr(0, mark));
  emptied.empty();
  if (mark < text.size()) check_indexes(emptied, file, text.substr(mark + 3));
  return 0;
}

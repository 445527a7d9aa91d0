// Runs a statement on a database whose directory was edited. The database is refused with a reason,
// or it opens, answers or refuses the statement, and can be checked and closed. Without an edit it
// is intact. A read-only opening changes no file. After a repair, the database opens again without
// one.
//
// input := options:u8 edits:u8 edit{edits} statement
// options: 1 killed while open, 2 read-only, 4 repair, 8 check       (the number of edits is taken modulo 4)

#include "fuzz/support/directory_edits.hpp"
#include "fuzz/support/expect.hpp"
#include "fuzz/support/outcome.hpp"
#include "fuzz/support/small_database.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/check_files.hpp>
#include <cairn/statement.hpp>

#include <string>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

/// With segments at once, so that statements read their files.
Options options_with_segments() {
  Options options = small_options();
  options.segments = Segments::always;
  return options;
}

/// Reads values of nodes and relationships, and the lists of both directions, of which segments are made.
void read_columns_and_lists(Database& database) {
  for (const char* statement :
       {"MATCH (c:Chunk) RETURN c.i, c.text", "MATCH (a)-[r]->(b) RETURN a.name, r.since, r.weight",
        "MATCH (a)<--(b) RETURN a.name, b.i"}) {
    auto rows = execute(database, statement);
    expect(rows.has_value() && rows->all().has_value());
  }
}

/// The files of the small database: after a close, and as a killed process leaves them.
struct Templates {
  Files closed, killed;
};

Templates make_templates() {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  Templates made;
  Database database = make_small_database(path, options_with_segments());
  read_columns_and_lists(database);
  expect(database.checkpoint().has_value());
  expect(execute(database, "CREATE (:Late {name: 'in the log alone'})").has_value());
  // Reads until no file changes in the background, because files of different moments form no valid
  // database.
  do made.killed = read_files(path);
  while (made.killed != read_files(path));
  expect(database.close().has_value());
  made.closed = read_files(path);
  return made;
}

/// Runs a statement without expecting success: its result depends on the damage.
void ask(Database& database, const std::string& text) {
  const auto statement = Statement::parse(text);
  if (!statement) return;
  auto rows = statement->run(database, sample_parameters(), tight_limits());
  while (rows) {
    const auto row = rows->next();
    if (!row || !*row) break;
  }
}

struct Request {
  bool read_only = false, repair = false, check = false;
  bool is_edited = false;
  std::string statement;
};

/// Opens the edited database, uses and closes it. Returns false if it was refused.
bool use(const std::filesystem::path& path, const Request& request) {
  Options options = options_with_segments();
  options.create_if_missing = false;
  if (request.read_only) options.mode = OpenMode::read_only;
  options.repair = request.repair;
  auto database = Database::open(path, options);
  expect(database || !database.error().message.empty());
  if (!request.is_edited) expect(database.has_value(), database ? "" : database.error().message);
  if (!database) return false;
  if (!request.is_edited) expect(database->check().value().empty());
  ask(*database, request.statement);
  if (request.check) static_cast<void>(database->check(20));
  return database->close().has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_statement_bytes) return -1;
  static const Templates templates = make_templates();
  static const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  codec::ByteCursor input(text_of(data, size));
  const std::uint8_t options = input.read_byte();
  Request request{(options & 2) != 0, (options & 4) != 0, (options & 8) != 0, false, {}};
  Files files = (options & 1) != 0 ? templates.killed : templates.closed;
  for (int left = input.read_byte() % 4; left > 0; --left) edit(files, input);
  request.is_edited = files != ((options & 1) != 0 ? templates.killed : templates.closed);
  request.statement = input.rest();
  write_files(files, path);
  if (request.is_edited && request.check) static_cast<void>(check_files(path, 20));
  const bool used = use(path, request);
  if (request.read_only) expect(read_files(path) == files);
  request.repair = false;
  if (used && (options & 4) != 0 && !request.read_only)
    expect(use(path, request), "a repaired database is refused");
  return 0;
}

#include "tests/engine/crash_language.hpp"

#include "tests/engine/crash_database.hpp"

#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

namespace cairn::test {
namespace {

using Kind = CrashChange::Kind;

bool is_of_index(const CrashChange& change) {
  return change.kind == Kind::create_index || change.kind == Kind::drop_index;
}

/// A statement with several changes of one or two clauses each. One row passes through all clauses. Each MATCH finds
/// its node by the external id. If a MATCH found nothing, the rest of the statement would do nothing, and the counter
/// at the end would show it.
class ChangeStatement {
 public:
  void add(const CrashChange& change) {
    if (!text_.empty()) text_ += " WITH 1 AS one ";
    text_ += clauses_of(change);
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }

 private:
  std::string clauses_of(const CrashChange& change) {
    const std::string name = put(change.node);
    const std::string found = "MATCH (n @ {external_id: " + name + "}) ";
    switch (change.kind) {
      case Kind::create_node:
        return "CREATE (n" + joined(change.labels) + " @ {external_id: " + name +
               "}) SET n = " + put(Value(Map(change.properties.begin(), change.properties.end())));
      case Kind::erase_node:
        return found + "DETACH DELETE n";
      case Kind::set_property:
        return found + "SET n." + change.name + " = " + put(change.value);
      case Kind::add_label:
        return found + "SET n:" + change.name;
      case Kind::remove_label:
        return found + "REMOVE n:" + change.name;
      case Kind::relate:
        return found + "MATCH (m @ {external_id: " + put(change.other) +
               "}) CREATE (n)-[:NEXT {key: " + put(change.key) + "}]->(m)";
      case Kind::unrelate:
        return found + "MATCH (n)-[r:NEXT {key: " + put(change.key) + "}]->() DELETE r";
      case Kind::create_index:
      case Kind::drop_index:
        break;
    }
    return "";
  }

  /// Makes a value a parameter.
  std::string put(Value value) {
    const std::string name = "p" + std::to_string(parameters_.size());
    parameters_.emplace(name, std::move(value));
    return "$" + name;
  }
  static std::string joined(const std::vector<std::string>& labels) {
    std::string text;
    for (const std::string& label : labels) text += ":" + label;
    return text;
  }

  std::string text_;
  Parameters parameters_;
};

/// Counts the file, and erases what files before it have.
Status begin_file(Database& database, std::uint64_t file) {
  const auto done =
      execute(database,
              "MERGE (c @ {external_id: $counter}) SET c.files = $file "
              "WITH 1 AS one MATCH (n:Imported) WHERE n.file < $file DETACH DELETE n",
              {{"counter", CrashImport::counter}, {"file", static_cast<std::int64_t>(file)}});
  return done ? Status() : Status(done.error());
}

// The snapshot ends here: a scrub waits for all that are older than it.
Result<std::uint64_t> count_imported_now(const Database& database) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  return count_imported(snapshot);
}

}  // namespace

bool has_language() { return true; }

Result<bool> apply_by_statement(Database& database, const CrashOperation& operation) {
  if (std::ranges::any_of(operation, is_of_index)) return false;
  ChangeStatement statement;
  for (const CrashChange& change : operation) statement.add(change);
  CAIRN_TRY(execute(database, statement.text(), statement.parameters()));
  return true;
}

// Progress is reported for each line when the line is read. So at the first line of a batch, the previous batch is
// committed. A file is imported again from its beginning: batches that are already stored are recognised.
Status import_for_ever(Database& database, const CrashImport& import,
                       const std::filesystem::path& path,
                       const std::function<void(std::uint64_t)>& tell) {
  CAIRN_ASSIGN(const std::uint64_t done, count_imported_now(database));
  const auto tell_new = [&](std::uint64_t operations) {
    if (operations > done) tell(operations);
  };
  for (std::uint64_t file = 1 + done / CrashImport::operations_of_file;; ++file) {
    const std::uint64_t begun = (file - 1) * CrashImport::operations_of_file + 1;
    if (done < begun) CAIRN_TRY(begin_file(database, file));
    tell_new(begun);
    std::ofstream(path, std::ios::trunc) << import.lines_of(file);
    ImportOptions options;
    options.batch = CrashImport::lines_of_batch;
    options.skip_errors = true;
    std::uint64_t lines = 0;
    options.progress = [&](const TransferProgress& /*progress*/) {
      if (lines % options.batch == 0) tell_new(begun + lines / options.batch);
      ++lines;
    };
    CAIRN_ASSIGN(const ImportReport report, import_jsonl(database, path, options));
    const std::uint64_t stored = report.nodes + report.relationships + report.earlier;
    if (report.skipped > 0 || stored != CrashImport::batches_of_file * CrashImport::lines_of_batch)
      return Error{ErrorCode::corruption,
                   "the import of file " + std::to_string(file) + " stored " +
                       std::to_string(stored) + " lines and refused " +
                       std::to_string(report.skipped) +
                       (report.problems.empty() ? "" : ": " + report.problems.front().reason),
                   {}};
    tell_new(begun + CrashImport::batches_of_file);
  }
}

}  // namespace cairn::test

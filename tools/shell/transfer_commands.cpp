// All of these work in transactions of their own, and so not within one.
#include "tools/shell/transfer_commands.hpp"

#include "tools/text/cell_text.hpp"
#include "tools/text/counted.hpp"
#include "tools/transfer/backup.hpp"
#include "tools/transfer/csv_import.hpp"
#include "tools/transfer/export_files.hpp"
#include "tools/transfer/import_report.hpp"
#include "tools/transfer/index_file.hpp"
#include "tools/transfer/shown_transfer.hpp"

#include <ostream>

namespace cairn::tools {
namespace {

constexpr std::string_view import_usage =
    ".import FILE.jsonl, or .import FILE.csv --label L [--id COLUMN] [--delimiter ,]";

Status check_no_transaction(const Session& session) {
  if (!session.in_transaction()) return {};
  return Error{ErrorCode::conflict, "a transaction is open: COMMIT or ROLLBACK it first",
               std::nullopt};
}

/// Options are pairs of words behind the file.
Result<CsvImportOptions> csv_options(Arguments words) {
  CsvImportOptions options;
  if (words.size() % 2 != 0) return usage(import_usage);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (words[i] == "--label") {
      options.labels.push_back(words[i + 1]);
    } else if (words[i] == "--id") {
      options.id_column = words[i + 1];
    } else if (words[i] == "--delimiter") {
      CAIRN_ASSIGN(options.delimiter, parse_delimiter(words[i + 1]));
    } else {
      return usage(import_usage);
    }
  }
  return options;
}

Status import_lines(Session& session, const std::string& file) {
  CAIRN_ASSIGN(const ImportReport report,
               import_shown(session.database(), file, {}, session.options().is_terminal));
  session.out() << to_text(report);
  CAIRN_ASSIGN(const std::uint64_t made, run_index_file(session.database(), index_file(file)));
  if (made != 0)
    session.out() << counted(made, "index", "indexes") << " made by " << index_file(file).string()
                  << "\n";
  return {};
}

}  // namespace

Status import_file(Session& session, Arguments arguments) {
  if (arguments.empty()) return usage(import_usage);
  CAIRN_TRY(check_no_transaction(session));
  if (!is_csv_file(arguments[0]) && arguments.size() == 1)
    return import_lines(session, arguments[0]);
  CAIRN_ASSIGN(CsvImportOptions options, csv_options(arguments.subspan(1)));
  options.progress = session.options().is_terminal;
  CAIRN_ASSIGN(const ImportReport report, import_csv(session.database(), arguments[0], options));
  session.out() << to_text(report);
  return {};
}

// To a file with its indexes beside it; where results go the records alone, as an export to standard output.
Status dump(Session& session, Arguments arguments) {
  CAIRN_TRY(check_no_transaction(session));
  if (arguments.empty()) {
    CAIRN_TRY(export_jsonl(session.database(), session.out()));
    return {};
  }
  const std::string file = joined(arguments);
  CAIRN_ASSIGN(const ExportedFiles files,
               export_to_files(session.database(), file, {}, session.options().is_terminal));
  session.out() << to_text(files, file);
  return {};
}

Status back_up(Session& session, Arguments arguments) {
  if (arguments.empty()) return usage(".backup DIR");
  CAIRN_TRY(check_no_transaction(session));
  return print_backup(session.database(), joined(arguments), session.out());
}

Status open_database(Session& session, Arguments arguments) {
  if (arguments.empty()) return usage(".open PATH");
  const std::string path = joined(arguments);
  CAIRN_TRY(session.open(path));
  session.out() << "Cairn on " << make_visible(path) << "\n";
  return {};
}

}  // namespace cairn::tools

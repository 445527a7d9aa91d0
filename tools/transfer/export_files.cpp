#include "tools/transfer/export_files.hpp"

#include "tools/text/quantity.hpp"
#include "tools/transfer/index_file.hpp"
#include "tools/transfer/shown_transfer.hpp"
#include "tools/transfer/whole_file.hpp"

#include <memory>
#include <string>
#include <system_error>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

/// Nothing if absent.
Result<std::unique_ptr<WholeFile>> write_indexes(Database& database, const fs::path& file) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  CAIRN_ASSIGN(const std::string statements, index_statements(snapshot));
  if (statements.empty()) return std::unique_ptr<WholeFile>();
  CAIRN_ASSIGN(auto indexes, WholeFile::create(file));
  indexes->stream() << statements;
  CAIRN_TRY(indexes->sync());
  return indexes;
}

/// One of an export before would be taken for this one's.
Status remove_indexes(const fs::path& file) {
  std::error_code problem;
  fs::remove(file, problem);
  if (!problem) return {};
  return Error{ErrorCode::io_error, "cannot remove " + file.string() + ": " + problem.message(),
               std::nullopt};
}

// Why writing failed the file knows better than the stream that was written to.
Result<ExportedFiles> write_both(Database& database, const fs::path& file, WholeFile& lines,
                                 const ExportOptions& options, bool is_shown) {
  auto report = export_shown(database, lines.stream(), options, is_shown);
  CAIRN_TRY(lines.flush());
  if (!report) return std::move(report).error();
  CAIRN_TRY(lines.sync());
  CAIRN_ASSIGN(const auto indexes, write_indexes(database, index_file(file)));
  CAIRN_TRY(indexes ? indexes->appear() : remove_indexes(index_file(file)));
  return ExportedFiles{*std::move(report), indexes != nullptr};
}

}  // namespace

Result<ExportedFiles> export_to_files(Database& database, const fs::path& file,
                                      const ExportOptions& options, bool is_shown) {
  CAIRN_ASSIGN(const auto lines, WholeFile::create(file));
  auto written = write_both(database, file, *lines, options, is_shown);
  if (written) {
    CAIRN_TRY(lines->appear());
    return written;
  }
  Error error = written.error();
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) error.message += "; " + file.string() + " is as it was";
  if (!fs::exists(file, ignored)) error.message += "; " + file.string() + " was not made";
  return error;
}

std::string to_text(const ExportedFiles& files, const fs::path& file) {
  std::string text = counted(files.report.nodes, "node", "nodes") + " and " +
                     counted(files.report.relationships, "relationship", "relationships") +
                     " written to " + file.string() + "\n";
  if (files.has_indexes)
    text += "the statements of its indexes to " + index_file(file).string() + "\n";
  return text;
}

}  // namespace cairn::tools

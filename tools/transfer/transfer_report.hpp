#pragma once
// Reports of transfers: progress, and the result.

#include <cairn/transfer.hpp>

#include <filesystem>
#include <iosfwd>
#include <string>

namespace cairn::tools {

// The report of the records that an export omitted.

/// Returns sentences about records that could not be read, with ids as ranges.
[[nodiscard]] std::string lost_text(const ExportReport& report);
/// Returns how many records the options omitted: one line per reason.
[[nodiscard]] std::string left_out_text(const ExportReport& report);

// The report of an import.

/// Returns lines of text: how much was loaded and how fast, how much existed before, and what was
/// omitted and why.
[[nodiscard]] std::string to_text(const ImportReport& report);

// Transfers with a line of progress on standard error.

/// Runs export_jsonl(), with progress if `is_shown` and standard error is a terminal.
[[nodiscard]] Result<ExportReport> export_shown(Database& database, std::ostream& out,
                                                ExportOptions options, bool is_shown);
/// Runs import_jsonl(), with progress under the same conditions.
[[nodiscard]] Result<ImportReport> import_shown(Database& database,
                                                const std::filesystem::path& file,
                                                ImportOptions options, bool is_shown);

}  // namespace cairn::tools

#pragma once
// What a transfer reports: while it runs, and when it is done.

#include <cairn/transfer.hpp>

#include <filesystem>
#include <iosfwd>
#include <string>

namespace cairn::tools {

// What an export left out, for people.

/// What could not be read, in sentences; ids as ranges.
[[nodiscard]] std::string lost_text(const ExportReport& report);
/// How many records the options left out: a line for each reason.
[[nodiscard]] std::string left_out_text(const ExportReport& report);

// What an import did, for people.

/// Some lines: how much was loaded and how fast, what was there before, what was left out and why.
[[nodiscard]] std::string to_text(const ImportReport& report);

// Transfers with a line of progress on standard error.

/// export_jsonl(), with progress if `is_shown` and standard error is a terminal.
[[nodiscard]] Result<ExportReport> export_shown(Database& database, std::ostream& out,
                                                ExportOptions options, bool is_shown);
/// import_jsonl(), shown in the same way.
[[nodiscard]] Result<ImportReport> import_shown(Database& database,
                                                const std::filesystem::path& file,
                                                ImportOptions options, bool is_shown);

}  // namespace cairn::tools

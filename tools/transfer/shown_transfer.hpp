#pragma once
// Transfers with a line of progress on standard error.

#include <cairn/transfer.hpp>

#include <filesystem>
#include <iosfwd>

namespace cairn::tools {

/// export_jsonl(), shown where standard error is a terminal and `is_shown`.
[[nodiscard]] Result<ExportReport> export_shown(Database& database, std::ostream& out,
                                                ExportOptions options, bool is_shown);
/// import_jsonl(), likewise.
[[nodiscard]] Result<ImportReport> import_shown(Database& database,
                                                const std::filesystem::path& file,
                                                ImportOptions options, bool is_shown);

}  // namespace cairn::tools

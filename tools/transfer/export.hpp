#pragma once
// A database as JSON Lines in the shape of Neo4j's APOC export: nodes first, then relationships, each
// namespace by namespace, the default one first, and in the order of their ids.

#include "tools/transfer/export_report.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <iosfwd>
#include <optional>
#include <string>

namespace cairn::tools {

struct ExportOptions {
  std::optional<std::string> name_space = {};  ///< this one alone; "" is the default one
  bool visible_only =
      false;  ///< without what is softly deleted, or has expired when the export begins
  bool skip_damaged =
      false;              ///< leave out what cannot be read and what hangs on it; it is reported
  bool progress = false;  ///< a line with the rate on standard error

  [[nodiscard]] bool is_narrowed() const { return name_space.has_value() || visible_only; }
};

/// Write everything that one snapshot sees, records of every namespace and hidden ones too, or what the
/// options leave of it. Errors: io_error where the stream fails; corruption; not_found where there is no
/// such namespace.
[[nodiscard]] Result<ExportReport> export_jsonl(Database& database, std::ostream& out,
                                                const ExportOptions& options);

}  // namespace cairn::tools

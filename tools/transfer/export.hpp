#pragma once
// A database as JSON Lines in the shape of Neo4j's APOC export: nodes first, then relationships, each
//
// in the order of their ids.

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace cairn::tools {

struct ExportReport {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  // Ids, ascending; of an export of what is readable alone.
  std::vector<std::uint64_t> lost_nodes;
  std::vector<std::uint64_t> lost_relationships;
  std::vector<std::uint64_t> cut_relationships;  ///< whole, but one end is lost

  [[nodiscard]] bool is_whole() const {
    return lost_nodes.empty() && lost_relationships.empty() && cut_relationships.empty();
  }
};

/// Write everything that one snapshot sees. Errors: io_error where the stream fails.
[[nodiscard]] Result<ExportReport> export_jsonl(Database& database, std::ostream& out,
                                                bool progress);
/// As export_jsonl, without the records that cannot be read and what hangs on them; these are reported.
/// Errors: also those of the indexes, which tell what there is.
[[nodiscard]] Result<ExportReport> export_readable(Database& database, std::ostream& out,
                                                   bool progress);
/// What was left out, in sentences; ids as ranges.
[[nodiscard]] std::string lost_text(const ExportReport& report);

}  // namespace cairn::tools

#pragma once
// A database as JSON Lines in the shape of Neo4j's APOC export: nodes first, then relationships, each
//
// in the order of their ids.

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <iosfwd>

namespace cairn::tools {

struct ExportReport {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
};

/// Write everything that one snapshot sees. Errors: io_error where the stream fails.
[[nodiscard]] Result<ExportReport> export_jsonl(Database& database, std::ostream& out,
                                                bool progress);

}  // namespace cairn::tools

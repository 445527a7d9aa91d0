#pragma once
// JSON Lines in the shape of Neo4j's APOC export into a database.
//
// line := {"type":"node","id":"0","labels":["A"],"properties":{...}}
//       | {"type":"relationship","id":"0","label":"KNOWS","properties":{...},
//          "start":{"id":"0","labels":["A"]},"end":{"id":"1"}}
//
// Members of our own export: "types" (typed_json.hpp), "externalId", "system" (system_member.hpp).
// A relationship stands after its two nodes. Ids join the records of one file; they become external
// ids only where asked for.

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::tools {

struct ImportOptions {
  std::size_t batch = 10'000;  ///< lines a commit
  /// 64 MiB: four values of the largest size. A line is held several times while it is read.
  std::size_t max_line_bytes = std::size_t{64} << 20;  ///< a longer line is a broken one
  /// Leave broken lines out and report them, instead of stopping; and leave out what an import before
  /// this one has loaded, as far as nodes have external ids.
  bool skip_errors = false;
  bool progress = false;         ///< a line with the rate on standard error
  std::string id_property = {};  ///< a property whose value becomes the external id
  std::string id_prefix = {};    ///< the file's ids with this before them become external ids
};

struct ImportProblem {
  std::uint64_t line = 0;
  std::string reason;
};

struct ImportReport {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  std::uint64_t earlier = 0;  ///< records that were there before, equal in all they have
  std::uint64_t skipped = 0;
  std::vector<ImportProblem> problems;  ///< the first 100
  double seconds = 0;
};

/// Load a file. Whole batches only: a broken line without skip_errors ends the import with an error
/// that names the line, and nothing of its batch is kept.
[[nodiscard]] Result<ImportReport> import_jsonl(Database& database,
                                                const std::filesystem::path& file,
                                                const ImportOptions& options);

/// Some lines for people.
[[nodiscard]] std::string to_text(const ImportReport& report);

}  // namespace cairn::tools

#pragma once
// MemoryCalls: the interface behind the procedures memory.*. The implementation uses the public
// memory calls, which run statements. So it is in a folder that depends on this one, and is
// registered when a database is opened.

#include "engine/database/extension.hpp"
#include "query/execute/call/procedures.hpp"

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cairn::query {

enum class MemoryProcedure : std::uint8_t {
  add,
  remember,
  find,
  recall,
  search,
  list,
  update,
  forget,
  restore,
  file,
  view_file,
  history,
  describe,
};

/// A memory call within a statement.
struct MemoryCall {
  MemoryProcedure procedure = MemoryProcedure::add;
  std::span<const Value> arguments;
  Database& database;  ///< the database as the statement sees it
  /// Remaining limits of the statement, its namespace and its clock.
  const StatementOptions& limits;
};

/// The result of a memory call.
struct MemoryAnswer {
  Procedure::Rows rows;
  std::vector<std::string> warnings;
  Changes changes;
};

/// Implementations must be safe to call from any thread.
class MemoryCalls : public engine::Extension {
 public:
  /// Errors: those of the function in cairn/memory/memory.hpp; type_error and invalid_argument for
  /// wrong arguments.
  [[nodiscard]] virtual Result<MemoryAnswer> run(const MemoryCall& call) const = 0;
  /// The embedder of the database, see set_embedder(); nullptr if there is none.
  [[nodiscard]] virtual std::shared_ptr<const Embedder> embedder() const = 0;
  /// The text that names the embedder; empty if none was given.
  [[nodiscard]] virtual const std::string& embedder_spec() const = 0;
};

}  // namespace cairn::query

#pragma once
// MemoryCalls: what answers the procedures memory.*. They are made of the public memory calls, which are built on statements, so a
// later folder makes them and hands them in when a database is opened.

#include "engine/database/extension.hpp"
#include "query/execute/call/procedures.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>
#include <cairn/value.hpp>

#include <cstdint>
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

/// One call within a statement.
struct MemoryCall {
  MemoryProcedure procedure = MemoryProcedure::add;
  std::span<const Value> arguments;
  Database& database;              ///< as the statement sees it
  const StatementOptions& limits;  ///< what the statement has left; its namespace and its clock
};

struct MemoryAnswer {
  Procedure::Rows rows;
  std::vector<std::string> warnings;
  Changes changes;
};

/// Threads: any.
class MemoryCalls : public engine::Extension {
 public:
  /// Errors: as of the call of cairn/memory/memory.hpp; type_error and invalid_argument for what the arguments are.
  [[nodiscard]] virtual Result<MemoryAnswer> run(const MemoryCall& call) const = 0;
};

}  // namespace cairn::query

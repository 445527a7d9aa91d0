#include "query/execute/call/builtin_procedures.hpp"

#include "query/execute/call/name_spaces.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <cairn/version.hpp>

#include <string>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

}  // namespace

// Clients compare the first version with what their statements need.
Result<Rows> list_components(ExecutionContext&, Arguments) {
  return Rows{{Value("Neo4j Kernel"), Value(List{"5.26.0"}), Value("community")},
              {Value("Cairn"), Value(List{std::string(version())}), Value("embedded")}};
}

// All are open, writable, and here.
Result<Rows> list_databases(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const Rows name_spaces, list_name_spaces(context, {}));
  Rows rows;
  for (const std::vector<Value>& one : name_spaces) {
    const bool is_default = one.front().as_string().empty();
    const bool is_home = one.front().as_string() == context.options.name_space;
    rows.push_back({is_default ? Value("neo4j") : one.front(), Value("standard"), Value(List()),
                    Value("read-write"), Value(), Value("primary"), Value(true), Value("online"),
                    Value("online"), Value(""), Value(is_default), Value(is_home), Value(List())});
  }
  return rows;
}

Result<Rows> ping(ExecutionContext&, Arguments) { return Rows{{Value(true)}}; }

Result<Rows> await_indexes(ExecutionContext&, Arguments) { return Rows{}; }

}  // namespace cairn::query

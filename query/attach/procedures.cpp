#include "query/attach/procedures.hpp"

#include "query/attach/procedure_table.hpp"

#include <cairn/version.hpp>

#include <algorithm>
#include <string>

namespace cairn::query::attach {
namespace {

/// Null for a name that no table has.
const NamedProcedure* find(std::string_view name) {
  for (const auto table :
       {record_procedures(), field_procedures(), search_procedures(), database_procedures()}) {
    const auto found = std::ranges::find(table, name, &NamedProcedure::name);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

Result<Value> run_procedure(std::string_view name, const Map& arguments, const CallPlace& place) {
  const NamedProcedure* const found = find(name);
  if (found == nullptr)
    return Error{ErrorCode::unsupported,
                 "the host of the database (Cairn " + std::string(version()) + ") has no call " +
                     std::string(name) + "; update it",
                 {}};
  CallReader reader(arguments);
  auto result = found->run(reader, place);
  if (result) CAIRN_TRY(reader.check());
  return result;
}

}  // namespace cairn::query::attach

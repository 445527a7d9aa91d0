#include "query/attach/procedures.hpp"

#include "query/attach/procedure_table.hpp"

#include <cairn/version.hpp>

#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>

namespace cairn::query::attach {
namespace {

const NamedProcedure* find_in(std::span<const NamedProcedure> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &NamedProcedure::name);
  return found == table.end() ? nullptr : &*found;
}

/// Returns nullptr for an unknown name.
/// Errors: io_error for a database-wide call inside a snapshot or transaction: it could wait for the writer lock that the
/// transaction itself holds.
Result<const NamedProcedure*> find(std::string_view name, const CallPlace& place) {
  for (const auto table : {record_procedures(), field_procedures(), search_procedures()})
    if (const auto* const found = find_in(table, name)) return found;
  const auto* const found = find_in(database_procedures(), name);
  const bool is_on_database = place.transaction == nullptr && place.snapshot == nullptr;
  if (found != nullptr && !is_on_database) return wrong_place("on the database");
  return found;
}

}  // namespace

Result<Value> run_procedure(std::string_view name, const Map& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(const NamedProcedure* const found, find(name, place));
  if (found == nullptr)
    return Error{ErrorCode::unsupported,
                 "process " + std::to_string(::getpid()) +
                     ", the host of the database, runs Cairn " + std::string(version()) +
                     ", which has no call " + std::string(name) +
                     "; update its program, or end it so that this process becomes the host",
                 {}};
  // Arguments are checked after the call too, so that a procedure which does not check them still fails.
  CallReader reader(arguments);
  auto result = found->run(reader, place);
  if (result) CAIRN_TRY(reader.check());
  return result;
}

}  // namespace cairn::query::attach

#include "query/registered/registered_calls.hpp"

#include <utility>

namespace cairn::query {
namespace {

template <class Map>
auto* find_in(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second.get();
}

}  // namespace

const RegisteredFunction* RegisteredCalls::function(std::string_view key) const {
  return find_in(functions_, key);
}

const RegisteredProcedure* RegisteredCalls::procedure(std::string_view key) const {
  return find_in(procedures_, key);
}

void RegisteredCalls::put(std::string key, FunctionPtr function) {
  functions_.insert_or_assign(std::move(key), std::move(function));
}

void RegisteredCalls::put(std::string key, ProcedurePtr procedure) {
  procedures_.insert_or_assign(std::move(key), std::move(procedure));
}

}  // namespace cairn::query

#include "engine/system/process.hpp"

#include <string>

namespace cairn::engine {

Status Process::check() const {
  if (is_this()) return {};
  return Error{ErrorCode::unsupported,
               "the database was opened by process " + std::to_string(id_) + ", and process " +
                   std::to_string(::getpid()) +
                   " was forked from it, which has none of its threads; close the database before "
                   "fork(), or start the other process by exec, and open it in the one that works "
                   "with it",
               {}};
}

}  // namespace cairn::engine

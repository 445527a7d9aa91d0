#pragma once
// Allocations that fail while a statement runs become an error of the statement.
//
// The memory limit counts what a statement holds, about; the process may have less.

#include "engine/system/within_memory.hpp"

#include <cairn/result.hpp>

#include <type_traits>

namespace cairn::query {

[[nodiscard]] inline Error failed_allocation() {
  return {ErrorCode::resource_limit,
          "the process has not got the memory that the statement needs; lower "
          "StatementOptions::memory_bytes, or let the statement hold less at once",
          {}};
}

/// What `work` returns, a Result or a Status. Errors: its own; resource_limit where memory is missing.
template <class Work>
[[nodiscard]] std::invoke_result_t<Work> within_memory(const Work& work) {
  return engine::within_memory(work, failed_allocation);
}

}  // namespace cairn::query

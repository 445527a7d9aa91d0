#pragma once
// Turns an allocation that fails while a statement runs into an error of the statement. The memory
// of a statement is counted only approximately, and the process may have less memory than the
// limit.

#include "engine/system/within_memory.hpp"

#include <cairn/result.hpp>

#include <type_traits>

namespace cairn::query {

[[nodiscard]] inline Error failed_allocation() {
  return {ErrorCode::resource_limit,
          "the process ran out of memory before the statement reached its limit "
          "(StatementOptions::memory_bytes); give the process more memory, or make the statement "
          "hold less at once",
          {}};
}

/// Returns the result of `work`, a Result or a Status.
/// Errors: those of `work`, and resource_limit if memory could not be allocated.
template <class Work>
[[nodiscard]] std::invoke_result_t<Work> within_memory(const Work& work) {
  return engine::within_memory(work, failed_allocation);
}

}  // namespace cairn::query

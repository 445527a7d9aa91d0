#pragma once
// Allocations that fail while a statement runs become an error of the statement.
//
// The memory limit counts what a statement holds, about; the process may have less. The standard
// library tells that by an exception, which ends here: the house has none of its own.

#include <cairn/result.hpp>

#include <new>
#include <stdexcept>
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
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return failed_allocation();
  } catch (const std::length_error&) {  // of a container that would be larger than any memory
    return failed_allocation();
  }
}

}  // namespace cairn::query

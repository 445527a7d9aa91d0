#pragma once
// Turns a failed allocation into an error. The standard library throws; the exception is caught here, as this code
// base uses none.

#include <new>
#include <stdexcept>
#include <type_traits>

namespace cairn::engine {

/// What `work` returns, a Result or a Status; what `failed()` returns where memory is missing.
template <class Work, class Failed>
[[nodiscard]] std::invoke_result_t<Work> within_memory(const Work& work, const Failed& failed) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return failed();
  } catch (const std::length_error&) {  // of a container that would be larger than any memory
    return failed();
  }
}

}  // namespace cairn::engine

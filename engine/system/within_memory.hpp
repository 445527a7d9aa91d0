#pragma once
// Turns a failed allocation into an error value. The standard library throws on a failed allocation; the rest of this code
// base does not use exceptions.

#include <new>
#include <stdexcept>
#include <type_traits>

namespace cairn::engine {

/// Calls `work` and returns its Result or Status. If an allocation fails, returns `failed()` instead.
template <class Work, class Failed>
[[nodiscard]] std::invoke_result_t<Work> within_memory(const Work& work, const Failed& failed) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return failed();
  } catch (const std::length_error&) {  // a container would exceed its maximal size
    return failed();
  }
}

}  // namespace cairn::engine

#pragma once
// Threads for background work that cannot be had.

#include <cairn/result.hpp>

namespace rocksdb {
class Env;
}

namespace cairn::engine {

/// Start the threads that an opening with so many background jobs wants. Errors: resource_limit.
[[nodiscard]] Status start_background_threads(rocksdb::Env& env, int jobs);

/// Of a thread that cannot be had.
[[nodiscard]] Error no_thread(const char* problem);

}  // namespace cairn::engine

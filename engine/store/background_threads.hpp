#pragma once
// Starts RocksDB's background threads in advance, so that a lack of threads is an error instead of an abort.

#include <cairn/result.hpp>

namespace rocksdb {
class Env;
}

namespace cairn::engine {

/// Starts the threads of a store with `jobs` background jobs. Errors: resource_limit.
[[nodiscard]] Status start_background_threads(rocksdb::Env& env, int jobs);

/// The error for a thread that cannot be started. `problem` is the text of the system.
[[nodiscard]] Error no_thread(const char* problem);

}  // namespace cairn::engine

#pragma once
// Starts RocksDB's background threads, or fails with an error.

#include <cairn/result.hpp>

namespace rocksdb {
class Env;
}

namespace cairn::engine {

/// Start the threads that a store with `jobs` background jobs needs. Errors: resource_limit.
[[nodiscard]] Status start_background_threads(rocksdb::Env& env, int jobs);

/// The error of a thread that cannot start.
[[nodiscard]] Error no_thread(const char* problem);

}  // namespace cairn::engine

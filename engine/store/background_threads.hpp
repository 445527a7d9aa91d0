#pragma once
// RocksDB's background threads. They are started in advance, so that a lack of threads is an error instead of an abort.
// Threads that compact run at a lower priority.

#include <cairn/result.hpp>

#include <memory>

namespace rocksdb {
class Env;
class EventListener;
}  // namespace rocksdb

namespace cairn::engine {

/// Starts the threads of a store with `jobs` background jobs. Errors: resource_limit.
[[nodiscard]] Status start_background_threads(rocksdb::Env& env, int jobs);

/// A listener that adds 5 to the nice value of each thread that compacts, once. If a query needs the same processor,
/// such a thread gets a quarter of its time. The thread must not get much less, because commits and close() wait for
/// mutexes that it locks.
[[nodiscard]] std::shared_ptr<rocksdb::EventListener> compaction_priority();

/// The error for a thread that cannot be started. `problem` is the text of the system.
[[nodiscard]] Error no_thread(const char* problem);

}  // namespace cairn::engine

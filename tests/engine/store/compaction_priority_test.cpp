// At which priority RocksDB's threads compact.

#include "engine/store/rocks_store.hpp"
#include "engine/store/store_batch.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

using namespace cairn;
using engine::Family;
using engine::RocksStore;
using engine::StoreBatch;
using test::must;

namespace {

/// The nice value of the nicest thread of this process.
int nicest() {
  int most = ::getpriority(PRIO_PROCESS, 0);
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    const auto id = static_cast<id_t>(std::stoul(thread.path().filename()));
    most = std::max(most, ::getpriority(PRIO_PROCESS, id));
  }
  return most;
}

/// Enough tables of the same keys that RocksDB compacts them.
void make_tables(RocksStore& store) {
  for (int table = 0; table < 6; ++table) {
    StoreBatch batch(store);
    for (int key = 0; key < 100; ++key)
      batch.put(Family::nodes, "key" + std::to_string(key), std::to_string(table));
    must(store.write(batch, engine::WriteMode::async));
    must(store.flush());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(compaction_priority)

// At nice 19 a busy machine keeps it off the processor for minutes, and close() waits.
BOOST_AUTO_TEST_CASE(a_thread_that_compacts_is_five_nicer) {
  const test::TemporaryDirectory directory;
  const auto store = must(RocksStore::open(directory.path() / "store", {}));
  make_tables(*store);
  const int own = ::getpriority(PRIO_PROCESS, 0);
  const int wanted = std::min(own + 5, 19);  // which is the nicest
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (nicest() != wanted && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  BOOST_TEST(nicest() == wanted);
}

BOOST_AUTO_TEST_SUITE_END()

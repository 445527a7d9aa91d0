// What stops writes where the disk is full, and what does not.

#include "engine/store/full_disk.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

namespace cairn::engine {
namespace {

using rocksdb::BackgroundErrorReason;
using rocksdb::Status;

/// What RocksDB goes on with.
Status told(FullDisk& disk, BackgroundErrorReason reason, Status error) {
  disk.OnBackgroundError(reason, &error);
  return error;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(full_disk_listener)

BOOST_AUTO_TEST_CASE(a_flush_that_found_no_room_stops_writes) {
  FullDisk disk;
  BOOST_TEST(told(disk, BackgroundErrorReason::kFlush, Status::NoSpace()).IsNoSpace());
  BOOST_TEST(disk.has_stopped());
}

// Each write would wait for the second after which it is tried again.
BOOST_AUTO_TEST_CASE(a_compaction_that_found_no_room_stops_nothing) {
  FullDisk disk;
  BOOST_TEST(told(disk, BackgroundErrorReason::kCompaction, Status::NoSpace()).ok());
  BOOST_TEST(!disk.has_stopped());
}

// Else a flush that waits for its thread would be lost, and the next DB::Resume() would wait for it forever.
BOOST_AUTO_TEST_CASE(only_a_thread_that_flushes_stops_writes_by_the_manifest) {
  FullDisk disk;
  std::jthread([&] {
    BOOST_TEST(told(disk, BackgroundErrorReason::kManifestWrite, Status::NoSpace()).ok());
  }).join();
  BOOST_TEST(!disk.has_stopped());
  std::jthread([&] {
    disk.OnFlushBegin(nullptr, {});
    BOOST_TEST(told(disk, BackgroundErrorReason::kManifestWrite, Status::NoSpace()).IsNoSpace());
  }).join();
  BOOST_TEST(disk.has_stopped());
}

BOOST_AUTO_TEST_CASE(another_error_is_not_for_want_of_room) {
  FullDisk disk;
  BOOST_TEST(!told(disk, BackgroundErrorReason::kCompaction, Status::Corruption()).ok());
  BOOST_TEST(told(disk, BackgroundErrorReason::kFlush, Status::NoSpace()).IsNoSpace());
  BOOST_TEST(!disk.has_stopped());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::engine

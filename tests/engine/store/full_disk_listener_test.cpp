// What stops writes where the disk is full, and what does not.

#include "engine/store/full_disk.hpp"

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_CASE(another_error_is_not_for_want_of_room) {
  FullDisk disk;
  BOOST_TEST(!told(disk, BackgroundErrorReason::kCompaction, Status::Corruption()).ok());
  BOOST_TEST(told(disk, BackgroundErrorReason::kFlush, Status::NoSpace()).IsNoSpace());
  BOOST_TEST(!disk.has_stopped());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::engine

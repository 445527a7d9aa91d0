// What else than a full disk is a want of room.

#include "engine/store/room_errors.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstring>
#include <string>

namespace cairn::engine {
namespace {

using rocksdb::IOStatus;

/// As RocksDB makes it of errno.
IOStatus failed_append(int error) {
  return IOStatus::IOError("While appending to file: /db/000012.log", std::strerror(error));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(room_errors)

BOOST_AUTO_TEST_CASE(a_quota_and_the_largest_size_of_a_file_are_a_want_of_room) {
  for (const int error : {EDQUOT, EFBIG}) {
    const IOStatus status = as_no_space(failed_append(error));
    BOOST_TEST(status.IsNoSpace());
    BOOST_TEST(status.ToString().find("000012.log") != std::string::npos, status.ToString());
    BOOST_TEST(status.ToString().find(std::strerror(error)) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(other_errors_stay_what_they_are) {
  BOOST_TEST(as_no_space(IOStatus::OK()).ok());
  BOOST_TEST(!as_no_space(failed_append(EIO)).IsNoSpace());
  BOOST_TEST(as_no_space(failed_append(EIO)).IsIOError());
  BOOST_TEST(as_no_space(IOStatus::IOError()).IsIOError());
  BOOST_TEST(as_no_space(IOStatus::Corruption(std::strerror(EFBIG))).IsCorruption());
  BOOST_TEST(as_no_space(IOStatus::NoSpace("full")).IsNoSpace());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::engine

// Room is promised before anything is written, and nothing is written without.

#include "engine/store/log_room.hpp"

#include "engine/store/column_family.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/store/store_batch.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include <string>
#include <utility>

using namespace cairn;
using engine::LogRoom;
using engine::WritableFilePtr;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

namespace {

struct Disk {
  std::uint64_t free = 0;  ///< bytes that can be promised, from the beginning of the file on
  int asked = 0;
  bool can_promise = true;
};

class SmallFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  SmallFile(Disk& disk, WritableFilePtr file)
      : FSWritableFileOwnerWrapper(std::move(file)), disk_(disk) {}

  IOStatus Allocate(std::uint64_t offset, std::uint64_t bytes, const IOOptions& /*options*/,
                    IODebugContext* /*debug*/) override {
    ++disk_.asked;
    if (!disk_.can_promise) return IOStatus::IOError("injected");
    return offset + bytes <= disk_.free ? IOStatus::OK() : IOStatus::NoSpace("injected");
  }

 private:
  Disk& disk_;
};

struct Fixture {
  WritableFilePtr make(const std::string& name) {
    WritableFilePtr file;
    const auto place = (directory.path() / name).string();
    BOOST_REQUIRE(rocksdb::FileSystem::Default()->NewWritableFile(place, {}, &file, nullptr).ok());
    return std::make_unique<SmallFile>(disk, std::move(file));
  }

  WritableFilePtr begin(const std::string& name) {
    WritableFilePtr log = make(name);
    BOOST_REQUIRE(LogRoom::take(room, log).ok());
    return log;
  }

  static void append(const WritableFilePtr& log, std::size_t bytes) {
    BOOST_REQUIRE(log->Append(std::string(bytes, 'x'), IOOptions(), nullptr).ok());
  }

  test::TemporaryDirectory directory;
  Disk disk{std::uint64_t{1} << 30};
  std::shared_ptr<LogRoom> room = std::make_shared<LogRoom>();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(log_room, Fixture)

BOOST_AUTO_TEST_CASE(one_write_in_many_asks_for_room) {
  const WritableFilePtr log = begin("1.log");
  for (int i = 0; i < 1'000; ++i) {
    BOOST_REQUIRE(room->reserve(1'000).ok());
    append(log, 900);
    room->release();
  }
  BOOST_TEST(disk.asked == 1);
  BOOST_REQUIRE(room->reserve(10'000'000).ok());
  BOOST_TEST(disk.asked == 2);
  BOOST_TEST(room->appended() == 900'000U);
}

BOOST_AUTO_TEST_CASE(without_room_a_write_is_refused_until_there_is_some) {
  disk.free = 5'000;
  const WritableFilePtr log = begin("1.log");
  BOOST_REQUIRE(room->reserve(4'000).ok());
  append(log, 4'000);
  BOOST_TEST(room->reserve(2'000).IsNoSpace());
  BOOST_TEST(room->reserve(1'000).ok());
  BOOST_TEST(room->reserve(0).ok());
  disk.free = 6'000;
  BOOST_TEST(room->reserve(2'000).ok());
}

BOOST_AUTO_TEST_CASE(a_new_log_has_room_for_what_is_about_to_be_written_or_is_none) {
  const WritableFilePtr first = begin("1.log");
  BOOST_REQUIRE(room->reserve(50'000).ok());
  disk.free = 40'000;
  WritableFilePtr second = make("2.log");
  BOOST_TEST(LogRoom::take(room, second).IsNoSpace());
  append(first, 50'000);  // it is still the one that is written
  room->release();
  disk.free = 60'000;
  BOOST_TEST(room->reserve(2'000'000).IsNoSpace());
  WritableFilePtr third = make("3.log");
  BOOST_TEST(LogRoom::take(room, third).ok());
  BOOST_TEST(room->reserve(60'000).ok());
}

BOOST_AUTO_TEST_CASE(a_file_system_that_promises_nothing_is_written_all_the_same) {
  disk.can_promise = false;
  const WritableFilePtr log = begin("1.log");
  BOOST_TEST(room->reserve(1'000'000).ok());
  BOOST_TEST(room->reserve(2'000'000).ok());
  BOOST_TEST(disk.asked == 2);
}

// By its own rule, RocksDB would reserve more than 30 MiB before the first record.
BOOST_AUTO_TEST_CASE(the_log_of_a_small_store_holds_little_room) {
  const auto path = directory.path() / "store";
  const auto store = test::must(engine::RocksStore::open(path, {}));
  engine::StoreBatch batch(*store);
  batch.put(engine::Family::meta, "key", "value");
  test::must(store->write(batch, engine::WriteMode::sync));
  std::size_t logs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() != ".log") continue;
    struct stat about{};
    BOOST_REQUIRE(::stat(entry.path().c_str(), &about) == 0);
    BOOST_TEST(about.st_blocks * 512 <= 2 << 20);
    ++logs;
  }
  BOOST_TEST(logs == 1U);
}

BOOST_AUTO_TEST_CASE(logs_are_synced_when_each_of_them_is) {
  const WritableFilePtr first = begin("1.log");
  WritableFilePtr second = begin("2.log");
  BOOST_TEST(room->is_synced());
  append(first, 10);
  append(second, 10);
  BOOST_REQUIRE(second->Sync(IOOptions(), nullptr).ok());
  BOOST_TEST(!room->is_synced());
  BOOST_REQUIRE(first->Fsync(IOOptions(), nullptr).ok());
  BOOST_TEST(room->is_synced());
  append(second, 1);
  BOOST_TEST(!room->is_synced());
  second.reset();
  BOOST_TEST(room->is_synced());
}

BOOST_AUTO_TEST_SUITE_END()

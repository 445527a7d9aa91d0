// Zeros ahead of appends change nothing of what is read, and go with the closing.

#include "engine/store/log_room.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

using namespace cairn;
using engine::CommitLog;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

namespace {

/// The calls on a file, except appends.
struct Calls {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> begun;  ///< offset and bytes
  int written_ahead = 0;
  bool is_full = false;
};

class NotedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  NotedFile(Calls& calls, std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)), calls_(calls) {}

  using FSWritableFileOwnerWrapper::PositionedAppend;
  IOStatus PositionedAppend(const rocksdb::Slice& data, std::uint64_t offset,
                            const IOOptions& options, IODebugContext* debug) override {
    ++calls_.written_ahead;
    if (calls_.is_full) return IOStatus::NoSpace("injected");
    return FSWritableFileOwnerWrapper::PositionedAppend(data, offset, options, debug);
  }
  IOStatus RangeSync(std::uint64_t offset, std::uint64_t bytes, const IOOptions& options,
                     IODebugContext* debug) override {
    calls_.begun.emplace_back(offset, bytes);
    return FSWritableFileOwnerWrapper::RangeSync(offset, bytes, options, debug);
  }

 private:
  Calls& calls_;
};

struct LogFixture {
  LogFixture() {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    const auto status =
        rocksdb::FileSystem::Default()->NewWritableFile(path.string(), {}, &file, nullptr);
    BOOST_REQUIRE(status.ok());
    log = std::make_unique<CommitLog>(std::make_unique<NotedFile>(calls, std::move(file)));
  }

  void append(std::size_t bytes) {
    const std::string data(bytes, static_cast<char>('a' + appended.size() % 26));
    BOOST_REQUIRE(log->Append(data, IOOptions(), nullptr).ok());
    appended += data;
  }

  std::string content() const {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Expects that the file has exactly the appended bytes, followed only by zeros.
  void expect_appended() const {
    const std::string bytes = content();
    BOOST_REQUIRE(bytes.size() >= appended.size());
    BOOST_TEST((bytes.substr(0, appended.size()) == appended));
    BOOST_TEST(std::count(bytes.begin(), bytes.end(), '\0') ==
               static_cast<std::ptrdiff_t>(bytes.size() - appended.size()));
  }

  test::TemporaryDirectory directory;
  std::filesystem::path path = directory.path() / "000004.log";
  Calls calls;
  std::unique_ptr<CommitLog> log;
  std::string appended;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(commit_log, LogFixture)

BOOST_AUTO_TEST_CASE(small_appends_seldom_change_the_size_of_the_file) {
  append(1);
  const auto size = std::filesystem::file_size(path);
  BOOST_TEST(size == 1 + CommitLog::ahead_bytes);
  for (int i = 0; i < 60; ++i) append(2'000);
  BOOST_TEST(std::filesystem::file_size(path) == size);
  expect_appended();
  for (int i = 0; i < 600; ++i) append(1'777);
  expect_appended();
  BOOST_TEST(calls.written_ahead <= 11);  // 1.2 MB by 128 KiB
  BOOST_TEST(calls.written_ahead >= 9);
}

BOOST_AUTO_TEST_CASE(an_append_that_ends_where_the_zeros_do_is_whole) {
  append(10);
  for (std::size_t i = 0; i < 8; ++i) append(CommitLog::ahead_bytes / 8);
  BOOST_TEST(calls.written_ahead == 1);
  BOOST_TEST(content().size() == appended.size());
  append(1);
  BOOST_TEST(calls.written_ahead == 2);
  expect_appended();
}

BOOST_AUTO_TEST_CASE(closing_cuts_off_the_zeros) {
  append(3'000);
  append(CommitLog::small_bytes);
  BOOST_REQUIRE(log->Close(IOOptions(), nullptr).ok());
  BOOST_TEST((content() == appended));
}

BOOST_AUTO_TEST_CASE(ahead_of_large_appends_nothing_is_written) {
  append(CommitLog::small_bytes + 1);
  append(1'000'000);
  BOOST_TEST(calls.written_ahead == 0);
  BOOST_TEST((content() == appended));
  append(5);
  append(1'000'000);  // over the zeros and beyond them
  expect_appended();
  BOOST_REQUIRE(log->Close(IOOptions(), nullptr).ok());
  BOOST_TEST((content() == appended));
}

BOOST_AUTO_TEST_CASE(each_append_begins_its_way_to_the_disk) {
  append(100);
  append(20'000);
  append(7);
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  BOOST_TEST((calls.begun == std::vector<Range>{{0, 100}, {100, 20'000}, {20'100, 7}}));
}

BOOST_AUTO_TEST_CASE(without_room_for_zeros_appends_go_on) {
  calls.is_full = true;
  for (int i = 0; i < 5; ++i) append(500);
  BOOST_TEST(calls.written_ahead == 1);
  BOOST_TEST((content() == appended));
  BOOST_REQUIRE(log->Close(IOOptions(), nullptr).ok());
  BOOST_TEST((content() == appended));
}

BOOST_AUTO_TEST_SUITE_END()

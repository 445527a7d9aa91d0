// LineFeed: every line of a file once and in order, wherever its buffers end, and no end of the file that is not one.

#include "query/transfer/line_feed.hpp"

#include "tests/support/counted_memory.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {
namespace {

constexpr std::size_t usual_limit = std::size_t{1} << 20;

/// What a feed should give of a line.
struct Expected {
  std::uint64_t number = 0;
  std::string id;
  std::uint64_t end = 0;
};

/// A node of this id whose line has so many bytes, or a few more than it needs.
std::string node_line(const std::string& id, std::size_t bytes) {
  const std::string begin =
      R"({"type":"node","id":")" + id + R"(","labels":[],"properties":{"p":")";
  constexpr std::string_view end = R"("}})";
  const std::size_t frame = begin.size() + end.size();
  return begin + std::string(bytes > frame ? bytes - frame : 0, 'x') + std::string(end);
}

struct Fixture {
  test::TemporaryDirectory temporary;
  std::filesystem::path file = temporary.path() / "in.jsonl";

  std::vector<NumberedLine> read(const std::string& text, std::size_t limit = usual_limit) const {
    std::ofstream(file, std::ios::binary) << text;
    const auto feed = LineFeed::open(file, limit);
    BOOST_REQUIRE(feed.has_value());
    std::vector<NumberedLine> all;
    for (auto lines = (*feed)->next(); !lines.empty(); lines = (*feed)->next())
      for (NumberedLine& line : lines) all.push_back(std::move(line));
    return all;
  }
};

void expect_lines(const std::vector<NumberedLine>& lines, const std::vector<Expected>& expected) {
  BOOST_REQUIRE_EQUAL(lines.size(), expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    BOOST_REQUIRE(lines[i].line.has_value());
    BOOST_REQUIRE_EQUAL(lines[i].number, expected[i].number);
    BOOST_REQUIRE_EQUAL(std::get<NodeLine>(*lines[i].line).id, expected[i].id);
    BOOST_REQUIRE_EQUAL(lines[i].end, expected[i].end);
  }
}

/// Sizes at which a buffer of 64 KiB, or two of them, end within a line, at its end, or behind it.
std::size_t size_near_a_buffer(test::ValueGenerator& random) {
  constexpr std::array<std::size_t, 4> middles = {100, 65'536, 131'072, 196'608};
  return middles[random.below(middles.size())] - 4 + random.below(9);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(line_feed, Fixture)

BOOST_AUTO_TEST_CASE(every_line_comes_once_wherever_buffers_end) {
  test::ValueGenerator random(test::test_seed());
  for (std::size_t round = 0; round < test::rounds(40, 2'000); ++round) {
    std::string text;
    std::vector<Expected> expected;
    const std::size_t count = 1 + random.below(12);
    for (std::uint64_t number = 1; number <= count; ++number) {
      const std::string id = std::to_string(number);
      const bool is_blank = random.below(4) == 0;
      text +=
          is_blank ? std::string(random.below(3), ' ') : node_line(id, size_near_a_buffer(random));
      if (number < count || random.boolean()) text += random.boolean() ? "\n" : "\r\n";
      if (!is_blank) expected.push_back({number, id, text.size()});
    }
    BOOST_TEST_CONTEXT("CAIRN_TEST_SEED=" << test::test_seed() << ", round " << round)
    expect_lines(read(text), expected);
  }
}

// 512 lines and a mebibyte are what one piece has; sixteen of them wait for the reader.
BOOST_AUTO_TEST_CASE(more_lines_than_may_wait_come_in_order) {
  for (const std::size_t count : {511UL, 512UL, 513UL, 20'000UL}) {
    std::string text;
    std::vector<Expected> expected;
    for (std::uint64_t number = 1; number <= count; ++number) {
      text += node_line(std::to_string(number), 0) + "\n";
      expected.push_back({number, std::to_string(number), text.size()});
    }
    expect_lines(read(text), expected);
  }
}

BOOST_AUTO_TEST_CASE(a_line_of_the_limit_is_read_and_a_longer_one_is_an_error_in_its_place) {
  for (const std::size_t limit : {200UL, 65'535UL, 65'536UL, 70'000UL}) {
    const auto lines = read(node_line("1", limit) + "\n" + node_line("2", limit + 1) + "\n" +
                                node_line("3", 3 * limit) + "\n" + node_line("4", limit),
                            limit);
    BOOST_REQUIRE_EQUAL(lines.size(), 4U);
    BOOST_TEST(lines[0].line.has_value());
    for (const std::size_t long_one : {1U, 2U}) {
      BOOST_TEST(lines[long_one].number == long_one + 1);
      BOOST_REQUIRE(!lines[long_one].line.has_value());
      BOOST_TEST((lines[long_one].line.error().code == ErrorCode::invalid_argument));
    }
    BOOST_TEST(std::get<NodeLine>(*lines[3].line).id == "4");
  }
}

BOOST_AUTO_TEST_CASE(a_file_of_nothing_has_no_lines) {
  for (const std::string_view text : {"", "\n", "\r\n\r\n", " \t \n\n"})
    BOOST_TEST(read(std::string(text)).empty());
}

// The first page of a process is never mapped, so that reading its memory from the start fails as a broken disk does.
BOOST_AUTO_TEST_CASE(a_read_that_fails_is_an_error_and_not_the_end) {
  const auto feed = LineFeed::open("/proc/self/mem", usual_limit);
  BOOST_REQUIRE(feed.has_value());
  const auto lines = (*feed)->next();
  BOOST_REQUIRE_EQUAL(lines.size(), 1U);
  BOOST_REQUIRE(!lines.front().line.has_value());
  BOOST_TEST((lines.front().line.error().code == ErrorCode::io_error));
  BOOST_TEST((*feed)->next().empty());
}

BOOST_AUTO_TEST_CASE(a_line_without_memory_for_it_is_an_error) {
  constexpr std::size_t large = 16 * usual_limit;
  std::ofstream(file, std::ios::binary) << node_line("1", 0) << "\n"
                                        << node_line("2", large) << "\n";
  std::vector<NumberedLine> all;
  {
    const test::SharedMemoryEnd end(large / 4);
    const auto feed = LineFeed::open(file, 2 * large);
    BOOST_REQUIRE(feed.has_value());
    for (auto lines = (*feed)->next(); !lines.empty(); lines = (*feed)->next())
      for (NumberedLine& line : lines) all.push_back(std::move(line));
  }
  BOOST_REQUIRE(!all.empty());
  BOOST_TEST(all.back().number == 2U);
  BOOST_REQUIRE(!all.back().line.has_value());
  BOOST_TEST((all.back().line.error().code == ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_CASE(a_feed_that_nobody_reads_ends) {
  std::string text;
  while (text.size() < 40 * usual_limit) text += node_line("1", usual_limit / 2) + "\n";
  std::ofstream(file, std::ios::binary) << text;
  const auto feed = LineFeed::open(file, usual_limit);
  BOOST_REQUIRE(feed.has_value());
  BOOST_TEST(!(*feed)->next().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query

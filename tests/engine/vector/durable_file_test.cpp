#include "engine/vector/durable_file.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

using namespace cairn;
using namespace cairn::engine;
using test::must;
namespace fs = std::filesystem;

namespace {

struct Fixture {
  test::TemporaryDirectory directory;
  fs::path file = directory.path() / "segment";

  void write(std::string_view content) const {
    DurableWriter writer = must(DurableWriter::create(file));
    must(writer.write(content));
    must(writer.commit());
  }
  [[nodiscard]] std::string content() const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

std::string_view text_of(const FileMap& map) { return {map.data(), map.size()}; }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(durable_file, Fixture)

BOOST_AUTO_TEST_CASE(a_file_keeps_its_content_until_the_next_one_is_complete) {
  write("old");
  {
    DurableWriter writer = must(DurableWriter::create(file));
    must(writer.write("a part of"));
    BOOST_TEST(content() == "old");
    // Given up, as if the process had ended here.
  }
  BOOST_TEST(content() == "old");
  BOOST_TEST(fs::exists(directory.path() / "segment.new"));
  DurableWriter writer = must(DurableWriter::create(file));
  must(writer.write("ne"));
  must(writer.write("w"));
  must(writer.commit());
  BOOST_TEST(content() == "new");
  BOOST_TEST(!fs::exists(directory.path() / "segment.new"));
  const auto all = fs::perms::owner_read | fs::perms::owner_write;
  BOOST_TEST((fs::status(file).permissions() == all));
}

BOOST_AUTO_TEST_CASE(a_file_is_read_from_front_to_back) {
  write("0123456789");
  FileReader reader = must(FileReader::open(file));
  BOOST_TEST(reader.size() == 10U);
  std::string first(4, ' '), second(6, ' ');
  must(reader.read(first));
  BOOST_TEST(reader.position() == 4U);
  must(reader.read(second));
  BOOST_TEST(first + second == "0123456789");
  must(reader.read({}));
  const Status behind = reader.read(first);
  BOOST_TEST_REQUIRE(!behind);
  BOOST_TEST((behind.error().code == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(only_a_regular_file_is_opened) {
  BOOST_TEST((FileReader::open(file).error().code == ErrorCode::not_found));
  fs::create_directory(file);
  BOOST_TEST((FileReader::open(file).error().code == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(a_part_is_mapped_wherever_it_begins) {
  std::string content;
  while (content.size() < 20'000) content += std::to_string(content.size()) + " ";
  write(content);
  const FileReader reader = must(FileReader::open(file));
  for (const std::size_t offset : {0U, 1U, 4'095U, 4'096U, 4'097U, 12'345U}) {
    const FileMap map = must(reader.map(offset, 5'000));
    BOOST_TEST(text_of(map) == std::string_view(content).substr(offset, 5'000), "at " << offset);
  }
  BOOST_TEST(must(reader.map(0, 0)).size() == 0U);
  const std::size_t size = content.size();
  BOOST_TEST(must(reader.map(size - 1, 1)).data()[0] == content.back());
  for (const auto& [offset, bytes] :
       {std::pair(size, std::size_t{1}), {size + 1, 1}, {size - 1, 2}, {1, ~std::size_t{0}}})
    BOOST_TEST((reader.map(offset, bytes).error().code == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(a_part_of_a_file_that_was_cut_meanwhile_is_refused) {
  write("0123456789");
  const FileReader reader = must(FileReader::open(file));
  fs::resize_file(file, 5);
  BOOST_TEST(text_of(must(reader.map(0, 5))) == "01234");
  BOOST_TEST(!reader.map(0, 6));
}

BOOST_AUTO_TEST_CASE(a_map_outlives_its_reader_and_the_name_of_its_file) {
  write("the old content");
  FileMap map;
  BOOST_TEST(map.size() == 0U);
  {
    const FileReader reader = must(FileReader::open(file));
    map = must(reader.map(4, 3));
  }
  write("something new");
  BOOST_TEST(text_of(map) == "old");
  fs::remove(file);
  const FileMap moved = std::move(map);
  BOOST_TEST(text_of(moved) == "old");
}

BOOST_AUTO_TEST_SUITE_END()

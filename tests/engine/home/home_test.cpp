// A home without a database: its checkpoints and what they hold.
#include "engine/home/home.hpp"

#include "codec/meta.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::must;
namespace fs = std::filesystem;

namespace {

struct Place {
  [[nodiscard]] std::unique_ptr<Home> open() const {
    Home::Wanted wanted;
    wanted.new_database_id = codec::database_id(1, 2);
    return must(Home::open("dir:" + (directory.path() / "home").string(), wanted));
  }
  [[nodiscard]] std::vector<std::uint64_t> sizes_of_parts() const {
    std::vector<std::uint64_t> sizes;
    for (const auto& entry : fs::recursive_directory_iterator(directory.path() / "home"))
      if (entry.path().parent_path().filename() == "part") sizes.push_back(entry.file_size());
    return sizes;
  }

  test::TemporaryDirectory directory;
};

std::string bytes_of(const fs::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

std::string bytes_for(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  for (char& byte : bytes) {
    state = state * 1'664'525 + 1'013'904'223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(home)

BOOST_AUTO_TEST_CASE(a_large_file_has_several_parts_and_only_changed_ones_are_uploaded) {
  const Place place;
  std::string large = bytes_for(2 * most_part_bytes + 1'000);
  const fs::path source = place.directory.path() / "source";
  const auto write = [&] { std::ofstream(source, std::ios::binary) << large; };
  write();
  CheckpointFile segment{"vector/2.segment", source, large.size()};
  CheckpointFile empty{"store/000003.log", {}, 0, ""};
  const auto home = place.open();
  must(home->checkpoint(must(home->ship("", 1)), 1, {segment, empty}));
  BOOST_TEST(place.sizes_of_parts().size() == 4U);
  for (const std::uint64_t size : place.sizes_of_parts()) BOOST_TEST(size <= most_part_bytes);
  // One byte of the second piece, and more at the end.
  large[most_part_bytes + 5] ^= 1;
  large += "longer";
  write();
  segment.bytes = large.size();
  must(home->checkpoint(must(home->ship("", 2)), 2, {segment, empty}));
  BOOST_TEST(place.sizes_of_parts().size() == 6U);
  // The checkpoint before the newest one needs the old pieces until the next one.
  must(home->checkpoint(must(home->ship("", 3)), 3, {segment, empty}));
  BOOST_TEST(place.sizes_of_parts().size() == 4U);

  const fs::path copy = place.directory.path() / "copy";
  fs::create_directory(copy);
  must(place.open()->fetch(copy));
  BOOST_TEST((bytes_of(copy / "vector/2.segment") == large));
  BOOST_TEST(fs::file_size(copy / "store/000003.log") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

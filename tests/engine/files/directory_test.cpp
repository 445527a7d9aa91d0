// Names in an open directory, whatever links lie in it and whatever happens to its path.
#include "engine/files/directory.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::must;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, std::string_view content) {
  std::ofstream(file, std::ios::binary) << content;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Fixture {
  test::TemporaryDirectory temporary;
  fs::path root = fs::canonical(temporary.path()) / "root";
  fs::path outside = root.parent_path() / "outside";

  Fixture() {
    fs::create_directories(root / "inner" / "deep");
    fs::create_directory(outside);
    write(outside / "secret", "secret");
    fs::create_directory_symlink(outside, root / "link");
    fs::create_symlink(outside / "secret", root / "file-link");
  }
  [[nodiscard]] Directory directory() const { return must(Directory::open(root)); }
};

template <class T>
bool is(const Result<T>& result, ErrorCode code) {
  return !result && result.error().code == code;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(directory, Fixture)

BOOST_AUTO_TEST_CASE(links_in_a_directory_are_not_followed) {
  const Directory opened = directory();
  BOOST_TEST(is(opened.open_directory("link"), ErrorCode::corruption));
  BOOST_TEST(is(opened.enter("link"), ErrorCode::corruption));
  BOOST_TEST(!opened.open_file("file-link"));
  BOOST_TEST(!opened.read_file("file-link", 100));
  BOOST_TEST(is(opened.open_directory("absent"), ErrorCode::not_found));
  BOOST_TEST(is(opened.open_file("absent"), ErrorCode::not_found));
  write(root / "file", "content");
  BOOST_TEST(is(opened.open_directory("file"), ErrorCode::corruption));
  BOOST_TEST(!opened.open_file("inner"));
}

// The path of the directory itself may lead through links. It is resolved once.
BOOST_AUTO_TEST_CASE(a_renamed_directory_stays_the_same) {
  fs::create_directory_symlink(root, temporary.path() / "way");
  const Directory opened = must(Directory::open(temporary.path() / "way"));
  fs::rename(root, temporary.path() / "moved");
  fs::create_directory(root);
  must(opened.prepare_file("file", "content"));
  must(opened.take_prepared("file"));
  must(opened.sync());
  BOOST_TEST(content_of(temporary.path() / "moved" / "file") == "content");
  BOOST_TEST(fs::is_empty(root));
}

BOOST_AUTO_TEST_CASE(a_file_is_replaced_when_its_content_is_prepared) {
  const Directory opened = directory();
  write(root / "file", "old");
  must(opened.prepare_file("file", "new"));
  BOOST_TEST(content_of(root / "file") == "old");
  must(opened.take_prepared("file"));
  BOOST_TEST(content_of(root / "file") == "new");
  BOOST_TEST(!opened.has("file.new"));
  BOOST_TEST(!opened.take_prepared("file"));
}

BOOST_AUTO_TEST_CASE(a_file_is_read_up_to_its_bound) {
  const Directory opened = directory();
  for (const std::size_t size : {0U, 1U, 4'095U, 4'096U, 4'097U, 10'000U}) {
    const std::string content(size, 'x');
    write(root / "file", content);
    BOOST_TEST(must(opened.read_file("file", size)) == content);
    BOOST_TEST(must(opened.read_file("file", size + 1)) == content);
    if (size > 0) BOOST_TEST(!opened.read_file("file", size - 1));
  }
}

BOOST_AUTO_TEST_CASE(a_directory_is_made_once) {
  const Directory opened = directory();
  BOOST_TEST(must(opened.make_directory("made")));
  BOOST_TEST(!must(opened.make_directory("made")));
  BOOST_TEST(!must(opened.make_directory("file-link")));
  BOOST_TEST((fs::status(root / "made").permissions() == fs::perms::owner_all));
  const Directory entered = must(opened.enter("made"));
  BOOST_TEST(entered.path().string() == (root / "made").string());
  const Directory other = must(opened.enter("other"));
  BOOST_TEST(fs::is_directory(root / "other"));
}

BOOST_AUTO_TEST_CASE(names_are_sorted_and_read_again_each_time) {
  const Directory opened = directory();
  const std::vector<std::string> first{"file-link", "inner", "link"};
  BOOST_TEST(must(opened.names()) == first, boost::test_tools::per_element());
  write(root / "a", "");
  write(root / "Z", "");
  const std::vector<std::string> second{"Z", "a", "file-link", "inner", "link"};
  BOOST_TEST(must(opened.names()) == second, boost::test_tools::per_element());
  BOOST_TEST(opened.has("link"));
  BOOST_TEST(!opened.has("b"));
}

BOOST_AUTO_TEST_CASE(erasing_all_leaves_what_links_lead_to) {
  const Directory opened = directory();
  fs::create_directory_symlink(outside, root / "inner" / "deep" / "link");
  write(root / "inner" / "file", "x");
  must(opened.erase_all("inner", 2));
  BOOST_TEST(!fs::exists(root / "inner"));
  must(opened.erase_all("link", 0));
  must(opened.erase_all("file-link", 0));
  must(opened.erase_all("absent", 0));
  BOOST_TEST(content_of(outside / "secret") == "secret");
  BOOST_TEST(must(opened.names()).empty());
}

BOOST_AUTO_TEST_CASE(directories_below_the_allowed_levels_are_not_erased) {
  const Directory opened = directory();
  write(root / "inner" / "deep" / "file", "x");
  BOOST_TEST(is(opened.erase_all("inner", 1), ErrorCode::corruption));
  BOOST_TEST(is(opened.erase_all("inner", 0), ErrorCode::corruption));
  BOOST_TEST(content_of(root / "inner" / "deep" / "file") == "x");
  BOOST_TEST(!opened.erase_directory("inner"));
  BOOST_TEST(!opened.erase_file("inner"));
}

BOOST_AUTO_TEST_CASE(a_directory_is_within_those_above_it_and_itself) {
  const Directory opened = directory();
  const Directory deep = must(must(opened.open_directory("inner")).open_directory("deep"));
  BOOST_TEST(must(deep.is_within(opened)));
  BOOST_TEST(must(opened.is_within(opened)));
  BOOST_TEST(!must(opened.is_within(deep)));
  BOOST_TEST(!must(deep.is_within(must(Directory::open(outside)))));
  // By another path, and after a move.
  BOOST_TEST(must(must(Directory::open(root / "link")).is_within(must(Directory::open(outside)))));
  fs::rename(root / "inner" / "deep", outside / "deep");
  BOOST_TEST(!must(deep.is_within(opened)));
  BOOST_TEST(must(deep.is_within(must(Directory::open("/")))));
}

BOOST_AUTO_TEST_CASE(a_place_is_a_name_in_an_existing_directory) {
  const auto at = [&](const fs::path& path) { return must(FilePlace::of(path)).path().string(); };
  const std::string file = (root / "file").string();
  BOOST_TEST(at(root / "file") == file);
  BOOST_TEST(at(root / "file" / "") == file);
  BOOST_TEST(at(root / "inner" / ".." / "file") == file);
  BOOST_TEST(at(root / "link" / "file") == (outside / "file").string());
  BOOST_TEST(at(root / "file-link") == (outside / "secret").string());
  BOOST_TEST(is(FilePlace::of(""), ErrorCode::invalid_argument));
  BOOST_TEST(is(FilePlace::of("/"), ErrorCode::invalid_argument));
  BOOST_TEST(is(FilePlace::of(root / "absent" / "file"), ErrorCode::not_found));
}

BOOST_AUTO_TEST_SUITE_END()

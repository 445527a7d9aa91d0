// Paths of memory files: one spelling for each, and none that leaves /memories.

#include "query/memory_files/file_path.hpp"

#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace cairn::query {
namespace {

struct Given {
  std::string path{memory_root};
  bool escapes = false;  // is above /memories at some part of it
};

Given random_path(test::ValueGenerator& random) {
  constexpr std::array<std::string_view, 8> parts = {"a", "b", "..", "..", ".", "", "c d", "..."};
  Given given;
  int depth = 0;
  for (std::size_t i = random.below(8); i > 0; --i) {
    const std::string_view part = parts[random.below(parts.size())];
    (given.path += '/') += part;
    if (part == "..") --depth;
    if (part != ".." && part != "." && !part.empty()) ++depth;
    given.escapes = given.escapes || depth < 0;
  }
  return given;
}

/// As the standard library has it, without the slash of a directory.
std::string normal(const std::string& path) {
  std::string text = std::filesystem::path(path).lexically_normal().string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_paths)

BOOST_AUTO_TEST_CASE(a_path_is_what_the_standard_library_makes_of_it_or_refused) {
  test::ValueGenerator random(test::test_seed());
  for (std::size_t round = 0; round < test::rounds(2'000, 200'000); ++round) {
    const Given given = random_path(random);
    const auto path = memory_path(given.path);
    BOOST_REQUIRE_EQUAL(path.has_value(), !given.escapes);
    if (!path) continue;
    BOOST_REQUIRE_EQUAL(*path, normal(given.path));
    BOOST_REQUIRE_EQUAL(memory_path(*path).value(), *path);
    BOOST_REQUIRE(is_within(*path, memory_root));
    if (*path != memory_root) BOOST_REQUIRE(is_within(*path, parent_of(*path)));
  }
}

BOOST_AUTO_TEST_CASE(a_name_that_begins_like_the_directory_is_not_within_it) {
  for (const std::string_view path :
       {"/memories2", "/memories2/a", "/memorie", "memories/a", "", "/"})
    BOOST_TEST(!memory_path(path).has_value(), path);
  BOOST_TEST(!is_within("/memories/ab", "/memories/a"));
  BOOST_TEST(is_within("/memories/a/b", "/memories/a"));
  BOOST_TEST(parent_of(memory_root).empty());
}

BOOST_AUTO_TEST_CASE(a_path_has_a_longest_size_and_no_control_characters) {
  std::string longest(memory_root);
  longest.append("/");
  longest.resize(1'024, 'a');
  BOOST_TEST(memory_path(longest).has_value());
  BOOST_TEST(!memory_path(longest + "a").has_value());
  for (const char letter : {'\0', '\n', '\t', '\x1f', '\x7f'})
    BOOST_TEST(!memory_path("/memories/a" + std::string(1, letter) + "b").has_value());
  BOOST_TEST(memory_path("/memories/\xc3\xa4").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query

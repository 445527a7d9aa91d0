// Checks every #include of the product against the layers: the order of the layers, where each
// library may be included, and what a public header may include.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

// From the bottom up. Tests and fuzz targets see everything, and nobody sees them.
constexpr std::array<std::string_view, 7> rooms = {"include", "codec", "engine", "query",
                                                   "tools",   "tests", "fuzz"};
constexpr std::size_t product_rooms = 5;

// A library's headers, and the one folder that may include them.
struct Home {
  std::string_view headers;
  std::string_view folder;
};
constexpr std::array homes = {
    Home{"rocksdb/", "engine/store/"},      Home{"hnswlib/", "engine/vector/"},
    Home{"flatbuffers/", "codec/"},         Home{"hwy/", "codec/"},
    Home{"boost/spirit/", "query/syntax/"}, Home{"CLI/", "tools/arguments/command_parser."},
    Home{"histedit.h", "tools/"},           Home{"benchmark/", "tools/"},
    Home{"expat.h", "tools/documents/"},    Home{"libxml/", "tools/documents/"},
};

struct Include {
  std::string file;  // relative to the root
  int line;
  std::string target;
  bool quoted;
};

std::ostream& operator<<(std::ostream& out, const Include& include) {
  return out << include.file << ":" << include.line << " includes " << include.target;
}

std::optional<Include> parse_include(std::string_view text) {
  const auto skip_blanks = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  };
  const auto skip = [&](std::string_view word) {
    skip_blanks();
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
  };
  if (!skip("#") || !skip("include")) return std::nullopt;
  skip_blanks();
  if (text.empty() || (text.front() != '<' && text.front() != '"')) return std::nullopt;
  const bool quoted = text.front() == '"';
  text.remove_prefix(1);
  return Include{"", 0, std::string(text.substr(0, text.find(quoted ? '"' : '>'))), quoted};
}

void append_includes_of(const fs::path& file, std::vector<Include>& includes) {
  std::ifstream stream(file);
  int line = 0;
  for (std::string text; std::getline(stream, text);) {
    ++line;
    if (auto include = parse_include(text)) {
      include->file = fs::relative(file, CAIRN_SOURCE_DIR).generic_string();
      include->line = line;
      includes.push_back(std::move(*include));
    }
  }
}

std::vector<Include> read_includes() {
  std::vector<Include> includes;
  for (const auto room : rooms | std::views::take(product_rooms)) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(CAIRN_SOURCE_DIR) / room)) {
      const auto extension = entry.path().extension();
      if (extension == ".hpp" || extension == ".cpp" || extension == ".h") {
        append_includes_of(entry.path(), includes);
      }
    }
  }
  return includes;
}

const std::vector<Include>& all_includes() {
  static const std::vector<Include> includes = read_includes();
  return includes;
}

// The place of a path's room from the bottom, or nothing for a path outside all rooms.
std::optional<std::size_t> level_of(std::string_view path) {
  const auto folder = path.substr(0, path.find('/'));
  if (folder.size() == path.size()) return std::nullopt;
  const auto room = std::ranges::find(rooms, folder == "cairn" ? "include" : folder);
  if (room == rooms.end()) return std::nullopt;
  return static_cast<std::size_t>(room - rooms.begin());
}

template <class Predicate>
void expect_none(Predicate&& is_wrong) {
  BOOST_TEST_REQUIRE(!all_includes().empty());
  for (const auto& include : all_includes()) {
    if (is_wrong(include)) BOOST_TEST_ERROR(include);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(includes)

BOOST_AUTO_TEST_CASE(no_file_includes_a_room_above_its_own) {
  expect_none([](const Include& include) {
    const auto target = level_of(include.target);
    return target && *target > *level_of(include.file);
  });
}

BOOST_AUTO_TEST_CASE(our_own_headers_are_named_from_the_root) {
  expect_none([](const Include& include) {
    return include.quoted && !fs::exists(fs::path(CAIRN_SOURCE_DIR) / include.target) &&
           !include.target.ends_with("_generated.h");
  });
}

BOOST_AUTO_TEST_CASE(public_headers_include_the_standard_library_and_each_other_only) {
  constexpr std::array<std::string_view, 4> standard_c = {"stddef.h", "stdint.h", "stdbool.h",
                                                          "float.h"};
  expect_none([&](const Include& include) {
    if (!include.file.starts_with("include/")) return false;
    if (include.target.starts_with("cairn/")) return include.quoted;
    if (std::ranges::find(standard_c, include.target) != standard_c.end()) return false;
    return include.target.find_first_of("./") != std::string::npos;
  });
}

// It could serve any program.
BOOST_AUTO_TEST_CASE(the_protocol_of_mcp_knows_nothing_else_of_ours) {
  constexpr std::string_view folder = "tools/mcp/protocol/";
  expect_none([&](const Include& include) {
    const bool is_ours = include.quoted || include.target.starts_with("cairn/");
    return include.file.starts_with(folder) && is_ours && !include.target.starts_with(folder);
  });
}

// The peers that we are compared with are hnswlib and RocksDB by themselves.
BOOST_AUTO_TEST_CASE(each_library_is_known_to_its_home_only) {
  expect_none([](const Include& include) {
    if (include.file == "tools/bench/compare/hnswlib_peer.cpp" ||
        include.file == "tools/bench/compare/metadata_rocksdb.cpp")
      return false;
    return std::ranges::any_of(homes, [&](const Home& home) {
      return include.target.starts_with(home.headers) && !include.file.starts_with(home.folder);
    });
  });
}

BOOST_AUTO_TEST_SUITE_END()

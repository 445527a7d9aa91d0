// Checks what readers see first: the first page and the examples are short, and every link leads to a file.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& page) {
  std::ifstream stream(page);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found = {fs::path(CAIRN_SOURCE_DIR) / "README.md"};
  for (const char* room : {"codec", "engine", "fuzz", "include", "query", "tests", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(CAIRN_SOURCE_DIR) / room))
      if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

/// The files that a page links to, without the places in them. Addresses of the web are left out.
std::vector<std::string> links(const std::string& text) {
  static const std::regex link(R"(\]\(([^)#:\s]+)(#[^)\s]*)?\))");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pages_for_readers)

BOOST_AUTO_TEST_CASE(the_first_page_has_150_lines_at_most) {
  const std::string text = text_of(fs::path(CAIRN_SOURCE_DIR) / "README.md");
  BOOST_TEST(std::ranges::count(text, '\n') <= 150);
  BOOST_TEST(std::ranges::count(text, '\n') > 50);
}

// An example that grows long shows that the library lacks a helper.
BOOST_AUTO_TEST_CASE(the_examples_have_less_than_70_lines) {
  std::size_t checked = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(CAIRN_SOURCE_DIR) / "tests/examples")) {
    if (entry.path().extension() != ".cpp") continue;
    BOOST_TEST(std::ranges::count(text_of(entry.path()), '\n') < 70, entry.path());
    ++checked;
  }
  BOOST_TEST(checked == 3U);
}

BOOST_AUTO_TEST_CASE(every_link_leads_to_a_file) {
  std::size_t checked = 0;
  for (const fs::path& page : pages())
    for (const std::string& link : links(text_of(page))) {
      BOOST_TEST(fs::exists(page.parent_path() / link), page.string() + " links to " + link);
      ++checked;
    }
  BOOST_TEST(checked >= 7U);
}

BOOST_AUTO_TEST_SUITE_END()

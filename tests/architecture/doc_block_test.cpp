// Checks the comments of public headers, which editors show. The first sentence says what a thing is or does, and no
// block stands between a template and its name.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Header {
  std::string name;
  std::vector<std::string> lines;  // without blanks at either end
};

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  const std::size_t end = line.find_last_not_of(" \t\r");
  return begin == std::string::npos ? std::string() : line.substr(begin, end + 1 - begin);
}

std::vector<Header> public_headers() {
  const fs::path root = fs::path(CAIRN_SOURCE_DIR) / "include";
  std::vector<Header> headers;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".hpp") continue;
    Header header{fs::relative(entry.path(), root).string(), {}};
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) header.lines.push_back(trimmed(line));
    headers.push_back(std::move(header));
  }
  return headers;
}

/// True if the line belongs to a block. A comment after a member (///<) does not.
bool is_block_line(std::string_view line) {
  return line.starts_with("///") && !line.starts_with("///<");
}

/// What is wrong with the first line of a block.
std::optional<std::string> fault_of_summary(std::string_view line) {
  line.remove_prefix(3);
  if (line.empty()) return "a block begins with an empty line";
  if (line.starts_with("    ")) return "a block begins with an example";
  const std::string_view text = line.substr(line.find_first_not_of(' '));
  for (const std::string_view word : {"Errors:", "Cost:", "Threads:", "Lifetime:", "Source:"})
    if (text.starts_with(word)) return "a block begins with " + std::string(word);
  const auto first = static_cast<unsigned char>(text.front());
  if (std::isupper(first) != 0 || first == '"' || first == '`') return std::nullopt;
  return "a block begins within a sentence: " + std::string(text);
}

/// Lines of a template or of attributes, with the name to follow.
bool is_before_name(std::string_view line) {
  const bool begins =
      line.starts_with("template") || line.starts_with("requires") || line == "[[nodiscard]]";
  return begins && !line.ends_with(';') && !line.ends_with('{');
}

using Faults = std::vector<std::string>;

void note(Faults& faults, const Header& header, std::size_t line, const std::string& fault) {
  faults.push_back(header.name + ":" + std::to_string(line + 1) + ": " + fault);
}

/// Each place of a header that breaks the rule.
Faults faults_of(const Header& header) {
  Faults faults;
  const auto& lines = header.lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool begins = is_block_line(lines[i]) && (i == 0 || !is_block_line(lines[i - 1]));
    if (!begins) continue;
    if (const auto fault = fault_of_summary(lines[i])) note(faults, header, i, *fault);
    if (i > 0 && is_before_name(lines[i - 1]))
      note(faults, header, i, "a block goes on behind the template");
  }
  const auto first =
      std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("// "); });
  auto end = first;
  while (end != lines.end() && end->starts_with("//")) ++end;
  if (end != lines.end() && end->empty() && end + 1 != lines.end() &&
      (end + 1)->starts_with("//") && !is_block_line(*(end + 1)))
    note(faults, header, static_cast<std::size_t>(end - lines.begin()),
         "an empty line cuts the opening comment");
  return faults;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(doc_blocks)

BOOST_AUTO_TEST_CASE(each_block_begins_with_its_summary) {
  std::size_t blocks = 0;
  for (const Header& header : public_headers()) {
    blocks += static_cast<std::size_t>(std::ranges::count_if(header.lines, is_block_line));
    for (const std::string& fault : faults_of(header)) BOOST_ERROR(fault);
  }
  BOOST_TEST(blocks > 1'000U);
}

BOOST_AUTO_TEST_CASE(a_block_that_breaks_the_rule_is_found) {
  const auto count = [](std::vector<std::string> lines) {
    return faults_of({"x.hpp", std::move(lines)}).size();
  };
  BOOST_TEST(count({"// X: a thing.", "", "/// A thing.", "/// Errors: none.", "int a;"}) == 0U);
  BOOST_TEST(count({"/// Errors: none.", "/// A thing.", "int a;"}) == 1U);
  BOOST_TEST(count({"/// a thing.", "int a;"}) == 1U);
  BOOST_TEST(count({"///     int a;", "int a;"}) == 1U);
  BOOST_TEST(count({"/// A thing.", "template <class T>", "///", "class X;"}) == 2U);
  BOOST_TEST(count({"// X: a thing.", "", "//     int a;", "int a;"}) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

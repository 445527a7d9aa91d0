#include "tests/support/golden_file.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace cairn::test {
namespace {

constexpr std::size_t margin = 9;  // where texts begin, behind the longest name and its colon

// Blanks at the ends of lines are invisible, so they are not compared.
std::string without_end_blanks(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(" \r") + 1);
    result += line + "\n";
  }
  while (result.ends_with('\n')) result.pop_back();
  return result;
}

void add_line(std::vector<GoldenCase>& cases, const std::string& line) {
  if (line.starts_with("# ")) {
    cases.push_back({line.substr(2), {}});
    return;
  }
  if (line.empty()) return;
  if (cases.empty()) throw std::runtime_error("a golden file begins with a title: " + line);
  auto& sections = cases.back().sections;
  if (line.starts_with(std::string(margin, ' ')) && !sections.empty()) {
    sections.back().second += "\n" + line.substr(margin);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos || colon >= margin)
    throw std::runtime_error("neither a title nor a section: " + line);
  sections.emplace_back(line.substr(0, colon), line.size() > margin ? line.substr(margin) : "");
}

std::string print(const std::string& name, const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  std::string head = name + ":" + std::string(margin - name.size() - 1, ' ');
  for (std::string line; std::getline(lines, line);) {
    result += head + line + "\n";
    head = std::string(margin, ' ');
  }
  return text.empty() ? name + ":\n" : result;
}

bool is_update() {
  const char* update = std::getenv("CAIRN_UPDATE_GOLDEN");
  return update != nullptr && std::string_view(update) == "1";
}

}  // namespace

const std::string& GoldenCase::section(std::string_view name) const {
  static const std::string none;
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const auto& one) { return one.first == name; });
  return found == sections.end() ? none : found->second;
}

bool GoldenCase::has(std::string_view name) const {
  return std::any_of(sections.begin(), sections.end(),
                     [&](const auto& one) { return one.first == name; });
}

void GoldenCase::set(std::string_view name, std::string text) {
  for (auto& [present, content] : sections)
    if (present == name) {
      content = std::move(text);
      return;
    }
  sections.emplace_back(name, std::move(text));
}

std::vector<GoldenCase> read_golden_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::vector<GoldenCase> cases;
  for (std::string line; std::getline(file, line);) add_line(cases, line);
  return cases;
}

std::string print(const std::vector<GoldenCase>& cases) {
  std::string text;
  for (const GoldenCase& one : cases) {
    text += (text.empty() ? "# " : "\n# ") + one.title + "\n";
    for (const auto& [name, content] : one.sections) text += print(name, content);
  }
  return text;
}

void check_golden_file(const std::filesystem::path& path,
                       const std::function<GoldenOutcome(const GoldenCase&)>& run) {
  std::vector<GoldenCase> cases = read_golden_file(path);
  for (GoldenCase& one : cases) {
    const GoldenOutcome outcome = run(one);
    if (outcome.section.empty()) continue;
    const std::string text = without_end_blanks(outcome.text);
    if (is_update())
      one.set(outcome.section, text);
    else
      BOOST_TEST_CONTEXT(path.filename().string() << ": " << one.title)
    BOOST_TEST(text == without_end_blanks(one.section(outcome.section)));
  }
  if (is_update()) std::ofstream(path) << print(cases);
}

}  // namespace cairn::test

#include "tests/query/syntax/grammar/known_statements.hpp"

#include "query/syntax/syntax_parser.hpp"
#include "tests/support/golden_file.hpp"
#include "tests/tck/feature_file.hpp"

#include <cairn/statement.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* source_dir = CAIRN_SOURCE_DIR;

/// Each of the statements once; what the parser does not take is left out.
class Collection {
 public:
  void add_all(const std::string& text, const std::string& place) {
    for (const std::string_view one : split_statements(text)) add(std::string(one), place);
  }
  void add(const std::string& text, const std::string& place) {
    if (seen_.insert(text).second && parses(text)) statements_.push_back({text, place});
  }
  std::vector<KnownStatement> take() { return std::move(statements_); }

 private:
  std::set<std::string> seen_;
  std::vector<KnownStatement> statements_;
};

void add_golden_files(Collection& all, const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    const std::string place = entry.path().filename().string();
    for (const GoldenCase& one : read_golden_file(entry.path()))
      for (const auto* section : {"query", "graph", "printed"})
        if (one.has(section)) all.add_all(one.section(section), place + ": " + one.title);
  }
}

/// What stands between two lines of ``` in a page.
void add_page(Collection& all, const fs::path& page) {
  std::ifstream input(page);
  std::string block;
  bool is_inside = false;
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with("```")) {
      if (is_inside) all.add_all(block, page.filename().string());
      block.clear();
      is_inside = !is_inside;
    } else if (is_inside) {
      block += line + "\n";
    }
  }
}

fs::path kit() {
  const char* directory = std::getenv("CAIRN_TCK_DIR");
  return directory != nullptr ? fs::path(directory)
                              : fs::path(source_dir) / "../shared/opencypher-tck";
}

}  // namespace

bool parses(const std::string& text) {
  const query::SourceText source(text);
  return query::parse_syntax(source).has_value();
}

std::vector<KnownStatement> golden_statements() {
  Collection all;
  const fs::path root(source_dir);
  add_golden_files(all, root / "tests/golden/language");
  add_golden_files(all, root / "tests/golden/explain");
  add_page(all, root / "query/LANGUAGE.md");
  add_page(all, root / "query/TUTORIAL.md");
  std::ifstream showcase(root / "tools/showcase.cypher");
  std::ostringstream text;
  text << showcase.rdbuf();
  all.add_all(text.str(), "showcase.cypher");
  return all.take();
}

std::vector<KnownStatement> kit_statements() {
  Collection all;
  const fs::path features = kit() / "features";
  if (!fs::is_directory(features)) return {};
  for (const auto& entry : fs::recursive_directory_iterator(features)) {
    if (entry.path().extension() != ".feature") continue;
    for (const tck::Scenario& scenario :
         tck::read_feature(entry.path(), entry.path().stem().string()))
      for (const tck::Step& step : scenario.steps) all.add(step.document, scenario.name);
  }
  return all.take();
}

}  // namespace cairn::test

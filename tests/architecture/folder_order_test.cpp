// Checks every #include of the library and of the tools against the order of folders: a folder includes those before it
// in the list and nothing else. So no two folders include each other, and a reader can begin at the top of the list.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_order() {
  std::ifstream stream(fs::path(CAIRN_SOURCE_DIR) / "tests/architecture/folder_order.txt");
  std::vector<std::string> order;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty() && !line.starts_with('#')) order.push_back(line);
  return order;
}

const std::vector<std::string>& folder_order() {
  static const std::vector<std::string> order = read_order();
  return order;
}

/// The folder of a path, as the list writes it.
std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

std::optional<std::size_t> place_of(std::string_view folder) {
  const auto found = std::ranges::find(folder_order(), folder);
  if (found == folder_order().end()) return std::nullopt;
  return static_cast<std::size_t>(found - folder_order().begin());
}

/// What a line includes of the project's own, as a path from the root.
std::optional<std::string> included(std::string_view line) {
  constexpr std::string_view word = "#include ";
  if (!line.starts_with(word) || line.size() < word.size() + 2) return std::nullopt;
  line.remove_prefix(word.size() + 1);
  const std::string path(line.substr(0, line.find_first_of("\">")));
  return path.starts_with("cairn/") ? "include/" + path : path;
}

/// What is wrong with an include of a file; nothing where it keeps the order.
std::optional<std::string> fault_of(const std::string& file, const std::string& target) {
  const std::string_view from = folder_of(file);
  const std::string_view to = folder_of(target);
  if (from == to || !fs::exists(fs::path(CAIRN_SOURCE_DIR) / target)) return std::nullopt;
  const auto place = place_of(from);
  if (!place) return std::string(from) + " is not in the order of folders; add it";
  const auto other = place_of(to);
  if (other && *other < *place) return std::nullopt;
  return "includes " + target + ", but " + std::string(to) + " comes behind " + std::string(from) +
         "; move what both need into a folder before them, or hand it in by a call";
}

/// Returns what is wrong with an include of the memory calls. The memory calls use only what a program may use, so that
/// they work with any implementation of the public handles.
std::optional<std::string> memory_fault_of(const std::string& target) {
  const std::string_view folder = folder_of(target);
  if (folder == "query/memory" || target.starts_with("include/cairn/") ||
      !fs::exists(fs::path(CAIRN_SOURCE_DIR) / target))
    return std::nullopt;
  return "includes " + target +
         ", and query/memory uses public headers alone; add to the public API what a program would "
         "want, too";
}

struct SourceFile {
  std::string name;  // from the root
  std::vector<std::string> lines;
};

std::vector<SourceFile> product_files() {
  const fs::path root = CAIRN_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* room : {"codec", "engine", "include", "query", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp") continue;
      SourceFile file{fs::relative(entry.path(), root).generic_string(), {}};
      std::ifstream stream(entry.path());
      for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  return files;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(folders)

BOOST_AUTO_TEST_CASE(a_folder_includes_those_before_it_alone) {
  std::set<std::string_view> seen;
  const auto files = product_files();
  for (const SourceFile& file : files) {
    if (const auto place = place_of(folder_of(file.name))) seen.insert(folder_order()[*place]);
    for (std::size_t i = 0; i < file.lines.size(); ++i)
      if (const auto target = included(file.lines[i]))
        if (const auto fault = fault_of(file.name, *target))
          BOOST_ERROR(file.name << ":" << i + 1 << " " << *fault);
  }
  for (const std::string& folder : folder_order())
    BOOST_TEST(seen.contains(folder), folder << " has no files; take it out of the order");
}

// An object shows by its members what it can do. Code that tests the type of an object bypasses the order of folders.
BOOST_AUTO_TEST_CASE(nobody_asks_an_object_what_it_is) {
  for (const SourceFile& file : product_files())
    for (const std::string& line : file.lines) {
      BOOST_TEST(line.find("dynamic_cast<") == std::string::npos, file.name);
      // The one place that enters the engine with a view of the language.
      if (file.name != "engine/database/access.cpp")
        BOOST_TEST(line.find("GraphView&>(") == std::string::npos, file.name);
    }
}

// All retrieval is one request of query/search, or the ranking of query/recall below it. nearest_first reads a vector index
// in order, as a sort does.
BOOST_AUTO_TEST_CASE(one_folder_searches_the_indexes) {
  std::size_t searches = 0;
  for (const SourceFile& file : product_files()) {
    if (!file.name.starts_with("query/") || file.name == "query/execute/read/nearest_first.cpp")
      continue;
    const bool may_search =
        file.name.starts_with("query/search/") || file.name.starts_with("query/recall/");
    for (const std::string& line : file.lines)
      for (const std::string_view call : {".nearest(", ".nearest_all(", ".search_text("}) {
        const bool has_call = line.find(call) != std::string::npos;
        if (has_call) ++searches;
        BOOST_TEST((may_search || !has_call), file.name << ": " << line);
      }
  }
  BOOST_TEST(searches > 0U);
}

BOOST_AUTO_TEST_CASE(the_memory_calls_use_public_headers_alone) {
  for (const SourceFile& file : product_files())
    if (file.name.starts_with("query/memory/"))
      for (std::size_t i = 0; i < file.lines.size(); ++i)
        if (const auto target = included(file.lines[i]))
          if (const auto fault = memory_fault_of(*target))
            BOOST_ERROR(file.name << ":" << i + 1 << " " << *fault);
  BOOST_TEST(memory_fault_of("engine/store/cursor.hpp").has_value());
  BOOST_TEST(memory_fault_of("query/plan/planner.hpp").has_value());
  BOOST_TEST(!memory_fault_of("query/memory/statements.hpp").has_value());
  BOOST_TEST(!memory_fault_of("include/cairn/value.hpp").has_value());
}

// What others need of the memory calls is in public headers too: the procedures and the files of a model's memory tool are
// parts of the memory calls in folders of their own.
BOOST_AUTO_TEST_CASE(others_use_the_memory_calls_by_public_headers) {
  std::size_t own = 0;
  for (const SourceFile& file : product_files())
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const auto target = included(file.lines[i]);
      if (!target || !target->starts_with("query/memory/")) continue;
      const bool is_own = file.name.starts_with("query/memory");
      if (is_own) ++own;
      BOOST_TEST(is_own, file.name << ":" << i + 1 << " includes " << *target
                                   << "; include a header of include/cairn/memory");
    }
  BOOST_TEST(own > 0U);
}

// The memory calls and the language make the same request of query/search; a search as text, or a statement that compares
// texts, would be a second pipeline.
BOOST_AUTO_TEST_CASE(no_memory_call_writes_a_search_as_text) {
  for (const SourceFile& file : product_files())
    if (file.name.starts_with("query/memory/"))
      for (const std::string& line : file.lines) {
        const auto quote = line.find('"');
        if (quote == line.npos) continue;
        for (const std::string_view words : {"SEARCH ", "CONTAINS "})
          BOOST_TEST(line.find(words, quote) == line.npos, file.name << ": " << line);
      }
}

BOOST_AUTO_TEST_CASE(an_include_against_the_order_is_found) {
  BOOST_TEST(!fault_of("engine/graph/x.cpp", "engine/store/cursor.hpp").has_value());
  BOOST_TEST(!fault_of("engine/store/x.cpp", "engine/store/cursor.hpp").has_value());
  BOOST_TEST(fault_of("engine/store/x.cpp", "engine/graph/graph_view.hpp").has_value());
  BOOST_TEST(fault_of("engine/unknown/x.cpp", "engine/store/cursor.hpp").has_value());
  BOOST_TEST(fault_of("tools/mcp/graph/x.cpp", "tools/mcp/memory/tools.hpp").has_value());
  BOOST_TEST(fault_of("codec/x.cpp", "engine/store/cursor.hpp").has_value());
  BOOST_TEST(included("#include <cairn/value.hpp>").value() == "include/cairn/value.hpp");
}

BOOST_AUTO_TEST_SUITE_END()

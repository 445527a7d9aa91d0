// Holds every #include of the library against the order of its folders: a folder includes those before it in the list
// and nothing else. So no two folders include each other, and a reader can begin at the top of the list.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

// To add a folder, put it behind all that it includes.
constexpr auto folder_order = std::to_array<std::string_view>(
    {"include/cairn", "include/cairn/memory", "codec",
     // What the engine needs of the system, and what counts its work.
     "engine/system", "engine/files", "engine/telemetry",
     // RocksDB, the names of labels and properties, vectors.
     "engine/store", "engine/catalog", "engine/vector",
     // What a query sees, property indexes, and what a transaction has changed.
     "engine/view", "engine/index", "engine/transaction",
     // Full text, the graph as readers see it, writing, commits.
     "engine/fulltext", "engine/graph", "engine/text", "engine/indexing", "engine/write",
     "engine/commit", "engine/check", "engine/database", "engine/backup",
     // A statement: text, functions, names bound, a plan, operators, rows.
     "query/syntax", "query/functions", "query/registered", "query/filter", "query/ranking",
     "query/csv", "query/bind", "query/execute", "query/plan", "query/optimize",
     "query/execute/expression", "query/execute/pipeline", "query/execute/filter", "query/facets",
     "query/recall", "query/execute/rows", "query/execute/read", "query/execute/write",
     "query/tags", "query/execute/call", "query/run", "query",
     // Calls of the library on top of statements.
     "query/memory", "query/vectors", "query/transfer"});

/// The folder of a path, as the list writes it.
std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

std::optional<std::size_t> place_of(std::string_view folder) {
  const auto found = std::ranges::find(folder_order, folder);
  if (found == folder_order.end()) return std::nullopt;
  return static_cast<std::size_t>(found - folder_order.begin());
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

struct SourceFile {
  std::string name;  // from the root
  std::vector<std::string> lines;
};

std::vector<SourceFile> library_files() {
  const fs::path root = CAIRN_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* room : {"codec", "engine", "include", "query"})
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
  const auto files = library_files();
  for (const SourceFile& file : files) {
    if (const auto place = place_of(folder_of(file.name))) seen.insert(folder_order[*place]);
    for (std::size_t i = 0; i < file.lines.size(); ++i)
      if (const auto target = included(file.lines[i]))
        if (const auto fault = fault_of(file.name, *target))
          BOOST_ERROR(file.name << ":" << i + 1 << " " << *fault);
  }
  for (const std::string_view folder : folder_order)
    BOOST_TEST(seen.contains(folder), folder << " has no files; take it out of the order");
}

// A view says by its members what it can do; who asks what it is goes around the order.
BOOST_AUTO_TEST_CASE(nobody_asks_a_view_what_it_is) {
  for (const SourceFile& file : library_files())
    for (const std::string& line : file.lines)
      BOOST_TEST(line.find("dynamic_cast<const GraphView") == std::string::npos, file.name);
}

BOOST_AUTO_TEST_CASE(an_include_against_the_order_is_found) {
  BOOST_TEST(!fault_of("engine/graph/x.cpp", "engine/store/cursor.hpp").has_value());
  BOOST_TEST(!fault_of("engine/store/x.cpp", "engine/store/cursor.hpp").has_value());
  BOOST_TEST(fault_of("engine/store/x.cpp", "engine/graph/graph_view.hpp").has_value());
  BOOST_TEST(fault_of("engine/unknown/x.cpp", "engine/store/cursor.hpp").has_value());
  BOOST_TEST(fault_of("codec/x.cpp", "engine/store/cursor.hpp").has_value());
  BOOST_TEST(included("#include <cairn/value.hpp>").value() == "include/cairn/value.hpp");
}

BOOST_AUTO_TEST_SUITE_END()

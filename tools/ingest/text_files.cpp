// Lists the files below a directory, in path order: regular files that are not hidden, not named in
// `exclude` and not in a database. Symbolic links are not followed, because they may lead out of
// the directory or form cycles.
#include "tools/ingest/ingest.hpp"
#include "tools/text/utf8_text.hpp"

#include <cairn/value.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

/// Skipped entries that the user did not name are counted, so that the report explains missing
/// files.
bool is_left_out(const fs::directory_entry& entry, const std::vector<std::string>& exclude,
                 FileList& list) {
  const std::string name = entry.path().filename().string();
  if (std::find(exclude.begin(), exclude.end(), name) != exclude.end()) return true;
  std::error_code ignored;
  if (name.starts_with('.'))
    ++list.hidden;
  else if (entry.is_symlink(ignored))
    ++list.links;
  else
    return false;
  return true;
}

Error unsupported(std::string reason) {
  return {ErrorCode::unsupported, std::move(reason), std::nullopt};
}

/// Recognises a database by the files next to its store, open or not.
bool is_database(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_regular_file(directory / "FORMAT", ignored) &&
         (fs::is_directory(directory / "store", ignored) ||
          fs::is_regular_file(directory / "LOCK", ignored));
}

/// Adds a file to the list, or a directory to `pending`.
void take(const fs::directory_entry& entry, const std::vector<std::string>& exclude, FileList& list,
          std::vector<fs::path>& pending) {
  if (is_left_out(entry, exclude, list)) return;
  std::error_code problem;
  const fs::file_status status = entry.symlink_status(problem);
  if (problem && status.type() != fs::file_type::not_found) {
    list.unreadable.push_back(entry.path());
  } else if (fs::is_regular_file(status)) {
    list.files.push_back(entry.path());
  } else if (fs::is_directory(status)) {
    (is_database(entry.path()) ? list.databases : pending).push_back(entry.path());
  }
}

/// Records a directory that cannot be read; the root itself must be readable.
Status list_directory(const fs::path& directory, bool is_root,
                      const std::vector<std::string>& exclude, FileList& list,
                      std::vector<fs::path>& pending) {
  std::error_code problem;
  fs::directory_iterator walk(directory, problem);
  if (problem == std::errc::permission_denied && !is_root) {
    list.unreadable.push_back(directory);
    return {};
  }
  for (; !problem && walk != fs::directory_iterator(); walk.increment(problem))
    take(*walk, exclude, list, pending);
  if (!problem) return {};
  return Error{ErrorCode::io_error, "cannot list " + directory.string() + ": " + problem.message(),
               std::nullopt};
}

}  // namespace

// Sorts the files, so that all runs work in the same order. Records unreadable directories, because
// files below them may still exist; any other failure is an error. Does not recurse, because trees
// may be deep.
Result<FileList> list_files(const fs::path& root, const std::vector<std::string>& exclude) {
  std::error_code problem;
  if (!fs::is_directory(root, problem))
    return Error{ErrorCode::not_found, "there is no directory " + root.string(), std::nullopt};
  if (is_database(root))
    return Error{ErrorCode::invalid_argument,
                 root.string() + " is a Cairn database, not a directory of text files",
                 std::nullopt};
  FileList list;
  std::vector<fs::path> pending{root};
  for (bool is_root = true; !pending.empty(); is_root = false) {
    const fs::path directory = std::move(pending.back());
    pending.pop_back();
    CAIRN_TRY(list_directory(directory, is_root, exclude, list, pending));
  }
  std::sort(list.files.begin(), list.files.end());
  std::sort(list.databases.begin(), list.databases.end());
  std::sort(list.unreadable.begin(), list.unreadable.end());
  return list;
}

Result<std::string> read_file(const std::filesystem::path& file, std::uint64_t largest_bytes) {
  std::error_code problem;
  const std::uint64_t size = std::filesystem::file_size(file, problem);
  if (problem) return Error{ErrorCode::io_error, problem.message(), std::nullopt};
  if (size > largest_bytes)
    return unsupported("larger than " + std::to_string(largest_bytes) + " bytes");
  std::ifstream input(file, std::ios::binary);
  std::ostringstream content;
  // Copying no bytes sets the fail state of `content`, and so does a failed read, which `input`
  // does not report.
  const bool is_empty = input.is_open() && input.peek() == std::ifstream::traits_type::eof();
  if (!is_empty) content << input.rdbuf();
  if (!input.is_open() || input.bad() || !content)
    return Error{ErrorCode::io_error, "cannot be read", std::nullopt};
  return std::move(content).str();
}

// A NUL byte or invalid UTF-8 makes a file binary, because texts are stored unchanged.
Status check_text(const std::string& bytes) {
  if (bytes.find('\0') != std::string::npos) return unsupported("binary");
  if (!is_utf8(bytes)) return unsupported("not valid UTF-8");
  return {};
}

// Metadata that needs no understanding of a file: path, name, type by extension, size, time. The
// names are those that other document stores use for chunks, so that clients' filters work.

namespace {

struct ExtensionType {
  std::string_view extension;
  std::string_view type;
  std::string_view language;  ///< empty if the extension does not determine it
};

constexpr std::array extension_types{
    ExtensionType{".py", "code", "python"},     ExtensionType{".js", "code", "javascript"},
    ExtensionType{".ts", "code", "typescript"}, ExtensionType{".cpp", "code", "cpp"},
    ExtensionType{".cc", "code", "cpp"},        ExtensionType{".hpp", "code", "cpp"},
    ExtensionType{".h", "code", "cpp"},         ExtensionType{".c", "code", "c"},
    ExtensionType{".java", "code", "java"},     ExtensionType{".go", "code", "go"},
    ExtensionType{".rs", "code", "rust"},       ExtensionType{".sh", "code", "shell"},
    ExtensionType{".cmake", "code", "cmake"},   ExtensionType{".fbs", "code", "flatbuffers"},
    ExtensionType{".cypher", "code", "cypher"}, ExtensionType{".md", "doc", ""},
    ExtensionType{".txt", "doc", ""},           ExtensionType{".rst", "doc", ""},
    ExtensionType{".pdf", "doc", ""},           ExtensionType{".docx", "doc", ""},
    ExtensionType{".odt", "doc", ""},           ExtensionType{".html", "doc", ""},
    ExtensionType{".htm", "doc", ""},           ExtensionType{".xhtml", "doc", ""},
    ExtensionType{".ods", "spreadsheet", ""},   ExtensionType{".odp", "presentation", ""},
    ExtensionType{".csv", "data", ""},          ExtensionType{".json", "data", ""},
    ExtensionType{".jsonl", "data", ""},        ExtensionType{".xml", "data", ""},
    ExtensionType{".yaml", "data", ""},         ExtensionType{".yml", "data", ""},
    ExtensionType{".toml", "data", ""},         ExtensionType{".xlsx", "spreadsheet", ""},
    ExtensionType{".xls", "spreadsheet", ""},   ExtensionType{".pptx", "presentation", ""},
    ExtensionType{".ppt", "presentation", ""},
};

/// Words that begin a class or function in these languages; a hint, not a parse.
constexpr std::array<std::string_view, 4> class_words{"class ", "struct ", "interface ", "trait "};
constexpr std::array<std::string_view, 6> function_words{"def ", "function ", "func ",
                                                         "fn ",  "void ",     ") {"};

const ExtensionType* find_extension(std::string_view extension) {
  const auto found = std::find_if(extension_types.begin(), extension_types.end(),
                                  [&](const auto& known) { return known.extension == extension; });
  return found == extension_types.end() ? nullptr : &*found;
}

bool has_any(std::string_view text, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

/// Returns the time in UTC, to the second; empty if the file system does not provide it.
std::string modified_time(const std::filesystem::path& file) {
  std::error_code problem;
  const auto written = std::filesystem::last_write_time(file, problem);
  if (problem) return {};
  const auto system = std::chrono::file_clock::to_sys(written);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::seconds>(system));
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

/// Searches for words in the text. Wrong in comments and strings, so it is documented as a hint.
void add_code_metadata(Properties& properties, const ExtensionType& known, std::string_view text) {
  if (!known.language.empty()) properties["language"] = known.language;
  if (known.type != "code") return;
  properties["has_classes"] = has_any(text, class_words);
  properties["has_functions"] = has_any(text, function_words);
}

}  // namespace

std::string_view file_type_of(std::string_view extension) {
  const ExtensionType* known = find_extension(extension);
  return known == nullptr ? "other" : known->type;
}

// Sizes are in bytes; paths use "/" on all systems.
Properties file_metadata(const std::filesystem::path& root, const std::filesystem::path& file,
                         std::string_view text) {
  const std::filesystem::path relative = file.lexically_relative(root);
  const std::string directory = relative.parent_path().generic_string();
  const std::string extension = lower_extension(file);
  Properties properties;
  properties["file_path"] = file.generic_string();
  properties["relative_path"] = relative.generic_string();
  properties["directory"] = directory.empty() ? "." : directory;
  properties["file_name"] = file.filename().string();
  properties["file_ext"] = extension;
  properties["file_type"] = file_type_of(extension);
  properties["modified_time"] = modified_time(file);
  properties["file_size"] = static_cast<std::int64_t>(text.size());
  if (const ExtensionType* known = find_extension(extension))
    add_code_metadata(properties, *known, text);
  return properties;
}

}  // namespace cairn::tools

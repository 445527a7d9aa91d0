// What is known of a file without understanding it: path, name, kind by its extension, size, time.
// The names are those of source documents' chunk metadata, so that filters of clients fit.
#include "tools/ingest/file_metadata.hpp"

#include <cairn/value.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <span>

namespace cairn::tools {
namespace {

struct ExtensionType {
  std::string_view extension;
  std::string_view type;
  std::string_view language;  ///< empty where the extension says nothing
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

/// Words that open a class or a function in the languages above; a hint, not a parse.
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

/// In UTC, to the second; empty where the file system does not say.
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

/// By words in the text; wrong in comments and strings, and said to be a hint.
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

// Sizes are of the file, in bytes; paths have "/" on all systems.
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

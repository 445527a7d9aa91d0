#include "tools/ingest/text_files.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace cairn::tools {
namespace {

bool is_left_out(const std::filesystem::path& path, const std::vector<std::string>& exclude) {
  const std::string name = path.filename().string();
  return name.starts_with('.') || std::find(exclude.begin(), exclude.end(), name) != exclude.end();
}

Error unsupported(std::string reason) {
  return {ErrorCode::unsupported, std::move(reason), std::nullopt};
}

bool is_utf8(const std::string& text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = 0;
    const auto left = static_cast<utf8proc_ssize_t>(text.size() - at);
    const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, left, &code);
    if (length <= 0) return false;
    at += static_cast<std::size_t>(length);
  }
  return true;
}

}  // namespace

Result<std::vector<std::filesystem::path>> list_files(const std::filesystem::path& root,
                                                      const std::vector<std::string>& exclude) {
  namespace fs = std::filesystem;
  std::error_code problem;
  if (!fs::is_directory(root, problem))
    return Error{ErrorCode::not_found, "there is no directory " + root.string(), std::nullopt};
  std::vector<fs::path> files;
  fs::recursive_directory_iterator walk(root, fs::directory_options::skip_permission_denied,
                                        problem);
  for (; !problem && walk != fs::recursive_directory_iterator(); walk.increment(problem)) {
    std::error_code ignored;
    const bool is_directory = walk->is_directory(ignored);
    if (walk->is_symlink(ignored) || is_left_out(walk->path(), exclude)) {
      if (is_directory) walk.disable_recursion_pending();
      continue;
    }
    if (walk->is_regular_file(ignored)) files.push_back(walk->path());
  }
  if (problem)
    return Error{ErrorCode::io_error, "cannot list " + root.string() + ": " + problem.message(),
                 std::nullopt};
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::string> read_text_file(const std::filesystem::path& file, std::uint64_t largest_bytes) {
  std::error_code problem;
  const std::uint64_t size = std::filesystem::file_size(file, problem);
  if (problem) return Error{ErrorCode::io_error, problem.message(), std::nullopt};
  if (size > largest_bytes)
    return unsupported("larger than " + std::to_string(largest_bytes) + " bytes");
  std::ifstream input(file, std::ios::binary);
  std::ostringstream content;
  content << input.rdbuf();
  if (!input) return Error{ErrorCode::io_error, "cannot be read", std::nullopt};
  std::string text = std::move(content).str();
  if (text.find('\0') != std::string::npos) return unsupported("binary");
  if (!is_utf8(text)) return unsupported("no UTF-8 text");
  return text;
}

}  // namespace cairn::tools

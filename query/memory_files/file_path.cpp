// Normalises paths as text; no file system is involved.
#include "query/memory_files/file_path.hpp"

#include <algorithm>
#include <vector>

namespace cairn::query {
namespace {

constexpr std::size_t most_path_bytes = 1'024;

Error path_error(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

bool is_control(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

// A prefix alone is not enough: "/memories2" is not within "/memories".
bool is_within(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

// The error texts are shown to a model; they quote at most 200 bytes of the path.
Result<std::string> memory_path(std::string_view given) {
  const std::string shown(given.substr(0, 200));
  if (given.size() > most_path_bytes)
    return path_error("Path is longer than 1024 bytes: " + shown + "...");
  if (std::ranges::any_of(given, is_control))
    return path_error("Path has control characters; give one without them");
  if (!is_within(given, memory_root))
    return path_error("Path must start with /memories, got: " + shown);
  std::vector<std::string_view> parts;
  std::string_view rest = given.substr(memory_root.size());
  // "." and empty parts are dropped; ".." removes the part before it.
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(part.size());
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
      continue;
    }
    if (parts.empty()) return path_error("Path " + shown + " would escape /memories directory");
    parts.pop_back();
  }
  std::string path(memory_root);
  for (const std::string_view part : parts) (path += '/') += part;
  return path;
}

std::string_view parent_of(std::string_view path) {
  return path == memory_root ? std::string_view() : path.substr(0, path.rfind('/'));
}

}  // namespace cairn::query

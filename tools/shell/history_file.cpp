// A lock of the system keeps an entry from being torn by another shell, and from being lost while one trims.
#include "tools/shell/history_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::string_view history_head = "_HiStOrY_V2_\n";  // what libedit begins its files with

/// While it lives no other shell writes the file.
class LockedHistory {
 public:
  explicit LockedHistory(const std::filesystem::path& file)
      : descriptor_(
            ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
  }
  LockedHistory(const LockedHistory&) = delete;
  LockedHistory& operator=(const LockedHistory&) = delete;
  ~LockedHistory() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] bool is_empty() const {
    struct stat status{};
    return ::fstat(descriptor_, &status) == 0 && status.st_size == 0;
  }

  [[nodiscard]] bool empty() const { return ::ftruncate(descriptor_, 0) == 0; }

  void append(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_, text.data(), text.size());
      if (count <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

 private:
  int descriptor_;
};

}  // namespace

void append_to_history(const std::filesystem::path& file, std::string_view entry) {
  const LockedHistory history(file);
  std::string text(history.is_empty() ? history_head : "");
  history.append(text.append(entry).append(entry.ends_with('\n') ? "" : "\n"));
}

void trim_history(const std::filesystem::path& file, std::size_t most) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem)) return;
  const LockedHistory history(file);
  std::ifstream input(file, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  if (lines.size() <= 2 * most || !history.empty()) return;
  std::string text(history_head);
  for (std::size_t i = lines.size() - most; i < lines.size(); ++i) text += lines[i] + "\n";
  history.append(text);
}

}  // namespace cairn::tools

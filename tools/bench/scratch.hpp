#pragma once
// Scratch: a temporary directory for a database that is measured.

#include <filesystem>
#include <random>
#include <string>
#include <system_error>

namespace cairn::tools {

/// A temporary directory, which the destructor removes.
class Scratch {
 public:
  Scratch()
      : path_(std::filesystem::temp_directory_path() /
              ("cairn-retrieval-" + std::to_string(std::random_device{}()))) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace cairn::tools

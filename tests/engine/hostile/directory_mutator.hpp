#pragma once
// DirectoryMutator: changes database files at random, as corruption, a mistake or an attacker would.

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace cairn::test {

class DirectoryMutator {
 public:
  /// Changes `database`, and takes files from `other`, another intact database.
  DirectoryMutator(std::filesystem::path database, std::filesystem::path other, std::uint64_t seed);

  /// One change; returns what it was.
  std::string mutate();

 private:
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);
  [[nodiscard]] std::filesystem::path draw_file();
  std::string flip(const std::filesystem::path& file);
  std::string resize(const std::filesystem::path& file);
  std::string overwrite(const std::filesystem::path& file);
  std::string duplicate(const std::filesystem::path& file);
  std::string swap(const std::filesystem::path& file);
  std::string replace_by_odd(const std::filesystem::path& file);
  std::string replace_by_other(const std::filesystem::path& file);

  std::filesystem::path database_;
  std::filesystem::path other_;
  std::mt19937_64 random_;
};

}  // namespace cairn::test

#pragma once
// Files of little-endian 32-bit numbers only: vectors row by row, row numbers, ids.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace cairn::tools {

/// Reads rows of floats from the first to the last.
class VectorFile {
 public:
  /// Opens a file of rows. Errors: not_found; invalid_argument if the size of the file is not a
  /// multiple of a row.
  [[nodiscard]] static Result<VectorFile> open(const std::filesystem::path& file,
                                               std::uint32_t dimension);
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  /// Returns the next row. Errors: io_error, also after the last row.
  [[nodiscard]] Result<std::vector<float>> next();

 private:
  VectorFile(std::ifstream input, std::uint32_t dimension, std::uint64_t rows);

  std::ifstream input_;
  std::uint32_t dimension_;
  std::uint64_t rows_;
};

/// Reads all numbers of a file. Errors: not_found; invalid_argument if the size is not a multiple
/// of four bytes.
[[nodiscard]] Result<std::vector<std::int32_t>> read_numbers(const std::filesystem::path& file);
/// Writes numbers to a file. Errors: io_error.
[[nodiscard]] Status write_numbers(const std::filesystem::path& file,
                                   std::span<const std::int32_t> numbers);

}  // namespace cairn::tools

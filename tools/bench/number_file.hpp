#pragma once
// Files of nothing but little-endian 32-bit numbers: vectors row by row, row numbers, ids.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace cairn::tools {

/// Rows of floats, read from front to back.
class VectorFile {
 public:
  /// Errors: not_found; invalid_argument where the file is not a whole number of rows.
  [[nodiscard]] static Result<VectorFile> open(const std::filesystem::path& file,
                                               std::uint32_t dimension);
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  /// The next row. Errors: io_error, also behind the last one.
  [[nodiscard]] Result<std::vector<float>> next();

 private:
  VectorFile(std::ifstream input, std::uint32_t dimension, std::uint64_t rows);

  std::ifstream input_;
  std::uint32_t dimension_;
  std::uint64_t rows_;
};

/// Errors: not_found; invalid_argument where bytes are left over.
[[nodiscard]] Result<std::vector<std::int32_t>> read_numbers(const std::filesystem::path& file);
/// Errors: io_error.
[[nodiscard]] Status write_numbers(const std::filesystem::path& file,
                                   std::span<const std::int32_t> numbers);

}  // namespace cairn::tools

// Files of plain numbers in the byte order of the machine: rows of 32-bit floats, or 32-bit
// integers. They have no header, like files of numpy's tofile().
#include "tools/bench/number_file.hpp"

#include <bit>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie");

/// Number of items in a file. A wrong dimension usually shows here, because the size is not a
/// multiple of a row.
Result<std::uint64_t> count_items(const std::filesystem::path& file, std::uint64_t item_bytes) {
  std::error_code failure;
  const std::uint64_t bytes = std::filesystem::file_size(file, failure);
  if (failure) return Error{ErrorCode::not_found, "cannot read " + file.string(), std::nullopt};
  if (bytes % item_bytes != 0)
    return Error{ErrorCode::invalid_argument,
                 file.string() + " has " + std::to_string(bytes) +
                     " bytes, which is not a multiple of " + std::to_string(item_bytes),
                 std::nullopt};
  return bytes / item_bytes;
}

}  // namespace

VectorFile::VectorFile(std::ifstream input, std::uint32_t dimension, std::uint64_t rows)
    : input_(std::move(input)), dimension_(dimension), rows_(rows) {}

Result<VectorFile> VectorFile::open(const std::filesystem::path& file, std::uint32_t dimension) {
  CAIRN_ASSIGN(const std::uint64_t rows, count_items(file, sizeof(float) * dimension));
  return VectorFile(std::ifstream(file, std::ios::binary), dimension, rows);
}

Result<std::vector<float>> VectorFile::next() {
  std::vector<float> row(dimension_);
  input_.read(reinterpret_cast<char*>(row.data()),
              static_cast<std::streamsize>(row.size() * sizeof(float)));
  if (!input_)
    return Error{ErrorCode::io_error,
                 "the file of vectors ends before the wanted row, or cannot be read", std::nullopt};
  return row;
}

Result<std::vector<std::int32_t>> read_numbers(const std::filesystem::path& file) {
  CAIRN_ASSIGN(const std::uint64_t count, count_items(file, sizeof(std::int32_t)));
  std::vector<std::int32_t> numbers(count);
  std::ifstream input(file, std::ios::binary);
  input.read(reinterpret_cast<char*>(numbers.data()),
             static_cast<std::streamsize>(count * sizeof(std::int32_t)));
  if (!input) return Error{ErrorCode::io_error, "cannot read " + file.string(), std::nullopt};
  return numbers;
}

Status write_numbers(const std::filesystem::path& file, std::span<const std::int32_t> numbers) {
  std::ofstream output(file, std::ios::binary | std::ios::trunc);
  output.write(reinterpret_cast<const char*>(numbers.data()),
               static_cast<std::streamsize>(numbers.size_bytes()));
  output.close();
  if (!output) return Error{ErrorCode::io_error, "cannot write " + file.string(), std::nullopt};
  return {};
}

}  // namespace cairn::tools

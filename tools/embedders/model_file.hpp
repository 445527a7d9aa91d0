#pragma once
// Maps files of models into memory, and reads the format safetensors: a header of JSON, followed by the numbers of
// named tensors.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {

/// A file that is mapped into memory until the destructor runs. Its pages are in the page cache,
/// shared by all processes. The file must not be shortened meanwhile; replacing the file by rename
/// has no effect.
class MappedFile {
 public:
  /// Maps a file. Errors: io_error, also for an empty file and for anything but a regular file.
  [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

enum class NumberType : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u8, other };

/// A view of the numbers of a file, little-endian, at any address.
struct Tensor {
  NumberType type = NumberType::other;
  std::vector<std::uint64_t> shape;
  std::string_view bytes;

  /// The number of numbers of all dimensions.
  [[nodiscard]] std::uint64_t count() const noexcept;
  /// A number as a float. Precondition: `at` < count(), the type is not `other`.
  [[nodiscard]] float number(std::uint64_t at) const noexcept;
  /// A number of an integer type. Precondition: as above.
  [[nodiscard]] std::int64_t integer(std::uint64_t at) const noexcept;
  [[nodiscard]] bool is_integer() const noexcept;
};

/// Adds `weight` times the numbers from `first` on to the sums. Precondition: the tensor has a
/// number for each sum, and its type is not `other`. Cost: one pass.
void add_numbers(const Tensor& tensor, std::uint64_t first, float weight, std::span<float> sums);

using Tensors = std::map<std::string, Tensor, std::less<>>;

/// Reads the header of a file. The tensors refer to `file`. Errors: corruption, also if the tensors
/// leave gaps in the file or overlap. Cost: linear in the header.
[[nodiscard]] Result<Tensors> read_safetensors(std::string_view file);

}  // namespace cairn::tools

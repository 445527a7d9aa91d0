#pragma once
// The file behind WordVectors: numbers in little endian, each part at a multiple of 4 bytes.
//
//     magic "cairnwv1"  dimension:u32  words:u32  letters:u64  checksum:u64 (XXH3 of what follows)
//     common: f32 * dimension       the direction that all texts have in common, of length 1 or 0
//     scales: f32 * words           a component is a byte times the scale of its word
//     ranks: u32 * words            the place in the source, 0 for the most frequent word
//     ends: u32 * words             of each word in the letters
//     letters, zeros up to a multiple of 4
//     rows: i8 * dimension * words
//
// Words are in the order of their bytes.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace cairn::engine {

struct WordVectorHeader {
  char magic[8];
  std::uint32_t dimension;
  std::uint32_t words;
  std::uint64_t letters;
  std::uint64_t checksum;
};
static_assert(sizeof(WordVectorHeader) == 32);

inline constexpr std::string_view word_vector_magic = "cairnwv1";
inline constexpr std::size_t most_word_dimension = 4'096;

/// Maps a file for as long as it lives.
class WordVectorFile {
 public:
  [[nodiscard]] static Result<WordVectorFile> open(const std::filesystem::path& path);
  WordVectorFile(WordVectorFile&& other) noexcept;
  WordVectorFile(const WordVectorFile&) = delete;
  WordVectorFile& operator=(const WordVectorFile&) = delete;
  ~WordVectorFile();

  [[nodiscard]] const WordVectorHeader& header() const noexcept { return *header_; }
  [[nodiscard]] std::span<const float> common() const noexcept { return common_; }
  [[nodiscard]] std::string_view word(std::size_t place) const noexcept;
  [[nodiscard]] std::optional<std::size_t> find(std::string_view word) const noexcept;
  [[nodiscard]] float scale(std::size_t place) const noexcept { return scales_[place]; }
  [[nodiscard]] std::uint32_t rank(std::size_t place) const noexcept { return ranks_[place]; }
  [[nodiscard]] std::span<const std::int8_t> row(std::size_t place) const noexcept {
    return rows_.subspan(place * header_->dimension, header_->dimension);
  }

 private:
  WordVectorFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}
  /// Whether all parts are where they should be.
  [[nodiscard]] bool set_parts() noexcept;

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  const WordVectorHeader* header_ = nullptr;
  std::span<const float> common_, scales_;
  std::span<const std::uint32_t> ranks_, ends_;
  std::string_view letters_;
  std::span<const std::int8_t> rows_;
};

}  // namespace cairn::engine

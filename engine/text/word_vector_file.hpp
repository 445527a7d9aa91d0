#pragma once
// The file format of WordVectors. Numbers are little-endian, and each part begins at a multiple of
// 4 bytes.
//
//     magic "cairnwv1"  dimension:u32  words:u32  letters:u64  checksum:u64 (XXH3 of all that follows)
//     common: f32 * dimension       direction that all texts have in common, of length 1, or zeros
//     scales: f32 * words           a component is a byte times the scale of its word
//     ranks: u32 * words            place in the source, 0 for the most frequent word
//     ends: u32 * words             end of each word in the letters
//     letters: the bytes of all words, zeros up to a multiple of 4
//     rows: i8 * dimension * words
//
// Words are sorted by their bytes.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace cairn::engine {

/// The beginning of a file, as it is mapped.
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

/// A file of word vectors, mapped into memory while this object lives. Places are positions in the
/// sorted words. Threads: any number at once.
class WordVectorFile {
 public:
  /// Maps and checks a file. Errors: io_error; corruption if it is incomplete or changed. Cost: a
  /// pass over the file.
  [[nodiscard]] static Result<WordVectorFile> open(const std::filesystem::path& path);
  WordVectorFile(WordVectorFile&& other) noexcept;
  WordVectorFile(const WordVectorFile&) = delete;
  WordVectorFile& operator=(const WordVectorFile&) = delete;
  ~WordVectorFile();

  [[nodiscard]] const WordVectorHeader& header() const noexcept { return *header_; }
  [[nodiscard]] std::span<const float> common() const noexcept { return common_; }
  /// The word at a place.
  [[nodiscard]] std::string_view word(std::size_t place) const noexcept;
  /// The place of a word, or nullopt. Cost: a binary search.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view word) const noexcept;
  [[nodiscard]] float scale(std::size_t place) const noexcept { return scales_[place]; }
  [[nodiscard]] std::uint32_t rank(std::size_t place) const noexcept { return ranks_[place]; }
  [[nodiscard]] std::span<const std::int8_t> row(std::size_t place) const noexcept {
    return rows_.subspan(place * header_->dimension, header_->dimension);
  }

 private:
  WordVectorFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}
  /// Sets the members to the parts of the file. Returns false if the parts do not fill the file, or
  /// if the checksum differs.
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

#pragma once
// Text to overlapping chunks, cut at paragraphs, lines or spaces where there is one.

#include <cairn/export.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// Sizes in code points; the overlap must be smaller than the size.
struct ChunkSizes {
  std::size_t size = 500;
  std::size_t overlap = 200;
};

/// A piece of a text. Offsets are half-open; no code point is ever split.
struct TextChunk {
  std::string_view text;
  std::size_t begin_byte = 0;
  std::size_t end_byte = 0;
  std::size_t begin_character = 0;  ///< in code points
  std::size_t end_character = 0;
};

/// Every byte of `text` (valid UTF-8) is in at least one chunk; an empty text has none.
/// Each chunk has at most `sizes.size` code points; neighbours share at most `sizes.overlap`.
[[nodiscard]] CAIRN_EXPORT std::vector<TextChunk> split_chunks(std::string_view text,
                                                               const ChunkSizes& sizes);

}  // namespace cairn::memory

#pragma once
// Text to overlapping chunks, cut at paragraphs, lines or spaces where there is one.
//
//     for (const TextChunk& chunk : split_chunks(text, {.size = 500, .overlap = 200}))
//       index(chunk.text, chunk.begin_character);
//
// Memory::remember() and `cairn ingest` cut by it.

#include <cairn/visibility.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// Sizes in code points; the overlap must be smaller than the size.
///
/// Smaller chunks locate an answer more precisely and hold less of its context; with an
/// overlap, a passage that a cut divides is whole in the next chunk.
struct ChunkSizes {
  std::size_t size = 500;
  std::size_t overlap = 200;
};

/// A piece of a text. Offsets are half-open; no code point is ever split.
/// Lifetime of `text`: as long as the text that was split.
struct TextChunk {
  std::string_view text;
  std::size_t begin_byte = 0;
  std::size_t end_byte = 0;
  std::size_t begin_character = 0;  ///< in code points
  std::size_t end_character = 0;
};

/// Cut a text into chunks, in its order.
///
/// A chunk ends behind the last empty line in the second half of its window of `size`, else behind
/// the last end of a line, else behind the last blank, else at `size`. The next one begins at the
/// first line or word within the overlap. Precondition: sizes.overlap < sizes.size, which
/// remember() checks.
/// Cost: linear, and a word for each code point. Threads: any.
/// Every byte of `text` (valid UTF-8) is in at least one chunk; an empty text has none.
/// Each chunk has at most `sizes.size` code points; neighbours share at most `sizes.overlap`.
[[nodiscard]] CAIRN_EXPORT std::vector<TextChunk> split_chunks(std::string_view text,
                                                               const ChunkSizes& sizes);

}  // namespace cairn::memory

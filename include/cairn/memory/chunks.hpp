#pragma once
// Splits text into overlapping chunks, at paragraphs, lines or spaces if possible.
//
//     for (const TextChunk& chunk : split_chunks(text, {.size = 500, .overlap = 200}))
//       index(chunk.text, chunk.begin_character);
//
// Memory::remember() and `cairn ingest` use it.

#include <cairn/visibility.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// Sizes of chunks, in code points; the overlap must be smaller than the size.
///
/// Smaller chunks locate an answer more precisely, but hold less of its context. With an overlap, a
/// passage that is cut is complete in the next chunk.
struct ChunkSizes {
  std::size_t size = 500;
  std::size_t overlap = 200;
};

/// A piece of a text. Offsets are half-open, and no code point is split.
/// Lifetime of `text`: as long as the text that was split.
struct TextChunk {
  std::string_view text;
  std::size_t begin_byte = 0;
  std::size_t end_byte = 0;
  std::size_t begin_character = 0;  ///< in code points
  std::size_t end_character = 0;
};

/// Splits a text into chunks, in its order.
///
/// A chunk ends after the last empty line in the second half of its window of `size`; otherwise
/// after the last line end, else after the last blank, else at `size`. The next chunk begins at the
/// first line or word within the overlap. Precondition: sizes.overlap < sizes.size, which
/// remember() checks. Every byte of `text` (valid UTF-8) is in at least one chunk; an empty text
/// has no chunks. Each chunk has at most `sizes.size` code points; neighbours share at most
/// `sizes.overlap`. Cost: linear, plus one machine word per code point. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::vector<TextChunk> split_chunks(std::string_view text,
                                                               const ChunkSizes& sizes);

}  // namespace cairn::memory

// Splits texts into overlapping chunks of a size in characters (code points). A chunk ends at the coarsest border in
// reach: a paragraph, a line, a word, or otherwise within a word. Offsets are in bytes and in characters. Cost: linear in
// the text, and one number for each character.
#include <cairn/memory/chunks.hpp>

#include <algorithm>
#include <array>

namespace cairn::memory {
namespace {

constexpr std::array<std::string_view, 3> separators{"\n\n", "\n", " "};

/// The byte offset of each code point, and the end of the text.
std::vector<std::size_t> borders_of(std::string_view text) {
  std::vector<std::size_t> borders;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) borders.push_back(i);
  borders.push_back(text.size());
  return borders;
}

// Splits one text.
class Splitter {
 public:
  Splitter(std::string_view text, const ChunkSizes& sizes)
      : text_(text), sizes_(sizes), borders_(borders_of(text)) {}

  /// Always makes progress: each chunk ends after the previous chunk's end and begins after its beginning.
  std::vector<TextChunk> run() const {
    std::vector<TextChunk> chunks;
    const std::size_t characters = borders_.size() - 1;
    for (std::size_t begin = 0; begin < characters;) {
      const std::size_t end = find_end(begin, chunks.empty() ? 0 : chunks.back().end_character);
      chunks.push_back(chunk(begin, end));
      if (end == characters) break;
      begin = find_next_begin(begin, end);
    }
    return chunks;
  }

 private:
  [[nodiscard]] TextChunk chunk(std::size_t begin, std::size_t end) const {
    const std::size_t from = borders_[begin];
    const std::size_t to = borders_[end];
    return {text_.substr(from, to - from), from, to, begin, end};
  }

  /// The end of the chunk: after the last separator of the coarsest kind in the second half of the window, but after the
  /// end of the previous chunk. The first half is not searched, because very short chunks are of little use.
  [[nodiscard]] std::size_t find_end(std::size_t begin, std::size_t covered) const {
    const std::size_t characters = borders_.size() - 1;
    const std::size_t limit = std::min(begin + sizes_.size, characters);
    if (limit == characters) return limit;
    const std::size_t earliest = borders_[std::max(begin + sizes_.size / 2, covered)];
    const std::string_view window = text_.substr(0, borders_[limit]);
    for (std::string_view separator : separators) {
      const std::size_t found = window.rfind(separator);
      if (found != std::string_view::npos && found >= earliest)
        return character_at(found + separator.size());
    }
    return limit;
  }

  /// The beginning of the next chunk: the first line or word within the overlap, but always after `begin`.
  [[nodiscard]] std::size_t find_next_begin(std::size_t begin, std::size_t end) const {
    const std::size_t back = end - std::min(sizes_.overlap, end);
    const std::size_t earliest = std::max(back, begin + 1);
    const std::string_view overlap =
        text_.substr(borders_[earliest], borders_[end] - borders_[earliest]);
    for (std::string_view separator : {separators[1], separators[2]}) {
      const std::size_t found = overlap.find(separator);
      if (found != std::string_view::npos)
        return character_at(borders_[earliest] + found + separator.size());
    }
    return earliest;
  }

  /// The index of the code point at a byte offset.
  [[nodiscard]] std::size_t character_at(std::size_t byte) const {
    const auto found = std::lower_bound(borders_.begin(), borders_.end(), byte);
    return static_cast<std::size_t>(found - borders_.begin());
  }

  std::string_view text_;
  ChunkSizes sizes_;
  std::vector<std::size_t> borders_;
};

}  // namespace

std::vector<TextChunk> split_chunks(std::string_view text, const ChunkSizes& sizes) {
  if (text.empty()) return {};
  return Splitter(text, sizes).run();
}

}  // namespace cairn::memory

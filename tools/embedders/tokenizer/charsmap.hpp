#pragma once
// Charsmap: the map of texts with which sentencepiece normalises, as tokenizer.json has it.

#include "tools/embedders/tokenizer/aligned_text.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// Threads: any number at once.
class Charsmap {
 public:
  /// Reads the text of "precompiled_charsmap", in base64. Errors: corruption.
  [[nodiscard]] static Result<Charsmap> read(std::string_view base64);

  /// Replaces each character of readers (grapheme cluster) of up to 5 bytes that begins with a key,
  /// else each of its points that does, as the Rust library does.
  [[nodiscard]] Status apply(AlignedText& text) const;

 private:
  /// What replaces a text: the value of the shortest key that it begins with.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view text) const;
  void append(const AlignedText& text, std::size_t begin, std::size_t end,
              AlignedText& mapped) const;
  /// Returns false if the points [begin, end) together have no replacement.
  bool append_mapped(const AlignedText& text, std::size_t begin, std::size_t end,
                     AlignedText& mapped) const;

  std::vector<std::uint32_t> units_;  // a double array of Darts
  std::string values_;                // each ends with NUL
};

}  // namespace cairn::tools

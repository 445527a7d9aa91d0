#pragma once
// Which words of a text answer a question, and the piece of the text that has most of them.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_query.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Bytes of a text that match, and which term of the question they match.
struct Highlight {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t term = 0;
  friend bool operator==(const Highlight&, const Highlight&) = default;
};

/// Words, beginnings and similar words of the question, whatever field they are asked in, without
/// those that must not occur; a phrase as a whole, where it stands. By ascending place, none within
/// another.
/// Cost: analyses the text, piece by piece where it is longer than 20 KiB, with a look at the limits, which
/// may be absent, behind each. Errors: of the limits.
[[nodiscard]] Result<std::vector<Highlight>> find_highlights(const Analyzer& analyzer,
                                                             const TextNode& question,
                                                             std::string_view text,
                                                             Limits* limits = nullptr);

/// The piece of at most `size` characters with the most different terms, then the most matches, then
/// the first; from blank to blank where the text has blanks near. Without a match the beginning.
[[nodiscard]] WordRange choose_snippet(std::string_view text,
                                       const std::vector<Highlight>& highlights, std::size_t size);

}  // namespace cairn::engine

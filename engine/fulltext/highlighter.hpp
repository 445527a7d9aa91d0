#pragma once
// Highlights: the words of a text that match a query, and the best snippet of the text.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_query.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A match: bytes of the text, and the number of the query's term.
struct Highlight {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t term = 0;
  friend bool operator==(const Highlight&, const Highlight&) = default;
};

/// Returns the words of `text` that match the query, in ascending order and without overlaps. A
/// phrase is one highlight. Fields are ignored, and so are words that must not occur.
///
/// Cost: analyses the text and the query. Longer texts are analysed in pieces of about 16 KiB. Errors: those of
/// `limits`, which may be nullptr.
[[nodiscard]] Result<std::vector<Highlight>> find_highlights(const Analyzer& analyzer,
                                                             TextNode question,
                                                             std::string_view text,
                                                             Limits* limits = nullptr);

/// Returns the part of the text, at most `size` characters long, with the most different terms,
/// then the most highlights, then the first such part. It begins and ends at blanks if there are
/// blanks nearby. Without a highlight it is the beginning.
[[nodiscard]] WordRange choose_snippet(std::string_view text,
                                       const std::vector<Highlight>& highlights, std::size_t size);

}  // namespace cairn::engine

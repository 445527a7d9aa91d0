#pragma once
// Pieces: a text that is being split, and how matches split it.

#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/embedders/tokenizer/pattern.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn::tools {

/// Ranges of a text, in order, without overlaps, none empty.
struct Pieces {
  AlignedText text;
  std::vector<PointRange> ranges;
};

/// What becomes of a match between two pieces.
enum class SplitBehavior : std::uint8_t {
  removed,
  isolated,              ///< a piece of its own
  merged_with_previous,  ///< the end of the piece before
  merged_with_next,      ///< the beginning of the next piece
  contiguous,            ///< one piece with the matches next to it
};

/// Reads a behaviour by its name in a file; `otherwise` if there is none.
[[nodiscard]] Result<SplitBehavior> read_behavior(const Settings& settings,
                                                  SplitBehavior otherwise);

struct SplitRule {
  SplitBehavior behavior = SplitBehavior::isolated;
  bool inverts = false;  ///< swaps the roles of matches and the text between them
};

/// Splits `range` at its matches, and appends the pieces. Precondition: the matches are in order
/// and within `range`.
void split_range(PointRange range, std::span<const PointRange> matches, SplitRule rule,
                 std::vector<PointRange>& pieces);

/// Splits each piece at the points of a kind, each of which is one match.
void split_at_points(Pieces& pieces, const std::function<bool(char32_t)>& is_match,
                     SplitBehavior behavior);
/// Splits each piece at the matches of a pattern within it.
[[nodiscard]] Status split_at_pattern(Pieces& pieces, const Pattern& pattern, SplitRule rule);

}  // namespace cairn::tools

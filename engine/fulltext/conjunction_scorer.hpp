#pragma once
// The k best documents of a question in which words must occur.

#include "codec/bitmap.hpp"
#include "engine/fulltext/term_scorer.hpp"
#include "engine/fulltext/text_query.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <vector>

namespace cairn::engine {

/// Occurs where one of its leaves does; its score is the sum over them, in their order.
struct TextClause {
  TextNode::Occur occur = TextNode::Occur::should;
  std::vector<TermScorer> leaves;
};

/// Documents in `allowed` (null: all) with every clause that must occur, of which there is one, and
/// none that must not. Scores are those of the former, in their order, plus those of the others, in
/// theirs. Cost: steps through the rarest required clause. Errors: corruption.
[[nodiscard]] Result<std::vector<TextHit>> find_conjunction_scorer(
    const std::vector<TextClause>& clauses, std::size_t k, const codec::Bitmap* allowed);

}  // namespace cairn::engine

// Texts that are tokens before any other rule applies.
#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/embedders/tokenizer/pattern.hpp"
#include "tools/embedders/tokenizer/point_kinds.hpp"
#include "tools/embedders/tokenizer/tokenizer.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

bool is_bounded(std::u32string_view points, PointRange match) {
  return (match.begin == 0 || !is_word_point(points[match.begin - 1])) &&
         (match.end == points.size() || !is_word_point(points[match.end]));
}

/// Returns the match, extended by the adjacent blanks that the token takes. Precondition: `free` <=
/// match.begin.
PointRange with_blanks(std::u32string_view points, PointRange match, const AddedToken& token,
                       std::size_t free) {
  while (token.takes_left && match.begin > free && is_blank(points[match.begin - 1])) --match.begin;
  while (token.takes_right && match.end < points.size() && is_blank(points[match.end])) ++match.end;
  return match;
}

}  // namespace

void AddedTokens::add(AddedToken token) {
  if (token.content.empty()) return;
  lengths_[token.content.front()].insert(token.content.size());
  std::u32string content = token.content;
  by_content_.insert_or_assign(std::move(content), std::move(token));
}

const AddedToken* AddedTokens::find(const AlignedText& text, std::size_t at) const {
  const auto lengths = lengths_.find(text.points[at]);
  if (lengths == lengths_.end()) return nullptr;
  const std::u32string_view rest = std::u32string_view(text.points).substr(at);
  for (const std::size_t length : lengths->second) {
    if (length > rest.size()) continue;
    const auto found = by_content_.find(rest.substr(0, length));
    if (found != by_content_.end()) return &found->second;
  }
  return nullptr;
}

std::vector<Section> AddedTokens::sections_of(const AlignedText& text) const {
  std::vector<Section> sections;
  std::size_t free = 0;  // where the part begins that no token has taken
  for (std::size_t at = 0; at < text.size() && !by_content_.empty();) {
    const AddedToken* const token = find(text, at);
    const PointRange match{at, at + (token == nullptr ? 1 : token->content.size())};
    at = match.end;
    if (token == nullptr || (token->is_single_word && !is_bounded(text.points, match))) continue;
    const PointRange taken = with_blanks(text.points, match, *token, free);
    if (taken.begin > free) sections.push_back({{free, taken.begin}, std::nullopt});
    sections.push_back({taken, token->id});
    free = at = taken.end;
  }
  if (free < text.size()) sections.push_back({{free, text.size()}, std::nullopt});
  return sections;
}

}  // namespace cairn::tools

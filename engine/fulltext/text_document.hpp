#pragma once
// TextDocument: what a full-text index holds of one node or relationship: each indexed property is a
// field of its own, with its terms, where they stand, and its length in words.

#include "codec/catalog_entry.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_features.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cairn::engine {

struct TextField {
  std::uint32_t words = 0;
  std::map<std::string, std::vector<std::uint32_t>> terms;  ///< positions, strictly ascending
  friend bool operator==(const TextField&, const TextField&) = default;
};
using TextDocument = std::vector<TextField>;

/// The texts of each property of an index: one, or several where the property is a list of them.
using FieldTexts = std::vector<std::vector<std::string>>;

[[nodiscard]] AnalyzerOptions analyzer_options(const codec::TextOptions& options);
/// Visits every term of a field as FoundTerm, by ascending position in all of its texts; terms that
/// stand twice at a place come twice. Returns the field's length in words; where that is 0 there were
/// punctuation alone, and what has no length has no postings either.
template <class Visit>
std::uint32_t for_each_field_term(const Analyzer& analyzer, const std::vector<std::string>& texts,
                                  const Visit& visit) {
  // Between two texts of a list, so that no phrase reaches from one into the next.
  constexpr std::uint32_t gap_words = 100;
  std::uint32_t words = 0;
  std::uint32_t next = 0;
  for (const std::string& text : texts) {
    std::uint32_t end = next;
    if (analyzer.options().mark_features)
      for (const std::string_view name : features_of(text).names())
        visit(FoundTerm{marker_term(name), next, true, false});
    analyzer.for_each_index_term(text, [&](FoundTerm found) {
      found.position += next;
      end = std::max(end, found.position + 1);
      if (!found.is_extra) ++words;
      visit(found);
    });
    next = end + gap_words;
  }
  return words;
}
[[nodiscard]] TextDocument make_document(const Analyzer& analyzer, const FieldTexts& texts);

}  // namespace cairn::engine

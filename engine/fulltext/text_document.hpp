#pragma once
// TextDocument: the contents of one node or relationship in a full-text index. Each indexed
// property is a field with its terms, their positions, and its length in words.

#include "codec/catalog_entry.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_features.hpp"
#include "engine/fulltext/text_language.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cairn::engine {

/// The terms of one property.
struct TextField {
  std::uint32_t words = 0;
  /// Term to positions, which ascend strictly.
  std::map<std::string, std::vector<std::uint32_t>> terms;
  friend bool operator==(const TextField&, const TextField&) = default;
};
using TextDocument = std::vector<TextField>;

/// The texts of each property of an index: several if the property is a list of texts.
using FieldTexts = std::vector<std::vector<std::string>>;

/// The analyzer's options that are stored with an index.
[[nodiscard]] AnalyzerOptions analyzer_options(const codec::TextOptions& options);
/// Calls `visit(FoundTerm)` for every term of a field, by ascending position in all of its texts. A
/// term that occurs twice at a position is visited twice. `usual` are the usual_languages() of the
/// document. Returns the length of the field in words. If it is 0, there was only punctuation, and
/// the field must not have postings.
template <class Visit>
std::uint32_t for_each_field_term(const Analyzer& analyzer, const std::vector<std::string>& texts,
                                  LanguageSet usual, const Visit& visit) {
  // Distance between two texts of a list, so that no phrase extends from one into the next.
  constexpr std::uint32_t gap_words = 100;
  std::uint32_t words = 0;
  std::uint32_t next = 0;
  for (const std::string& text : texts) {
    std::uint32_t end = next;
    if (analyzer.options().mark_features)
      for (const std::string_view name : features_of(text).names())
        visit(FoundTerm{marker_term(name), next, true, false});
    analyzer.for_each_index_term(text, usual, [&](FoundTerm found) {
      found.position += next;
      end = std::max(end, found.position + 1);
      if (!found.is_extra) ++words;
      visit(found);
    });
    next = end + gap_words;
  }
  return words;
}
/// Analyses the texts of a document, one TextField for each property.
[[nodiscard]] TextDocument make_document(const Analyzer& analyzer, const FieldTexts& texts);

}  // namespace cairn::engine

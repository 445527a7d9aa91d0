// Converts texts to documents of an index: each property is a field of its own.
#include "engine/fulltext/text_document.hpp"

#include <algorithm>
#include <utility>

namespace cairn::engine {

AnalyzerOptions analyzer_options(const codec::TextOptions& options) {
  return {options.language,       options.drop_stop_words, options.split_code,
          options.gram_length,    options.fold_diacritics, options.mark_features,
          options.split_elisions, options.split_compounds};
}

TextDocument make_document(const Analyzer& analyzer, const FieldTexts& texts) {
  TextDocument document(texts.size());
  const LanguageSet usual = analyzer.usual_languages(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    TextField& field = document[i];
    field.words = for_each_field_term(analyzer, texts[i], usual, [&](const FoundTerm& found) {
      auto& positions = field.terms[std::string(analyzer.term_of(found))];
      // A word, its beginning and the identifier that it belongs to may be the same term at one
      // position.
      if (positions.empty() || positions.back() < found.position)
        positions.push_back(found.position);
    });
    // A field without words has length 0, and scores depend on the length, so the field gets no
    // postings (see for_each_field_term()).
    if (field.words == 0) field.terms.clear();
  }
  return document;
}

}  // namespace cairn::engine

#pragma once
// RecallSearch: the words of a question and the text searches of one recall.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/system/limits.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// Number of candidates that the text search fetches, and again the vector search: enough for any answer, and few
/// enough to score.
inline constexpr std::size_t recall_candidates = 150;

/// The words to search for, each before a blank. Words of one stem share an entry.
using SearchedWords = std::vector<std::string>;

/// Returns all words as one text.
[[nodiscard]] std::string joined_words(const SearchedWords& words);
/// Replaces misspelt words. Errors: those of `work`.
[[nodiscard]] Result<SearchedWords> corrected_words(
    SearchedWords words, const std::vector<engine::CorrectedWord>& corrected,
    engine::TextWork& work);

/// Text searches in one full-text index for one question. All members are constant; results are values.
class RecallSearch {
 public:
  /// `index` is the id of a full-text index of nodes in the view's catalog, and `members` the records that may be found.
  /// The arguments must outlive the object.
  RecallSearch(ExecutionContext& context, std::uint32_t index, const RecallOptions& options,
               const codec::Bitmap& members, std::string_view question, engine::TextWork& work)
      : context_(context),
        view_(context.graph.view()),
        index_(index),
        entry_(view_.catalog().indexes().at(index)),
        options_(options),
        members_(members),
        question_(question),
        analyzer_(engine::analyzer_options(entry_.text), question),
        work_(work) {}

  [[nodiscard]] const codec::Bitmap& members() const noexcept { return members_; }
  /// The analyzer of the index, for the language of the question.
  [[nodiscard]] const engine::Analyzer& analyzer() const noexcept { return analyzer_; }
  /// Counts the work on the texts of the question.
  [[nodiscard]] engine::TextWork& work() const noexcept { return work_; }
  /// The limits of the statement.
  [[nodiscard]] engine::Limits& limits() const noexcept { return context_.budget; }

  /// Splits the question into the words to search for, without stop words. The words at the places `author_words` are
  /// left out, unless there is no other. Errors: those of the work.
  [[nodiscard]] Result<SearchedWords> question_words(
      const std::set<std::size_t>& author_words) const;
  /// Returns the forms of each word of a text that is not a stop word. Errors: those of the work.
  [[nodiscard]] Result<std::vector<engine::WordForms>> forms_of(std::string_view text) const;
  /// Returns the forms of all words. Errors: those of the work.
  [[nodiscard]] Result<std::set<std::string>> terms_of(const SearchedWords& words) const;
  /// Returns the number of words, at least 1. Errors: those of the work.
  [[nodiscard]] Result<double> count_words(const SearchedWords& words) const;
  /// Returns the words of a record's texts. `held` is set to the memory of the texts and the words. Errors: those of
  /// reading and of the limits.
  [[nodiscard]] Result<std::vector<engine::Token>> tokens_of(std::uint64_t id,
                                                             engine::Charge& held) const;

  /// Finds the best `k` records of `allowed` for a text without syntax. With `corrects_among`, words that none of these
  /// records has are replaced. Errors: those of the search.
  [[nodiscard]] Result<engine::TextHits> find(std::string_view text, std::size_t k,
                                              const codec::Bitmap& allowed,
                                              const codec::Bitmap* corrects_among = nullptr) const;
  /// Finds the best `k` members for weighted terms. Errors: those of the search.
  [[nodiscard]] Result<engine::TextHits> find(const std::vector<engine::QueryTerm>& terms,
                                              std::size_t k) const;
  /// Finds the records of `among` whose texts have a TextFeature. Errors: those of the search.
  [[nodiscard]] Result<codec::Bitmap> with_feature(std::string_view feature,
                                                   const codec::Bitmap& among) const;

 private:
  [[nodiscard]] Result<SearchedWords> words_without(const std::set<std::size_t>& places) const;
  /// Sets the options that all searches of a recall share.
  [[nodiscard]] Result<engine::TextHits> run(engine::TextQuery query, std::size_t k,
                                             const codec::Bitmap& allowed) const;

  ExecutionContext& context_;
  const engine::View& view_;
  std::uint32_t index_;
  const codec::IndexEntry& entry_;
  const RecallOptions& options_;
  const codec::Bitmap& members_;
  std::string_view question_;
  engine::Analyzer analyzer_;
  engine::TextWork& work_;
};

}  // namespace cairn::query

#pragma once
// RecallNames: what a question names besides its subject: values, authors and dates.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/recall/question.hpp"
#include "query/recall/recall_roles.hpp"
#include "query/recall/recall_search.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// The records that have what a question names.
struct QuestionNames {
  codec::Bitmap mentioned;             ///< records with a value that the question names
  codec::Bitmap authored;              ///< records by an author that the question asks for
  codec::Bitmap dated;                 ///< records of a date that the question names
  std::set<std::size_t> author_words;  ///< words that name authors, by position in the question
};

/// Finds what a question names, by the property indexes and without reading records.
class RecallNames {
 public:
  /// `entry` is the searched full-text index. `visible` has its records, whether or not they pass the filter. The
  /// arguments must outlive the object.
  RecallNames(ExecutionContext& context, const codec::IndexEntry& entry,
              const RecallFeatures& features, const RecallRoles& roles,
              const codec::Bitmap& visible)
      : context_(context),
        view_(context.graph.view()),
        entry_(entry),
        features_(features),
        roles_(roles),
        visible_(visible) {}

  /// Returns the properties whose values are looked up. Errors: those of reading.
  [[nodiscard]] Result<std::vector<std::uint32_t>> paths() const;
  /// Finds the members with values, authors and dates that the question names. Errors: those of reading and of the
  /// limits.
  [[nodiscard]] Result<QuestionNames> find(std::string_view question,
                                           const RecallSearch& search) const;

 private:
  /// An author that the question names.
  struct NamedAuthor {
    std::size_t count = 0;  ///< number of words of the name
    codec::Bitmap records;
  };
  using NamedAuthors = std::map<std::size_t, NamedAuthor>;  // by first word
  /// What the texts of a question are found as.
  struct Mentions {
    codec::Bitmap records;               ///< records with a value that the question names
    std::set<std::size_t> named_words;   ///< first words of values
    std::set<std::size_t> author_words;  ///< words that name authors
    NamedAuthors authors;
  };

  [[nodiscard]] bool is_of_author(std::uint32_t path) const;
  /// Adds the members with one of these texts at the path.
  [[nodiscard]] Status find_mentions(std::uint32_t path, const std::vector<NamedText>& texts,
                                     const codec::Bitmap& members, Mentions& mentions) const;
  /// Adds the authors whose names the question misspells, if it names no author correctly.
  [[nodiscard]] Status find_misspelt(const std::vector<std::uint32_t>& paths,
                                     const std::vector<NamedText>& texts,
                                     const RecallSearch& search, Mentions& mentions) const;
  /// Decides which of the named authors the question asks for, and returns their records.
  [[nodiscard]] static Result<codec::Bitmap> records_asked_for(std::string_view question,
                                                               const NamedAuthors& authors,
                                                               engine::TextWork& work);

  ExecutionContext& context_;
  const engine::View& view_;
  const codec::IndexEntry& entry_;
  const RecallFeatures& features_;
  const RecallRoles& roles_;
  const codec::Bitmap& visible_;
};

/// Returns for words with a capital the correct names of the authors that they may mean. Only words that no text in
/// `visible` has are compared with authors, the values at `paths`. Errors: those of reading and of the limits.
[[nodiscard]] Result<std::vector<NamedText>> meant_authors(ExecutionContext& context,
                                                           const std::vector<std::uint32_t>& paths,
                                                           const std::vector<NamedText>& words,
                                                           const RecallSearch& search,
                                                           const codec::Bitmap& visible);

}  // namespace cairn::query

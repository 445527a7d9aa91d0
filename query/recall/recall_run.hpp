#pragma once
// RecallRun: one call of recall(). Finds what the question names, then candidates by text, and then adds the features
// to the candidates.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/system/limits.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/recall/question_times.hpp"
#include "query/recall/recall_order.hpp"
#include "query/recall/recall_passages.hpp"
#include "query/recall/recall_records.hpp"
#include "query/recall/recall_roles.hpp"

#include <cairn/hit.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {

/// A run of words of a question that may be a value of a property.
struct NamedText {
  std::string text;
  std::size_t first = 0;  ///< index of its first word in engine::break_words()
  std::size_t count = 0;  ///< number of words
};

/// Returns the texts that may be values of properties: each word and each run of two and three words, as written,
/// without a possessive ending. No text begins or ends with a stop word of the language, unless the word is written
/// like a name ("Will" inside of a question). Errors: those of `work`.
[[nodiscard]] Result<std::vector<NamedText>> named_texts(std::string_view question,
                                                         std::string_view language,
                                                         engine::TextWork& work);

/// Number of candidates that the text search fetches, and again the vector search: enough for any answer, and few
/// enough to score.
inline constexpr std::size_t recall_candidates = 150;

/// One kind of evidence that recall works with.
struct RecallPart {
  std::string_view name;                ///< such as "groups"
  std::vector<std::string> properties;  ///< or relationship types
  std::string_view found;               ///< see RecallRole, or "index"
  std::string missing = {};             ///< the effect of its absence, and what to store
};

/// One run of recall(), used once. run() calls the steps below in order; each works on the members set before.
class RecallRun {
 public:
  /// `index` is the id of a full-text index of nodes in the view's catalog. `allowed` are the nodes that are visible
  /// and pass the filter. The references must outlive the object.
  RecallRun(ExecutionContext& context, std::uint32_t index, const RecallOptions& options,
            codec::Bitmap allowed)
      : context_(context),
        view_(context.graph.view()),
        index_(index),
        entry_(view_.catalog().indexes().at(index)),
        options_(options),
        analyzer_(engine::analyzer_options(entry_.text)),
        members_(std::move(allowed)),
        work_(&context.budget),
        held_(&context.budget) {}

  /// Returns the best records, best first. Errors: see cairn::recall().
  [[nodiscard]] Result<std::vector<RankedRecord>> run(std::string_view question);
  /// Returns warnings about parts that the question needs and the records lack. Must be called after run().
  [[nodiscard]] Result<std::vector<std::string>> warnings(std::string_view question) const;
  /// Returns the passages of hits that another search has found, best first. Without run().
  [[nodiscard]] Result<std::vector<Passage>> passages_around(
      const std::vector<std::uint64_t>& hits);
  /// Finds the parts without a question. Errors: those of reading.
  [[nodiscard]] Result<std::vector<RecallPart>> describe();

 private:
  /// An author that the question names.
  struct NamedAuthor {
    std::size_t count = 0;  ///< number of words of the name
    codec::Bitmap records;
  };
  /// The group of a candidate on the level that is added.
  struct RecordGroup {
    std::string name;        ///< values of the properties up to this level; empty: in no group
    bool is_new = false;     ///< true if the last level that added scores had a shorter name
    std::size_t levels = 0;  ///< number of levels that have added scores to the record
  };
  /// For each record: its scores by word of the question, in the order of words_.
  using WordScores = std::unordered_map<std::uint64_t, std::vector<double>>;
  /// A neighbour of a hit.
  struct Reached {
    std::uint64_t id = 0;
    double share = 0;  ///< share of the hit's score that reaches the neighbour
  };

  /// Checks the ranges of the options.
  [[nodiscard]] Status check_options() const;
  /// Restricts members_ and visible_ to the records of the full-text index.
  [[nodiscard]] Status restrict_ids();

  /// Finds the properties that play a part.
  [[nodiscard]] Status find_roles();
  /// Finds the records with values, authors and dates that the question names.
  [[nodiscard]] Status find_named(std::string_view question);
  [[nodiscard]] Result<std::vector<std::uint32_t>> mention_paths() const;
  [[nodiscard]] bool is_of_author(std::uint32_t path) const;
  [[nodiscard]] Status find_mentions(std::uint32_t path, const std::vector<NamedText>& texts);
  /// Finds the authors at `paths` whose names the question misspells, if the question names no author correctly.
  [[nodiscard]] Status find_misspelt_authors(const std::vector<std::uint32_t>& paths,
                                             const std::vector<NamedText>& texts);
  /// True for a word that no text has.
  [[nodiscard]] Result<bool> is_unknown_name(const NamedText& text) const;
  /// Decides which of the named authors the question asks for.
  [[nodiscard]] Status choose_authors(std::string_view question);
  [[nodiscard]] Status find_dated(std::uint32_t path, const std::vector<TimeRange>& times,
                                  std::vector<codec::Bitmap>& found);

  /// Splits the question into the words to search for, without stop words. Authors' names are left out unless
  /// `with_authors`.
  [[nodiscard]] Result<std::vector<std::string>> content_words(std::string_view question,
                                                               bool with_authors) const;
  /// Returns the forms of each word of a text that is not a stop word.
  [[nodiscard]] Result<std::vector<engine::WordForms>> asked_forms(std::string_view text) const;
  /// Returns the forms of all words that are searched for.
  [[nodiscard]] Result<std::set<std::string>> asked_terms() const;
  [[nodiscard]] std::string joined_words() const;
  /// Finds the first candidates and their text scores.
  [[nodiscard]] Status find_by_text(std::string_view question);
  void add_named();
  /// Pseudo-relevance feedback: searches for words that the first hits share, and adds the scores.
  [[nodiscard]] Status add_feedback();
  [[nodiscard]] Result<std::vector<engine::QueryTerm>> shared_words() const;
  /// Returns the words of the record's texts. `held` is set to the memory of the texts and the words.
  [[nodiscard]] Result<std::vector<engine::Token>> tokens_of(std::uint64_t id,
                                                             engine::Charge& held) const;
  [[nodiscard]] Result<bool> are_clear(const std::vector<engine::QueryTerm>& words) const;
  [[nodiscard]] Result<double> asked_words() const;
  /// Adds the hits of the caller's extra words.
  [[nodiscard]] Status add_expansion();
  [[nodiscard]] Result<std::vector<engine::QueryTerm>> expansion_terms() const;
  void sort_by_text();
  /// Adds the dense scores, by the similarity of vectors.
  [[nodiscard]] Status add_meaning();
  [[nodiscard]] Result<std::uint32_t> vector_index() const;
  [[nodiscard]] Result<engine::TextHits> search(
      std::string_view text, std::size_t k, const codec::Bitmap& allowed,
      const codec::Bitmap* corrects_among = nullptr) const;
  /// Sets the options that all searches of a recall share.
  [[nodiscard]] Result<engine::TextHits> search(engine::TextQuery query, std::size_t k,
                                                const codec::Bitmap& allowed) const;
  /// Replaces misspelt words in words_.
  [[nodiscard]] Status replace_words(const std::vector<engine::CorrectedWord>& corrected);
  /// Splits the text scores of candidates by word. Adds their memory to `held`.
  [[nodiscard]] Result<WordScores> score_words(const codec::Bitmap& records,
                                               engine::Charge& held) const;
  /// The memory of the scores of one record.
  [[nodiscard]] std::size_t bytes_of_scores() const;

  /// Charges the candidates to the statement.
  [[nodiscard]] Status charge_hits();
  /// Propagates scores along relationships.
  [[nodiscard]] Status spread();
  [[nodiscard]] Status spread_to(const std::vector<std::vector<Reached>>& reached);
  /// Returns for each reached record the best propagated score of each word. Adds their memory to `held`.
  [[nodiscard]] Result<WordScores> best_scores(const std::vector<std::vector<Reached>>& reached,
                                               const WordScores& own, engine::Charge& held) const;
  [[nodiscard]] Result<std::vector<Reached>> reached_from(std::uint64_t id);
  /// Finds neighbours by the order of records within their groups.
  [[nodiscard]] Result<std::vector<std::vector<Reached>>> reached_in_groups(
      const std::vector<std::uint64_t>& ids);
  /// Gives the hits their passages, and removes hits that are in the passage of a better one. Leaves `limit` hits.
  [[nodiscard]] Status add_passages(std::vector<RankedRecord>& hits);
  /// Adds the scores of groups, such as sessions or documents.
  [[nodiscard]] Status add_groups();
  /// Adds the scores of the groups of one level to the records `ids`, if there are more groups than the `broader`
  /// groups of the previous level. `of` has the group of each record. Returns the greater number.
  std::size_t add_level(const std::vector<std::uint64_t>& ids, std::vector<RecordGroup>& of,
                        std::size_t broader);

  /// Evaluates boosts and marked features; ranked() multiplies by them.
  [[nodiscard]] Status find_boosts();
  [[nodiscard]] Status find_features(std::string_view question);
  [[nodiscard]] std::vector<RankedRecord> ranked() const;
  /// Returns the score of a record that has everything the question asks for.
  [[nodiscard]] double whole_score() const;

  ExecutionContext& context_;
  const engine::View& view_;
  std::uint32_t index_;  ///< id of the full-text index
  const codec::IndexEntry& entry_;
  const RecallOptions& options_;
  std::string_view question_;
  engine::Analyzer analyzer_;
  codec::Bitmap members_;  ///< allowed and indexed records: no others are found or walked over

  codec::Bitmap visible_;  ///< indexed records, whether or not they pass the filter
  RecallRoles roles_;
  codec::Bitmap mentioned_;             ///< records with a value that the question names
  codec::Bitmap authored_;              ///< records by an author that the question asks for
  codec::Bitmap dated_;                 ///< records of a date that the question names
  std::set<std::size_t> named_words_;   ///< first words of values, by position in the question
  std::set<std::size_t> author_words_;  ///< words that name authors, by position in the question
  /// All authors that the question names, by first word.
  std::map<std::size_t, NamedAuthor> authors_;
  std::vector<std::string> words_;  ///< words to search for; words of one stem share an entry
  double mean_words_ = 0;           ///< mean length of the index's texts
  double best_text_ = 0;            ///< BM25 of the best text, before anything is added
  double whole_text_ = 0;           ///< BM25 of a text with all words: engine::TextHits::whole
  double nearest_ = 0;              ///< similarity of the nearest vector; 0: no vectors are used
  bool has_neighbours_ = false;     ///< true if scores were propagated
  std::size_t levels_ = 0;          ///< most levels of groups that add scores to a record
  std::size_t features_ = 0;        ///< number of features that the question asks for
  std::vector<std::pair<codec::Bitmap, double>> boosts_;  ///< records and the weight of their boost
  std::unordered_map<std::uint64_t, RankedRecord> hits_;  ///< all candidates, by id
  std::vector<std::uint64_t> by_text_;  ///< candidates with a text score, best first
  mutable engine::TextWork work_;       ///< on the texts of the question
  engine::Charge held_;                 ///< the memory of hits_
  RecallNeighbours neighbours_{context_, options_.features.relationship_types, members_};
  const RecallGroups groups_{context_, roles_, members_};
  RecallPassages passages_{context_, entry_, options_, neighbours_, groups_};
};

struct ExecutionContext;

/// The result of recall_within().
struct Recalled {
  std::vector<RankedRecord> hits;
  std::vector<std::string> warnings;
};

/// Runs cairn::recall() within a running statement: over its view, its visible records and its budget. `options` must
/// be valid during the call.
[[nodiscard]] Result<Recalled> recall_within(ExecutionContext& context, std::string_view question,
                                             const RecallOptions& options);
/// Returns the passages of hits of another search, best first, among the records in `allowed`. Uses the index, the limit,
/// and what options say about passages; the filter is ignored. Errors: as for recall_within().
[[nodiscard]] Result<std::vector<Passage>> passages_within(ExecutionContext& context,
                                                           const RecallOptions& options,
                                                           const codec::Bitmap& allowed,
                                                           const std::vector<std::uint64_t>& hits);
/// Loads the records of the passages and charges them to the statement. Errors: those of reading; resource_limit.
[[nodiscard]] Status add_passage_nodes(ExecutionContext& context, std::vector<Hit>& hits);
/// Returns the parts that a recall with these options works with. Errors: as for recall_within().
[[nodiscard]] Result<std::vector<RecallPart>> recall_parts(ExecutionContext& context,
                                                           const RecallOptions& options);

}  // namespace cairn::query

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
#include "query/recall/recall_names.hpp"
#include "query/recall/recall_order.hpp"
#include "query/recall/recall_passages.hpp"
#include "query/recall/recall_records.hpp"
#include "query/recall/recall_roles.hpp"
#include "query/recall/recall_search.hpp"

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
  /// Finds the first candidates and their text scores.
  [[nodiscard]] Status find_by_text();
  void add_named();
  /// Pseudo-relevance feedback: searches for words that the first hits share, and adds the scores.
  [[nodiscard]] Status add_feedback();
  [[nodiscard]] Result<std::vector<engine::QueryTerm>> shared_words() const;
  [[nodiscard]] Result<bool> are_clear(const std::vector<engine::QueryTerm>& words) const;
  /// Adds the hits of the caller's extra words.
  [[nodiscard]] Status add_expansion();
  [[nodiscard]] Result<std::vector<engine::QueryTerm>> expansion_terms() const;
  void sort_by_text();
  /// Adds the dense scores, by the similarity of vectors.
  [[nodiscard]] Status add_meaning();
  [[nodiscard]] Result<std::uint32_t> vector_index() const;
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
  codec::Bitmap members_;  ///< allowed and indexed records: no others are found or walked over

  codec::Bitmap visible_;  ///< indexed records, whether or not they pass the filter
  RecallRoles roles_;
  QuestionNames names_;
  std::optional<RecallSearch> search_;  ///< set by run()
  SearchedWords words_;
  double mean_words_ = 0;        ///< mean length of the index's texts
  double best_text_ = 0;         ///< BM25 of the best text, before anything is added
  double whole_text_ = 0;        ///< BM25 of a text with all words: engine::TextHits::whole
  double nearest_ = 0;           ///< similarity of the nearest vector; 0: no vectors are used
  bool has_neighbours_ = false;  ///< true if scores were propagated
  std::size_t levels_ = 0;       ///< most levels of groups that add scores to a record
  std::size_t features_ = 0;     ///< number of features that the question asks for
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

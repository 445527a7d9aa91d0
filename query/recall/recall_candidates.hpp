#pragma once
// Candidates: the records that a recall has found so far, with the parts of their scores.

#include "codec/bitmap.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/system/limits.hpp"
#include "query/recall/recall_names.hpp"
#include "query/recall/recall_order.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace cairn::query {

/// The records that a boost or a feature multiplies the scores of.
struct BoostedRecords {
  codec::Bitmap records;
  double weight = 0;
};

/// The records with the vectors nearest to the question.
struct NearRecords {
  std::map<std::uint64_t, double> similarities;  ///< by record, at most 1
  double best = 0;                               ///< 0: no vectors are used
};

/// The candidates of one recall. Their memory is charged to the limits of the statement while the object exists.
struct Candidates {
  explicit Candidates(engine::Limits* limits) : held_(limits) {}

  /// Returns the candidate, which is made if it is new.
  RankedRecord& at(std::uint64_t id);
  /// Makes candidates of the first texts. The best one gets the score 1; the scores of records in `dated` grow by the
  /// share `date_weight`.
  void set_texts(const engine::TextHits& found, const codec::Bitmap& dated, double date_weight);
  /// Adds the scores of more texts to the text scores. Nothing changes without texts.
  void add_texts(const std::vector<engine::TextHit>& texts);
  /// Cuts `by_text` back to this number.
  void keep_best_texts(std::size_t most);
  /// Adds the records of the author and the date that the question names. If there are no candidates, adds up to `limit`
  /// records with one name of the question, newest first.
  void add_named(const QuestionNames& names, std::size_t limit);
  /// Adds the dense scores: `weight` for the best.
  void add_near(const NearRecords& near, double weight);
  /// Charges all candidates. Errors: resource_limit.
  [[nodiscard]] Status charge();
  /// Returns the candidates as a set.
  [[nodiscard]] codec::Bitmap ids() const;

  std::unordered_map<std::uint64_t, RankedRecord> hits = {};  ///< by id
  std::vector<std::uint64_t> by_text = {};  ///< those with a text score, best first
  double mean_words = 0;                    ///< mean length of the index's texts
  double best_text = 0;                     ///< BM25 of the best text, before anything is added
  double whole_text = 0;        ///< BM25 of a text with all words: engine::TextHits::whole
  double nearest = 0;           ///< see NearRecords::best
  bool has_neighbours = false;  ///< true if scores were propagated
  std::size_t levels = 0;       ///< most levels of groups that add scores to a record

 private:
  engine::Charge held_;
};

/// Returns the candidates best first, ties by id. Their scores are from 0 to 1. `marked` are the records that have the
/// features that the question asks for.
[[nodiscard]] std::vector<RankedRecord> ranked_records(const Candidates& candidates,
                                                       const QuestionNames& names,
                                                       const std::vector<BoostedRecords>& boosts,
                                                       const std::vector<BoostedRecords>& marked,
                                                       const RecallFeatures& features);

}  // namespace cairn::query

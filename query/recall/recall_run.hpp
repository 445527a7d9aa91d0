#pragma once
// RecallRun: one call of recall(). Calls the steps in order: what the question names, candidates by text, features of the
// candidates, and their order.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/recall/recall_candidates.hpp"
#include "query/recall/recall_names.hpp"
#include "query/recall/recall_order.hpp"
#include "query/recall/recall_parts.hpp"
#include "query/recall/recall_passages.hpp"
#include "query/recall/recall_records.hpp"
#include "query/recall/recall_roles.hpp"
#include "query/recall/recall_search.hpp"

#include <cairn/hit.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {

/// One run of recall(), used once. The steps take values and return values; this object hands them on.
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
        candidates_(&context.budget) {}

  /// Returns the best records, best first. Errors: see cairn::recall().
  [[nodiscard]] Result<std::vector<RankedRecord>> run(std::string_view question);
  /// Returns warnings about parts that the question needs and the records lack. Must be called after run().
  [[nodiscard]] Result<std::vector<std::string>> warnings(std::string_view question);
  /// Returns the passages of hits that another search has found, best first. Without run().
  [[nodiscard]] Result<std::vector<Passage>> passages_around(
      const std::vector<std::uint64_t>& hits);
  /// Finds the parts without a question. Errors: those of reading.
  [[nodiscard]] Result<std::vector<RecallPart>> describe();

 private:
  /// Restricts the records to those of the full-text index, and finds relationships and the parts of properties.
  [[nodiscard]] Status prepare();
  /// Makes the first candidates, by the words and the names of the question. Returns the words.
  [[nodiscard]] Result<SearchedWords> find_texts(const RecallSearch& search);
  /// Adds more texts, the nearest vectors, neighbours and groups.
  [[nodiscard]] Status add_features(const RecallSearch& search, const SearchedWords& words);
  [[nodiscard]] Status add_neighbours(const RecallSearch& search, const SearchedWords& words);
  /// Reorders the hits as the options ask, and adds passages. Leaves `limit` hits.
  [[nodiscard]] Status arrange(const RecallSearch& search, std::string_view question,
                               std::vector<RankedRecord>& hits);

  ExecutionContext& context_;
  const engine::View& view_;
  std::uint32_t index_;  ///< id of the full-text index
  const codec::IndexEntry& entry_;
  const RecallOptions& options_;
  codec::Bitmap members_;  ///< allowed and indexed records: no others are found or walked over
  codec::Bitmap visible_;  ///< indexed records, whether or not they pass the filter
  RecallRoles roles_;
  engine::TextWork work_;  ///< on the texts of the question
  QuestionNames names_;
  Candidates candidates_;
  RecallNeighbours neighbours_{context_, options_.features.relationship_types, members_};
  const RecallGroups groups_{context_, roles_, members_};
  RecallPassages passages_{context_, entry_, options_, neighbours_, groups_};
};

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

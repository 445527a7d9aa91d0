#pragma once
// Recall: the records that answer a question in plain words, found without any model: by their text,
// by what stands next to them in the graph, by the group they belong to, and by the values that the
// question names.

#include <cairn/export.hpp>
#include <cairn/filter.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What counts, and how much. The defaults are what to use: a caller need not know them. A weight of
/// 0 switches a lever off.
///
/// Weights are shares of the best text score: a neighbour with the weight 0.5 whose text is the best
/// of all adds half a point to a record, whatever the scores of BM25 are.
///
///     text       = BM25 / best BM25 * (1 + mention_weight, if named) * (1 + date_weight, if named)
///     neighbours = sum over hits within `hops` steps: text of the hit * neighbour_weight ^ steps
///     group      = group_weight * sum of the group's texts / that of the best group
///     score      = text + neighbours + group
///
/// The 150 best texts (or `limit`, if that is more) take part; the first 50 of them lift their
/// neighbours. What the filter leaves out is neither given nor counted, and leads nowhere.
struct RecallLevers {
  /// Of scores along relationships, for each step: a hit lifts what stands before and after it. The
  /// shortest way to a record counts, once. A node with more than 64 neighbours lifts none.
  double neighbour_weight = 0.5;
  std::size_t hops = 2;
  /// Relationships to go along, in both directions; empty: all types. An unknown one leads nowhere.
  std::vector<std::string> relationship_types;
  /// Of the score of the whole group (the session, the document). One group alone gives nothing.
  double group_weight = 0.3;
  /// Properties that together name the group, as far as records have them.
  std::vector<std::string> group_properties = {"conversation", "session", "sessionId",
                                               "session_id", "document_id"};
  /// The text score of a record grows by this share where the question names one of its values as
  /// it is written, up to three words or an element of a list: the speaker, a place, a tag. Values
  /// are looked up in the indexes of the first 64 property paths, the searched texts left out.
  double mention_weight = 0.3;
  /// Likewise where a date of the record lies in a year, month or day (UTC) that the question names
  /// in English or as YYYY-MM-DD.
  double date_weight = 0.3;
  /// Of a second search for words that several of the first 5 hits share, added to the text; off by
  /// default: it helps documents and harms short turns.
  double feedback_weight = 0;
  /// 0 to 1: how much a hit falls back for the share of its words that a hit before it has. Changes
  /// the order, not the scores; off by default.
  double diversity = 0;
};

struct RecallOptions {
  std::string index;       ///< the full-text index; empty: the only one of nodes
  std::size_t limit = 10;  ///< hits at most
  Filter filter = {};      ///< binds before everything else: no other record is given or counts
  RecallLevers levers;
};

/// One record, and what its score is made of.
struct RecallHit {
  std::uint64_t id = 0;
  double score = 0;
  double text = 0;        ///< its own: 1 for the best BM25, more with mentions, dates, feedback
  double neighbours = 0;  ///< what came along relationships
  double group = 0;
};

/// The best records for `question`, best first; ties by ascending id. No syntax: every sign is text.
/// A question without words finds nothing. All is read from `snapshot`; equal calls have equal answers.
///
/// Errors: not_found if there is no such index, or none of nodes; invalid_argument for several, or a
/// weight that is negative or not finite, and as parse_filter() for the filter; resource_limit and
/// cancelled by `statement_options`.
/// Cost: a text search, an index lookup for each run of words and property, the relationships of 50
/// records and those near them; milliseconds in all. Feedback and diversity read texts as well: 5, and
/// three times `limit`. Threads: any number at once.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<RecallHit>> recall(
    const Snapshot& snapshot, std::string_view question, const RecallOptions& options = {},
    const StatementOptions& statement_options = {});

}  // namespace cairn

#pragma once
// Recall: the records that answer a question in plain words, found without any model: by their text,
// by what stands next to them in the graph, by the group they belong to, and by the values that the
// question names.
//
//     RecallOptions options;
//     options.filter = Filter::where("conversation", FilterOperator::equals, "c1");
//     options.boosts = {{Filter::where("pinned", FilterOperator::equals, true), 0.5}};
//     CAIRN_ASSIGN(const auto hits, recall(snapshot, "What did Ada say in May?", options));
//     for (const Hit& hit : hits) std::cout << hit.id << " " << hit.score << "\n";
//
// It wants one full-text index of nodes: CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH
// [m.text].

#include <cairn/filter.hpp>
#include <cairn/hit.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What counts, and how much. The defaults are what to use: a caller need not know them. A weight of
/// 0 switches a feature off.
///
/// Weights are shares of the best text score, whatever the scores of BM25 are.
///
///     text       = BM25 / best BM25 * (1 + date_weight, if dated) + feedback
///                  + expansion_weight * share * BM25 of a word of `expansion` / best BM25
///     propagation = for each word of the question: what the best hit within `hops` steps has for it,
///                  * propagation_weight ^ steps, as far as the record itself has less
///     group      = group_weight * best text of the group / best of all
///     dense      = dense_weight * similarity of the vectors / best similarity, with a vector_index
///     rules      = (1 + weight) for each of `boosts` that it passes, (1 + feature_weight) for each
///                  feature it has that answers to the question have
///     named      = (1 + entity_weight, if named) * (1 + author_weight, if its author is)
///     score      = (text + dense + propagation + group) * named * rules / whole, from 0 to 1
///     whole      = what the sum and its factors are for a record that has all the question asks for: each
///                  word once in a text of mean length, its dates, names and features, the same vector
///                  and the best group, or what the best hit has, if that is more
///
/// The 150 best texts (or `limit`, if that is more) take part, and as many nearest vectors; the first
/// 50 texts lift their neighbours. What the filter leaves out is neither given nor counted, and leads nowhere.
struct RecallFeatures {
  /// Of scores along relationships, for each step: what stands before and after a hit has the words of
  /// it too, so that words of a question that are spread over several turns come together. A word counts
  /// once, where it counts most. A node with more than 64 neighbours lifts none.
  double propagation_weight = 0.6;
  std::size_t hops = 2;
  /// Relationships to go along, in both directions; empty: all types. An unknown one leads nowhere.
  std::vector<std::string> relationship_types;
  /// Of the best text in the group (the session, the document). One group alone gives nothing.
  double group_weight = 0.6;
  /// Properties that together name the group, as far as records have them.
  std::vector<std::string> group_properties = {"conversation", "session", "sessionId", "session_id",
                                               "document_id"};
  /// The score of a record grows by this share where the question names one of its values as
  /// it is written, up to three words or an element of a list: a person, a place, a tag. Values
  /// are looked up in the indexes of the first 64 property paths, the searched texts left out.
  double entity_weight = 0.4;
  /// And by this share where the value says who wrote or said the record. Such a name is then no word
  /// to search for: a text seldom names its own author, and often whom it speaks to.
  double author_weight = 0.4;
  /// Properties that say it.
  std::vector<std::string> author_properties = {"speaker", "author",  "sender",    "from",
                                                "role",    "creator", "created_by"};
  /// The text score grows by this share where a date of the record lies in a year, month or day (UTC)
  /// that the question names in English or as YYYY-MM-DD. Dates are ISO 8601 texts and values of the
  /// types Date, LocalDateTime (taken as UTC) and DateTime.
  double date_weight = 0.5;
  /// Of a second search for words that several of the first 5 hits share, added to the text. Texts of
  /// documents tell by it what the question is about; short turns lead astray.
  double feedback_weight = 0.3;
  /// Mean number of words from which texts give feedback; 0: always.
  double feedback_length = 60;
  /// Of the similarity of vectors, where RecallOptions::vector_index is given; none below 0.
  double dense_weight = 0.3;
  /// Of the words in RecallOptions::expansion, each by its share.
  double expansion_weight = 0.5;
  /// Where the index keeps features of its texts (`fulltext.features`), the score of a record grows by
  /// this share for each that texts which answer the question have: "when" asks for dates, "how many"
  /// for numbers. Punctuation of any language, words of English.
  double feature_weight = 0.2;
  /// How much a hit falls back for the share of its words that a hit before it has, 0 to 1. It changes
  /// the order, not the scores.
  double diversity = 0;
};

/// A rule: the score of a record that passes the filter grows by this share, or falls by it; -1 at
/// least, which makes it 0. Tags, as tagging rules give them, are a property like any other.
/// At most 1,000; the product of all rules for one record ends at 1e12.
struct RecallBoost {
  Filter filter;
  double weight = 0;
};

/// A word to search for beside those of the question, and what it is worth beside them, 0 to 1.
struct RecallWord {
  std::string word;
  double share = 1;
};

/// What takes part in a recall besides the question. All but `index` and `filter` may be left as it
/// is.
struct RecallOptions {
  std::string index;       ///< the full-text index; empty: the only one of nodes
  std::size_t limit = 10;  ///< hits at most
  Filter filter = {};      ///< binds before everything else: no other record is given or counts
  RecallFeatures features;
  std::string vector_index = {};  ///< of nodes; empty: no vectors take part
  /// As many finite components as the index has dimensions.
  std::vector<float> vector = {};  ///< of the question, made by what made those of the index
  std::string vector_model = {};  ///< the name of that, compared with the index's; empty: it is not
  std::vector<RecallBoost> boosts = {};
  /// Words as similar_words() gives them (`cairn/similar_words.hpp`), 64 at most; words of the question
  /// are ignored.
  std::vector<RecallWord> expansion = {};
  /// Whether hits carry their records: Hit::node.
  bool with_nodes = false;
};

/// The best records for `question`, best first; ties by ascending id. No syntax: every sign is text.
/// A hit's score is a share from 0 to 1 of the best that the question allows: a low one for the best hit says that words
/// of the question occur in no record. Explanation::features has its parts.
/// A question without words finds nothing. All is read from `snapshot`; equal calls have equal answers.
///
/// Errors: not_found if there is no such index, or none of nodes; invalid_argument for several, a
/// vector of another dimension or without an index, more than 64 words in `expansion`, or a weight that is negative or not finite, and as parse_filter() for the filter; resource_limit and
/// cancelled by `statement_options`.
/// Also not_found for `vector_index`, and invalid_argument for another `vector_model` than the index
/// has, a diversity above 1, a boost outside of -1 to 1,000, a share outside of 0 to 1 and a vector
/// that is not finite.
/// Cost: a text search, the scores of its hits by word, an index lookup for each run of words and
/// property, the relationships of 50 records and those near them; milliseconds in all. BM25's b falls
/// for short texts: b * L / 60 for a mean of L words below 60. Feedback and diversity read texts as well: 5, and
/// three times `limit`; records, where they are asked for, in one batched read. Threads: any number at once.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<Hit>> recall(
    const Snapshot& snapshot, std::string_view question, const RecallOptions& options = {},
    const StatementOptions& statement_options = {});

}  // namespace cairn

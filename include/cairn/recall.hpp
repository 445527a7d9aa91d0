#pragma once
// Recall: finds the records that answer a question in plain words, without a model: by their text,
// by neighbours in the graph, by the group that they belong to, and by values that the question
// mentions.
//
//     RecallOptions options;
//     options.filter = Filter::where("conversation", FilterOperator::equals, "c1");
//     options.boosts = {{Filter::where("pinned", FilterOperator::equals, true), 0.5}};
//     CAIRN_ASSIGN(const auto hits, recall(snapshot, "What did Ada say in May?", options));
//     for (const Hit& hit : hits) std::cout << hit.id << " " << hit.score << "\n";
//
// It requires a full-text index of nodes: CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH
// [m.text].

#include <cairn/filter.hpp>
#include <cairn/hit.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/visibility.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// The weights of the features. The defaults are recommended. A weight of 0 disables a feature.
///
/// Weights are relative to the best text score, whatever the scores of BM25 are.
///
///     text       = BM25 / best BM25 * (1 + date_weight, if dated) + feedback
///                  + expansion_weight * share * BM25 of a word of `expansion` / best BM25
///     propagation = for each word of the question: the score of the best hit within `hops` steps
///                  * propagation_weight ^ steps, as far as it exceeds the record's own
///     group      = for each level of groups that the record is on:
///                  group_weight * best text of the group / best of all
///     dense      = dense_weight * similarity of the vectors / best similarity,
///                  if vector_index is set
///     rules      = (1 + weight) for each of `boosts` that it passes, (1 + feature_weight) for each
///                  of its features that answers to the question have
///     named      = (1 + entity_weight, if mentioned) * (1 + author_weight, if its author is)
///     score      = (text + dense + propagation + group) * named * rules / whole, from 0 to 1
///     whole      = the sum with its factors for an ideal record, or that of the best hit, if that
///                  is greater
///
/// BM25 counts a word once for all searched properties together (BM25F), and each word of the
/// question once. The ideal record has each word of the question once in a text of mean length. It
/// has the dates, names and features of the question, the same vector and the best groups.
///
/// A record without a word of the question has no BM25. Its text score is 0.3 if the question
/// mentions both its author and its date. It is 0.05 if the question mentions one of its values and
/// nothing else is found.
///
/// The 150 best texts (or `limit`, if that is greater) and as many nearest vectors are considered;
/// the first 50 texts propagate to their neighbours. Records that the filter excludes are neither
/// returned nor counted nor followed.
struct RecallFeatures {
  /// Weight per step of scores that propagate along relationships: neighbours of a hit receive its
  /// words, so that question words spread over several turns of a conversation add up. Each word
  /// counts once, where it counts most. A node with more than 64 neighbours does not propagate.
  double propagation_weight = 0.6;
  std::size_t hops = 2;
  /// Relationship types to follow, in both directions; empty: all types. Unknown types are ignored.
  std::vector<std::string> relationship_types;
  /// Weight of the best text in the record's group (session, document), on each level of groups. If all records are in
  /// one group, it has no effect.
  double group_weight = 0.6;
  /// Properties that together identify the group, as far as records have them. Each property is a level, the broadest
  /// first: a session is in the group of its conversation. A record is on the levels whose properties it has. If no
  /// record has one of the default names, properties whose values are mostly equal from record to record are used
  /// instead: `CALL db.recall.describe()` shows them.
  std::vector<std::string> group_properties = {"conversation", "session",     "sessionId",
                                               "session_id",   "document_id", "documentId",
                                               "thread",       "thread_id"};
  /// Properties that order the records of a group: times, ISO texts or integers. Records are sorted by the first of
  /// these properties that half of the hits have; records with equal values by the next one, and finally by their
  /// creation. If none of the first hits has a relationship, and `relationship_types` is empty, the records next to a
  /// hit in its group are its neighbours. An empty list turns this off. At most 16,384 values are read; the records of
  /// further groups stay in the order of their creation.
  std::vector<std::string> order_properties = {
      "time",        "timestamp", "created_at", "date",    "turn",  "turn_index",
      "turn_number", "sequence",  "position",   "ordinal", "chunk", "chunk_index"};
  /// The score grows by this share if the question mentions one of the record's values, or an element of a list value,
  /// as it is written and of up to three words: a person, a place, a tag. In a question without capitals, each word may
  /// be written with one. Values are looked up in the indexes of the first 64 property paths, without the searched
  /// texts.
  double entity_weight = 0.4;
  /// The score also grows by this share if the mentioned value is the record's author. The author's name is then not
  /// searched in texts, because texts seldom mention their own author but often the person addressed. A first name is
  /// enough: "Maya" for "Maya Lindgren". If the question has several authors, the first one counts, and those joined to
  /// it by "and" or "or": "What did Maya tell Ben?" asks for what Maya wrote. A property of authors may also be a
  /// searched text. Records of the author and the date that a question mentions are considered even if they contain no
  /// other word of the question.
  double author_weight = 0.4;
  /// Properties that name the author. If no record has one of the default names, properties with few capitalised values
  /// that change from record to record are used instead.
  std::vector<std::string> author_properties = {"speaker", "author",  "sender",    "from",
                                                "role",    "creator", "created_by"};
  /// The text score grows by this share if a date of the record is in a year, month or day (UTC)
  /// that the question mentions, in English or as YYYY-MM-DD. Dates are ISO 8601 texts and values
  /// of types Date, LocalDateTime (taken as UTC) and DateTime. The question may compute with dates
  /// ("two weeks before 9 June 2023", "mid-August 2023", "between 3 May and 6 May 2023") and with the current time,
  /// StatementOptions::now ("yesterday", "three weeks ago", "last summer"). A day or month without a year stands for
  /// this day or month of each year from nine years ago to next year.
  double date_weight = 1;
  /// Weight of a second search for the words that several of the first 5 hits share, relative to the weight of the
  /// question; its score is added to the text score. Each word weighs as much as its share of these texts (RM3). Long
  /// texts show what the question is about; short turns of a conversation mislead.
  double feedback_weight = 0.5;
  /// Feedback is only used if texts have at least this mean number of words; 0: for any.
  double feedback_length = 60;
  /// Feedback is only used if the first hits share rare words that the question lacks: if their mean weight in BM25 is
  /// at least this share of the mean weight of the question's words. 0: feedback is used for common words too.
  double feedback_clarity = 0.6;
  /// Weight of vector similarity, if RecallOptions::vector_index is set; negative similarities
  /// count as 0.
  double dense_weight = 0.3;
  /// Weight of the words in RecallOptions::expansion, multiplied by the share of each.
  double expansion_weight = 0.5;
  /// If the index has features of its texts (`fulltext.features`): the score grows by this share
  /// for each feature that answers to the question have. "When" asks for dates, "how many" for
  /// numbers. Recognises English words, and punctuation of any language.
  double feature_weight = 0.2;
  /// Replaces a word of the question that no text has by the most similar word of the texts with
  /// the same first letter: two letters are exchanged, or one differs in a word of 6 letters or
  /// more, or two in a word of 9 or more. A word of less than 4 letters is not replaced. The names
  /// of months and days, and of an author if the question names none otherwise, are corrected too.
  bool corrects_spelling = true;
  /// Searches for the irregular forms of an English word as one word, if the index has stems: "gave",
  /// "given" and "give", "children" and "child".
  bool joins_forms = true;
  /// How much a hit is moved down for the share of its words that an earlier hit has, 0 to 1.
  /// Changes the order, not the scores.
  double diversity = 0;
};

/// A rule: the score of records that pass the filter grows by this share, or falls if the share is
/// negative.
///
/// The weight is from -1, which makes the score 0, to 1,000. The product of all rules for one
/// record is at most 1e12. Tags of tagging rules are ordinary properties and can be used in the
/// filter.
struct RecallBoost {
  Filter filter;
  double weight = 0;
};

/// An additional word to search for, with its weight relative to words of the question, 0 to 1.
struct RecallWord {
  std::string word;
  double share = 1;
};

/// Scores texts by how well they answer a question, such as a cross-encoder: any finite numbers, one
/// for each text, the best greatest. A text has the indexed properties of one record, each on its
/// own line.
using RecallScorer = std::function<Result<std::vector<double>>(std::string_view question,
                                                               std::span<const std::string> texts)>;

/// Reranks the best hits.
///
///     RecallOptions options;
///     options.rerank.score = [](std::string_view question, std::span<const std::string> texts)
///         -> Result<std::vector<double>> {
///       std::vector<double> scores;
///       for (const std::string& text : texts) scores.push_back(text.find(question) != std::string::npos);
///       return scores;
///     };
///     options.rerank.budget = std::chrono::milliseconds(50);
///
/// The hits are scored in batches, best first, until all are scored or the budget is used. The first batch is always
/// scored, each later one only if it begins within the budget. Scored hits come first, by the new score, ties in their
/// earlier order; the other hits follow in their earlier order. Reranking changes the order and not the scores.
struct RecallReranking {
  RecallScorer score = nullptr;         ///< empty: hits keep their order
  std::size_t hits = 50;                ///< number of best hits to score, at most those considered
  std::size_t batch = 10;               ///< texts of one call, at least 1
  std::chrono::milliseconds budget{0};  ///< 0: no limit
};

/// How much of its group is in the passage of a hit.
enum class PassageExtent : std::uint8_t {
  context,  ///< RecallOptions::context records before and after it
  /// The whole group: a session, a conversation, a document. At most 1,000 records before and after
  /// the hit. A record without a group has all that `relationship_types` lead to, if they are
  /// named, and otherwise `context` steps.
  session,
};

/// Options of recall(). All are optional.
struct RecallOptions {
  std::string index;       ///< the full-text index; empty: the only one on nodes
  std::size_t limit = 10;  ///< maximal number of hits
  Filter filter = {};      ///< applied first: other records are neither returned nor counted
  RecallFeatures features;
  std::string vector_index = {};  ///< an index of nodes; empty: no vectors are used
  /// As many finite components as the dimension of the vector index.
  std::vector<float> vector = {};  ///< of the question, by the model of the vector index
  /// Name of the model that made `vector`; must be that of the index; empty: not checked.
  std::string vector_model = {};
  std::vector<RecallBoost> boosts = {};
  /// Words of similar_words() (`cairn/similar_words.hpp`), any number; words of the question are
  /// ignored.
  std::vector<RecallWord> expansion = {};
  /// Whether hits have their records: Hit::node and Hit::passage_nodes.
  bool with_nodes = false;
  /// Gives each hit up to as many records before and after it: Hit::passage. They come from its
  /// group in its order, see RecallFeatures; without a group, or if the group is a list or a long
  /// text, from up to `context` relationships, unless a record has more than 64 of them. A record is in one passage
  /// only: the passage of the best hit near to the record. A hit inside the passage of a better hit is left out. At
  /// most 1,000.
  std::size_t context = 0;
  PassageExtent expand = PassageExtent::context;
  /// The most that the indexed texts of all passages take, by memory::estimate_tokens(); 0: no
  /// limit. Gives each hit a passage, even if the passage is only the hit. The budget is spent on the best hits first,
  /// and in a passage on the hit and then on the records next to it; Hit::left_out counts the records that do not fit.
  /// A hit whose text does not fit has an empty passage; it is left out if a better hit counts it. Adjacent passages of
  /// one group are merged into the passage of the best hit. Without `context` or `expand` a passage is the hit alone.
  std::size_t max_tokens = 0;
  /// Orders the best hits again, after `diversity` and before passages are built. Only for recall(). An attached or remote
  /// database sends the texts of these hits to this process, where the scorer runs, and recalls a second time.
  RecallReranking rerank = {};
};

/// Returns the best records for `question`, best first; equal scores by ascending id. The question has no syntax:
/// operators have no meaning. A score is relative to the best score that the question allows, from 0 to 1. If even the
/// best hit scores low, words of the question occur in no record. Explanation::features has the parts of a score. A
/// question without words finds nothing. All data is read from `snapshot`; equal calls return equal results.
///
/// Errors: not_found if the full-text or vector index does not exist, or if nodes have no full-text
/// index; invalid_argument if nodes have several and none is named, for a vector of another dimension, without an index
/// or not finite, another `vector_model` than the index has, a weight that is negative or not finite, a diversity above
/// 1, a boost outside of -1 to 1,000, and a share outside of 0 to 1; those of parse_filter() and of
/// RecallReranking::score; invalid_argument if the scorer returns another number of scores, or a score that is not
/// finite, and for reranking with batches of 0 texts; resource_limit and
/// cancelled by `statement_options`. Cost: a text search, scores of its hits by word, an index lookup for each run of
/// words and each property, the relationships of 50 records and their neighbours; milliseconds in total. For short
/// texts BM25's b is reduced: b * L / 60 for a mean of L words below 60. Feedback reads 5 texts, and diversity three
/// times `limit`. with_nodes reads records in one batch. Threads: any number at once.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<Hit>> recall(
    const Snapshot& snapshot, std::string_view question, const RecallOptions& options = {},
    const StatementOptions& statement_options = {});

}  // namespace cairn

#pragma once
// One call of recall(): what the question names, candidates by text, then the features, each a step over
// the same candidates.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <cairn/hit.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {

// What a question in plain words names besides its words: values and times.

/// A run of words of a question.
struct NamedText {
  std::string text;
  std::size_t first = 0;  ///< its first word, of engine::break_words
  std::size_t count = 0;
};

/// Texts that may be values of properties: each word, and runs of two and three words, as written and
/// without a possessive ending. None begins or ends with a stop word of the language, unless that is
/// written like a name ("Will" inside of a question).
[[nodiscard]] std::vector<NamedText> named_texts(std::string_view question,
                                                 std::string_view language);

/// From the first microsecond up to and including the last, UTC.
struct TimeRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// The days, months and years that English text names: "7 May 2023", "May 7, 2023", "2023-05-07",
/// "May 2023", "in 2022". A part of a longer date is not taken for one of its own.
[[nodiscard]] std::vector<TimeRange> named_times(std::string_view question);

/// Hits that the question brings, each of its words and its vector: enough for any answer, few enough to read.
inline constexpr std::size_t recall_candidates = 150;

/// A record of the answer, with the parts of its score. The score is a share from 0 to 1.
struct RankedRecord : FeatureScores {
  std::uint64_t id = 0;
  double score = 0;
};

class RecallRun {
 public:
  /// `index` is a full-text index of nodes, by its number in the view's catalog.
  /// `allowed` are the nodes that may be seen and pass the filter.
  RecallRun(ExecutionContext& context, std::uint32_t index, const RecallOptions& options,
            codec::Bitmap allowed)
      : context_(context),
        view_(context.graph.view()),
        index_(index),
        entry_(view_.catalog().indexes().at(index)),
        options_(options),
        analyzer_(engine::analyzer_options(entry_.text)),
        members_(std::move(allowed)) {}

  [[nodiscard]] Result<std::vector<RankedRecord>> run(std::string_view question);

 private:
  /// Scores by word of the question, in the order of words_.
  using WordScores = std::unordered_map<std::uint64_t, std::vector<double>>;
  struct Reached {
    std::uint64_t id = 0;
    double share = 0;  ///< of the score that comes to it
  };

  /// What may be found at all: allowed, and in the index.
  [[nodiscard]] Status restrict_ids();

  /// Whom and what the question names: who has such a value or date, and which words are authors'.
  [[nodiscard]] Status find_named(std::string_view question);
  [[nodiscard]] std::vector<std::uint32_t> mention_paths() const;
  [[nodiscard]] bool is_of_author(std::uint32_t path) const;
  [[nodiscard]] Status find_mentions(std::uint32_t path, const std::vector<NamedText>& texts);
  [[nodiscard]] Status find_dated(std::uint32_t path, const std::vector<TimeRange>& times,
                                  std::vector<codec::Bitmap>& found);
  /// Appends what a property's index finds, if it finds exactly that. A range ends before `high`.
  [[nodiscard]] Status look_up(std::uint32_t path, engine::IndexPredicate::Operation operation,
                               const Value& low, const Value& high,
                               std::vector<codec::Bitmap>& found);

  [[nodiscard]] std::vector<std::string> content_words(std::string_view question,
                                                       bool with_authors) const;
  [[nodiscard]] std::string joined_words() const;
  [[nodiscard]] Status find_by_text(std::string_view question);
  /// The texts of the first hits, joined, give more words to ask for.
  [[nodiscard]] Status add_feedback();
  [[nodiscard]] Result<std::string> shared_words() const;
  /// Words that count beside those of the question.
  [[nodiscard]] Status add_expansion();
  [[nodiscard]] Status add_word(const RecallWord& word);
  void sort_by_text();
  [[nodiscard]] Status add_meaning();
  [[nodiscard]] Result<std::uint32_t> vector_index() const;
  /// The texts of records, in order; the texts of a list one after the other.
  [[nodiscard]] Result<std::vector<std::string>> texts_of(std::span<const std::uint64_t> ids) const;
  [[nodiscard]] Result<engine::TextHits> search(std::string_view text, std::size_t k,
                                                const codec::Bitmap& allowed) const;
  /// The texts of the hits, parted by the words that they are for.
  [[nodiscard]] Result<WordScores> score_words() const;

  [[nodiscard]] Status spread();
  [[nodiscard]] Status spread_to(const std::vector<std::vector<Reached>>& reached);
  [[nodiscard]] Result<std::vector<Reached>> reached_from(std::uint64_t id);
  [[nodiscard]] Result<std::vector<std::uint64_t>> neighbours(std::uint64_t id);
  [[nodiscard]] Status add_groups();
  [[nodiscard]] Result<std::vector<std::string>> group_names(
      const std::vector<std::uint64_t>& ids) const;

  /// What the rules multiply, and the features that answers have.
  [[nodiscard]] Status find_boosts();
  [[nodiscard]] Status find_features(std::string_view question);
  [[nodiscard]] std::vector<RankedRecord> ranked() const;
  /// The score of a record that has all the question asks for.
  [[nodiscard]] double whole_score() const;
  [[nodiscard]] Status diversify(std::vector<RankedRecord>& hits) const;
  /// The terms of each hit's text as ascending numbers, the same for all of them.
  [[nodiscard]] Result<std::vector<std::vector<std::uint32_t>>> terms_of(
      std::span<const RankedRecord> hits) const;

  ExecutionContext& context_;
  const engine::View& view_;
  std::uint32_t index_;
  const codec::IndexEntry& entry_;
  const RecallOptions& options_;
  engine::Analyzer analyzer_;
  codec::Bitmap members_;  ///< no other record is given, counts, or leads to one

  codec::Bitmap mentioned_;             ///< have a value that the question names
  codec::Bitmap authored_;              ///< by someone whom it names
  codec::Bitmap dated_;                 ///< of a time that it names
  std::set<std::size_t> author_words_;  ///< of the question, by their places
  std::vector<std::string> words_;  ///< that are searched for; one that comes twice twice in one
  double mean_words_ = 0;           ///< of the index's texts
  double best_text_ = 0;            ///< BM25 of the best text, before anything is added
  double whole_text_ = 0;           ///< of a text that has all words: engine::TextHits::whole
  double nearest_ = 0;              ///< similarity of the nearest vector; 0: none took part
  bool has_groups_ = false;         ///< groups were distinguished
  std::size_t features_ = 0;        ///< that answers to the question have
  std::vector<std::pair<codec::Bitmap, double>> boosts_;  ///< whose scores grow by which share
  std::unordered_map<std::uint64_t, RankedRecord> hits_;
  std::vector<std::uint64_t> by_text_;            ///< best text first
  std::vector<std::uint32_t> types_;              ///< to go along, ascending; none: all
  const codec::Bitmap* relationships_ = nullptr;  ///< that may be seen; null: all
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> neighbours_;
};

// recall() within a statement that runs: over its view, its visible records and its budget.

struct ExecutionContext;

/// As cairn::recall(). `options` is valid for the call.
[[nodiscard]] Result<std::vector<RankedRecord>> recall_within(ExecutionContext& context,
                                                              std::string_view question,
                                                              const RecallOptions& options);

}  // namespace cairn::query

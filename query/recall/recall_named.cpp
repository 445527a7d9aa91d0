// Finds what the question names besides its subject: values, authors and dates, by the property indexes and without
// reading records. The second half of the file adds the similarity of vectors.
//
// Up to 64 indexed properties are searched for each text of the question that may be a value ("Kate"). A record with
// a named value or author has its score multiplied in ranked(). A record of a named date has its text score
// multiplied.

#include "codec/instant.hpp"
#include "engine/fulltext/letter_case.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/graph/embedding_model.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/recall/question_times.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace cairn::query {
namespace {

using codec::Bitmap;
using codec::EntityKind;
using Operation = engine::IndexPredicate::Operation;

/// The text score of a record without a word of the question, if the question names both its author and its date, or
/// only one of them.
constexpr double share_of_both_names = 0.3;
constexpr double share_of_one_name = 0.05;

Result<bool> has_capital(std::string_view text, engine::TextWork& work) {
  constexpr std::uint64_t bytes_of_letter = 32;  // as TextWork counts
  while (!text.empty()) {
    CAIRN_TRY(work.add(bytes_of_letter, 0));
    if (engine::begins_with_capital(text)) return true;
    text.remove_prefix(engine::first_letter(text).size());
  }
  return false;
}

/// Returns "New York" for "new york".
std::string capitalised(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" -", at), text.size() - 1) + 1;
    made += engine::with_capital(text.substr(at, end - at));
    at = end;
  }
  return made;
}

/// For a question without capitals, adds each text with capitals: "maya" is also looked up as "Maya".
Status add_capitalised(std::string_view question, std::vector<NamedText>& texts,
                       engine::TextWork& work) {
  constexpr std::uint64_t bytes_of_text = 512;  // as TextWork counts
  CAIRN_ASSIGN(const bool has, has_capital(question, work));
  if (has) return {};
  const std::size_t count = texts.size();
  for (std::size_t i = 0; i < count; ++i) {
    CAIRN_TRY(work.add(bytes_of_text, texts.capacity() * 2 * sizeof(NamedText)));
    texts.push_back({capitalised(texts[i].text), texts[i].first, texts[i].count});
  }
  return {};
}

constexpr std::int64_t microseconds = 1'000'000;  // in a second

/// Returns the smallest value of each temporal type with a date at `second` of UTC. The DateTime has the lowest
/// offset and no zone name, so that it precedes all other values of the same instant.
std::array<Value, 3> first_at(std::int64_t second) {
  return {Date{codec::floor_divide(second, codec::seconds_per_day)}, LocalDateTime{second, 0},
          DateTime{second, 0, -codec::max_offset_seconds, {}}};
}

/// Sorts the times, and unites those that overlap or adjoin. A question may name one day very often.
void unite_sorted(std::vector<TimeRange>& times) {
  std::ranges::sort(times, {}, &TimeRange::first);
  std::size_t count = 0;
  for (const TimeRange& time : times) {
    if (count > 0 && time.first - 1 <= times[count - 1].last)
      times[count - 1].last = std::max(times[count - 1].last, time.last);
    else
      times[count++] = time;
  }
  times.resize(count);
}

/// Returns the same times without an instant twice, in their order. Works in pieces, with a check of the limits after each.
Result<std::vector<TimeRange>> distinct_times(ExecutionContext& context,
                                              const std::vector<TimeRange>& times) {
  constexpr std::size_t piece = 16'384;
  std::vector<TimeRange> distinct;
  for (std::size_t at = 0; at < times.size(); at += piece) {
    const auto begin = times.begin() + static_cast<std::ptrdiff_t>(at);
    const auto count = std::min(piece, times.size() - at);
    distinct.insert(distinct.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    unite_sorted(distinct);
    if (times.size() > piece) CAIRN_TRY(context.budget.check());
  }
  return distinct;
}

/// Accounts for the sets that lookups append to `sets`: their work and memory. Unites the sets whenever they are many.
class FoundSets {
 public:
  FoundSets(ExecutionContext& context, std::vector<Bitmap>& sets)
      : context_(context), sets_(sets), seen_(sets.size()), held_(&context.budget) {}

  /// Must be called after each lookup.
  Status account() {
    for (; seen_ < sets_.size(); ++seen_) {
      const std::size_t bytes = sets_[seen_].memory_bytes();
      CAIRN_TRY(context_.budget.step(bytes / bytes_of_step));
      CAIRN_TRY(held_.add(bytes + sizeof(Bitmap)));
    }
    return sets_.size() < most_sets ? Status() : unite();
  }
  /// Leaves at most one set.
  Status unite() {
    if (sets_.size() < 2) return {};
    Bitmap all = codec::unite_all(sets_);
    const std::size_t bytes = all.memory_bytes();
    sets_.clear();
    sets_.push_back(std::move(all));
    seen_ = 1;
    CAIRN_TRY(context_.budget.step(bytes / bytes_of_step));
    return held_.set(bytes + sizeof(Bitmap));
  }

 private:
  static constexpr std::size_t most_sets = 64;
  static constexpr std::size_t bytes_of_step = 1'024;  // as Limits counts

  ExecutionContext& context_;
  std::vector<Bitmap>& sets_;
  std::size_t seen_;  // sets that are accounted for
  engine::Charge held_;
};

}  // namespace

// Returns the node properties with an index, except the properties of the searched full-text index: their texts are the
// answer and not a name in the question. The properties of authors are included even if they are searched.
Result<std::vector<std::uint32_t>> RecallRun::mention_paths() const {
  std::set<std::string> searched;
  for (const std::uint32_t property : entry_.properties)
    searched.insert(view_.catalog().name(codec::CatalogKind::property, property));
  CAIRN_ASSIGN(auto paths, indexed_paths(view_, visible_, most_paths));
  std::erase_if(paths, [&](std::uint32_t path) {
    return searched.contains(view_.catalog().paths().at(path).text) && !is_of_author(path);
  });
  return paths;
}

// True if the property names the author of a record.
bool RecallRun::is_of_author(std::uint32_t path) const {
  const auto& names = roles_.authors.properties;
  const std::string& name = view_.catalog().paths().at(path).text;
  return options_.features.author_weight > 0 &&
         std::find(names.begin(), names.end(), name) != names.end();
}

// Finds the records with a named text as the value of the property or as an element of a list. If the property names
// authors, the text may also be the first name of an author, and the words of the text are no longer searched for (see
// README.md).
Status RecallRun::find_mentions(std::uint32_t path, const std::vector<NamedText>& texts) {
  const bool is_author = is_of_author(path);
  if (!is_author && options_.features.entity_weight == 0) return {};
  std::vector<Bitmap> lists, all;
  CAIRN_TRY(find_exact_ids(context_, path, Operation::of_type, Value(List{}), {}, lists));
  for (const NamedText& text : texts) {
    std::vector<Bitmap> found;
    CAIRN_TRY(find_exact_ids(context_, path, Operation::equals, text.text, {}, found));
    if (!lists.empty())
      CAIRN_TRY(find_exact_ids(context_, path, Operation::element, text.text, {}, found));
    // Finds "Maya Lindgren" for "Maya": the values that begin with "Maya ", because '!' is the character after the
    // space. "law" is a word and not the first name of "law c. k.".
    if (is_author && !engine::begins_with_small_letter(text.text))
      CAIRN_TRY(find_exact_ids(context_, path, Operation::range, text.text + " ", text.text + "!",
                               found));
    const Bitmap with_text = codec::intersect(codec::unite_all(found), members_);
    if (with_text.empty()) continue;
    named_words_.insert(text.first);
    all.push_back(with_text);
    if (!is_author) continue;
    for (std::size_t i = 0; i < text.count; ++i) author_words_.insert(text.first + i);
    NamedAuthor& author = authors_[text.first];
    author.count = std::max(author.count, text.count);
    author.records = codec::unite(author.records, with_text);
  }
  mentioned_ = codec::unite(mentioned_, codec::unite_all(all));
  return {};
}

// "What did Ada tell Bob?" asks for records by Ada, and "What do Ada and Bob like?" for records by both. So of several
// authors, chooses the first one and those that "and" or "or" connects with it.
Status RecallRun::choose_authors(std::string_view question) {
  if (authors_.empty()) return {};
  CAIRN_ASSIGN(const auto words, engine::break_words(question, work_));
  const auto is_joint = [&](std::size_t at) {
    constexpr std::array<std::string_view, 6> joints = {"and", "or", "und", "oder", "et", "ou"};
    const auto word = question.substr(words[at].begin, words[at].end - words[at].begin);
    return std::ranges::find(joints, engine::fold_word(word)) != joints.end();
  };
  std::size_t end = 0;  // after the previous name
  for (const auto& [first, author] : authors_) {
    const bool is_first = first == authors_.begin()->first;
    if (!is_first && first > end && !(first == end + 1 && is_joint(end))) return {};
    authored_ = codec::unite(authored_, author.records);
    end = std::max(end, first + author.count);
  }
  return {};
}

// Finds the records of the named dates. String values are indexed by the instant they denote, temporal values by
// their own order. Most properties have no values of a temporal type; a cached posting list shows this without a
// scan. The named times are whole days, months or years. Leaves at most one set in `found`.
Status RecallRun::find_dated(std::uint32_t path, const std::vector<TimeRange>& times,
                             std::vector<Bitmap>& found) {
  FoundSets sets(context_, found);
  for (const TimeRange& time : times) {
    CAIRN_TRY(find_exact_ids(context_, path, Operation::instant, time.first, time.last, found));
    CAIRN_TRY(sets.account());
  }
  for (std::size_t type = 0; type < first_at(0).size(); ++type) {
    std::vector<Bitmap> typed;
    CAIRN_TRY(find_exact_ids(context_, path, Operation::of_type, first_at(0)[type], {}, typed));
    if (typed.empty()) continue;
    for (const TimeRange& time : times) {
      CAIRN_TRY(find_exact_ids(context_, path, Operation::range,
                               first_at(time.first / microseconds)[type],
                               first_at((time.last + 1) / microseconds)[type], found));
      CAIRN_TRY(sets.account());
    }
  }
  return sets.unite();
}

// Adds the records of the author and the date that the question names, because they may contain no word of the
// question. If nothing else is found, adds records with one name of the question, newest first.
void RecallRun::add_named() {
  const auto add = [this](const Bitmap& ids, double share, std::size_t most) {
    std::vector<std::uint64_t> chosen;
    ids.for_each([&](std::uint64_t id) {
      if (!hits_.contains(id)) chosen.push_back(id);
    });
    if (chosen.size() > most)
      chosen.erase(chosen.begin(), chosen.end() - static_cast<std::ptrdiff_t>(most));
    for (const std::uint64_t id : chosen) {
      RankedRecord& made = hits_[id];
      made.id = id;
      made.text = share;
    }
  };
  const Bitmap both = codec::intersect(authored_, dated_);
  if (both.cardinality() <= recall_candidates) add(both, share_of_both_names, recall_candidates);
  if (!hits_.empty()) return;
  for (const Bitmap* const ids :
       {&both, &std::as_const(dated_), &std::as_const(authored_), &std::as_const(mentioned_)})
    if (hits_.size() < options_.limit) add(*ids, share_of_one_name, options_.limit - hits_.size());
}

// Fills mentioned_, authored_, author_words_ and dated_ for the question.
Status RecallRun::find_named(std::string_view question) {
  CAIRN_ASSIGN(auto texts, named_texts(question, entry_.text.language, work_));
  CAIRN_TRY(add_capitalised(question, texts, work_));
  CAIRN_ASSIGN(auto times,
               named_times(question, context_.now, options_.features.corrects_spelling, work_));
  CAIRN_ASSIGN(times, distinct_times(context_, times));
  std::vector<Bitmap> dated;
  CAIRN_ASSIGN(const auto paths, mention_paths());
  for (const std::uint32_t path : paths) {
    CAIRN_TRY(find_mentions(path, texts));
    if (options_.features.date_weight > 0 && !times.empty())
      CAIRN_TRY(find_dated(path, times, dated));
  }
  CAIRN_TRY(find_misspelt_authors(paths, texts));
  CAIRN_TRY(choose_authors(question));
  dated_ = codec::intersect(codec::unite_all(dated), members_);
  return {};
}

// The similarity of vectors.

namespace {

/// Maps a score to a similarity of at most 1, where 0 means "unrelated". Cosine and dot-product scores are stored
/// from 0 to 1, with 0.5 for unrelated vectors.
double similarity(codec::Metric metric, double score) {
  return metric == codec::Metric::euclidean ? score : 2 * score - 1;
}

/// Refuses a vector without an index, which would otherwise be ignored silently.
Status check_no_vector(const RecallOptions& options) {
  if (options.vector.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "`vector` is given without an index; name a vector index of nodes in "
               "`vector_index`, or leave out `vector`",
               {}};
}

}  // namespace

// Checks the arguments before the search, so that error messages name the options of recall().
Result<std::uint32_t> RecallRun::vector_index() const {
  if (!std::all_of(options_.vector.begin(), options_.vector.end(),
                   [](float component) { return std::isfinite(component); }))
    return Error{ErrorCode::invalid_argument, "`vector` has a component that is not finite", {}};
  CAIRN_ASSIGN(const auto found, find_known_index(context_, options_.vector_index));
  if (found) {
    const codec::IndexEntry& index = view_.catalog().indexes().at(*found);
    const bool is_of_nodes =
        index.kind == codec::IndexKind::vector && index.entity == codec::EntityKind::node;
    if (is_of_nodes && index.dimension != options_.vector.size())
      return Error{ErrorCode::invalid_argument,
                   "`vector` has " + std::to_string(options_.vector.size()) +
                       " components, the index \"" + options_.vector_index + "\" has " +
                       std::to_string(index.dimension),
                   {}};
    if (is_of_nodes && !options_.vector_model.empty())
      CAIRN_TRY(check_known_model(context_, index, options_.vector_model));
    if (is_of_nodes) return *found;
  }
  return Error{ErrorCode::not_found,
               "`vector_index` must name a vector index of nodes, and \"" + options_.vector_index +
                   "\" is not one; SHOW VECTOR INDEXES lists them",
               {}};
}

// Adds the dense scores by two searches: the nearest vectors of all allowed records, and the vectors of all text
// candidates. The second search is needed because sums are comparable only if every candidate has both parts. The best
// similarity of both searches gets the score `dense_weight`. Similarities of 0 or less add nothing.
Status RecallRun::add_meaning() {
  const double weight = options_.features.dense_weight;
  if (options_.vector_index.empty()) return check_no_vector(options_);
  CAIRN_ASSIGN(const std::uint32_t index, vector_index());
  if (weight == 0) return {};
  const codec::Metric metric = view_.catalog().indexes().at(index).metric;
  const codec::Bitmap texts = codec::Bitmap::from_unsorted(by_text_);
  std::map<std::uint64_t, double> near;
  double best = 0;
  for (const codec::Bitmap* const allowed : {&std::as_const(members_), &texts}) {
    engine::VectorQuery query;
    query.query = options_.vector;
    query.k = allowed == &texts ? by_text_.size() : std::max(recall_candidates, options_.limit);
    query.allowed = allowed;
    if (query.k == 0) continue;
    CAIRN_ASSIGN(const auto found, view_.nearest(index, query));
    CAIRN_TRY(context_.budget.step(1 + found.hits.size()));
    for (const engine::Neighbor& hit : found.hits)
      best = std::max(best, near[hit.id] = similarity(metric, hit.score));
  }
  nearest_ = best;
  for (const auto& [id, nearness] : near) {
    if (nearness <= 0) continue;
    RankedRecord& hit = hits_[id];
    hit.id = id;
    hit.dense = weight * nearness / best;
  }
  return {};
}

}  // namespace cairn::query

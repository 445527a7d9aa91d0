// Scorers of terms, and searches with required terms. The first part of this file is
// TermScorerBuilder, the second one the conjunction.
#include "engine/fulltext/term_scorer.hpp"

#include "codec/byte_io.hpp"
#include "codec/sorted_ids.hpp"
#include "engine/fulltext/compound_terms.hpp"
#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/text_features.hpp"
#include "engine/fulltext/top_k_documents.hpp"
#include "engine/system/limits.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace cairn::engine {

// From the words of a query to scorers: terms, postings, BM25. The weight of a scorer is the boost
// of the clause times the weight of the field times the inverse document frequency, and for fuzzy
// words times the closeness of the match. A term that comes twice, from two words or two
// expansions, is one scorer with the sum of the weights.
//
// Prefixes and fuzzy words iterate over the terms of their fields, so the cost depends on the
// vocabulary, not on the texts.

namespace {

/// Average length in words from which fade_length has no effect.
constexpr double long_text_words = 60;

// What a search holds for each term, and for each distinct one from make_leaves() on: its scorer and
// cursor, and its entries in tables by term.
constexpr std::size_t bytes_of_term = 2 * sizeof(WeightedTerm);
constexpr std::size_t bytes_of_leaf = 512;

/// The unit whose documents determine the rarity of a term: all alternatives of one word, or the
/// term itself.
using Counted = std::pair<std::uint32_t, std::string>;

Counted counted_as(const WeightedTerm& term) {
  return {term.word, term.word == 0 ? term.term : std::string()};
}

/// Returns each term of a field once, with the sum of its weights. The alternatives of a word are
/// only combined with each other.
Result<std::vector<WeightedTerm>> each_once(std::vector<WeightedTerm> terms, Pace& pace,
                                            Charge& held) {
  std::map<std::tuple<std::uint32_t, std::uint8_t, std::string>, std::size_t> places;
  std::vector<WeightedTerm> distinct;
  for (WeightedTerm& term : terms) {
    CAIRN_TRY(pace.add(bytes_of_term));
    const auto [place, is_new] =
        places.try_emplace({term.word, term.field, term.term}, distinct.size());
    if (is_new) {
      CAIRN_TRY(held.add(bytes_of_leaf + 2 * term.term.size()));
      distinct.push_back(std::move(term));
    } else {
      distinct[place->second].add(term);
    }
  }
  return distinct;
}

}  // namespace

double mean_words(const codec::TextStatistics& statistics) {
  double most = 0;
  for (const codec::TextFieldStatistics& field : statistics)
    if (field.documents > 0)
      most =
          std::max(most, static_cast<double>(field.words) / static_cast<double>(field.documents));
  return most;
}

TermScorerBuilder::TermScorerBuilder(const TextReader& reader,
                                     std::span<const std::string> field_names,
                                     const TextQuery& query)
    : reader_(reader),
      field_names_(field_names),
      analyzer_(analyzer_options(reader.sources().index.text),
                query.question.empty() ? query.text : query.question),
      fade_length_(query.fade_length),
      joins_fields_(query.joins_fields),
      joins_forms_(query.joins_forms),
      limits_(query.limits),
      work_(query.limits) {}

std::vector<std::uint8_t> TermScorerBuilder::fields_of(const TextNode& node) const {
  std::vector<std::uint8_t> fields;
  for (std::size_t i = 0; i < field_names_.size(); ++i)
    if (node.field.empty() || node.field == field_names_[i])
      fields.push_back(static_cast<std::uint8_t>(i + 1));
  return fields;
}

Status TermScorerBuilder::append_terms(const TextNode& node, std::vector<WeightedTerm>& out,
                                       Charge& held) const {
  const std::vector<std::uint8_t> fields = fields_of(node);
  if (node.kind != TextNode::Kind::words) {
    for (const std::uint8_t field : fields) CAIRN_TRY(append_expansions(node, field, out, held));
    return {};
  }
  CAIRN_ASSIGN(std::vector<Token> tokens, analyzer_.query_tokens(node.text, work_));
  if (!node.keeps_stop_words) std::erase_if(tokens, [](const Token& t) { return t.is_stop_word; });
  // Word by word: a copy of all of them at once would take long without a look at the limits.
  for (auto first = tokens.begin(), last = first; first != tokens.end(); first = last) {
    CAIRN_TRY(work_.add(bytes_of_term, 0));
    WordForms forms;
    do forms.push_back(std::move((last++)->term));
    while (last != tokens.end() && last->is_other_form);
    if (joins_forms_) analyzer_.add_irregular_forms(forms);
    CAIRN_TRY(append_word(forms, node, fields, out, held));
  }
  return {};
}

// Joined fields share the alternatives of a word; otherwise each field has its own.
Status TermScorerBuilder::append_word(std::span<const std::string> forms, const TextNode& node,
                                      std::span<const std::uint8_t> fields,
                                      std::vector<WeightedTerm>& out, Charge& held) const {
  if (forms.size() == 1 && !analyzer_.may_ask_for_compounds()) {
    const std::string& term = forms.front();
    CAIRN_TRY(held.add(fields.size() * (bytes_of_term + term.size())));
    for (const std::uint8_t field : fields) out.push_back({field, term, node.boost});
    return {};
  }
  if (joins_fields_) return append_alternatives(forms, node, fields, out, held);
  for (std::size_t i = 0; i < fields.size(); ++i)
    CAIRN_TRY(append_alternatives(forms, node, fields.subspan(i, 1), out, held));
  return {};
}

// The number of a word is arbitrary but unique: one more than the number of terms before the word.
Status TermScorerBuilder::append_alternatives(std::span<const std::string> forms,
                                              const TextNode& node,
                                              std::span<const std::uint8_t> fields,
                                              std::vector<WeightedTerm>& out, Charge& held) const {
  const auto append = [&](const std::string& term, double weight, bool is_found,
                          std::uint32_t word) -> Status {
    CAIRN_TRY(held.add(fields.size() * (bytes_of_term + term.size())));
    for (const std::uint8_t field : fields)
      out.push_back({field, term, node.boost * weight, is_found, word});
    return {};
  };
  const auto word = static_cast<std::uint32_t>(out.size() + 1);
  TermWeights compounds, parts;
  for (const std::string& form : forms) CAIRN_TRY(append(form, 1, false, word));
  if (!analyzer_.may_ask_for_compounds()) return {};
  const CompoundTerms finder(reader_, analyzer_, fields, limits_);
  for (const std::string& form : forms) {
    CAIRN_TRY(finder.add_compounds_of(form, compounds));
    CAIRN_ASSIGN(const bool is_foreign, finder.is_of_other_language(form));
    if (!is_foreign) CAIRN_TRY(finder.add_parts_of(form, parts));
  }
  for (const std::string& form : forms) {
    compounds.erase(form);
    parts.erase(form);
  }
  for (const auto& [term, weight] : compounds) CAIRN_TRY(append(term, weight, true, word));
  for (const auto& [term, weight] : parts)
    CAIRN_TRY(append(term, weight, true, static_cast<std::uint32_t>(out.size() + 1)));
  return {};
}

Status TermScorerBuilder::for_each_word(
    std::uint8_t field, std::string_view beginning,
    const std::function<Status(std::string_view)>& visit) const {
  Status visited;
  CAIRN_TRY(reader_.for_each_term(field, beginning, [&](std::string_view term) {
    // Each term is a seek in the store.
    if (limits_ != nullptr) visited = limits_->step(1);
    if (visited && term.front() != marker_sign) visited = visit(term);
    return visited.has_value();
  }));
  return visited;
}

// Fuzzy words are compared with indexed terms, which are stems if the index has stems.
Status TermScorerBuilder::append_expansions(const TextNode& node, std::uint8_t field,
                                            std::vector<WeightedTerm>& out, Charge& held) const {
  // Finding the first term is a scan of the store.
  constexpr std::uint64_t steps_of_scan = 8;
  if (limits_ != nullptr) CAIRN_TRY(limits_->step(steps_of_scan));
  const auto append = [&](std::string_view term, double weight) -> Status {
    CAIRN_TRY(held.add(bytes_of_term + term.size()));
    out.push_back({field, std::string(term), weight, true});
    return {};
  };
  if (node.kind == TextNode::Kind::prefix) {
    const std::string beginning = analyzer_.folded(node.text);
    if (beginning.empty()) return {};
    return for_each_word(field, beginning,
                         [&](std::string_view term) { return append(term, node.boost); });
  }
  Pace pace(limits_);
  CAIRN_ASSIGN(const std::vector<Token> tokens, analyzer_.query_tokens(node.text, work_));
  for (const WordForms& forms : forms_of_words(tokens)) {
    std::vector<std::u32string> all_wanted;
    for (const std::string& form : forms) all_wanted.push_back(code_points(form));
    const auto compare = [&](std::string_view term) -> Status {
      std::uint32_t edits = node.distance + 1;
      for (const std::u32string& wanted : all_wanted) {
        CAIRN_TRY(pace.add(wanted.size() * term.size()));
        edits = std::min(edits, edits_between(wanted, code_points(term), node.distance));
      }
      // A word with fewer edits has a greater weight.
      return edits > node.distance ? Status() : append(term, node.boost / (1.0 + edits));
    };
    CAIRN_TRY(for_each_word(field, "", compare));
  }
  return {};
}

Result<std::vector<TermScorer>> TermScorerBuilder::make_leaves(std::vector<WeightedTerm> terms,
                                                               Charge& held, double* whole) const {
  Pace pace(limits_);
  CAIRN_ASSIGN(const std::vector<WeightedTerm> distinct, each_once(std::move(terms), pace, held));
  std::vector<TermPostingsPtr> postings_of;
  std::vector<std::uint64_t> counts;
  std::map<Counted, std::uint64_t> most_documents;
  for (const WeightedTerm& term : distinct) {
    CAIRN_ASSIGN(auto postings, reader_.postings(term.field, term.term));
    CAIRN_TRY(pace.add(postings->most_memory_bytes()));
    // The words of the question are few, and the cache accounts for their postings, so only found
    // terms are charged.
    if (term.is_found) CAIRN_TRY(held.add(postings->most_memory_bytes()));
    CAIRN_ASSIGN(const std::uint64_t documents, reader_.documents(*postings));
    postings_of.push_back(std::move(postings));
    counts.push_back(documents);
    std::uint64_t& of_term = most_documents[counted_as(term)];
    of_term = std::max(of_term, documents);
  }
  std::vector<TermScorer> leaves;
  const WeightedTerm* last = nullptr;  // the term of the last leaf
  std::map<Counted, double> most;      // the greatest score over the fields
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const WeightedTerm& term = distinct[i];
    // A term of the index without counted documents belongs to other namespaces only.
    if (counts[i] == 0 && term.is_found) continue;
    const std::uint64_t documents =
        joins_fields_ || term.word != 0 ? most_documents[counted_as(term)] : counts[i];
    const double rare = joins_fields_ ? joined_rarity(documents) : rarity(term.field, documents);
    const Bm25 score = scorer(term.field, term.weight, rare);
    double& counted = most[counted_as(term)];
    counted = std::max(counted, score.of_mean_text());
    // A term without documents gets no scorer. Its clause stays, so a required one finds no
    // document.
    if (counts[i] == 0) continue;
    const bool continues =
        joins_fields_ && last != nullptr && last->term == term.term && last->word == term.word;
    leaves.push_back({std::move(postings_of[i]), score, continues, term.word});
    last = &term;
  }
  if (whole != nullptr)
    for (const auto& [term, counted] : most) *whole += counted;
  return leaves;
}

double TermScorerBuilder::rarity(std::uint8_t field, std::uint64_t documents) const {
  return inverse_frequency(reader_.sources().statistics[field - 1U].documents, documents);
}

double TermScorerBuilder::joined_rarity(std::uint64_t documents) const {
  std::uint64_t all = 0;
  for (const auto& field : reader_.sources().statistics) all = std::max(all, field.documents);
  return inverse_frequency(all, documents);
}

Bm25 TermScorerBuilder::scorer(std::uint8_t field, double weight, double inverse_frequency) const {
  const codec::TextOptions& options = reader_.sources().index.text;
  const codec::TextFieldStatistics& statistics = reader_.sources().statistics[field - 1U];
  // The statistics are of the snapshot, with the transaction's own changes, so scores of a snapshot
  // are reproducible.
  const double average = statistics.documents == 0 ? 1
                                                   : static_cast<double>(statistics.words) /
                                                         static_cast<double>(statistics.documents);
  const double field_weight =
      options.weights.size() >= field ? static_cast<double>(options.weights[field - 1U]) : 1.0;
  const double fading =
      fade_length_ ? std::min(1.0, mean_words(reader_.sources().statistics) / long_text_words) : 1;
  if (joins_fields_)
    return {options.k1, options.b * fading, average, weight * inverse_frequency, field_weight};
  return {options.k1, options.b * fading, average, weight * field_weight * inverse_frequency};
}

// Conjunction:
//
// + a  + b   c  - d       iterates over the rarer of a and b, and looks up the other clauses for each document
//
// All cursors only move forward, by galloping over blocks, so the cost depends on the rarest
// required clause. A clause of several terms (a prefix, several fields) is at the smallest id of
// its cursors. Scores are summed in the order of the query, so that all search strategies return
// identical scores.

namespace {

using Occur = TextNode::Occur;

// Work of moving one cursor, as Pace counts it.
constexpr std::uint64_t bytes_of_cursor = 16;

/// A clause as a cursor over the documents that have at least one of its terms.
class ClauseCursor {
 public:
  explicit ClauseCursor(const TextClause& clause) : clause_(&clause) {}
  /// Moves to the first document. Errors: those of the limits.
  [[nodiscard]] Status begin(Pace& pace) {
    cursors_.reserve(clause_->leaves.size());
    for (const TermScorer& leaf : clause_->leaves) {
      // The first block is decoded.
      CAIRN_TRY(pace.add(sizeof(TermCursor) + leaf.postings->blocks().size()));
      cursors_.emplace_back(leaf.postings);
      documents_ += leaf.postings->documents();
    }
    stand();
    return {};
  }

  [[nodiscard]] Occur occur() const noexcept { return clause_->occur; }
  /// Upper bound for the number of documents.
  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  [[nodiscard]] std::size_t terms() const noexcept { return cursors_.size(); }
  void advance(std::uint64_t id) {
    if (id_ >= id) return;
    for (TermCursor& cursor : cursors_) cursor.advance(id);
    stand();
  }
  /// The score of the current document.
  [[nodiscard]] double score() const {
    return sum_of_words(clause_->leaves, [&](std::size_t i) {
      return cursors_[i].id() == id_
                 ? clause_->leaves[i].score.of(cursors_[i].frequency(), cursors_[i].length())
                 : 0;
    });
  }
  [[nodiscard]] bool is_damaged() const {
    return std::any_of(cursors_.begin(), cursors_.end(),
                       [](const TermCursor& cursor) { return cursor.is_damaged(); });
  }

 private:
  // Moves to the smallest id of the cursors.
  void stand() {
    id_ = TermCursor::end;
    for (const TermCursor& cursor : cursors_) id_ = std::min(id_, cursor.id());
  }

  const TextClause* clause_;
  std::vector<TermCursor> cursors_;
  std::uint64_t documents_ = 0;
  std::uint64_t id_ = TermCursor::end;
};

/// Runs one search: required clauses in order of rarity, then the others for documents that have
/// all of them.
class Conjunction {
 public:
  Conjunction(std::vector<ClauseCursor>& clauses, TopHits& top, Pace& pace)
      : top_(top), pace_(pace) {
    for (ClauseCursor& clause : clauses) {
      (clause.occur() == Occur::must ? required_ : others_).push_back(&clause);
      terms_ += clause.terms();
    }
    by_rarity_ = required_;
    std::sort(by_rarity_.begin(), by_rarity_.end(),
              [](const auto* a, const auto* b) { return a->documents() < b->documents(); });
  }

  Status run() {
    return step_through([](std::uint64_t id) { return id; });
  }
  Status run_among(const codec::Bitmap& allowed) {
    codec::IdSeeker seeker(allowed);
    return step_through([&](std::uint64_t id) { return seeker.seek(id); });
  }

 private:
  /// `next_allowed(id)` returns the first document from `id` on that may be a hit. Ids must ascend
  /// from call to call.
  template <class NextAllowed>
  Status step_through(const NextAllowed& next_allowed) {
    ClauseCursor& rarest = *by_rarity_.front();
    const auto others = std::span(by_rarity_).subspan(1);
    for (std::uint64_t id = rarest.id(); id != TermCursor::end; id = rarest.id()) {
      if (pace_.is_due(terms_ * bytes_of_cursor)) CAIRN_TRY(top_.look(pace_));
      // The filter comes first: if it rejects a document, blocks of the other clauses need not be
      // decoded.
      std::uint64_t next = next_allowed(id);
      if (next == id) {
        next = first_behind(others, id);
        if (next == id) {
          offer(id);
          ++next;
        }
      }
      rarest.advance(next);
    }
    return {};
  }

  /// Returns `id` if all clauses have it, otherwise the next document of the first clause that does
  /// not.
  static std::uint64_t first_behind(std::span<ClauseCursor* const> clauses, std::uint64_t id) {
    for (ClauseCursor* clause : clauses) {
      clause->advance(id);
      if (clause->id() != id) return clause->id();
    }
    return id;
  }

  // Offers a document that has all required clauses, unless an excluded clause has it too.
  void offer(std::uint64_t id) {
    double optional = 0;
    for (ClauseCursor* clause : others_) {
      clause->advance(id);
      if (clause->id() != id) continue;
      // Excluded clauses are checked only for documents that have all required ones.
      if (clause->occur() == Occur::must_not) return;
      optional += clause->score();
    }
    double required = 0;
    for (const ClauseCursor* clause : required_) required += clause->score();
    top_.offer({id, required + optional});
  }

  TopHits& top_;
  Pace& pace_;
  std::size_t terms_ = 0;                 // of all clauses
  std::vector<ClauseCursor*> required_;   // in the order of the query
  std::vector<ClauseCursor*> others_;     // in the order of the query
  std::vector<ClauseCursor*> by_rarity_;  // the required ones, rarest first
};

}  // namespace

Result<std::vector<TextHit>> find_conjunction_scorer(const std::vector<TextClause>& clauses,
                                                     std::size_t k, const codec::Bitmap* allowed,
                                                     Limits* limits) {
  Pace pace(limits);
  std::vector<ClauseCursor> cursors(clauses.begin(), clauses.end());
  for (ClauseCursor& cursor : cursors) CAIRN_TRY(cursor.begin(pace));
  TopHits top(k, limits);
  Conjunction conjunction(cursors, top, pace);
  CAIRN_TRY(allowed != nullptr ? conjunction.run_among(*allowed) : conjunction.run());
  const bool damaged = std::any_of(cursors.begin(), cursors.end(),
                                   [](const auto& cursor) { return cursor.is_damaged(); });
  if (damaged) return codec::corruption("postings of a full-text index are damaged");
  return top.take();
}

}  // namespace cairn::engine

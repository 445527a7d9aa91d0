#include "engine/fulltext/term_scorer.hpp"

#include "codec/byte_io.hpp"
#include "codec/sorted_ids.hpp"
#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/text_features.hpp"
#include "engine/fulltext/top_k_documents.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace cairn::engine {

// From words of a question to leaves: term, postings, scorer. The weight of a leaf is the product of the boost of the
// clause, the weight of the field, the rarity of the term in the field, and for fuzzy words the
// closeness of the match. A term that comes twice, by two words or two expansions, is one leaf with the sum of
// the weights.
//
// Prefixes and fuzzy words walk the terms of their fields: cost by the size of the vocabulary, not
// of the texts.

namespace {

/// Texts of this mean length or a larger one keep their b, where it fades.
constexpr double long_text_words = 60;

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
                                     std::span<const std::string> field_names, bool fade_length)
    : reader_(reader),
      field_names_(field_names),
      analyzer_(analyzer_options(reader.sources().index.text)),
      fade_length_(fade_length) {}

std::vector<std::uint8_t> TermScorerBuilder::fields_of(const TextNode& node) const {
  std::vector<std::uint8_t> fields;
  for (std::size_t i = 0; i < field_names_.size(); ++i)
    if (node.field.empty() || node.field == field_names_[i])
      fields.push_back(static_cast<std::uint8_t>(i + 1));
  return fields;
}

Status TermScorerBuilder::append_terms(const TextNode& node, std::vector<WeightedTerm>& out) const {
  const std::vector<std::uint8_t> fields = fields_of(node);
  if (node.kind != TextNode::Kind::words) {
    for (const std::uint8_t field : fields) CAIRN_TRY(append_expansions(node, field, out));
    return {};
  }
  for (const Token& token : analyzer_.query_tokens(node.text)) {
    if (token.is_stop_word && !node.keeps_stop_words) continue;
    for (const std::uint8_t field : fields) out.push_back({field, token.term, node.boost});
  }
  return {};
}

// A fuzzy word is compared with the terms as they are indexed: with stems, if the index has stems.
Status TermScorerBuilder::append_expansions(const TextNode& node, std::uint8_t field,
                                            std::vector<WeightedTerm>& out) const {
  const auto is_word = [](std::string_view term) { return term.front() != marker_sign; };
  if (node.kind == TextNode::Kind::prefix) {
    const std::string beginning = analyzer_.folded(node.text);
    if (beginning.empty()) return {};
    return reader_.for_each_term(field, beginning, [&](std::string_view term) {
      if (is_word(term)) out.push_back({field, std::string(term), node.boost, true});
      return true;
    });
  }
  for (const Token& token : analyzer_.query_tokens(node.text)) {
    const std::u32string wanted = code_points(token.term);
    CAIRN_TRY(reader_.for_each_term(field, "", [&](std::string_view term) {
      const std::uint32_t edits = edits_between(wanted, code_points(term), node.distance);
      // What is spelled as asked counts most.
      if (edits <= node.distance && is_word(term))
        out.push_back({field, std::string(term), node.boost / (1.0 + edits), true});
      return true;
    }));
  }
  return {};
}

Result<std::vector<TermScorer>> TermScorerBuilder::make_leaves(std::vector<WeightedTerm> terms,
                                                               double* whole) const {
  std::map<std::pair<std::uint8_t, std::string>, std::size_t> places;
  std::vector<WeightedTerm> distinct;
  for (WeightedTerm& term : terms) {
    const auto [place, is_new] = places.try_emplace({term.field, term.term}, distinct.size());
    if (is_new)
      distinct.push_back(std::move(term));
    else
      distinct[place->second].add(term);
  }
  std::vector<TermScorer> leaves;
  std::map<std::string, double> most;  // of each term, over the fields
  for (const WeightedTerm& term : distinct) {
    CAIRN_ASSIGN(auto postings, reader_.postings(term.field, term.term));
    CAIRN_ASSIGN(const std::uint64_t documents, reader_.documents(*postings));
    // A word that is in the index, and in no document that counts, is of other namespaces.
    if (documents == 0 && term.is_found) continue;
    const Bm25 score = scorer(term.field, term.weight, rarity(term.field, documents));
    double& counted = most[term.term];
    counted = std::max(counted, score.of_mean_text());
    // A term in no document is left out, but its clause stays, and a required one then finds nothing.
    if (documents > 0) leaves.push_back({std::move(postings), score});
  }
  if (whole != nullptr)
    for (const auto& [term, counted] : most) *whole += counted;
  return leaves;
}

double TermScorerBuilder::rarity(std::uint8_t field, std::uint64_t documents) const {
  return inverse_frequency(reader_.sources().statistics[field - 1U].documents, documents);
}

Bm25 TermScorerBuilder::scorer(std::uint8_t field, double weight, double inverse_frequency) const {
  const codec::TextOptions& options = reader_.sources().index.text;
  const codec::TextFieldStatistics& statistics = reader_.sources().statistics[field - 1U];
  // Statistics are those of the reader's commit with a transaction's own changes: scores of one
  // snapshot are reproducible.
  const double average = statistics.documents == 0 ? 1
                                                   : static_cast<double>(statistics.words) /
                                                         static_cast<double>(statistics.documents);
  const double field_weight =
      options.weights.size() >= field ? static_cast<double>(options.weights[field - 1U]) : 1.0;
  const double fading =
      fade_length_ ? std::min(1.0, mean_words(reader_.sources().statistics) / long_text_words) : 1;
  return {options.k1, options.b * fading, average, weight * field_weight * inverse_frequency};
}

// + a  + b   c  - d       steps through the rarest of a and b, asks the others about its documents
//
// All cursors only move forward, by galloping over blocks: the cost follows the rarest required
// clause, however common the others are. A clause of several leaves (a prefix, several fields) is
// one cursor on the smallest id of its leaves. Scores are summed in the order of the question, so
// that the two executors and the plain evaluation agree to the bit.

namespace {

using Occur = TextNode::Occur;

/// The cursors of a clause, of which the first document counts.
class ClauseCursor {
 public:
  explicit ClauseCursor(const TextClause& clause) : clause_(&clause) {
    cursors_.reserve(clause.leaves.size());
    for (const TermScorer& leaf : clause.leaves) {
      cursors_.emplace_back(leaf.postings);
      documents_ += leaf.postings->documents();
    }
    stand();
  }

  [[nodiscard]] Occur occur() const noexcept { return clause_->occur; }
  /// At most.
  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  void advance(std::uint64_t id) {
    if (id_ >= id) return;
    for (TermCursor& cursor : cursors_) cursor.advance(id);
    stand();
  }
  /// The score of the current document.
  [[nodiscard]] double score() const {
    double score = 0;
    for (std::size_t i = 0; i < cursors_.size(); ++i)
      if (cursors_[i].id() == id_)
        score += clause_->leaves[i].score.of(cursors_[i].frequency(), cursors_[i].length());
    return score;
  }
  [[nodiscard]] bool is_damaged() const {
    return std::any_of(cursors_.begin(), cursors_.end(),
                       [](const TermCursor& cursor) { return cursor.is_damaged(); });
  }

 private:
  void stand() {
    id_ = TermCursor::end;
    for (const TermCursor& cursor : cursors_) id_ = std::min(id_, cursor.id());
  }

  const TextClause* clause_;
  std::vector<TermCursor> cursors_;
  std::uint64_t documents_ = 0;
  std::uint64_t id_ = TermCursor::end;
};

class Conjunction {
 public:
  Conjunction(std::vector<ClauseCursor>& clauses, TopHits& top) : top_(top) {
    for (ClauseCursor& clause : clauses)
      (clause.occur() == Occur::must ? required_ : others_).push_back(&clause);
    by_rarity_ = required_;
    std::sort(by_rarity_.begin(), by_rarity_.end(),
              [](const auto* a, const auto* b) { return a->documents() < b->documents(); });
  }

  void run() {
    step_through([](std::uint64_t id) { return id; });
  }
  void run_among(const codec::Bitmap& allowed) {
    codec::IdSeeker seeker(allowed);
    step_through([&](std::uint64_t id) { return seeker.seek(id); });
  }

 private:
  /// `next_allowed` gives the first document from an id on that may be a hit, the ids ascending.
  template <class NextAllowed>
  void step_through(const NextAllowed& next_allowed) {
    ClauseCursor& rarest = *by_rarity_.front();
    const auto others = std::span(by_rarity_).subspan(1);
    for (std::uint64_t id = rarest.id(); id != TermCursor::end; id = rarest.id()) {
      // Asked before the others, whose blocks need not be decoded then.
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
  }

  /// `id`, if all clauses have it; else where the first that lacks it goes on.
  static std::uint64_t first_behind(std::span<ClauseCursor* const> clauses, std::uint64_t id) {
    for (ClauseCursor* clause : clauses) {
      clause->advance(id);
      if (clause->id() != id) return clause->id();
    }
    return id;
  }

  void offer(std::uint64_t id) {
    double optional = 0;
    for (ClauseCursor* clause : others_) {
      clause->advance(id);
      if (clause->id() != id) continue;
      // Checked last, for documents that pass all other clauses.
      if (clause->occur() == Occur::must_not) return;
      optional += clause->score();
    }
    double required = 0;
    for (const ClauseCursor* clause : required_) required += clause->score();
    top_.offer({id, required + optional});
  }

  TopHits& top_;
  std::vector<ClauseCursor*> required_;   // in the order of the question
  std::vector<ClauseCursor*> others_;     // likewise
  std::vector<ClauseCursor*> by_rarity_;  // the required ones
};

}  // namespace

Result<std::vector<TextHit>> find_conjunction_scorer(const std::vector<TextClause>& clauses,
                                                     std::size_t k, const codec::Bitmap* allowed) {
  std::vector<ClauseCursor> cursors(clauses.begin(), clauses.end());
  TopHits top(k);
  Conjunction conjunction(cursors, top);
  if (allowed != nullptr)
    conjunction.run_among(*allowed);
  else
    conjunction.run();
  const bool damaged = std::any_of(cursors.begin(), cursors.end(),
                                   [](const auto& cursor) { return cursor.is_damaged(); });
  if (damaged) return codec::corruption("postings of a full-text index are damaged");
  return top.take();
}

}  // namespace cairn::engine

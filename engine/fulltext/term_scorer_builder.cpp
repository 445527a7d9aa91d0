// From words of a question to leaves: term, postings, scorer. What weighs a leaf: the boost of the
// clause, the weight of the field, how rare the term is in the field, and for fuzzy words how far
// off it is. A term that comes twice, by two words or two expansions, is one leaf with the sum of
// the weights.
//
// Prefixes and fuzzy words walk the terms of their fields: cost by the size of the vocabulary, not
// of the texts.
#include "engine/fulltext/term_scorer_builder.hpp"

#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/text_features.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cairn::engine {
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
      if (is_word(term)) out.push_back({field, std::string(term), node.boost});
      return true;
    });
  }
  for (const Token& token : analyzer_.query_tokens(node.text)) {
    const std::u32string wanted = code_points(token.term);
    CAIRN_TRY(reader_.for_each_term(field, "", [&](std::string_view term) {
      const std::uint32_t edits = edits_between(wanted, code_points(term), node.distance);
      // What is spelled as asked counts most.
      if (edits <= node.distance && is_word(term))
        out.push_back({field, std::string(term), node.boost / (1.0 + edits)});
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
      distinct[place->second].weight += term.weight;
  }
  std::vector<TermScorer> leaves;
  std::map<std::string, double> most;  // of each term, over the fields
  for (const WeightedTerm& term : distinct) {
    CAIRN_ASSIGN(auto postings, reader_.postings(term.field, term.term));
    const Bm25 score = scorer(term.field, term.weight, rarity(term.field, *postings));
    double& counted = most[term.term];
    counted = std::max(counted, score.of_mean_text());
    // A term nobody has: left out, but its clause stays, and a required one then finds nothing.
    if (postings->documents() > 0) leaves.push_back({std::move(postings), score});
  }
  if (whole != nullptr)
    for (const auto& [term, counted] : most) *whole += counted;
  return leaves;
}

double TermScorerBuilder::rarity(std::uint8_t field, const TermPostings& postings) const {
  return inverse_frequency(reader_.sources().statistics[field - 1U].documents,
                           postings.documents());
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

}  // namespace cairn::engine

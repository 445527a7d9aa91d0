// Only texts that count for the question decide whether letters are a word, so that records of
// other namespaces change no score. A known part alone proves little ("Tier" in "Quartier"): if the
// rest is not a word of the index, part and rest must be long, and the compound counts less.
#include "engine/fulltext/compound_terms.hpp"

#include "engine/fulltext/compounds.hpp"
#include "engine/fulltext/stop_words.hpp"
#include "engine/system/limits.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

/// Both words of a compound are words of the index.
constexpr double weight_of_known = 0.6;
/// Only one of the two words is a word of the index.
constexpr double weight_of_likely = 0.3;
/// Letters that both words of a likely compound have at least.
constexpr std::size_t likely_part = 5;
constexpr std::size_t likely_rest = 4;

void raise(TermWeights& weights, const std::string& term, double weight) {
  double& present = weights[term];
  present = std::max(present, weight);
}

bool are_long(std::string_view part, std::string_view rest) {
  return count_letters(part) >= likely_part && count_letters(rest) >= likely_rest;
}

}  // namespace

Result<std::string> CompoundTerms::known_term(std::string_view word) const {
  if (is_stop_word(analyzer_.options().language, word)) return std::string();
  for (const Token& token : analyzer_.query_tokens(word)) {
    CAIRN_ASSIGN(const bool is_known, has_documents(token.term));
    if (is_known) return token.term;
  }
  return std::string();
}

// Stops at the first field with a document.
Result<bool> CompoundTerms::has_documents(std::string_view term) const {
  for (const std::uint8_t field : fields_) {
    if (limits_ != nullptr) CAIRN_TRY(limits_->step(1));
    CAIRN_ASSIGN(const auto postings, reader_.postings(field, term));
    CAIRN_ASSIGN(const std::uint64_t documents, reader_.documents(*postings));
    if (documents > 0) return true;
  }
  return false;
}

// In texts of a language with compounds, each long word has a mark. So a long term without a mark
// is of another language.
Result<bool> CompoundTerms::is_of_other_language(std::string_view term) const {
  if (!analyzer_.has_texts_without_compounds() || count_letters(term) < shortest_compound)
    return false;
  CAIRN_ASSIGN(const bool is_known, has_documents(term));
  if (!is_known) return false;
  CAIRN_ASSIGN(const bool is_marked, has_documents(compound_mark(term)));
  return !is_marked;
}

// Returns 0 if `part` is not a word of the compound.
Result<double> CompoundTerms::weight_of(std::string_view compound, std::string_view part) const {
  double best = 0;
  for (const CompoundRest& rest : compound_rests(compound, part)) {
    if (is_stop_word(analyzer_.options().language, rest.rest)) continue;
    CAIRN_ASSIGN(const std::string known, known_term(rest.rest));
    if (!known.empty()) return weight_of_known;
    if (are_long(part, rest.rest)) best = weight_of_likely;
  }
  return best;
}

Status CompoundTerms::collect(std::string_view beginning,
                              const std::function<std::string(std::string_view)>& compound_of,
                              std::string_view part, TermWeights& out) const {
  constexpr std::size_t bytes_of_term = 160;  // here and in the result, without letters
  Status visited;
  std::vector<std::string> found;
  Charge held(limits_);
  for (const std::uint8_t field : fields_) {
    CAIRN_TRY(reader_.for_each_term(field, beginning, [&](std::string_view term) {
      if (limits_ != nullptr) visited = limits_->step(1);
      if (!visited || term.size() <= beginning.size()) return visited.has_value();
      visited = held.add(bytes_of_term + 2 * term.size());
      if (visited) found.push_back(compound_of(term));
      return visited.has_value();
    }));
    CAIRN_TRY(visited);
  }
  for (const std::string& compound : found) {
    CAIRN_ASSIGN(const double weight, weight_of(compound, part));
    if (weight == 0) continue;
    CAIRN_ASSIGN(const bool is_foreign, is_of_other_language(compound));
    if (!is_foreign) raise(out, compound, weight);
  }
  return {};
}

// If the index has beginnings of words as terms, these find the compounds that begin with `term`.
Status CompoundTerms::add_compounds_of(std::string_view term, TermWeights& out) const {
  if (count_letters(term) < shortest_part) return {};
  CAIRN_TRY(collect(compound_mark(term), marked_compound, term, out));
  if (analyzer_.options().gram_length > 0) return {};
  return collect(term, [](std::string_view compound) { return std::string(compound); }, term, out);
}

Status CompoundTerms::add_parts_of(std::string_view term, TermWeights& out) const {
  TermWeights likely;
  const std::size_t before = out.size();
  for (const CompoundSplit& split : compound_splits(term)) {
    CAIRN_ASSIGN(const std::string first, known_term(split.first));
    CAIRN_ASSIGN(const std::string second, known_term(split.second));
    if (!first.empty() && !second.empty()) {
      raise(out, first, weight_of_known);
      raise(out, second, weight_of_known);
    } else if (!first.empty() && are_long(split.first, split.second)) {
      raise(likely, first, weight_of_likely);
    } else if (!second.empty() && are_long(split.second, split.first)) {
      raise(likely, second, weight_of_likely);
    }
  }
  if (out.size() == before) out.merge(likely);
  return {};
}

}  // namespace cairn::engine

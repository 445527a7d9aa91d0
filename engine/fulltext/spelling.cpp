// Near terms are collected by their distance first. Their documents are counted afterwards, nearest terms first, because
// a count reads postings.
#include "engine/fulltext/spelling.hpp"

#include "engine/fulltext/edit_distance.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::engine {
namespace {

// Short words have many neighbours that mean something else. From how many letters on a word may be corrected:
constexpr std::size_t shortest_word = 4;  // two letters are exchanged
constexpr std::size_t middle_word = 6;    // one letter differs
constexpr std::size_t long_word = 9;      // two letters differ
constexpr std::uint32_t most_edits = 2;
/// Limit of the terms of one distance. More are no evidence for any of them.
constexpr std::size_t most_terms = 64;

using NearTerms = std::array<std::vector<std::string>, most_edits + 1>;  // by distance

/// True if a search for the term as a word finds the term.
bool is_stable(const Analyzer& analyzer, std::string_view term) {
  const auto tokens = analyzer.query_tokens(term);
  return tokens.size() == 1 && tokens.front().term == term && !tokens.front().is_stop_word;
}

std::size_t number_of_fields(const TextReader& reader) {
  return reader.sources().index.properties.size();
}

/// The number of counted documents with the term, in the field where most have it.
Result<std::uint64_t> documents_with(const TextReader& reader, std::string_view term) {
  std::uint64_t most = 0;
  for (std::size_t field = 1; field <= number_of_fields(reader); ++field) {
    CAIRN_ASSIGN(const auto postings, reader.postings(static_cast<std::uint8_t>(field), term));
    CAIRN_ASSIGN(const std::uint64_t documents, reader.documents(*postings));
    most = std::max(most, documents);
  }
  return most;
}

/// Collects the terms that begin with the same letter as `term`.
Result<NearTerms> near_terms(const TextReader& reader, const std::string& term, Limits* limits) {
  const std::u32string wanted = code_points(term);
  const std::uint32_t limit = wanted.size() >= long_word ? most_edits : 1;
  const bool only_exchanged = wanted.size() < middle_word;
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  const auto second = std::find_if_not(term.begin() + 1, term.end(), is_inside);
  const std::string first(term.begin(), second);
  NearTerms near;
  Pace pace(limits);
  Status paced;
  const auto visit = [&](std::string_view other) {
    paced = pace.add(wanted.size() * other.size());
    const std::u32string letters = code_points(other);
    const std::uint32_t edits = edits_between(wanted, letters, limit);
    const bool is_near =
        edits <= limit && (!only_exchanged || std::ranges::is_permutation(wanted, letters));
    if (is_near && near[edits].size() < most_terms) near[edits].emplace_back(other);
    return paced.has_value();
  };
  for (std::size_t field = 1; field <= number_of_fields(reader); ++field) {
    CAIRN_TRY(reader.for_each_term(static_cast<std::uint8_t>(field), first, visit));
    CAIRN_TRY(paced);
  }
  return near;
}

/// The term with the most documents; the first of several in their order.
Result<std::optional<std::string>> most_common(const TextReader& reader, const Analyzer& analyzer,
                                               const std::vector<std::string>& terms) {
  std::optional<std::string> best;
  std::uint64_t most = 0;
  for (const std::string& term : terms) {
    CAIRN_ASSIGN(const std::uint64_t documents, documents_with(reader, term));
    if (documents <= most || !is_stable(analyzer, term)) continue;
    most = documents;
    best = term;
  }
  return best;
}

}  // namespace

// Beginnings of words are terms too if the index has grams. Then any near beginning would be a correction, so that no
// word is corrected.
Result<std::optional<std::string>> corrected_word(const TextReader& reader,
                                                  const Analyzer& analyzer, std::string_view word,
                                                  Limits* limits) {
  const std::optional<std::string> none;
  const auto tokens = analyzer.query_tokens(word);
  if (tokens.size() != 1 || tokens.front().is_stop_word || analyzer.options().gram_length > 0)
    return none;
  const std::string& term = tokens.front().term;
  const bool has_digit =
      std::any_of(term.begin(), term.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (has_digit || code_points(term).size() < shortest_word) return none;
  CAIRN_ASSIGN(const std::uint64_t documents, documents_with(reader, term));
  if (documents > 0) return none;
  CAIRN_ASSIGN(const NearTerms near, near_terms(reader, term, limits));
  for (const std::vector<std::string>& terms : near) {
    CAIRN_ASSIGN(auto best, most_common(reader, analyzer, terms));
    if (best) return best;
  }
  return none;
}

}  // namespace cairn::engine

// Near terms are collected by their distance first. Their texts are counted afterwards, nearest terms first, because a
// count reads postings. Only the caller's texts count, so that the words of others change nothing.
#include "engine/fulltext/spelling.hpp"

#include "codec/byte_io.hpp"
#include "codec/sorted_ids.hpp"
#include "engine/fulltext/compound_terms.hpp"
#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/term_postings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

// Short words have many neighbours that mean something else. From how many letters on a word may be corrected:
constexpr std::size_t shortest_word = 4;  // two letters are exchanged
constexpr std::size_t middle_word = 6;    // one letter differs
constexpr std::size_t long_word = 9;      // two letters differ
constexpr std::uint32_t most_edits = 2;

using NearTerms = std::array<std::set<std::string>, most_edits + 1>;  // by distance

/// Memory of a term that is held, besides its letters.
constexpr std::size_t bytes_of_term = 96;

/// True if all tokens are forms of one word.
bool is_one_word(const std::vector<Token>& tokens) {
  return !tokens.empty() && std::all_of(tokens.begin() + 1, tokens.end(),
                                        [](const Token& token) { return token.is_other_form; });
}

/// True if a search for the term as a word finds the term.
bool is_stable(const Analyzer& analyzer, std::string_view term) {
  const auto tokens = analyzer.query_tokens(term);
  return is_one_word(tokens) && !tokens.front().is_stop_word &&
         std::ranges::any_of(tokens, [&](const Token& token) { return token.term == term; });
}

std::size_t number_of_fields(const TextReader& reader) {
  return reader.sources().index.properties.size();
}

/// The number of `texts` with the term, in the field where most have it, but at most `most`.
Result<std::uint64_t> texts_with(const TextReader& reader, std::string_view term,
                                 const codec::Bitmap& texts, std::uint64_t most, Limits* limits) {
  std::uint64_t best = 0;
  Pace pace(limits);
  for (std::size_t field = 1; field <= number_of_fields(reader) && best < most; ++field) {
    CAIRN_ASSIGN(auto postings, reader.postings(static_cast<std::uint8_t>(field), term));
    TermCursor cursor(std::move(postings));
    codec::IdSeeker seeker(texts);
    std::uint64_t count = 0;
    while (cursor.id() != TermCursor::end && count < most) {
      CAIRN_TRY(pace.add(sizeof(std::uint64_t)));
      const std::uint64_t id = seeker.seek(cursor.id());
      if (id == cursor.id()) {
        ++count;
        cursor.next();
      } else {
        cursor.advance(id);
      }
    }
    if (cursor.is_damaged()) return codec::corruption("postings of a full-text index are damaged");
    best = std::max(best, count);
  }
  return best;
}

/// Collects the terms that begin with the same letter as `term`.
Result<NearTerms> near_terms(const TextReader& reader, const std::string& term, Charge& held,
                             Limits* limits) {
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
    if (!paced) return false;
    const std::u32string letters = code_points(other);
    const std::uint32_t edits = edits_between(wanted, letters, limit);
    const bool is_near =
        edits <= limit && (!only_exchanged || std::ranges::is_permutation(wanted, letters));
    if (is_near && near[edits].emplace(other).second)
      paced = held.add(bytes_of_term + other.size());
    return paced.has_value();
  };
  for (std::size_t field = 1; field <= number_of_fields(reader); ++field) {
    CAIRN_TRY(reader.for_each_term(static_cast<std::uint8_t>(field), first, visit));
    CAIRN_TRY(paced);
  }
  return near;
}

/// True if the term is a part of words of the index, or consists of them.
Result<bool> is_of_known_parts(const TextReader& reader, const Analyzer& analyzer,
                               const std::string& term, Limits* limits) {
  if (!analyzer.may_ask_for_compounds()) return false;
  std::vector<std::uint8_t> fields(number_of_fields(reader));
  std::iota(fields.begin(), fields.end(), std::uint8_t{1});
  const CompoundTerms finder(reader, analyzer, fields, limits);
  TermWeights found;
  CAIRN_TRY(finder.add_compounds_of(term, found));
  if (found.empty()) CAIRN_TRY(finder.add_parts_of(term, found));
  return !found.empty();
}

/// The term that most of `texts` have; the first of several in their order.
Result<std::optional<std::string>> most_common(const TextReader& reader, const Analyzer& analyzer,
                                               const std::set<std::string>& terms,
                                               const codec::Bitmap& texts, Limits* limits) {
  constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();
  std::optional<std::string> best;
  std::uint64_t most = 0;
  for (const std::string& term : terms) {
    CAIRN_ASSIGN(const std::uint64_t count, texts_with(reader, term, texts, no_limit, limits));
    if (count <= most || !is_stable(analyzer, term)) continue;
    most = count;
    best = term;
  }
  return best;
}

}  // namespace

// Beginnings of words are terms too if the index has grams. Then any near beginning would be a correction, so that no
// word is corrected.
Result<std::optional<std::string>> corrected_word(const TextReader& reader,
                                                  const Analyzer& analyzer, std::string_view word,
                                                  const codec::Bitmap& texts, Limits* limits) {
  const std::optional<std::string> none;
  const auto tokens = analyzer.query_tokens(word);
  if (!is_one_word(tokens) || tokens.front().is_stop_word || analyzer.options().gram_length > 0)
    return none;
  const std::string& term = tokens.front().term;
  const bool has_digit =
      std::any_of(term.begin(), term.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (has_digit || code_points(term).size() < shortest_word) return none;
  // An irregular word is not misspelt: the texts may have another form of it.
  WordForms forms = forms_of_words(tokens).front();
  if (analyzer.add_irregular_forms(forms)) return none;
  for (const std::string& form : forms) {
    CAIRN_ASSIGN(const std::uint64_t known, texts_with(reader, form, texts, 1, limits));
    if (known > 0) return none;
  }
  CAIRN_ASSIGN(const bool has_parts, is_of_known_parts(reader, analyzer, term, limits));
  if (has_parts) return none;
  Charge held(limits);
  CAIRN_ASSIGN(const NearTerms near, near_terms(reader, term, held, limits));
  for (const std::set<std::string>& terms : near) {
    CAIRN_ASSIGN(auto best, most_common(reader, analyzer, terms, texts, limits));
    if (best) return best;
  }
  return none;
}

}  // namespace cairn::engine

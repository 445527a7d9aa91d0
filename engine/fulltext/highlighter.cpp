// Finds highlights by analysing the text as the index did. No offsets are stored, so an index pays
// nothing for texts that are never shown. Phrases are marked first, then single words outside of
// them.
//
// The work is bounded for hostile queries: only phrases of at most 32 words are marked, and a
// phrase is tried at most once for each occurrence of each of its words.
#include "engine/fulltext/highlighter.hpp"

#include "codec/utf8.hpp"
#include "engine/fulltext/compounds.hpp"
#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/phrase_matcher.hpp"
#include "engine/fulltext/stop_words.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace cairn::engine {
namespace {

using Kind = TextNode::Kind;

/// Cost of a lookup in a tree, in bytes of text that could be read meanwhile.
constexpr std::size_t bytes_of_look_up = 256;

/// One word of a query.
struct Wanted {
  Kind kind = Kind::words;
  std::string term;
  std::uint32_t distance = 0;
  bool is_part = false;  ///< also matches words that may share a part with it

  [[nodiscard]] bool matches(const std::string& other) const {
    if (kind == Kind::prefix) return other.starts_with(term);
    if (kind == Kind::fuzzy)
      return edits_between(code_points(term), code_points(other), distance) <= distance;
    return other == term || (is_part && may_share_part(other, term));
  }
};

// Collects the words, prefixes and fuzzy words of a query that may be highlighted.
Status append_wanted(const Analyzer& analyzer, const TextNode& node, std::vector<Wanted>& out,
                     TextWork& work) {
  CAIRN_TRY(work.add(bytes_of_look_up, out.capacity() * 2 * sizeof(Wanted)));
  if (node.occur == TextNode::Occur::must_not) return {};
  for (const TextNode& child : node.children) CAIRN_TRY(append_wanted(analyzer, child, out, work));
  if (node.kind == Kind::group || node.kind == Kind::phrase) return {};
  if (node.kind == Kind::prefix) {
    out.push_back({Kind::prefix, analyzer.folded(node.text)});
    return {};
  }
  // Prefixes and fuzzy words are meant as they are written, even if they are stop words.
  const bool keeps = node.kind != Kind::words || node.keeps_stop_words;
  CAIRN_ASSIGN(const std::vector<Token> tokens, analyzer.query_tokens(node.text, work));
  for (const Token& token : tokens)
    if (keeps || !token.is_stop_word)
      out.push_back({node.kind, token.term, node.distance, analyzer.may_ask_for_compounds()});
  return {};
}

/// A phrase of a query; its terms have ascending offsets.
struct WantedPhrase {
  std::vector<PhraseTerm> terms;
  std::uint32_t slop = 0;
};

/// Longer phrases are not marked, because each word adds places at which all words are tried.
constexpr std::size_t most_phrase_terms = 32;

// Collects the phrases of a query that may be highlighted.
Status append_phrases(const Analyzer& analyzer, const TextNode& node,
                      std::vector<WantedPhrase>& out, TextWork& work) {
  CAIRN_TRY(work.add(sizeof(TextNode), 0));
  if (node.occur == TextNode::Occur::must_not) return {};
  for (const TextNode& child : node.children) CAIRN_TRY(append_phrases(analyzer, child, out, work));
  if (node.kind != Kind::phrase) return {};
  CAIRN_ASSIGN(const auto all, analyzer.phrase_tokens(node.text, work));
  for (const std::vector<Token>& tokens : all) {
    WantedPhrase phrase{{}, node.distance};
    for (const Token& token : tokens) phrase.terms.push_back({token.term, token.position});
    if (!phrase.terms.empty() && phrase.terms.size() <= most_phrase_terms)
      out.push_back(std::move(phrase));
  }
  return {};
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Memory of a token with its place, mark and result, in containers that may be half empty.
constexpr std::size_t bytes_of_token = 320;

/// True if the byte cannot be inside a word: a blank, or punctuation of texts without blanks.
bool parts_words(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  return is_blank(text[at]) || rest.starts_with("\u3002") || rest.starts_with("\uff0c");
}

/// Returns the end of a piece for analysis, if possible before a blank or punctuation. A longer
/// word is cut; its term is cut far earlier anyway.
std::size_t end_of_piece(std::string_view text, std::size_t begin) {
  constexpr std::size_t usual_bytes = 16'384;
  constexpr std::size_t longest_word = 4'096;
  if (text.size() - begin <= usual_bytes + longest_word) return text.size();
  const std::size_t last = begin + usual_bytes + longest_word;
  for (std::size_t at = begin + usual_bytes; at < last; ++at)
    if (parts_words(text, at)) return at;
  std::size_t end = last;
  while (end > begin + usual_bytes && codec::is_utf8_continuation(text[end])) --end;
  return end;
}

/// The tokens of the whole text, analysed in pieces. Positions are counted through all pieces.
Result<std::vector<Token>> paced_tokens(const Analyzer& analyzer, std::string_view text,
                                        Limits* limits) {
  TextWork work(limits);
  std::vector<Token> tokens;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = end_of_piece(text, begin);
    const std::uint32_t position = tokens.empty() ? 0 : tokens.back().position + 1;
    CAIRN_ASSIGN(std::vector<Token> found,
                 analyzer.query_tokens(text.substr(begin, end - begin), work));
    for (Token& token : found) {
      token.position += position;
      token.begin += static_cast<std::uint32_t>(begin);
      token.end += static_cast<std::uint32_t>(begin);
      tokens.push_back(std::move(token));
    }
    if (limits != nullptr) CAIRN_TRY(limits->check_room(tokens.size() * bytes_of_token));
    begin = end;
  }
  return tokens;
}

/// The words of a text by term and then by position.
using TokenPlaces = std::map<std::string_view, std::map<std::int64_t, const Token*>>;

/// Finds an occurrence of the phrase that begins at position `low`: each word is at its offset or
/// at most `slop` after it. No word of the text is used twice. Returns its bytes.
std::optional<WordRange> phrase_at(const WantedPhrase& phrase, const TokenPlaces& places,
                                   std::int64_t low) {
  WordRange range{std::string_view::npos, 0};
  std::set<std::int64_t> taken;
  for (const PhraseTerm& term : phrase.terms) {
    const auto found = places.find(term.term);
    if (found == places.end()) return std::nullopt;
    // A greedy choice from the left suffices, because all words have the same slop.
    auto at = found->second.lower_bound(low + term.offset);
    while (at != found->second.end() && taken.contains(at->first)) ++at;
    if (at == found->second.end() || at->first > low + term.offset + phrase.slop)
      return std::nullopt;
    taken.insert(at->first);
    range.begin = std::min<std::size_t>(range.begin, at->second->begin);
    range.end = std::max<std::size_t>(range.end, at->second->end);
  }
  return range;
}

/// Highlights by their first byte, without overlaps.
using Marked = std::map<std::size_t, Highlight>;

// True if no marked highlight overlaps the range.
bool is_free(const Marked& marked, const WordRange& range) {
  const auto next = marked.lower_bound(range.end);
  return next == marked.begin() || std::prev(next)->second.end <= range.begin;
}

// Marks the occurrences of a phrase, the shortest first: of "green, green tea" the second "green"
// belongs to the phrase.
Status mark_phrase(const WantedPhrase& phrase, const TokenPlaces& places, std::size_t number,
                   Pace& pace, Marked& marked) {
  std::set<std::int64_t> beginnings;
  for (const PhraseTerm& term : phrase.terms) {
    const auto all = places.find(term.term);
    if (all == places.end()) return {};
    for (const auto& [place, token] : all->second) beginnings.insert(place - term.offset);
  }
  std::set<std::pair<std::size_t, std::size_t>> found;  // length and beginning
  for (const std::int64_t low : beginnings) {
    CAIRN_TRY(pace.add(phrase.terms.size() * bytes_of_look_up));
    if (const auto range = phrase_at(phrase, places, low))
      found.emplace(range->end - range->begin, range->begin);
  }
  for (const auto& [length, begin] : found)
    if (is_free(marked, {begin, begin + length}))
      marked.emplace(begin, Highlight{begin, begin + length, number});
  return {};
}

/// Returns the place `count` characters after `at`, or the end of the text.
std::size_t characters_after(std::string_view text, std::size_t at, std::size_t count) {
  for (; at < text.size() && count > 0; --count)
    for (++at; at < text.size() && codec::is_utf8_continuation(text[at]);) ++at;
  return at;
}

/// Returns the place `count` characters before `at`, or the beginning of the text.
std::size_t characters_before(std::string_view text, std::size_t at, std::size_t count) {
  for (; at > 0 && count > 0; --count)
    for (--at; at > 0 && codec::is_utf8_continuation(text[at]);) --at;
  return at;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(codec::utf8_length(text));
}

/// Adjacent highlights [first, end), and the number of different terms among them.
struct Run {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t terms = 0;

  [[nodiscard]] bool is_better(const Run& other) const {
    return terms != other.terms ? terms > other.terms : end - first > other.end - other.first;
  }
};

// Moves a window of `size` characters over the text. The end of the window advances by as many
// characters as its beginning, and each highlight enters and leaves the window once. So the cost is
// linear in the text and the highlights.
Run find_best_run(std::string_view text, const std::vector<Highlight>& highlights,
                  std::size_t size) {
  Run best;
  std::map<std::size_t, std::size_t> terms;  // how many of each term are in the window
  std::size_t last = 0;
  std::size_t end = highlights.empty() ? 0 : characters_after(text, highlights[0].begin, size);
  for (std::size_t first = 0; first < highlights.size(); ++first) {
    if (first > 0) {
      const Highlight& before = highlights[first - 1];
      const auto left = text.substr(before.begin, highlights[first].begin - before.begin);
      end = characters_after(text, end, count_characters(left));
      if (last >= first && --terms[before.term] == 0) terms.erase(before.term);
    }
    last = std::max(last, first);
    for (; last < highlights.size() && highlights[last].end <= end; ++last)
      ++terms[highlights[last].term];
    const Run run{first, last, terms.size()};
    if (run.is_better(best)) best = run;
  }
  return best;
}

/// Removes incomplete words at both ends of `range`, but nothing of `shown`.
WordRange cut_at_blanks(std::string_view text, WordRange range, const WordRange& shown) {
  std::size_t begin = range.begin;
  while (begin > 0 && begin < shown.begin && !is_blank(text[begin - 1])) ++begin;
  if (begin == 0 || is_blank(text[begin - 1])) range.begin = begin;
  std::size_t end = range.end;
  while (end < text.size() && end > shown.end && !is_blank(text[end])) --end;
  if (end == text.size() || is_blank(text[end])) range.end = end;
  return range;
}

}  // namespace

// Terms are numbered: words first, then phrases.
Result<std::vector<Highlight>> find_highlights(const Analyzer& analyzer, TextNode question,
                                               std::string_view text, Limits* limits) {
  TextWork work(limits);
  CAIRN_TRY(keep_meant_stop_words(question, analyzer, work));
  std::vector<Wanted> wanted;
  CAIRN_TRY(append_wanted(analyzer, question, wanted, work));
  std::vector<WantedPhrase> phrases;
  CAIRN_TRY(append_phrases(analyzer, question, phrases, work));
  CAIRN_ASSIGN(const std::vector<Token> tokens, paced_tokens(analyzer, text, limits));
  Pace pace(limits);
  TokenPlaces places;
  for (const Token& token : tokens)
    if (!phrases.empty() && !token.is_extra) places[token.term].emplace(token.position, &token);
  Marked marked;
  for (std::size_t i = 0; i < phrases.size(); ++i)
    CAIRN_TRY(mark_phrase(phrases[i], places, wanted.size() + i, pace, marked));
  for (const Token& token : tokens) {
    CAIRN_TRY(pace.add((wanted.size() + 1) * token.term.size()));
    const auto match = std::find_if(wanted.begin(), wanted.end(),
                                    [&](const Wanted& word) { return word.matches(token.term); });
    // A whole identifier precedes its parts, and phrases are marked already.
    if (match == wanted.end() || !is_free(marked, {token.begin, token.end})) continue;
    const auto term = static_cast<std::size_t>(match - wanted.begin());
    marked.emplace(token.begin, Highlight{token.begin, token.end, term});
  }
  std::vector<Highlight> found;
  for (const auto& [begin, highlight] : marked) found.push_back(highlight);
  return found;
}

WordRange choose_snippet(std::string_view text, const std::vector<Highlight>& highlights,
                         std::size_t size) {
  const Run run = find_best_run(text, highlights, size);
  WordRange shown;
  if (run.end > run.first) shown = {highlights[run.first].begin, highlights[run.end - 1].end};
  // Distributes the remaining characters on both sides; a side gets what the other one does not
  // need.
  const std::size_t spare =
      size - count_characters(text.substr(shown.begin, shown.end - shown.begin));
  WordRange range;
  range.begin = characters_before(text, shown.begin, spare / 2);
  range.end = characters_after(text, range.begin, size);
  range.begin = characters_before(text, range.end, size);
  return cut_at_blanks(text, range, shown);
}

}  // namespace cairn::engine

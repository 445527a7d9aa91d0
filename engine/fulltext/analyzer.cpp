// Analysis by example:
//
// "getUserName()"   words:   getUserName
//                   parts:   getUserName (extra, at 0)   get (0)   User (1)   Name (2)
//                   folded:  getusername                 get       user       name
//                   stems:   of each
//
// A change of any step makes existing indexes return wrong results. So an index stores all options
// that determine its terms (TextOptions).
//
// There are two paths with the same result. Plain ASCII words, which are most words, are folded in
// place and not stemmed until a caller needs the stem (FoundTerm). All other words become Tokens.
// Offsets and positions have 32 bits, because values are limited to less than 4 GiB.
#include "engine/fulltext/analyzer.hpp"

#include "codec/utf8.hpp"
#include "engine/fulltext/compounds.hpp"
#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/term_dictionary.hpp"
#include "engine/fulltext/text_features.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

constexpr std::size_t shortest_gram = 2;  ///< letters

// What the analysis of a word takes, as TextWork counts: up to a microsecond, and 50 ns for each byte of it.
constexpr std::uint64_t of_word = 512;
constexpr std::uint64_t of_byte = 32;
constexpr std::uint64_t of_part = 16;
/// Memory of a token, its term and its place in the text, while a list of tokens moves to one of twice the size.
constexpr std::size_t bytes_of_made_token = 3 * sizeof(Token) + 48;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True if the character at `at` separates parts of an identifier or a file name. A dot after a
/// digit does not: "3.14" stays whole, while "file.txt" and "name@host" have parts.
bool is_joint(std::string_view word, std::size_t at) {
  if (word[at] == '_' || word[at] == '@') return true;
  return word[at] == '.' && !(at > 0 && is_digit(word[at - 1]));
}

/// True if a part begins here: at a capital after a small letter, and at the last of several
/// capitals ("HTTPPort").
bool is_hump(std::string_view word, std::size_t at) {
  if (at == 0 || !is_upper(word[at])) return false;
  if (is_lower(word[at - 1])) return true;
  return is_upper(word[at - 1]) && at + 1 < word.size() && is_lower(word[at + 1]);
}

/// The parts of an identifier. A word that is not an identifier is its only part. Errors: those of `work`.
Result<std::vector<WordRange>> parts_of(std::string_view word, TextWork& work) {
  std::vector<WordRange> parts;
  std::size_t begin = 0;
  const auto end_part = [&](std::size_t end) {
    if (end > begin) parts.push_back({begin, end});
    begin = end;
  };
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (is_joint(word, at)) {
      end_part(at);
      begin = at + 1;
    } else if (is_hump(word, at)) {
      end_part(at);
    } else {
      continue;
    }
    if (work.is_due(of_part)) CAIRN_TRY(work.look(3 * parts.size() * sizeof(WordRange)));
  }
  end_part(word.size());
  return parts;
}

/// Cuts a term to the maximum length, not within a code point.
void cut(std::string& term) {
  if (term.size() <= Analyzer::max_term_bytes) return;
  term.resize(codec::utf8_floor(term, Analyzer::max_term_bytes));
}

Error invalid(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

// Each text of an index with several languages is stemmed in its own language, so text_language.hpp
// must recognise each of the languages.
Status check_several(std::string_view joined) {
  const auto known = known_languages();
  const auto languages = split_languages(joined);
  for (const std::string& language : languages) {
    if (std::ranges::find(known, language) == known.end()) {
      std::string names;
      for (const std::string_view name : known)
        names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
      return invalid("fulltext.analyzer has \"" + language +
                     "\", a language that cannot be detected in texts; a list may have " + names);
    }
    if (std::ranges::count(languages, language) > 1)
      return invalid("fulltext.analyzer has \"" + language + "\" twice");
  }
  return {};
}

/// Removes zero bytes, because a zero byte ends a term in its key.
void drop_zeros(std::string& term) { std::erase(term, '\0'); }

}  // namespace

std::vector<WordForms> forms_of_words(const std::vector<Token>& tokens) {
  std::vector<WordForms> words;
  for (const Token& token : tokens) {
    if (!token.is_other_form) words.emplace_back();
    words.back().push_back(token.term);
  }
  return words;
}

Analyzer::Analyzer(AnalyzerOptions options)
    : options_(std::move(options)), languages_(split_languages(options_.language)) {
  all_ = static_cast<LanguageSet>((std::uint64_t{1} << languages_.size()) - 1);
  stop_words_ = languages_.size() == 1 ? all_ : 0;
  for (std::size_t i = 0; i < languages_.size(); ++i)
    if (has_compounds(languages_[i])) compounds_ |= LanguageSet{1} << i;
}

// If the language of a question is unclear, no stop words are dropped: a stop word of one language
// may be a meaningful word of another ("die hard").
Analyzer::Analyzer(AnalyzerOptions options, std::string_view question)
    : Analyzer(std::move(options)) {
  if (languages_.size() > 1) stop_words_ = languages_of(question, 0);
}

Status Analyzer::check(const AnalyzerOptions& options) {
  if (options.language.find(',') != std::string::npos) return check_several(options.language);
  if (is_stemmer_language(options.language)) return {};
  return invalid(
      "there is no stemmer for the language \"" + options.language +
      "\"; use 'english', 'german', 'french', 'spanish', 'italian', 'dutch', 'russian' or "
      "another language of Snowball, or 'none'");
}

Analyzer::Elision Analyzer::elision_of(std::string_view word, LanguageSet languages) const {
  Elision elision;
  if (!options_.split_elisions) return elision;
  for (std::size_t i = 0; i < languages_.size(); ++i) {
    if ((languages >> i & 1U) == 0) continue;
    const std::size_t bytes = elided_bytes(languages_[i], word);
    if (bytes == 0) continue;
    elision.bytes = bytes;
    (is_name_with_elision(languages_[i]) ? elision.is_name : elision.is_short) = true;
  }
  return elision;
}

// A name like "O'Brien" is indexed with and without its beginning. A query with the beginning means
// the complete name, so only elided articles are removed here.
std::string Analyzer::folded(std::string_view word) const {
  const Elision elision = elision_of(word, all_);
  return fold(elision.is_short ? word.substr(elision.bytes) : word);
}

std::string Analyzer::fold(std::string_view word) const {
  std::string term = fold_word(word);
  // Zeros and excess length are removed last, because both may result from folding.
  if (options_.fold_diacritics) term = without_diacritics(std::move(term));
  drop_zeros(term);
  cut(term);
  return term;
}

bool Analyzer::is_simple(std::string_view word) const {
  const auto is_plain = [](char c) { return is_lower(c) || is_digit(c); };
  if (!is_plain(word.front()) && !is_upper(word.front())) return false;
  const auto first = std::find_if_not(word.begin() + 1, word.end(), is_plain);
  if (first == word.end()) return true;
  // Only words with an apostrophe, which are few, are tested for elisions.
  const auto is_whole = [&](char c) { return is_plain(c) || c == '\''; };
  return std::all_of(first, word.end(), is_whole) && elision_of(word, all_).bytes == 0;
}

void Analyzer::fold_simple(std::string_view word, std::string& folded) {
  folded.assign(word);
  char& first = folded.front();
  if (is_upper(first)) first = static_cast<char>(first - 'A' + 'a');
  cut(folded);
}

std::string_view Analyzer::term_of(const FoundTerm& found) const {
  return found.is_folded_word ? stem(options_.language, found.word) : found.word;
}

bool Analyzer::is_dropped(std::string_view word, std::string_view folded,
                          LanguageSet languages) const {
  if (!options_.drop_stop_words) return false;
  for (std::size_t i = 0; i < languages_.size(); ++i) {
    if ((languages >> i & 1U) == 0) continue;
    // Stop words are listed with accents. A word may match as it was written or, if accents are
    // folded, without them.
    if (is_stop_word(languages_[i], folded) ||
        (options_.fold_diacritics && is_stop_word(languages_[i], fold_word(word))))
      return true;
  }
  return false;
}

LanguageSet Analyzer::usual_languages(std::span<const std::vector<std::string>> texts) const {
  if (languages_.size() == 1) return all_;
  LanguageEvidence evidence(languages_);
  for (const auto& of_field : texts)
    for (const std::string& text : of_field) evidence.add(text);
  const LanguageSet found = evidence.languages();
  return found == 0 ? all_ : found;
}

LanguageSet Analyzer::languages_of(std::string_view text, LanguageSet usual) const {
  if (languages_.size() == 1) return all_;
  LanguageEvidence evidence(languages_);
  evidence.add(text);
  const LanguageSet found = evidence.languages();
  return found == 0 ? usual : found;
}

// A Latin word in a Russian text may belong to any other language of the index. If the index has no
// language of the word's script, every stemmer leaves the word unchanged, so the first one is used.
LanguageSet Analyzer::languages_of_word(std::string_view word, LanguageSet text) const {
  if (languages_.size() == 1) return all_;
  for (const LanguageSet set : {text, all_})
    if (const LanguageSet fitting = fitting_script(languages_, set, word); fitting != 0)
      return fitting;
  return 1;
}

// A word with the same stem in several languages becomes one token.
void Analyzer::append_forms(std::string_view text, WordRange range, Languages languages,
                            std::uint32_t position, std::vector<Token>& out) const {
  Token token;
  const std::string_view word = text.substr(range.begin, range.end - range.begin);
  const std::string folded = fold(word);
  token.position = position;
  token.begin = static_cast<std::uint32_t>(range.begin);
  token.end = static_cast<std::uint32_t>(range.end);
  token.is_stop_word = is_dropped(word, folded, languages.stop_words);
  const LanguageSet stems = languages_of_word(folded, languages.stems);
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (std::size_t i = 0; i < languages_.size(); ++i) {
    if ((stems >> i & 1U) == 0) continue;
    token.term = stem(languages_[i], folded);
    const auto is_same = [&](const Token& form) { return form.term == token.term; };
    if (std::any_of(out.begin() + first, out.end(), is_same)) continue;
    token.is_other_form = std::ssize(out) > first;
    out.push_back(token);
  }
}

// Appends the tokens of one word.
//
// An elision and the word after it have one position. A name with an elision is also indexed as a
// whole, at the same position. An identifier is indexed by its parts, and as a whole at the
// position of its first part. Stop word lists contain some words with their elision ("j'ai").
//
// One word may have very many parts.
Status Analyzer::append_word(std::string_view text, std::size_t begin, std::size_t end,
                             Languages languages, std::uint32_t& position, std::vector<Token>& out,
                             TextWork& work) const {
  const auto append = [&](WordRange range) -> Status {
    append_forms(text, range, languages, position, out);
    return work.add(of_word + of_byte * (range.end - range.begin),
                    out.size() * bytes_of_made_token);
  };
  const std::string_view whole = text.substr(begin, end - begin);
  const auto append_extra = [&] {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    append_forms(text, {begin, end}, languages, position, out);
    for (auto token = out.begin() + first; token != out.end(); ++token) token->is_extra = true;
  };
  const Elision elision = elision_of(whole, languages.stems);
  if (elision.is_name) append_extra();
  begin += elision.bytes;
  std::vector<WordRange> parts;
  if (options_.split_code) {
    CAIRN_ASSIGN(parts, parts_of(text.substr(begin, end - begin), work));
  }
  // The word is a single part: drops the punctuation around it.
  if (parts.size() == 1) {
    end = begin + parts.front().end;
    begin += parts.front().begin;
  }
  if (parts.size() < 2) {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    CAIRN_TRY(append({begin, end}));
    ++position;
    if (elision.bytes > 0 && is_dropped(whole, fold(whole), languages.stop_words))
      for (auto token = out.begin() + first; token != out.end(); ++token)
        token->is_stop_word = true;
    return {};
  }
  // The whole has no position of its own. Phrases and lengths count words, which must not depend on
  // spelling.
  append_extra();
  for (const WordRange& part : parts) {
    CAIRN_TRY(append({begin + part.begin, begin + part.end}));
    ++position;
  }
  return {};
}

Result<std::vector<Token>> Analyzer::tokens_in(std::string_view text, Languages languages,
                                               TextWork& work) const {
  CAIRN_ASSIGN(const std::vector<WordRange> words, break_words(text, work));
  std::vector<Token> tokens;
  std::uint32_t position = 0;
  for (const WordRange& word : words)
    CAIRN_TRY(append_word(text, word.begin, word.end, languages, position, tokens, work));
  // Other tokens retain their positions: a word that folds to nothing leaves a gap.
  std::erase_if(tokens, [](const Token& token) { return token.term.empty(); });
  return tokens;
}

Result<std::vector<Token>> Analyzer::query_tokens(std::string_view text, TextWork& work) const {
  return tokens_in(text, {all_, stop_words_}, work);
}

std::vector<Token> Analyzer::query_tokens(std::string_view text) const {
  TextWork unlimited(nullptr);
  return *query_tokens(text, unlimited);
}

// If the language of the question is unclear, no irregular forms are added: a stem may be a word of
// another language.
bool Analyzer::add_irregular_forms(WordForms& stems) const {
  const WordForms given = stems;
  for (std::size_t i = 0; i < languages_.size(); ++i) {
    if ((stop_words_ >> i & 1U) == 0) continue;
    for (const std::string& stem : given)
      for (const std::string& form : irregular_forms(languages_[i], stem))
        if (std::ranges::find(stems, form) == stems.end()) stems.push_back(form);
  }
  return stems.size() > given.size();
}

Result<std::vector<Token>> Analyzer::text_tokens(std::string_view text, TextWork& work) const {
  const LanguageSet own = languages_of(text, all_);
  return tokens_in(text, {own, own == all_ ? stop_words_ : own}, work);
}

Result<std::vector<std::vector<Token>>> Analyzer::phrase_tokens(std::string_view phrase,
                                                                TextWork& work) const {
  std::vector<std::vector<Token>> all;
  std::set<std::vector<std::string>> known;
  for (std::size_t i = 0; i < languages_.size(); ++i) {
    CAIRN_ASSIGN(auto tokens, tokens_in(phrase, {LanguageSet{1} << i, 0}, work));
    std::erase_if(tokens, [](const Token& token) { return token.is_extra || token.is_other_form; });
    std::vector<std::string> terms;
    for (const Token& token : tokens) terms.push_back(token.term);
    if (known.insert(std::move(terms)).second) all.push_back(std::move(tokens));
  }
  return all;
}

std::vector<Token> Analyzer::index_tokens(std::string_view text, LanguageSet usual) const {
  const LanguageSet languages = languages_of(text, usual);
  TextWork unlimited(nullptr);
  std::vector<Token> tokens = *tokens_in(text, {languages, languages}, unlimited);
  if (options_.split_compounds && (languages & compounds_) != 0) append_marks(tokens);
  if (options_.gram_length >= shortest_gram) append_grams(tokens);
  return tokens;
}

// Inserts the mark of each long word after the word.
void Analyzer::append_marks(std::vector<Token>& tokens) {
  std::vector<Token> all;
  for (Token& token : tokens) {
    const bool is_long = count_letters(token.term) >= shortest_compound;
    all.push_back(std::move(token));
    if (!is_long) continue;
    Token mark = all.back();
    mark.term = compound_mark(mark.term);
    mark.is_extra = true;
    all.push_back(std::move(mark));
  }
  tokens = std::move(all);
}

void Analyzer::append_grams(std::vector<Token>& tokens) const {
  std::vector<Token> all;
  for (Token& token : tokens) {
    std::size_t letters = token.term.front() == marker_sign ? options_.gram_length : 0;
    // Adds the beginnings of the term, from `shortest_gram` letters on. The complete term follows
    // as a token of its own.
    for (std::size_t at = 1; at < token.term.size() && letters < options_.gram_length; ++at) {
      if (codec::is_utf8_continuation(token.term[at])) continue;
      if (++letters < shortest_gram) continue;
      Token gram = token;
      gram.term.resize(at);
      gram.is_extra = true;
      all.push_back(std::move(gram));
    }
    all.push_back(std::move(token));
  }
  tokens = std::move(all);
}

// Elided articles, pronouns and conjunctions, as in Lucene's analyzers of these languages. English
// has no elisions, but has names with an elided beginning ("O'Brien"), which are also found without
// it.

namespace {

constexpr std::string_view curly = "\xe2\x80\x99";
/// Bytes of the longest elision, "quoiqu".
constexpr std::size_t longest = 6;

constexpr std::array<std::string_view, 13> french_elisions = {
    "c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"};
constexpr std::array<std::string_view, 24> italian = {
    "c",    "d",    "l",    "m",    "s",    "t",     "v",     "un",
    "gl",   "agl",  "all",  "coll", "dagl", "dall",  "degl",  "dell",
    "negl", "nell", "pell", "sugl", "sull", "quell", "quest", "dov"};
constexpr std::array<std::string_view, 6> catalan = {"d", "l", "m", "n", "s", "t"};
constexpr std::array<std::string_view, 3> english_elisions = {"d", "l", "o"};

std::span<const std::string_view> elisions_of(std::string_view language) {
  if (language == "english") return english_elisions;
  if (language == "french") return french_elisions;
  if (language == "italian") return italian;
  if (language == "catalan") return catalan;
  return {};
}

std::string in_small_letters(std::string_view word) {
  std::string small(word);
  for (char& c : small) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return small;
}

/// True for the rest of "O'Brien" and "D'Angelo", but not of "l'il" and "o'clock".
bool is_name(std::string_view rest) {
  constexpr std::size_t shortest = 3;
  return rest.size() >= shortest && in_small_letters(rest) != "clock";
}

}  // namespace

bool has_elisions(std::string_view language) { return !elisions_of(language).empty(); }

bool is_name_with_elision(std::string_view language) { return language == "english"; }

std::size_t elided_bytes(std::string_view language, std::string_view word) {
  const std::size_t most = std::min(word.size(), longest + 1);
  std::size_t length = 0;
  while (length < most && word[length] != '\'' && word[length] != curly.front()) ++length;
  if (length == most || length == 0) return 0;
  const std::string_view rest = word.substr(length);
  const std::size_t apostrophe = rest.front() == '\''      ? 1
                                 : rest.starts_with(curly) ? curly.size()
                                                           : 0;
  if (apostrophe == 0 || apostrophe == rest.size()) return 0;
  const auto list = elisions_of(language);
  const std::string beginning = in_small_letters(word.substr(0, length));
  if (std::find(list.begin(), list.end(), beginning) == list.end()) return 0;
  if (is_name_with_elision(language) && !is_name(rest.substr(apostrophe))) return 0;
  return length + apostrophe;
}

}  // namespace cairn::engine

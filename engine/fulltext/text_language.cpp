// In most texts, half of the words are stop words, and few stop words belong to two languages, so
// they show the language better than letters do. Texts without sentences, such as titles, have few
// stop words; there letters and endings help. A hint that several languages share is divided among
// them.
//
// "die Häuser der Stadt"   die, der: German 2 (with Dutch: 0.5 for each word)   ä: German, Swedish
//
// If the result is uncertain, no language is returned: the text is then stemmed in all languages, which costs some
// terms but loses no hit. A change here changes the terms of indexes, see stop_word_lists.hpp.
#include "engine/fulltext/text_language.hpp"

#include "engine/fulltext/stop_word_lists.hpp"
#include "engine/fulltext/word_breaker.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_map>

namespace cairn::engine {
namespace {

/// Bytes of a text that are read. A longer text is in the language of its beginning.
constexpr std::size_t most_read_bytes = 4'096;
/// The weight of a letter or an ending; a stop word has the weight 1.
constexpr double weight_of_hint = 0.5;
/// The least evidence for a certain language: two stop words.
constexpr double least_evidence = 2;
/// A text is also in a second language if it has this share of the evidence of the first.
constexpr double share_of_second = 0.6;
/// A text in Cyrillic letters needs no further evidence.
constexpr double weight_of_script = 1;

constexpr std::string_view russian = "russian";

/// Letters and endings of words, with the languages in which they are frequent.
struct Hint {
  std::string_view letters;
  std::string_view languages;
};

constexpr Hint inner_letters[] = {
    {"ä", "german,swedish,finnish"},
    {"ö", "german,swedish,finnish"},
    {"ü", "german"},
    {"ß", "german"},
    {"å", "swedish"},
    {"ñ", "spanish"},
    {"á", "spanish"},
    {"í", "spanish"},
    {"ó", "spanish"},
    {"ú", "spanish"},
    {"è", "french,italian"},
    {"à", "french,italian"},
    {"ù", "french,italian"},
    {"ì", "italian"},
    {"ò", "italian"},
    {"ç", "french"},
    {"ê", "french"},
    {"î", "french"},
    {"ô", "french"},
    {"û", "french"},
    {"œ", "french"},
    {"é", "french,spanish"},
};

constexpr Hint endings[] = {
    {"ung", "german"},
    {"ungen", "german"},
    {"keit", "german"},
    {"heit", "german"},
    {"lich", "german"},
    {"lichen", "german"},
    {"isch", "german"},
    {"ische", "german"},
    {"ijk", "dutch"},
    {"ijke", "dutch"},
    {"heid", "dutch"},
    {"ingen", "dutch"},
    {"ssa", "finnish"},
    {"ssä", "finnish"},
    {"lla", "finnish"},
    {"llä", "finnish"},
    {"inen", "finnish"},
    {"iset", "finnish"},
    {"aan", "finnish"},
    {"ään", "finnish"},
    {"iin", "finnish"},
    {"isen", "finnish"},
    {"ista", "finnish"},
    {"ning", "swedish"},
    {"arna", "swedish"},
    {"erna", "swedish"},
    {"orna", "swedish"},
    {"ciones", "spanish"},
    {"ción", "spanish"},
    {"dad", "spanish"},
    {"iendo", "spanish"},
    {"zione", "italian"},
    {"zioni", "italian"},
    {"ità", "italian"},
    {"eux", "french"},
    {"ique", "french"},
    {"tion", "english,french"},
    {"ing", "english"},
    {"ness", "english"},
    {"ght", "english"},
    {"mente", "spanish,italian"},
    {"ment", "english,french"},
};

using Known = std::uint32_t;  // a set of known_languages()

Known known_of(std::string_view joined) {
  Known set = 0;
  const auto& all = known_languages();
  for (const std::string& name : split_languages(joined))
    set |= Known{1} << (std::find(all.begin(), all.end(), name) - all.begin());
  return set;
}

using Table = std::unordered_map<std::string, Known>;

/// Stop words with the languages that have them.
const Table& stop_words() {
  static const Table table = [] {
    Table all;
    for (const StopWordList& list : stop_word_lists()) {
      std::istringstream stream{std::string(list.words)};
      for (std::string word; stream >> word;) all[word] |= known_of(list.language);
    }
    return all;
  }();
  return table;
}

template <std::size_t Size>
std::array<Known, Size> known_of_hints(const Hint (&hints)[Size]) {
  std::array<Known, Size> sets{};
  for (std::size_t i = 0; i < Size; ++i) sets[i] = known_of(hints[i].languages);
  return sets;
}

/// The languages that a word's letters or its ending indicate.
Known hinted(std::string_view word) {
  static const auto of_letters = known_of_hints(inner_letters);
  static const auto of_endings = known_of_hints(endings);
  for (std::size_t i = 0; i < of_endings.size(); ++i)
    if (word.size() > endings[i].letters.size() && word.ends_with(endings[i].letters))
      return of_endings[i];
  const bool is_plain = std::all_of(word.begin(), word.end(),
                                    [](char c) { return static_cast<signed char>(c) >= 0; });
  if (is_plain) return 0;
  for (std::size_t i = 0; i < of_letters.size(); ++i)
    if (word.find(inner_letters[i].letters) != word.npos) return of_letters[i];
  return 0;
}

/// True for the letters from U+0400 to U+04FF, of which the first byte is D0 to D3.
bool is_cyrillic(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](char c) { return (static_cast<unsigned char>(c) & 0xfc) == 0xd0; });
}

std::string_view beginning_of(std::string_view text) {
  if (text.size() <= most_read_bytes) return text;
  const std::size_t end = text.rfind(' ', most_read_bytes);
  return text.substr(0, end == text.npos ? most_read_bytes : end);
}

}  // namespace

std::span<const std::string_view> known_languages() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const StopWordList& list : stop_word_lists()) all.push_back(list.language);
    return all;
  }();
  return names;
}

std::vector<std::string> split_languages(std::string_view joined) {
  std::vector<std::string> all;
  while (true) {
    const std::size_t comma = joined.find(',');
    all.emplace_back(joined.substr(0, comma));
    if (comma == joined.npos) return all;
    joined.remove_prefix(comma + 1);
  }
}

bool has_compounds(std::string_view language) {
  constexpr std::string_view all[] = {"german", "dutch",     "swedish", "finnish",
                                      "danish", "norwegian", "german2"};
  return std::ranges::find(all, language) != std::end(all);
}

LanguageEvidence::LanguageEvidence(std::span<const std::string> languages)
    : scores_(languages.size(), 0) {
  for (const std::string& language : languages) known_.push_back(known_of(language));
}

void LanguageEvidence::add(std::string_view text) {
  const std::string_view read = beginning_of(text);
  for (const WordRange& range : break_words(read))
    add_word(fold_word(read.substr(range.begin, range.end - range.begin)));
}

// Divides a word's weight among the languages of the list that may have it.
void LanguageEvidence::add_word(const std::string& word) {
  const bool has_script = is_cyrillic(word);
  const auto found = stop_words().find(word);
  const bool is_stop_word = found != stop_words().end();
  static const Known cyrillic = known_of(russian);
  const Known known = is_stop_word ? found->second : has_script ? cyrillic : hinted(word);
  const double weight = is_stop_word ? 1 : has_script ? weight_of_script : weight_of_hint;
  if (known == 0) return;
  const auto has_it = [&](Known language) { return (language & known) != 0; };
  const auto count = std::ranges::count_if(known_, has_it);
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (has_it(known_[i])) scores_[i] += weight / static_cast<double>(count);
}

LanguageSet LanguageEvidence::languages() const {
  const double best = scores_.empty() ? 0 : *std::max_element(scores_.begin(), scores_.end());
  if (best < least_evidence) return 0;
  LanguageSet set = 0;
  for (std::size_t i = 0; i < scores_.size(); ++i)
    if (scores_[i] >= share_of_second * best) set |= LanguageSet{1} << i;
  return set;
}

LanguageSet fitting_script(std::span<const std::string> languages, LanguageSet set,
                           std::string_view word) {
  const bool has_script = is_cyrillic(word);
  for (std::size_t i = 0; i < languages.size(); ++i)
    if ((languages[i] == russian) != has_script) set &= ~(LanguageSet{1} << i);
  return set;
}

}  // namespace cairn::engine

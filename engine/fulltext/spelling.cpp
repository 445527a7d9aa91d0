// A misspelling changes the stem of a word in more places than the word: "actviity" has the stem "actviiti", "activity"
// has "activ". So all words at one edit from the misspelt word are generated first, and their stems are looked up among
// the terms of the index. If no text has one of these stems, the stem of the misspelt word is compared with the terms.
//
//   two letters exchanged    few words: their terms are looked up
//   another letter           hundreds of words: found by one pass over the terms with the first letter
//   a near stem              found by the same pass
//
// Terms are collected first, and their texts are counted afterwards, because counting reads postings. Only the texts
// given by the caller count, so that texts of other namespaces change no correction.
#include "engine/fulltext/spelling.hpp"

#include "codec/byte_io.hpp"
#include "codec/sorted_ids.hpp"
#include "codec/utf8.hpp"
#include "engine/fulltext/compound_terms.hpp"
#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/term_postings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

// Least number of letters of a word for each kind of correction. Short words have many neighbours that mean something
// else.
constexpr std::size_t shortest_word = 4;  // two letters are exchanged
constexpr std::size_t middle_word = 6;    // one letter differs
constexpr std::size_t long_word = 9;      // two letters differ
constexpr std::uint32_t most_edits = 2;
constexpr std::string_view latin_letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view cyrillic_letters = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўђјљњћџѓќѕ";
constexpr std::string_view greek_letters = "αβγδεζηθικλμνξοπρστυφχψωάέήίόύώϊϋΐΰ";

using NearTerms = std::array<std::set<std::string>, most_edits + 1>;  // by distance

/// Words, or the letters of one.
using Strings = std::vector<std::string>;

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

// Splits a word into its code points, because an edit changes a letter and not a byte.
Strings letters_of(std::string_view word) {
  Strings letters;
  for (const char c : word) {
    if (letters.empty() || !codec::is_utf8_continuation(c)) letters.emplace_back();
    letters.back().push_back(c);
  }
  return letters;
}

std::string joined(const Strings& letters) {
  std::string word;
  for (const std::string& letter : letters) word += letter;
  return word;
}

/// The words that become `letters` if somebody exchanges two letters, but not the first one.
Strings with_exchange(Strings letters) {
  Strings words;
  for (std::size_t i = 1; i + 1 < letters.size(); ++i) {
    std::swap(letters[i], letters[i + 1]);
    words.push_back(joined(letters));
    std::swap(letters[i], letters[i + 1]);
  }
  return words;
}

/// The letters that may be inserted into a word: the alphabet of the script to which most of its letters belong.
Strings alphabet_of(const Strings& letters) {
  std::string_view most = latin_letters;
  std::ptrdiff_t count = 0;
  for (const std::string_view alphabet : {latin_letters, cyrillic_letters, greek_letters}) {
    const auto own = std::ranges::count_if(letters, [&](const std::string& letter) {
      return alphabet.find(letter) != std::string_view::npos;
    });
    if (own > count) most = alphabet;
    count = std::max(count, own);
  }
  return letters_of(most);
}

/// The words that become `letters` if somebody adds a letter, takes another one or forgets one, but not the first one.
Strings with_other_letter(const Strings& letters) {
  const Strings alphabet = alphabet_of(letters);
  Strings words;
  for (std::size_t i = 1; i <= letters.size(); ++i) {
    Strings changed = letters;
    changed.emplace(changed.begin() + static_cast<std::ptrdiff_t>(i));
    for (const std::string& letter : alphabet) {
      changed[i] = letter;
      words.push_back(joined(changed));
    }
    if (i == letters.size()) break;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    for (const std::string& letter : alphabet) {
      changed[i] = letter;
      words.push_back(joined(changed));
    }
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    words.push_back(joined(changed));
  }
  return words;
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
    if (cursor.is_damaged())
      return codec::corruption("postings of full-text index \"" + reader.sources().index.name +
                               "\" are damaged");
    best = std::max(best, count);
  }
  return best;
}

/// True if the term is a part of words of `texts`, or if it consists of words of texts that the reader counts.
Result<bool> is_of_known_parts(const TextReader& reader, const Analyzer& analyzer,
                               const std::string& term, const codec::Bitmap& texts,
                               Limits* limits) {
  if (!analyzer.may_ask_for_compounds()) return false;
  std::vector<std::uint8_t> fields(number_of_fields(reader));
  std::iota(fields.begin(), fields.end(), std::uint8_t{1});
  const CompoundTerms finder(reader, analyzer, fields, limits);
  TermWeights found;
  CAIRN_TRY(finder.add_compounds_of(term, found));
  for (const auto& compound : found) {
    if (limits != nullptr) CAIRN_TRY(limits->step(1));
    CAIRN_ASSIGN(const std::uint64_t known, texts_with(reader, compound.first, texts, 1, limits));
    if (known > 0) return true;
  }
  found.clear();
  CAIRN_TRY(finder.add_parts_of(term, found));
  return !found.empty();
}

/// The term that occurs in the largest number of `texts`; among equals, the first in order.
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

/// The words that somebody may have meant, by the index terms that a search for each word looks up.
class MeantWords {
 public:
  MeantWords(const TextReader& reader, const Analyzer& analyzer, bool joins_forms, Limits* limits)
      : reader_(reader),
        analyzer_(analyzer),
        joins_forms_(joins_forms),
        limits_(limits),
        held_(limits) {}

  /// Adds each word except stop words.
  Status add(const Strings& words) {
    Pace pace(limits_);
    for (const std::string& word : words) {
      CAIRN_TRY(pace.add(bytes_of_term + word.size()));
      const auto tokens = analyzer_.query_tokens(word);
      if (!is_one_word(tokens) || tokens.front().is_stop_word) continue;
      WordForms forms = forms_of_words(tokens).front();
      if (joins_forms_) analyzer_.add_irregular_forms(forms);
      for (std::string& form : forms)
        if (words_.emplace(std::move(form), word).second)
          CAIRN_TRY(held_.add(2 * bytes_of_term + word.size()));
    }
    return {};
  }

  [[nodiscard]] bool have(std::string_view term) const { return words_.contains(term); }

  /// All terms that begin with none of `letters`: an irregular form may have another first letter, like "ate" for
  /// "eat".
  [[nodiscard]] std::set<std::string> terms_without(const std::set<std::string>& letters) const {
    std::set<std::string> terms;
    for (const auto& [term, word] : words_)
      if (std::ranges::none_of(letters, [&](const auto& first) { return term.starts_with(first); }))
        terms.insert(term);
    return terms;
  }

  /// The word whose term occurs in the largest number of `texts`, among the words of `terms`; among equals, the first
  /// in order.
  [[nodiscard]] Result<std::optional<std::string>> best(const std::set<std::string>& terms,
                                                        const codec::Bitmap& texts) const {
    std::optional<std::string> found;
    std::uint64_t most = 0;
    for (const std::string& term : terms) {
      CAIRN_ASSIGN(
          const std::uint64_t count,
          texts_with(reader_, term, texts, std::numeric_limits<std::uint64_t>::max(), limits_));
      if (count <= most) continue;
      most = count;
      found = words_.at(term);
    }
    return found;
  }

 private:
  const TextReader& reader_;
  const Analyzer& analyzer_;
  bool joins_forms_;
  Limits* limits_;
  Charge held_;
  std::map<std::string, std::string, std::less<>> words_;
};

/// Decides which terms are near to a stem.
class NearStem {
 public:
  explicit NearStem(const std::string& stem)
      : stem_(code_points(stem)),
        first_(letters_of(stem).front()),
        limit_(stem_.size() >= long_word ? most_edits : 1),
        only_exchanged_(stem_.size() < middle_word) {}

  [[nodiscard]] const std::string& first_letter() const noexcept { return first_; }
  [[nodiscard]] std::size_t letters() const noexcept { return stem_.size(); }
  /// The distance of a term; nullopt if it is not near.
  [[nodiscard]] std::optional<std::uint32_t> distance(std::string_view term) const {
    const auto size = static_cast<std::size_t>(codec::utf8_length(term));
    const std::size_t most = only_exchanged_ ? 0 : limit_;
    if (size > stem_.size() + most || stem_.size() > size + most || !term.starts_with(first_))
      return std::nullopt;
    const std::u32string letters = code_points(term);
    const std::uint32_t edits = edits_between(stem_, letters, limit_);
    if (edits > limit_ || (only_exchanged_ && !std::ranges::is_permutation(stem_, letters)))
      return std::nullopt;
    return edits;
  }

 private:
  std::u32string stem_;
  std::string first_;
  std::uint32_t limit_;
  bool only_exchanged_;
};

/// What one pass over the terms finds.
struct PassedTerms {
  std::set<std::string> meant;  ///< those of MeantWords
  NearTerms near;               ///< those near to the stem
};

/// Passes over the terms that begin with one of some letters.
Result<PassedTerms> pass_terms(const TextReader& reader, const std::set<std::string>& letters,
                               const MeantWords& meant, const NearStem& stem, Charge& held,
                               Limits* limits) {
  PassedTerms passed;
  passed.meant = meant.terms_without(letters);
  Pace pace(limits);
  Status status;
  const auto visit = [&](std::string_view term) {
    status = pace.add(bytes_of_term + stem.letters() * term.size());
    if (!status) return false;
    if (meant.have(term)) passed.meant.emplace(term);
    const auto distance = stem.distance(term);
    if (distance && passed.near[*distance].emplace(term).second)
      status = held.add(bytes_of_term + term.size());
    return status.has_value();
  };
  for (std::size_t field = 1; field <= number_of_fields(reader); ++field)
    for (const std::string& first : letters) {
      CAIRN_TRY(reader.for_each_term(static_cast<std::uint8_t>(field), first, visit));
      CAIRN_TRY(status);
    }
  return passed;
}

/// Returns the correction of an unknown word with these letters and the stem `term`. Words with two letters exchanged
/// are tried first: they are few, so it is rare that one of them is an unrelated word.
Result<std::optional<std::string>> meant_word(const TextReader& reader, const Analyzer& analyzer,
                                              const Strings& letters, const std::string& term,
                                              const codec::Bitmap& texts, bool joins_forms,
                                              Limits* limits) {
  MeantWords exchanged(reader, analyzer, joins_forms, limits);
  CAIRN_TRY(exchanged.add(with_exchange(letters)));
  CAIRN_ASSIGN(auto likeliest, exchanged.best(exchanged.terms_without({}), texts));
  if (likeliest) return likeliest;
  MeantWords changed(reader, analyzer, joins_forms, limits);
  if (letters.size() >= middle_word) CAIRN_TRY(changed.add(with_other_letter(letters)));
  const NearStem stem(term);
  Charge held(limits);
  CAIRN_ASSIGN(const PassedTerms passed, pass_terms(reader, {letters.front(), stem.first_letter()},
                                                    changed, stem, held, limits));
  CAIRN_ASSIGN(auto likely, changed.best(passed.meant, texts));
  if (likely) return likely;
  for (const std::set<std::string>& terms : passed.near) {
    CAIRN_ASSIGN(auto best, most_common(reader, analyzer, terms, texts, limits));
    if (best) return best;
  }
  return std::optional<std::string>();
}

}  // namespace

// If the index has grams, beginnings of words are terms too, and every near beginning would be a correction. So no word
// is corrected then.
Result<std::optional<std::string>> corrected_word(const TextReader& reader,
                                                  const Analyzer& analyzer, std::string_view word,
                                                  const codec::Bitmap& texts, bool joins_forms,
                                                  Limits* limits) {
  const std::optional<std::string> none;
  TextWork work(limits);
  CAIRN_ASSIGN(const auto tokens, analyzer.query_tokens(word, work));
  if (!is_one_word(tokens) || tokens.front().is_stop_word || analyzer.options().gram_length > 0)
    return none;
  const std::string& term = tokens.front().term;
  const bool has_digit =
      std::any_of(term.begin(), term.end(), [](char c) { return c >= '0' && c <= '9'; });
  const Strings letters = letters_of(analyzer.folded(word));
  if (has_digit || letters.size() < shortest_word) return none;
  // A known irregular form is not misspelt: the texts may have another form of the word.
  WordForms forms = forms_of_words(tokens).front();
  if (analyzer.add_irregular_forms(forms)) return none;
  for (const std::string& form : forms) {
    CAIRN_ASSIGN(const std::uint64_t known, texts_with(reader, form, texts, 1, limits));
    if (known > 0) return none;
  }
  CAIRN_ASSIGN(const bool has_parts, is_of_known_parts(reader, analyzer, term, texts, limits));
  if (has_parts) return none;
  return meant_word(reader, analyzer, letters, term, texts, joins_forms, limits);
}

}  // namespace cairn::engine

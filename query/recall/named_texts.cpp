// Splits a question into the texts of one to three words that may be values of properties.

#include "engine/fulltext/letter_case.hpp"
#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "query/recall/question.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {
namespace {

using Words = std::vector<std::string_view>;

// The largest number of words in a name.
constexpr std::size_t most_name_words = 3;

// Splits by engine::break_words(). The views point into `text`.
Result<Words> words_of(std::string_view text, engine::TextWork& work) {
  CAIRN_ASSIGN(const auto ranges, engine::break_words(text, work));
  Words words;
  for (const engine::WordRange& word : ranges)
    words.push_back(text.substr(word.begin, word.end - word.begin));
  return words;
}

// Cuts an 's with either apostrophe.
std::string_view without_possessive(std::string_view word) {
  for (const std::string_view ending : {"'s", "\xe2\x80\x99s"})
    if (word.ends_with(ending)) return word.substr(0, word.size() - ending.size());
  return word;
}

/// True for a stop word in lower case. The first word of a question is capitalised in any case, so its case is
/// ignored.
bool is_filling(const Words& words, std::size_t at, std::string_view language) {
  const bool is_capital = engine::begins_with_capital(words[at]);
  return (at == 0 || !is_capital) && engine::is_stop_word(language, engine::fold_word(words[at]));
}

}  // namespace

// Collects runs of one to three words that neither begin nor end with a filling word. The text is cut from the
// question as written, without a possessive ending.
Result<std::vector<NamedText>> named_texts(std::string_view question, std::string_view language,
                                           engine::TextWork& work) {
  constexpr std::uint64_t bytes_of_word = 1'024;  // as TextWork counts
  constexpr std::size_t bytes_of_text = sizeof(NamedText) + 32;
  CAIRN_ASSIGN(const Words words, words_of(question, work));
  std::vector<NamedText> texts;
  for (std::size_t first = 0; first < words.size(); ++first) {
    CAIRN_TRY(work.add(bytes_of_word, texts.capacity() * bytes_of_text));
    if (is_filling(words, first, language)) continue;
    for (std::size_t count = 1; count <= most_name_words && first + count <= words.size();
         ++count) {
      if (is_filling(words, first + count - 1, language)) continue;
      const char* const begin = words[first].data();
      const std::string_view last = words[first + count - 1];
      const auto size = static_cast<std::size_t>(last.data() + last.size() - begin);
      texts.push_back({std::string(without_possessive({begin, size})), first, count});
    }
  }
  return texts;
}

}  // namespace cairn::query

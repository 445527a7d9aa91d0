// Heuristics that detect the kind of a text by English words and punctuation: without a model or
// state, and equal on every machine. They mark indexed texts (by terms that no word can be) and
// queries, so that a recall can prefer texts that have what a query asks for. A wrong mark changes
// a ranking but never hides a text.
//
// If a list changes, texts that are already indexed retain their marks.
#include "engine/fulltext/text_features.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace cairn::engine {
namespace {

using enum TextFeature;

// Maximum number of words of an entry below. A longer entry would never be found.
constexpr std::size_t longest_phrase = 3;

/// Words and sequences of words that indicate a feature, separated by '|'.
struct Phrases {
  TextFeature feature;
  std::string_view all;
};

constexpr Phrases in_texts[] = {
    {number,
     "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|"
     "hundred|hundreds|thousand|thousands|million|dozen|twice|half a|a couple"},
    {date,
     "january|february|april|june|july|august|september|october|november|december|in march|in may|"
     "last march|last may|next march|next may|monday|tuesday|wednesday|thursday|friday|saturday|"
     "sunday|yesterday|today|tomorrow|tonight|ago|recently|last week|last weekend|last month|"
     "last year|last night|last summer|last winter|last spring|last fall|next week|next weekend|"
     "next month|next year|next summer|next winter|this week|this weekend|this month|this year|"
     "this morning|this summer|the other day"},
    {preference,
     "prefer|prefers|preferred|favorite|favourite|favorites|favourites|enjoy|enjoys|enjoyed|adore|"
     "adores|dislike|dislikes|hate|hates|hated|likes|loves|fond of|can't stand|i like|i love|"
     "we like|we love|they like|they love|you like|you love|i really like|i really love|"
     "i also like|i also love|don't like|doesn't like|do not like|does not like"},
    {instruction,
     "please|always|never|must|should|make sure|remember to|don't forget|do not|need to|needs to|"
     "have to|has to|ensure that|be sure to"},
};

constexpr Phrases in_questions[] = {
    {date,
     "when|what date|which date|what day|which day|what month|which month|what year|which year|"
     "what time|how long ago|how recently"},
    {number,
     "how many|how much|how old|how often|how long|how far|how tall|how big|how large|how high|"
     "how fast|what number|which number|how many times|what percentage|what age"},
    {list, "list|name all|what are all|which of|what kinds|what types|what kind|what items"},
    {code, "code|function|functions|commands|script|snippet|syntax|regex|api"},
    {preference,
     "like|love|prefer|prefers|enjoy|enjoys|favorite|favourite|hate|hates|dislike|dislikes"},
    {instruction,
     "how do i|how should|how to|should i|should we|instruction|instructions|rule|rules"},
    {question, "ask|asks|asked|question|questions"},
};

using Lexicon = std::unordered_map<std::string_view, TextFeature>;

// Splits the lists into their entries. The keys refer to the lists, which are constants.
Lexicon lexicon_of(std::span<const Phrases> lists) {
  Lexicon lexicon;
  for (const Phrases& list : lists) {
    for (std::size_t at = 0; at < list.all.size();) {
      const std::size_t end = std::min(list.all.find('|', at), list.all.size());
      lexicon.emplace(list.all.substr(at, end - at), list.feature);
      at = end + 1;
    }
  }
  return lexicon;
}

/// The folded words of a text, separated by single blanks.
struct Words {
  std::string text;
  std::vector<WordRange> places;

  // Joins the folded words with blanks, and notes the place of each. The words are also looked up afterwards.
  static Result<Words> of(std::string_view source, TextWork& work) {
    constexpr std::uint64_t bytes_of_word = 512;  // as TextWork counts
    CAIRN_ASSIGN(const auto ranges, break_words(source, work));
    Words words;
    for (const WordRange& word : ranges) {
      CAIRN_TRY(work.add(bytes_of_word,
                         words.text.capacity() + 2 * words.places.capacity() * sizeof(WordRange)));
      if (!words.text.empty()) words.text += ' ';
      const std::size_t begin = words.text.size();
      words.text += fold_word(source.substr(word.begin, word.end - word.begin));
      words.places.push_back({begin, words.text.size()});
    }
    return words;
  }
  [[nodiscard]] std::string_view run(std::size_t first, std::size_t count) const {
    const std::size_t begin = places[first].begin;
    return std::string_view(text).substr(begin, places[first + count - 1].end - begin);
  }
};

// Adds the features of all entries that occur in the text.
Status add_phrases(const Words& words, const Lexicon& lexicon, TextFeatures& features,
                   TextWork& work) {
  constexpr std::uint64_t bytes_of_word = 256;  // as TextWork counts
  for (std::size_t first = 0; first < words.places.size(); ++first) {
    CAIRN_TRY(work.add(bytes_of_word, 0));
    // Up to three lookups for each word. They need no allocation, because a sequence is a part of
    // the folded text.
    for (std::size_t count = 1; count <= longest_phrase && first + count <= words.places.size();
         ++count) {
      const auto found = lexicon.find(words.run(first, count));
      if (found != lexicon.end()) features.add(found->second);
    }
  }
  return {};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// True if the text contains a question mark that is not inside something like "x?y=z".
bool asks(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (text[at] == '?' && at > 0 && !is_letter(next) && !is_digit(next)) return true;
  }
  return text.find("\xef\xbc\x9f") != text.npos;  // full-width, in East Asian texts
}

// Strings of four digits compare like numbers.
bool is_year(std::string_view word) {
  return word.size() == 4 && std::all_of(word.begin(), word.end(), is_digit) && word >= "1900" &&
         word <= "2100";
}

/// True for lines like "- one", "* one", "1. one", "2) two".
bool begins_item(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && is_blank(line[at])) ++at;
  const std::size_t first = at;
  while (at < line.size() && is_digit(line[at])) ++at;
  const std::string_view signs = at > first ? ".)" : "-*+";
  return at + 1 < line.size() && signs.find(line[at]) != signs.npos && is_blank(line[at + 1]);
}

// True if at least two lines begin like items of a list.
bool has_lines_of_list(std::string_view text) {
  int items = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (begins_item(text.substr(at, end - at)) && ++items == 2) return true;
    at = end + 1;
  }
  return false;
}

/// True if `rest` begins with an item of at most three words that is followed by "and" or "or".
bool is_thing_before_last(std::string_view rest) {
  int blanks = 0;
  for (std::size_t at = 0; at < rest.size() && blanks < 3; ++at) {
    if (std::string_view(".!?;:\n").find(rest[at]) != std::string_view::npos) return false;
    if (rest[at] == ',')
      return rest.substr(at).starts_with(", and ") || rest.substr(at).starts_with(", or ");
    if (rest[at] != ' ') continue;
    if (at > 0 && (rest.substr(at).starts_with(" and ") || rest.substr(at).starts_with(" or ")))
      return true;
    ++blanks;
  }
  return false;
}

/// True for texts like "a, b and c".
bool has_row_of_things(std::string_view text) {
  for (std::size_t at = text.find(", "); at != text.npos; at = text.find(", ", at + 2))
    if (is_thing_before_last(text.substr(at + 2))) return true;
  return false;
}

// True for typical operators, text in backquotes, and snake_case names.
bool has_signs_of_code(std::string_view text) {
  for (const std::string_view sign : {"```", "::", "()", "->", "=>", "==", "!=", "</", "&&"})
    if (text.find(sign) != text.npos) return true;
  const std::size_t tick = text.find('`');
  if (tick != text.npos && text.find('`', tick + 1) != text.npos) return true;
  for (std::size_t at = 1; at + 1 < text.size(); ++at)  // snake_case
    if (text[at] == '_' && is_letter(text[at - 1]) && is_letter(text[at + 1])) return true;
  return false;
}

}  // namespace

std::vector<std::string_view> TextFeatures::names() const {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < feature_names.size(); ++i)
    if (has(static_cast<TextFeature>(i))) all.push_back(feature_names[i]);
  return all;
}

Result<TextFeatures> features_of(std::string_view text, TextWork& work) {
  static const Lexicon lexicon = lexicon_of(in_texts);
  TextFeatures features;
  CAIRN_ASSIGN(const Words words, Words::of(text, work));
  CAIRN_TRY(add_phrases(words, lexicon, features, work));
  for (std::size_t i = 0; i < words.places.size(); ++i) {
    if (is_digit(words.run(i, 1).front())) features.add(number);
    if (is_year(words.run(i, 1))) features.add(date);
  }
  if (asks(text)) features.add(question);
  if (has_lines_of_list(text) || has_row_of_things(text)) features.add(list);
  if (has_signs_of_code(text)) features.add(code);
  return features;
}

TextFeatures features_of(std::string_view text) {
  TextWork unlimited(nullptr);
  return *features_of(text, unlimited);
}

// Queries have lists of their own: "how many" asks for a number, but does not contain one.
Result<TextFeatures> features_asked(std::string_view question, TextWork& work) {
  static const Lexicon lexicon = lexicon_of(in_questions);
  TextFeatures features;
  CAIRN_ASSIGN(const Words words, Words::of(question, work));
  CAIRN_TRY(add_phrases(words, lexicon, features, work));
  if (has_signs_of_code(question)) features.add(code);
  return features;
}

TextFeatures features_asked(std::string_view question) {
  TextWork unlimited(nullptr);
  return *features_asked(question, unlimited);
}

std::string marker_term(std::string_view feature) { return marker_sign + std::string(feature); }

}  // namespace cairn::engine

// Texts of made words by Zipf's law (frequent words are short), 9 to 25 words each, or the lines of
// a file. Questions take words from one text each, so that there is an answer to "all words".
#include "tools/bench/text_data.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string_view>

namespace cairn::tools {
namespace {

constexpr std::size_t vocabulary = 60'000;
constexpr std::size_t shortest = 9;
constexpr std::size_t longest = 25;

constexpr std::array<std::string_view, 20> heads{"b", "c", "d",  "f",  "g",  "h", "j",
                                                 "l", "m", "n",  "p",  "r",  "s", "t",
                                                 "v", "w", "br", "st", "tr", "pl"};
constexpr std::array<std::string_view, 6> vowels{"a", "e", "i", "o", "u", "ea"};
constexpr std::array<std::string_view, 8> tails{"", "n", "r", "s", "l", "t", "nd", "ck"};
constexpr std::array<std::string_view, 6> endings{"", "", "", "s", "ing", "ed"};

std::size_t below(std::mt19937_64& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

/// A word that can be spoken: frequent ones are short, and some bend as English does.
std::string make_word(std::mt19937_64& random, std::size_t rank) {
  const std::size_t syllables = rank < 100 ? 1 : rank < 5'000 ? 2 : 2 + below(random, 2);
  std::string word;
  for (std::size_t i = 0; i < syllables; ++i) {
    word += heads[below(random, heads.size())];
    word += vowels[below(random, vowels.size())];
    word += tails[below(random, tails.size())];
  }
  return word + std::string(endings[below(random, endings.size())]);
}

/// Made words may fall together; each is taken once, so the vocabulary has its full size.
std::vector<std::string> make_vocabulary(std::mt19937_64& random) {
  std::vector<std::string> words;
  std::set<std::string> known;
  while (words.size() < vocabulary) {
    std::string word = make_word(random, words.size());
    if (known.insert(word).second) words.push_back(std::move(word));
  }
  return words;
}

/// 1 / (rank + 2): the most frequent word is not too frequent.
std::vector<std::string> generate(const TextWorkload& workload) {
  std::mt19937_64 random(workload.seed);
  const std::vector<std::string> words = make_vocabulary(random);
  std::vector<double> sums;
  double sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    sums.push_back(sum += 1.0 / static_cast<double>(i + 2));
  std::uniform_real_distribution<double> place(0, sum);
  std::vector<std::string> texts(workload.texts);
  for (std::string& text : texts) {
    for (std::size_t i = shortest + below(random, longest - shortest + 1); i > 0; --i) {
      const auto found = std::lower_bound(sums.begin(), sums.end(), place(random));
      if (!text.empty()) text += ' ';
      text += words[static_cast<std::size_t>(found - sums.begin())];
    }
  }
  return texts;
}

Result<std::vector<std::string>> read_lines(const TextWorkload& workload) {
  std::ifstream file(workload.file, std::ios::binary);
  if (!file) return Error{ErrorCode::io_error, "cannot read " + workload.file, std::nullopt};
  std::vector<std::string> texts;
  for (std::string line; texts.size() < workload.texts && std::getline(file, line);)
    if (!line.empty()) texts.push_back(line);
  return texts;
}

/// Words of letters, so that no engine reads a sign of its syntax.
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream input(text);
  std::vector<std::string> words;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::string word; input >> word;)
    if (std::all_of(word.begin(), word.end(), is_letter)) words.push_back(word);
  return words;
}

}  // namespace

Result<std::vector<std::string>> make_texts(const TextWorkload& workload) {
  return workload.file.empty() ? generate(workload) : read_lines(workload);
}

// All words of a question are from one text, so that also those that need all words find something.
std::vector<TextQuestion> make_questions(const std::vector<std::string>& texts,
                                         const TextWorkload& workload, std::size_t words) {
  std::mt19937_64 random(workload.seed + words);
  std::vector<TextQuestion> questions;
  // Bounded, where hardly a text has so many words.
  for (std::uint64_t tries = 0;
       questions.size() < workload.questions && tries < 100 * workload.questions; ++tries) {
    std::vector<std::string> all = words_of(texts[below(random, texts.size())]);
    std::shuffle(all.begin(), all.end(), random);
    TextQuestion question;
    for (std::string& word : all) {
      const bool is_new =
          std::find(question.words.begin(), question.words.end(), word) == question.words.end();
      if (is_new && question.words.size() < words) question.words.push_back(std::move(word));
    }
    if (question.words.size() == words) questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace cairn::tools

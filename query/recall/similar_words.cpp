// Words near to those of a question by their vectors, for `expansion` of a recall: each once, with the
// greatest similarity as its share. Stop words are English; words of the question itself are left
// out.
#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/word_breaker.hpp"

#include <cairn/similar_words.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace cairn {

// Of a word that is near to several asked ones the greatest share counts; words of the question
// itself are asked for anyway. Equals in the order of the alphabet.
std::vector<RecallWord> similar_words(const WordVectors& vectors, std::string_view question,
                                      const SimilarWordsOptions& options) {
  std::set<std::string> asked;
  for (const engine::WordRange& range : engine::break_words(question)) {
    std::string word = engine::fold_word(question.substr(range.begin, range.end - range.begin));
    if (!engine::is_stop_word("english", word)) asked.insert(std::move(word));
  }
  std::map<std::string, double> shares;
  for (const std::string& word : asked) {
    for (const auto& near : vectors.nearest_words(word, options.per_word, options.among)) {
      const std::string folded = engine::fold_word(near.word);
      if (near.similarity < options.least || asked.contains(folded)) continue;
      double& share = shares[folded];
      share = std::max(share, std::min(near.similarity, 1.0));
    }
  }
  std::vector<RecallWord> words;
  for (const auto& [word, share] : shares) words.push_back({word, share});
  std::stable_sort(words.begin(), words.end(),
                   [](const RecallWord& a, const RecallWord& b) { return a.share > b.share; });
  return words;
}

}  // namespace cairn

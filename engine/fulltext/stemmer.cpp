// Stemming by Snowball, with a cache for each thread, as words repeat. When the cache has 65,536
// words it is emptied: tracking the order of use would cost more than stemming some words again.
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/term_dictionary.hpp"

#include <libstemmer.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

/// Number of cached words of a language at which a thread empties its cache.
constexpr std::size_t kept_stems = std::size_t{1} << 16;

struct Deleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

/// The stemmer of one language. A stemmer is not thread-safe, so every thread has its own.
class Language {
 public:
  explicit Language(const std::string& name) : stemmer_(sb_stemmer_new(name.c_str(), "UTF_8")) {}

  std::string_view stem(std::string_view word) {
    if (words_.size() >= kept_stems) {
      words_.clear();
      stems_.clear();
    }
    const std::uint32_t number = words_.number_of(word);
    // Usually adds at most one stem. An earlier word has a number but no stem if an allocation
    // failed.
    while (stems_.size() <= number)
      stems_.push_back(make_stem(words_[static_cast<std::uint32_t>(stems_.size())]));
    return stems_[number];
  }

 private:
  [[nodiscard]] std::string make_stem(std::string_view word) const {
    // Without a stemmer, which means an unknown language or a lack of memory, the word is its own
    // stem.
    if (stemmer_ == nullptr) return std::string(word);
    const auto* bytes = reinterpret_cast<const sb_symbol*>(word.data());
    const sb_symbol* stemmed =
        sb_stemmer_stem(stemmer_.get(), bytes, static_cast<int>(word.size()));
    if (stemmed == nullptr) return std::string(word);
    const auto length = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    // A word that consists of a suffix only is its own stem, because an empty term would match
    // nothing.
    return std::string(
        length == 0 ? word : std::string_view(reinterpret_cast<const char*>(stemmed), length));
  }

  std::unique_ptr<sb_stemmer, Deleter> stemmer_;
  TermInterner words_;
  std::vector<std::string> stems_;  // by the number of their word
};

}  // namespace

bool is_stemmer_language(std::string_view language) {
  if (language == "none") return true;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name)
    if (language == *name) return true;
  return false;
}

std::string_view stem(const std::string& language, std::string_view word) {
  if (language == "none") return word;
  thread_local std::map<std::string, Language> languages;
  // The language of the last call, which is usually the same.
  thread_local std::pair<const std::string, Language>* last = nullptr;
  if (last == nullptr || last->first != language)
    last = &*languages.try_emplace(language, language).first;
  return last->second.stem(word);
}

}  // namespace cairn::engine

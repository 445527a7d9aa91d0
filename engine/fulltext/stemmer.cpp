// Snowball's stemmers, each thread its own, and a cache by thread, as words of texts repeat. 65,536
// words of a language are kept, then all are forgotten at once: keeping an order of use would cost
// more than stemming again now and then.
#include "engine/fulltext/stemmer.hpp"

#include "engine/fulltext/term_interner.hpp"

#include <libstemmer.h>

#include <map>
#include <memory>
#include <vector>

namespace cairn::engine {
namespace {

/// Words come again and again; past this many the thread starts again.
constexpr std::size_t kept_stems = std::size_t{1} << 16;

struct Deleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

/// A stemmer is not for two threads at once, so that every thread has its own.
class Language {
 public:
  explicit Language(const std::string& name) : stemmer_(sb_stemmer_new(name.c_str(), "UTF_8")) {}

  std::string_view stem(std::string_view word) {
    if (words_.size() >= kept_stems) {
      words_.clear();
      stems_.clear();
    }
    const std::uint32_t number = words_.number_of(word);
    // Mostly one at most; a word before may have its number and, for want of memory, no stem.
    while (stems_.size() <= number)
      stems_.push_back(make_stem(words_[static_cast<std::uint32_t>(stems_.size())]));
    return stems_[number];
  }

 private:
  [[nodiscard]] std::string make_stem(std::string_view word) const {
    // Only for a language that Analyzer::check() would have refused, or without memory.
    if (stemmer_ == nullptr) return std::string(word);
    const auto* bytes = reinterpret_cast<const sb_symbol*>(word.data());
    const sb_symbol* stemmed =
        sb_stemmer_stem(stemmer_.get(), bytes, static_cast<int>(word.size()));
    if (stemmed == nullptr) return std::string(word);
    const auto length = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    // A word that is all suffix keeps itself: an empty term would match nothing.
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
  thread_local std::pair<const std::string, Language>* last = nullptr;  // mostly it is the same
  if (last == nullptr || last->first != language)
    last = &*languages.try_emplace(language, language).first;
  return last->second.stem(word);
}

}  // namespace cairn::engine

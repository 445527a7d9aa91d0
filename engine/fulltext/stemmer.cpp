#include "engine/fulltext/stemmer.hpp"

#include <libstemmer.h>

#include <map>
#include <memory>
#include <unordered_map>

namespace cairn::engine {
namespace {

/// Words come again and again; past this many the thread begins anew.
constexpr std::size_t kept_stems = std::size_t{1} << 16;

struct Deleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

/// A stemmer is not for two threads at once, so that every thread has its own.
class Language {
 public:
  explicit Language(const std::string& name) : stemmer_(sb_stemmer_new(name.c_str(), "UTF_8")) {}

  const std::string& stem(const std::string& word) {
    if (stems_.size() >= kept_stems) stems_.clear();
    const auto [entry, is_new] = stems_.try_emplace(word);
    if (is_new) entry->second = make_stem(word);
    return entry->second;
  }

 private:
  [[nodiscard]] std::string make_stem(const std::string& word) const {
    if (stemmer_ == nullptr) return word;
    const auto* bytes = reinterpret_cast<const sb_symbol*>(word.data());
    const sb_symbol* stemmed =
        sb_stemmer_stem(stemmer_.get(), bytes, static_cast<int>(word.size()));
    if (stemmed == nullptr) return word;
    const auto length = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    // A word that is all suffix keeps itself: an empty term would match nothing.
    return length == 0 ? word : std::string(reinterpret_cast<const char*>(stemmed), length);
  }

  std::unique_ptr<sb_stemmer, Deleter> stemmer_;
  std::unordered_map<std::string, std::string> stems_;
};

}  // namespace

bool is_stemmer_language(std::string_view language) {
  if (language == "none") return true;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name)
    if (language == *name) return true;
  return false;
}

const std::string& stem(const std::string& language, const std::string& word) {
  if (language == "none") return word;
  thread_local std::map<std::string, Language> languages;
  thread_local std::pair<const std::string, Language>* last = nullptr;  // mostly it is the same
  if (last == nullptr || last->first != language)
    last = &*languages.try_emplace(language, language).first;
  return last->second.stem(word);
}

}  // namespace cairn::engine

#pragma once
// TermDictionary: what words became which terms, kept from commit to commit, so that a word that came before is
// neither stemmed nor entered again.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/term_interner.hpp"
#include "engine/fulltext/word_interner.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// For texts of one language. One round at a time: a set of texts whose terms are numbered from 0 in the
/// order in which they first come, apart for each field. Cost: for a word that came before one lookup,
/// and what is remembered of some ten thousands of them.
class TermDictionary {
 public:
  /// Begins a round; what was numbered before is void. Forgets the words where they have become many.
  std::uint32_t begin();
  /// The round that runs, as begin() gave it.
  [[nodiscard]] std::uint32_t round() const noexcept { return round_; }

  /// The number of a term in this round, which is terms() before the call where it has none yet.
  std::uint32_t number_of(std::size_t field, std::string_view term) {
    return stamp(field, terms_.number_of(term));
  }
  /// Notes one of a text's words or terms for visit_noted(), which numbers all of them at once.
  void note(const FoundTerm& found, const Analyzer& analyzer);
  /// Calls back with the number and the position of each that was noted, in their order, and forgets them.
  template <class Visit>
  void visit_noted(std::size_t field, const Analyzer& analyzer, const Visit& visit) {
    find_noted(field, analyzer);
    for (const Noted& noted : noted_) visit(stamp(field, noted.term), noted.position);
    noted_.clear();
  }

  /// Numbers given in this round.
  [[nodiscard]] std::size_t terms() const noexcept { return numbered_.size(); }
  [[nodiscard]] std::size_t field_of(std::uint32_t number) const { return numbered_[number].field; }
  /// Valid until the next term.
  [[nodiscard]] std::string_view term_of(std::uint32_t number) const {
    return terms_[numbered_[number].term];
  }
  /// Of all rounds.
  [[nodiscard]] std::size_t kept_words() const noexcept { return words_.size(); }
  /// What has come in this round.
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return numbered_.size() * sizeof(Numbered) + bytes_of_all() - bytes_before_;
  }

 private:
  /// A word that is to be looked for, or, where that has no letters, a term.
  struct Noted {
    ShortWord word;
    std::uint32_t term = 0;
    std::uint64_t hash = 0;
    std::uint32_t position = 0;
  };
  /// Of a term in a field: its number, if the round is the one that runs.
  struct Stamp {
    std::uint32_t round = 0;
    std::uint32_t number = 0;
  };
  struct Numbered {
    std::uint32_t field = 0;
    std::uint32_t term = 0;
  };
  void find_noted(std::size_t field, const Analyzer& analyzer);
  [[nodiscard]] std::uint32_t enter(const Noted& noted, const Analyzer& analyzer);
  std::uint32_t stamp(std::size_t field, std::uint32_t term);
  [[nodiscard]] std::size_t bytes_of_all() const noexcept {
    return words_.memory_bytes() + terms_.memory_bytes();
  }

  WordInterner words_;  // before they are stemmed, to their terms
  TermInterner terms_;
  std::vector<std::vector<Stamp>> stamps_;  // by field and term
  std::vector<Numbered> numbered_;          // in this round
  std::vector<Noted> noted_;
  std::uint32_t round_ = 0;
  std::size_t bytes_before_ = 0;  // this round
};

/// A book for each language in use. Threads: one at a time.
class TermDictionaries {
 public:
  /// Made at first use; stays where it is.
  [[nodiscard]] TermDictionary& of(const std::string& language) { return books_[language]; }

 private:
  std::map<std::string, TermDictionary> books_;
};

}  // namespace cairn::engine

#pragma once
// Terms and their numbers, in one state and across them.

#include "engine/fulltext/analyzer.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

// TermInterner: numbers for short texts, given in the order in which they first come.

/// The first eight bytes of a text without zero bytes, as a number that sorts as they do.
[[nodiscard]] std::uint64_t first_bytes(std::string_view text);

/// Texts without zero bytes. One that is known is found in one cache line where it has less than eight
/// bytes, as most words do. Nothing is taken out.
class TermInterner {
 public:
  /// The number of a text, which is size() before the call where it has none yet.
  std::uint32_t number_of(std::string_view text);
  /// Valid until the next text is entered.
  [[nodiscard]] std::string_view operator[](std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(letters_).substr(begin, ends_[number] - begin);
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// The size of the texts, without spare capacity.
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return letters_.size() + ends_.size() * (sizeof(ends_[0]) + 2 * sizeof(Slot));
  }
  /// Keeps its memory.
  void clear();

 private:
  struct Slot {
    std::uint64_t first = 0;  // bytes of the text, zeros behind a shorter one
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // counted from 1; 0: nobody's
  };
  [[nodiscard]] bool holds(const Slot& slot, std::uint64_t first, std::string_view text) const {
    return slot.first == first && (text.size() < sizeof first || (*this)[slot.number - 1] == text);
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::string letters_;
  std::vector<std::size_t> ends_;
};

// WordInterner: numbers that short words lead to.

/// A whole word of at most sixteen bytes: two of them are equal exactly if the words are.
struct ShortWord {
  static constexpr std::size_t most_bytes = 16;

  std::uint64_t front = 0;
  std::uint64_t back = 0;
  std::uint32_t size = 0;

  ShortWord() = default;
  /// `word` is not empty and not longer than that.
  explicit ShortWord(std::string_view word);
  [[nodiscard]] std::string letters() const;
  friend bool operator==(const ShortWord&, const ShortWord&) = default;
};

/// Words of an index come again and again, but not always soon enough to lie in the processor's cache:
/// who looks for several says so first, and waits for memory once. Cost: a cache line a word.
class WordInterner {
 public:
  [[nodiscard]] static std::uint64_t hash_of(const ShortWord& word);
  /// `hash` is the word's, here as below.
  void expect(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  /// What it leads to, or null; valid until the next one is entered.
  [[nodiscard]] const std::uint32_t* find(const ShortWord& word, std::uint64_t hash) const;
  /// A word that is not there yet.
  void insert(const ShortWord& word, std::uint64_t hash, std::uint32_t number);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    ShortWord word;  // of no bytes: nobody's
    std::uint32_t number = 0;
  };
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::size_t size_ = 0;
};

// TermDictionary: what words became which terms, held from commit to commit, so that a word that came before is
// neither stemmed nor entered again.

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
  /// The number of words of all rounds.
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

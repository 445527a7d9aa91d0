#pragma once
// Maps words and terms to numbers while texts are indexed. TermInterner and WordInterner are hash
// tables; TermDictionary uses them to avoid stemming and storing a word that came before.

#include "engine/fulltext/analyzer.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// The first eight bytes of a text without zero bytes, as a number that sorts like the text.
[[nodiscard]] std::uint64_t first_bytes(std::string_view text);

/// Assigns numbers to texts without zero bytes, in the order in which they first come. Entries are
/// never removed. A known text of less than eight bytes, like most words, is found with one cache
/// line.
class TermInterner {
 public:
  /// The number of a text. A new text gets the next number, size().
  std::uint32_t number_of(std::string_view text);
  /// The text of a number. Valid until the next text is added.
  [[nodiscard]] std::string_view operator[](std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(letters_).substr(begin, ends_[number] - begin);
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// Size of the contents, without spare capacity.
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return letters_.size() + ends_.size() * (sizeof(ends_[0]) + 2 * sizeof(Slot));
  }
  /// Removes all texts, but does not free memory.
  void clear();

 private:
  struct Slot {
    std::uint64_t first = 0;  // first bytes of the text, padded with zeros
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // counted from 1; 0 if the slot is free
  };
  // True if a slot has this text. Shorter texts are equal if `first` is.
  [[nodiscard]] bool holds(const Slot& slot, std::uint64_t first, std::string_view text) const {
    return slot.first == first && (text.size() < sizeof first || (*this)[slot.number - 1] == text);
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half of them used
  // The bytes of all texts, and where each ends.
  std::string letters_;
  std::vector<std::size_t> ends_;
};

/// A word of at most sixteen bytes as a value: two of them are equal exactly if the words are.
struct ShortWord {
  static constexpr std::size_t most_bytes = 16;

  // The first and last bytes of the word; see the constructor.
  std::uint64_t front = 0;
  std::uint64_t back = 0;
  std::uint32_t size = 0;

  ShortWord() = default;
  /// `word` must have from 1 to most_bytes bytes.
  explicit ShortWord(std::string_view word);
  [[nodiscard]] std::string letters() const;
  friend bool operator==(const ShortWord&, const ShortWord&) = default;
};

/// A hash table from short words to numbers. It may be too large for the processor's cache. So a
/// caller that looks up several words calls expect() for each first, and waits for memory only
/// once. Cost: one cache line for each word.
class WordInterner {
 public:
  [[nodiscard]] static std::uint64_t hash_of(const ShortWord& word);
  /// Prefetches the slot of a word. `hash` is hash_of() of the word, here and below.
  void expect(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  /// The number of a word, or nullptr. Valid until the next insert().
  [[nodiscard]] const std::uint32_t* find(const ShortWord& word, std::uint64_t hash) const;
  /// Adds a word that is not in the table.
  void insert(const ShortWord& word, std::uint64_t hash, std::uint32_t number);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    ShortWord word;  // its size is 0 if the slot is free
    std::uint32_t number = 0;
  };
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half of them used
  std::size_t size_ = 0;
};

/// Numbers the terms of one set of texts ("round") after the other, for texts of one language. The
/// numbers of a round begin at 0 and follow the order in which terms first come, separately for
/// each field.
///
/// Words and their terms are remembered across rounds, so that a word that came before is neither
/// stemmed nor stored again: it costs one lookup. Memory: up to 65,536 words, and those of the
/// current round.
class TermDictionary {
 public:
  /// Begins a round, which invalidates all numbers given before. Forgets the words if they have
  /// become too many. Returns the round.
  std::uint32_t begin();
  /// The current round, as begin() returned it.
  [[nodiscard]] std::uint32_t round() const noexcept { return round_; }

  /// The number of a term in this round. A new term gets the next number, terms().
  std::uint32_t number_of(std::size_t field, std::string_view term) {
    return stamp(field, terms_.number_of(term));
  }
  /// Notes a word or term of a text for visit_noted(), which looks up all noted words together.
  void note(const FoundTerm& found, const Analyzer& analyzer);
  /// Calls visit(number, position) for everything noted, in order, and forgets it.
  template <class Visit>
  void visit_noted(std::size_t field, const Analyzer& analyzer, const Visit& visit) {
    find_noted(field, analyzer);
    for (const Noted& noted : noted_) visit(stamp(field, noted.term), noted.position);
    noted_.clear();
  }

  /// The number of terms in this round.
  [[nodiscard]] std::size_t terms() const noexcept { return numbered_.size(); }
  [[nodiscard]] std::size_t field_of(std::uint32_t number) const { return numbered_[number].field; }
  /// The term of a number. Valid until the next term is added.
  [[nodiscard]] std::string_view term_of(std::uint32_t number) const {
    return terms_[numbered_[number].term];
  }
  /// The number of words remembered from all rounds.
  [[nodiscard]] std::size_t kept_words() const noexcept { return words_.size(); }
  /// Memory that this round added.
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return numbered_.size() * sizeof(Numbered) + bytes_of_all() - bytes_before_;
  }

 private:
  /// A word to look up or, if `word` is empty, a term.
  struct Noted {
    ShortWord word;
    std::uint32_t term = 0;
    std::uint64_t hash = 0;
    std::uint32_t position = 0;
  };
  /// The number of a term in a field. It is valid if `round` is the current one.
  struct Stamp {
    std::uint32_t round = 0;
    std::uint32_t number = 0;
  };
  /// A term that has a number in this round.
  struct Numbered {
    std::uint32_t field = 0;
    std::uint32_t term = 0;
  };
  // Sets the term of everything noted.
  void find_noted(std::size_t field, const Analyzer& analyzer);
  [[nodiscard]] std::uint32_t enter(const Noted& noted, const Analyzer& analyzer);
  std::uint32_t stamp(std::size_t field, std::uint32_t term);
  [[nodiscard]] std::size_t bytes_of_all() const noexcept {
    return words_.memory_bytes() + terms_.memory_bytes();
  }

  WordInterner words_;                      // unstemmed words, to the index of their term
  TermInterner terms_;                      // terms of all rounds
  std::vector<std::vector<Stamp>> stamps_;  // by field and term
  std::vector<Numbered> numbered_;          // terms by their number in this round
  std::vector<Noted> noted_;                // words and terms of the current text
  std::uint32_t round_ = 0;
  std::size_t bytes_before_ = 0;  // memory when this round began
};

/// A dictionary for each language in use. Threads: one at a time.
class TermDictionaries {
 public:
  /// The dictionary of a language, made at first use. Its address never changes.
  [[nodiscard]] TermDictionary& of(const std::string& language) { return books_[language]; }

 private:
  std::map<std::string, TermDictionary> books_;
};

}  // namespace cairn::engine

#pragma once
// WordInterner: numbers that short words lead to.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A word of at most sixteen bytes, whole: equal ones are equal words.
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

}  // namespace cairn::engine
